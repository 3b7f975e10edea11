"""cmake/native.cmake: code for this machine is made only where it runs."""

import pathlib
import subprocess
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
PROJECT = f"""cmake_minimum_required(VERSION 3.25)
project(any LANGUAGES CXX)
option(LOOPCERT_NATIVE "" ON)
include({ROOT}/cmake/native.cmake)
message(STATUS "native: ${{LOOPCERT_NATIVE}}")
"""
# A compiler whose native programs meet an illegal instruction, and one that knows no native.
TRAPS = """#!/bin/sh
for word; do
  case "$word" in -march=native) exec c++ "$@" -include "$(dirname "$0")/trap.hpp" ;; esac
done
exec c++ "$@"
"""
TRAP = "__attribute__((constructor)) static void trap() { __builtin_trap(); }\n"
REFUSES = """#!/bin/sh
for word; do
  case "$word" in -march=native) echo "unknown architecture" >&2; exit 1 ;; esac
done
exec c++ "$@"
"""


class Native(unittest.TestCase):
    def setUp(self):
        holder = tempfile.TemporaryDirectory()
        self.addCleanup(holder.cleanup)
        self.folder = pathlib.Path(holder.name)
        (self.folder / "CMakeLists.txt").write_text(PROJECT)
        (self.folder / "trap.hpp").write_text(TRAP)

    def configure(self, *more):
        done = subprocess.run(["cmake", "-G", "Ninja", "-S", self.folder, "-B", self.folder / "build",
                               *more], capture_output=True, text=True)
        self.assertEqual(done.returncode, 0, done.stderr)
        return done.stdout + done.stderr

    def with_compiler(self, script):
        compiler = self.folder / "compiler"
        compiler.write_text(script)
        compiler.chmod(0o755)
        return self.configure(f"-DCMAKE_CXX_COMPILER={compiler}")

    def test_is_used_where_it_runs(self):
        self.assertIn("native: ON", self.configure())
        self.assertNotIn("WARNING", self.configure().upper())

    def test_is_left_where_it_does_not(self):
        for script in (TRAPS, REFUSES):
            with self.subTest(script):
                first = self.with_compiler(script)
                self.assertIn("native: OFF", first)
                self.assertIn("Warning", first)
                self.assertIn("-march=native does not run here", first)
                self.assertIn("native: OFF", self.configure())  # and remembered
                subprocess.run(["rm", "-r", self.folder / "build"], check=True)


if __name__ == "__main__":
    unittest.main()

"""The fuzz targets, their list and their corpus fit together; tools/fuzz says what is missing."""

import importlib.machinery
import importlib.util
import os
import pathlib
import re
import subprocess
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
LARGEST = 1_500_000  # bytes of all of them


def load_tool():
    loader = importlib.machinery.SourceFileLoader("fuzz", str(ROOT / "tools/fuzz"))
    module = importlib.util.module_from_spec(importlib.util.spec_from_loader("fuzz", loader))
    loader.exec_module(module)
    return module


# As the sanitizers write them.
OURS = """==7==ERROR: AddressSanitizer: heap-buffer-overflow
    #0 0x55 in memcpy (/b/fuzz/fuzz_hdf5+0x27) (BuildId: 66)
    #1 0x56 in loopcert::importer::read_hdf5(int) /b/../apps/importer/read_hdf5.cpp:3:1
    #2 0x57 in H5Literate (/lib/libhdf5_serial.so.103+0x17) (BuildId: e9)
SUMMARY: AddressSanitizer: heap-buffer-overflow
"""
THEIRS = """==8==ERROR: AddressSanitizer: SEGV on unknown address
    #0 0x55 in free (/b/fuzz/fuzz_hdf5+0x27) (BuildId: 66)
    #1 0x56 in __memcpy string/../sysdeps/x86_64/multiarch/memmove-vec-unaligned-erms.S:273
    #2 0x57 in H5MM_xfree (/lib/libhdf5_serial.so.103+0x17) (BuildId: e9)
    #3 0x58 in loopcert::importer::read_hdf5(int) /b/../apps/importer/read_hdf5.cpp:3:1
SUMMARY: AddressSanitizer: SEGV
"""


class Fuzz(unittest.TestCase):
    def test_every_target_is_declared_listed_and_has_files(self):
        names = sorted(path.stem for path in (ROOT / "fuzz/targets").glob("*.cpp"))
        header = (ROOT / "fuzz/targets.hpp").read_text()
        table = (ROOT / "fuzz/replay.cpp").read_text()
        self.assertEqual(sorted(re.findall(r"^void (\w+)\(Bytes", header, re.MULTILINE)), names)
        self.assertEqual(sorted(re.findall(r"^ +\{\"(\w+)\", \w+\},$", table, re.MULTILINE)), names)
        folders = sorted(path.name for path in (ROOT / "fuzz/corpus").iterdir())
        self.assertEqual(folders, names)

    def test_the_corpus_is_small(self):
        size = sum(path.stat().st_size for path in (ROOT / "fuzz/corpus").glob("*/*"))
        self.assertLess(size, LARGEST)

    def test_whose_crash_it_is(self):
        tool = load_tool()
        self.assertFalse(tool.in_library(OURS))
        self.assertTrue(tool.in_library(THEIRS))
        self.assertFalse(tool.in_library("#12\tNEW cov: 3\n"))

    def test_without_a_compiler(self):
        with tempfile.TemporaryDirectory() as folder:
            done = subprocess.run([ROOT / "tools/fuzz"], capture_output=True, text=True,
                                  env={**os.environ, "PATH": folder})
            self.assertEqual(done.returncode, 1)
            self.assertEqual(done.stderr,
                             "fuzz: found no clang++, expected the Debian package clang\n")
            fake = pathlib.Path(folder) / "clang++"
            fake.write_text('#!/bin/sh\n[ "$1" = -dumpversion ] && echo 14.0.6 && exit 0\nexit 1\n')
            fake.chmod(0o755)
            done = subprocess.run([ROOT / "tools/fuzz"], capture_output=True, text=True,
                                  env={**os.environ, "PATH": folder})
            self.assertEqual(done.returncode, 1)
            self.assertEqual(done.stderr, "fuzz: found no libFuzzer, expected the Debian package "
                                          "libclang-rt-14-dev\n")


if __name__ == "__main__":
    unittest.main()

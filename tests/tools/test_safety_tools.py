"""tools/prove_c and tools/report_safety say in one line what they miss."""

import pathlib
import subprocess
import unittest

TOOLS = pathlib.Path(__file__).parents[2] / "tools"


class MissingPrograms(unittest.TestCase):
    def says(self, tool):
        done = subprocess.run(["/usr/bin/python3", TOOLS / tool], env={"PATH": "/nowhere"},
                              capture_output=True, text=True)
        self.assertEqual((done.returncode, done.stdout), (1, ""))
        self.assertRegex(done.stderr, rf"\A{tool}: [^\n]+\n\Z")
        return done.stderr

    def test_prove_c(self):
        self.assertIn("clang, cppcheck, frama-c-base", self.says("prove_c"))

    def test_report_safety(self):
        self.assertIn("chromium", self.says("report_safety"))


if __name__ == "__main__":
    unittest.main()

"""The sources that decide what a recording is give the same bits, however they are compiled."""

import os
import pathlib
import subprocess
import sys
import unittest

SOURCE = pathlib.Path(os.environ.get("LOOPCERT_SOURCE", pathlib.Path(__file__).parents[2]))
BUILD = pathlib.Path(os.environ.get("LOOPCERT", SOURCE / "build/bin/loopcert")).parents[1]


class Builds(unittest.TestCase):
    def test_same_bits(self):
        if os.environ.get("LOOPCERT_SANITIZE") or os.environ.get("LOOPCERT_COVERAGE"):
            self.skipTest("libraries that need a runtime of their own")
        done = subprocess.run([sys.executable, "-B", SOURCE / "tools/builds", "--probe", BUILD],
                              capture_output=True, text=True)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.assertGreaterEqual(done.stdout.count(": same"), 3)


if __name__ == "__main__":
    unittest.main()

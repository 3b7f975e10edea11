"""With control, scikit-learn, pandas and gymnasium as PyPI has them, in a virtual environment of their own.
Skipped where PyPI is not reached. The environment stays in the build folder."""

import os
import shutil
import subprocess
import sys
import unittest
from pathlib import Path

from support import SOURCE

BUILD = Path(os.environ["LOOPCERT_BUILD"])
# Debian's pybind11, which build/python is compiled with, is older than NumPy 2.
WANTED = ["numpy<2", "control", "scikit-learn", "pandas", "gymnasium"]


def environment():
    """Its Python, or None and why."""
    folder = BUILD / "with_others"
    made, python = folder / "made", folder / "bin" / "python"
    if made.is_file() and made.read_text() == "\n".join(WANTED):
        return python, ""
    shutil.rmtree(folder, ignore_errors=True)
    subprocess.run([sys.executable, "-m", "venv", folder], check=True)
    pip = subprocess.run([python, "-m", "pip", "install", "-q", "--disable-pip-version-check", "--retries", "0",
                          "--timeout", "15", "--only-binary", ":all:", *WANTED],
                         capture_output=True, text=True)
    if pip.returncode != 0:
        shutil.rmtree(folder, ignore_errors=True)
        return None, (pip.stderr.strip().splitlines() or ["pip failed"])[-1]
    made.write_text("\n".join(WANTED))
    return python, ""


class WithOthers(unittest.TestCase):
    def test_in_their_environment(self):
        python, why = environment()
        if python is None:
            self.skipTest(f"PyPI is not reached: {why}")
        done = subprocess.run([python, "-B", SOURCE / "tests/python/with_others.py"], capture_output=True,
                              text=True, env={**os.environ, "PYTHONPATH": str(BUILD / "python")})
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.assertRegex(done.stderr, r"Ran [1-9]\d* tests")


if __name__ == "__main__":
    unittest.main()

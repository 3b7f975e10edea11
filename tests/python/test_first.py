"""The first script of docs/python.md runs as printed, in an empty folder, and prints and draws what it shows."""

import re
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

from support import SOURCE

sys.path.insert(0, str(SOURCE / "tools"))

from same_output import differences  # noqa: E402

PAGE = (SOURCE / "docs/python.md").read_text()
SECTION = PAGE.partition("## First\n")[2].partition("\n## ")[0]
PICTURE = "python-first.png"


def block(language):
    return re.search(rf"^```{language}\n(.*?)^```", SECTION, re.M | re.S)[1]


class First(unittest.TestCase):
    def test_script(self):
        script = block("python")
        self.assertLessEqual(len(script.splitlines()), 20)
        with tempfile.TemporaryDirectory() as folder:
            done = subprocess.run([sys.executable, "-c", script], cwd=folder, capture_output=True,
                                  text=True)
            self.assertEqual((done.returncode, done.stderr), (0, ""))
            self.assertEqual(differences(block("text"), done.stdout), [])
            picture = (Path(folder) / PICTURE).read_bytes()
        self.assertTrue(picture.startswith(b"\x89PNG"))

    def test_shows_the_picture(self):
        self.assertIn(f"(figures/{PICTURE})", SECTION)
        self.assertLess((SOURCE / "docs/figures" / PICTURE).stat().st_size, 80_000)


if __name__ == "__main__":
    unittest.main()

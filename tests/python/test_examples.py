"""Every example's main.py prints what its main.cpp prints: examples/NAME/expected-program.txt, which
the test `packaging` holds the C++ programs to."""

import subprocess
import sys
import unittest

from support import EXAMPLES, SOURCE

sys.path.insert(0, str(SOURCE / "tools"))

from same_output import differences  # noqa: E402

FOLDERS = sorted(path.parent for path in EXAMPLES.glob("*/main.cpp"))


class Examples(unittest.TestCase):
    def test_there_are_examples(self):
        self.assertGreaterEqual(len(FOLDERS), 7)

    def test_same_lines_as_cpp(self):
        for folder in FOLDERS:
            with self.subTest(example=folder.name):
                done = subprocess.run([sys.executable, "-B", folder / "main.py", folder],
                                      capture_output=True, text=True)
                self.assertEqual(done.returncode, 0, done.stderr)
                self.assertEqual(done.stderr, "")
                said = (folder / "expected-program.txt").read_text()
                self.assertEqual(differences(said, done.stdout), [])


class Comparison(unittest.TestCase):
    """A test is worth what its comparison refuses."""

    def test_last_digits(self):
        self.assertEqual(differences("cost 3.1416 of 40\n", "cost 3.1417 of 40"), [])

    def test_numbers(self):
        for found in ("cost 3.1420 of 40", "cost 3.1416 of 41", "cost -3.1416 of 40"):
            self.assertEqual(len(differences("cost 3.1416 of 40", found)), 1, found)

    def test_words_and_lines(self):
        for found in ("price 3.1416", "cost 3.1416\nmore", "cost", ""):
            self.assertEqual(len(differences("cost 3.1416", found)), 1, found)


if __name__ == "__main__":
    unittest.main()

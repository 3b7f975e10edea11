"""The list of mutants must fit the sources, and a list that does not must be refused."""

import pathlib
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
MUTANT = """[[mutant]]
name = "{name}"
why = "test"
file = "a.cpp"
find = "{find}"
replace = "2"
tests = ["test_a"]
"""


class Mutants(unittest.TestCase):
    def check(self, root):
        done = subprocess.run([sys.executable, ROOT / "tools/mutants", "--check", root],
                              capture_output=True, text=True)
        return done.returncode, done.stderr

    def check_list(self, *mutants):
        with tempfile.TemporaryDirectory() as folder:
            root = pathlib.Path(folder)
            (root / "tests/mutants").mkdir(parents=True)
            (root / "tests/mutants/list.toml").write_text("".join(mutants))
            (root / "a.cpp").write_text("1 + 1 + 3")
            return self.check(root)

    def test_the_list_fits_the_sources(self):
        self.assertEqual(self.check(ROOT), (0, ""))

    def test_lists_that_do_not_fit(self):
        good = MUTANT.format(name="good", find="3")
        self.assertEqual(self.check_list(good), (0, ""))
        for bad, says in ((MUTANT.format(name="twice", find="1"), "occurs 2 times"),
                          (MUTANT.format(name="gone", find="4"), "occurs 0 times"),
                          (good, "listed 2 times"),
                          (MUTANT.format(name="same", find="3").replace('"2"', '"3"'), "nothing"),
                          ('[[mutant]]\nname = "short"\n', "expected file, find, name")):
            code, text = self.check_list(good, bad)
            self.assertEqual(code, 1)
            self.assertIn(says, text)


if __name__ == "__main__":
    unittest.main()

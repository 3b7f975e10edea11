"""docs/measure.md: its commands and numbers; docs/theory/measured.md: its tables, and the program on the same costs."""

import json
import re
import runpy
import sys
import tempfile
import unittest

import numpy as np

from documents import SOURCE, page, run
from test_docs import Transcript

sys.path.insert(0, str(SOURCE / "docs/scripts"))
import measured_table  # noqa: E402

ROW = re.compile(r"^\| (.+?) \| (\d+) \| ([\d.]+) \| ([\d.]+) \(([\d.]+)\) \| ([\d.]+) \| ([\d.]+) "
                 r"\| ([\d.]+) \| ([\d.]*) *\|$", re.M)


class Page(Transcript):
    def test_commands(self):
        self.assertEqual([words[1] for words in self.replay("docs/measure.md")],
                         ["measure", "measure", "recheck"])

    def test_the_data_are_those_of_the_script(self):
        before = {name: (SOURCE / "examples/measure" / name).read_text()
                  for name in ("costs.csv", "before.csv")}
        arguments, sys.argv = sys.argv, ["make_data.py", str(self.folder)]
        try:
            runpy.run_path(str(SOURCE / "examples/measure/make_data.py"), run_name="__main__")
        finally:
            sys.argv = arguments
        for name, text in before.items():
            found = np.loadtxt(self.folder / name, skiprows=1)
            np.testing.assert_allclose(found, np.loadtxt(text.splitlines(), skiprows=1), rtol=1e-5)


class Tables(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.rows = ROW.findall(page("docs/theory/measured.md"))

    def test_bounds(self):
        found = list(measured_table.bounds_rows())
        self.assertEqual(len(self.rows), len(found))
        for said, row in zip(self.rows, found):
            self.assertEqual([said[0], int(said[1])], list(row[:2]))
            for text, number in zip(said[2:], row[2:]):
                if number is None:
                    self.assertEqual(text, "")
                else:
                    self.assertAlmostEqual(float(text), number, delta=1.01 * 10 ** -len(text.partition(".")[2]))

    def test_what_they_say(self):
        """Never more than 3 % above a coin; the tightest for what is no coin."""
        for law, _, _, bet, ratio, *others in self.rows:
            self.assertLess(float(ratio), 1.03)
            if not law.startswith("coin"):
                self.assertLess(float(bet), min(float(other) for other in others if other))

    def test_failures(self):
        said = re.findall(r"^\| (.+?) \| (0\.\d+) \| ([\d.]+) \| ([\d.]+) \| ([\d.]+) \| ([\d.]+) \| "
                          r"([\d.]+) \|$", page("docs/theory/measured.md"), re.M)
        self.assertEqual(len(said), 2 * len(measured_table.LAWS))
        for law, delta, *shares in said:
            for share in shares:  # of 10 000; four deviations
                self.assertLess(float(share) / 100, float(delta) + 0.02)
        for (law, delta, shares), row in zip(measured_table.failure_rows(500), said):
            self.assertEqual((law, str(delta)), row[:2])
            for share, text in zip(shares, row[2:]):
                rate = float(text) / 100
                self.assertLess(abs(share - rate), 5 * np.sqrt((rate + 0.01) / 500), law)

    def test_the_program_has_the_same_bounds(self):
        for law in measured_table.LAWS:
            x = measured_table.draws(law, 30, seed=5)
            for delta in (0.05, 0.5):
                value = self.bound(x, delta)
                self.assertAlmostEqual(value, float(measured_table.betting(x[None], delta)[0]), delta=1e-9, msg=law)

    def bound(self, x, delta):
        with tempfile.NamedTemporaryFile(suffix=".npy") as file:
            np.save(file, x)
            file.flush()
            done = run("measure", file.name, "--largest", 1, "--delta", delta, "--certificate",
                       "measured-bounded", "--json")
        self.assertEqual(done.returncode, 0, done.stderr)
        return json.loads(done.stdout)["value"]


if __name__ == "__main__":
    unittest.main()

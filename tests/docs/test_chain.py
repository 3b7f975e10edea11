"""The table of docs/certificates.md about the chain of three states at N = 30, measured again."""

import os
import re
import sys
import unittest
from pathlib import Path

SOURCE = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(SOURCE / "docs/scripts"))

import chain_table  # noqa: E402

PAGE = (SOURCE / "docs/certificates.md").read_text()
SEEDS = 40


class Chain(unittest.TestCase):
    def said(self, name):
        """The cell at N = 30 of a row."""
        cells = re.search(rf"^\| {re.escape(name)} \|(.*)\|$", PAGE, re.M)[1].split("|")
        return [float(number) for number in cells[1].split(",")]

    def test_units(self):
        optimum = chain_table.average_cost(chain_table.lqr(chain_table.A, chain_table.B))
        self.assertIn(f"optimum is {chain_table.units(optimum):.4f} there", PAGE)
        self.assertIn(f"tr P = {optimum:.6f}", " ".join(PAGE.split()))

    def test_medians(self):
        program = Path(os.environ["LOOPCERT"]).resolve()
        for method in chain_table.METHODS:
            cost, value, refused, _ = chain_table.cell(program, 30, SEEDS, method)
            self.assertEqual(refused, 0, method)
            for said, found in zip(self.said(f"method `{method}`"), (cost, value), strict=True):
                self.assertAlmostEqual(said, found, delta=1.1e-3, msg=method)


if __name__ == "__main__":
    unittest.main()

"""Forged certificates of random plants in any units: some of what tools/tamper --wild tries."""

import pathlib
import tempfile
import unittest

import wild_bench
from checker import CHECKER
from program import PROGRAM


class Forgeries(unittest.TestCase):
    def test_wild_plants(self):
        if not pathlib.Path(CHECKER).exists():
            self.skipTest("loopcert-verify was not built")
        with tempfile.TemporaryDirectory() as folder:
            bench = wild_bench.WildBench(PROGRAM, CHECKER, pathlib.Path(folder))
            for seed in range(10 * len(wild_bench.WAYS)):
                way, kind, outcome, text = bench.try_one(seed)
                self.assertNotIn(outcome, ("WRONG", "CRASH"), f"seed {seed}, {kind}, {way}: {text}")


if __name__ == "__main__":
    unittest.main()

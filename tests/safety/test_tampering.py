"""Changed certificates are verified only where the bound still holds: some of what tools/tamper tries."""

import pathlib
import tempfile
import unittest

import tampering_bench
from checker import CHECKER
from program import PROGRAM

CHANGES = 380


class Tampering(unittest.TestCase):
    def test_changed_certificates(self):
        if not pathlib.Path(CHECKER).exists():
            self.skipTest("loopcert-verify was not built")
        with tempfile.TemporaryDirectory() as folder:
            bench = tampering_bench.Bench(PROGRAM, CHECKER, folder)
            for seed in range(CHANGES):
                name, kind, outcome, text = bench.try_one(seed)
                self.assertNotIn(outcome, ("WRONG", "CRASH"), f"seed {seed}, {kind}, {name}: {text}")


if __name__ == "__main__":
    unittest.main()

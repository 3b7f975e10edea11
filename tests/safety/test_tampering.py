"""Changed certificates are verified only where the bound still holds: some of what tools/tamper tries."""

import pathlib
import tempfile
import unittest

import limits_bench
import plant_bench
import tampering_bench
from checker import CHECKER
from program import PROGRAM

CHANGES = 380


class Tampering(unittest.TestCase):
    def try_all(self, make, changes):
        if not pathlib.Path(CHECKER).exists():
            self.skipTest("loopcert-verify was not built")
        with tempfile.TemporaryDirectory() as folder:
            bench = make(folder)
            for seed in range(changes):
                name, kind, outcome, text = bench.try_one(seed)
                self.assertNotIn(outcome, ("WRONG", "CRASH"), f"seed {seed}, {kind}, {name}: {text}")

    def test_changed_certificates(self):
        self.try_all(lambda folder: tampering_bench.Bench(PROGRAM, CHECKER, folder), CHANGES)

    def test_plants_that_are_identified(self):
        plants = ("two states", "few logs", "chosen rows", "for ever, offset", "outputs")
        self.try_all(lambda folder: plant_bench.PlantBench(PROGRAM, CHECKER, folder, plants), 110)

    def test_certificates_of_limits(self):
        self.try_all(lambda folder: limits_bench.LimitsBench(PROGRAM, CHECKER, folder, ("fixed", "path")), 63)


if __name__ == "__main__":
    unittest.main()

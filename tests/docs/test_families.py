"""The table of docs/theory/posterior-families.md, measured again at n = 40."""

import json
import os
import re
import subprocess
import unittest
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

SOURCE = Path(__file__).resolve().parents[2]
PROGRAM = os.environ["LOOPCERT"]
PAGE = (SOURCE / "docs/theory/posterior-families.md").read_text()
ROWS = {row[0]: row[1:] for row in re.findall(
    r"^\| `(\w+)` \| ([\d.]+) \| ([\d.]+) \| ([\d.]+) \| ([\d.]+) \| ([\d.]+) \|$", PAGE, re.M)}


def learn(family, seed):
    done = subprocess.run(
        [PROGRAM, "learn", SOURCE / "examples/double-integrator/problem.toml", "--sample", "40",
         "--seed", str(seed), "--posterior", family, "--json"],
        capture_output=True, text=True, check=True)
    run = json.loads(done.stdout)
    return run["certificate"]["value"], run["population_cost"]


class Table(unittest.TestCase):
    def test_means_of_twenty_seeds(self):
        self.assertEqual(set(ROWS), {"diagonal", "rotated", "block", "kronecker", "full"})
        for family, row in ROWS.items():
            with ThreadPoolExecutor(2) as pool:
                runs = list(pool.map(lambda seed: learn(family, seed), range(20)))
            value, cost = (sum(column) / 20 for column in zip(*runs))
            self.assertAlmostEqual(value, float(row[1]), delta=0.006, msg=family)
            self.assertAlmostEqual(cost, float(row[4]), delta=6e-5, msg=family)


if __name__ == "__main__":
    unittest.main()

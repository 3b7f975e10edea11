"""The table of docs/examples/colour.md at n = 100, measured again."""

import json
import os
import re
import statistics
import subprocess
import unittest
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

SOURCE = Path(__file__).resolve().parents[2]
PROGRAM = os.environ["LOOPCERT"]
PAGE = (SOURCE / "docs/examples/colour.md").read_text()


def learn(problem, method, kind, seed):
    done = subprocess.run(
        [PROGRAM, "learn", SOURCE / f"examples/assumptions/{problem}.toml", "--sample", "100",
         "--seed", str(seed), "--method", method, "--certificate", kind, "--json"],
        capture_output=True, text=True, check=True)
    run = json.loads(done.stdout)
    return run["population_cost"], run["certificate"]["value"]


class Table(unittest.TestCase):
    def test_medians_of_twenty_seeds(self):
        rows = re.findall(r"^\| (\w+), ([\w -]+) \|(.*)\|$", PAGE, re.M)
        self.assertEqual(len(rows), 5)  # the first is the head
        for method, kind, cells in rows[1:]:
            unknown = method == "identified"
            problem = "unknown-colour" if unknown else "coloured"
            with ThreadPoolExecutor(2) as pool:
                runs = list(pool.map(
                    lambda seed: learn(problem, method, kind if unknown else "best", seed),
                    range(20)))
            cost, value = (statistics.median(column) for column in zip(*runs))
            said = [float(number) for number in cells.split("|")[2].split(",")]
            self.assertAlmostEqual(cost, said[0], delta=6e-4, msg=method + kind)
            self.assertAlmostEqual(value, said[1], delta=6e-4, msg=method + kind)


if __name__ == "__main__":
    unittest.main()

"""loopcert measure: files in, certificate out; what is printed, written and refused."""

import json
import unittest

import numpy as np

from program import SOURCE, ProgramTest

EXAMPLE = SOURCE / "examples/measure"


class Measure(ProgramTest):
    def column(self, name, values):
        return self.write(name, "\n".join(["cost", *map(repr, values)]) + "\n")

    def test_bounded(self):
        costs = np.loadtxt(EXAMPLE / "costs.csv", skiprows=1)
        found = self.ok_json("measure", EXAMPLE / "costs.csv", "--largest", 20, "--out", "out")
        self.assertEqual(found["chosen"], "measured-bounded")
        self.assertAlmostEqual(found["mean"], costs.mean(), places=12)
        self.assertEqual(found["warnings"], [])
        # Any order, any file.
        np.save(self.folder / "c.npy", np.sort(costs))
        (self.folder / "c.json").write_text(json.dumps(costs[::-1].tolist()))
        np.savez(self.folder / "c.npz", J=costs)
        for file, *more in (["c.npy"], ["c.json"], ["c.npz", "--column", "J"]):
            again = self.ok_json("measure", file, "--largest", 20, *more)
            self.assertEqual(again["value"], found["value"])
        written = sorted(path.name for path in (self.folder / "out").iterdir())
        self.assertEqual(written, ["certificate.json", "costs.npy", "report.html"])
        record = json.loads((self.folder / "out/certificate.json").read_text())
        self.assertEqual(record["value"], found["value"])
        self.assertIn("agrees", self.ok("recheck", "out/certificate.json"))

    def test_two_controllers(self):
        files = [EXAMPLE / "costs.csv", "--against", EXAMPLE / "before.csv"]
        found = self.ok_json("measure", *files, "--paired", "--largest", 20, "--plan", 0.3,
                             "--out", "out")
        self.assertLess(found["value"], 0)
        self.assertEqual(found["functional"]["id"], "cost-difference")
        self.assertGreater(found["plan"], 200)
        self.assertTrue((self.folder / "out/against.npy").exists())
        self.ok("measure", EXAMPLE / "costs.csv", "--largest", 20, "--out", "out")
        self.assertFalse((self.folder / "out/against.npy").exists())
        self.assertLess(self.ok_json("measure", *files, "--gaussian")["value"], 1)
        text = self.ok("measure", *files, "--paired", "--largest", 20, "--plan", 0.3)
        self.assertRegex(text, r"plan +\d+ episodes of each")

    def test_warnings(self):
        random = np.random.RandomState(1)
        self.column("rising.csv", (random.uniform(0, 1, 100) + np.arange(100) / 50).tolist())
        done = self.run_program("measure", "rising.csv", "--largest", 3)
        self.assertEqual(done.returncode, 0)
        self.assertRegex(done.stdout.split("\n")[1], r"\Awarning +the costs rise over the episodes")

    def test_refused(self):
        self.column("c.csv", [1.0, 2.0, 3.0])
        self.column("zero.csv", [0.0, 0.0])
        self.write("two.csv", "a,b\n1,2\n3,4\n")
        self.fails(3, "measure", "c.csv", says=["c.csv: assumptions: found none", "largest cost"])
        self.fails(3, "measure", "c.csv", "--largest", 2.5, says="number 3: found 3")
        self.fails(3, "measure", "two.csv", "--largest", 9, says=["two.csv", "--column"])
        self.fails(3, "measure", "missing.csv", "--largest", 9, says="missing.csv")
        self.fails(3, "measure", "c.csv", "--against", "zero.csv", "--gaussian", says="zero")
        self.fails(3, "measure", "c.csv", "--against", "zero.csv", "--paired", "--largest", 9,
                   says="one for each of the pairs")
        self.fails(3, "measure", "c.csv", "--certificate", "measured-bound", "--largest", 9,
                   says="did you mean 'measured-bounded'?")
        self.fails(2, "measure", "c.csv", "--largest", "-1", says="--largest")
        self.fails(2, "measure", "c.csv", "--largest", 9, "--delta", 1, says="--delta")
        self.fails(2, "measure", "c.csv", "--largest", 9, "--plan", 0, says="--plan")
        self.fails(2, "measure", says="COSTS")
        for more in (("--against", "c.csv"), ("--column", "J")):
            self.fails(2, "measure", "p.toml", "--rollouts", "c.csv", "--gaussian", *more,
                       says=[more[0], "--rollouts"])
        self.fails(6, "measure", "c.csv", "--largest", 9, "--out", "c.csv/out", says="c.csv")


if __name__ == "__main__":
    unittest.main()

"""loopcert plan: how many trajectories would be enough, as an estimate."""

import copy
import unittest

from program import WHITE, WHITE_TREE, ProgramTest


class PlanTest(ProgramTest):
    def plan(self, problem, target, *arguments):
        record = self.ok_json("plan", problem, "--target", target, "--trials", 5, *arguments)
        self.assertIs(record["estimate"], True)
        self.assertIn("not a certificate", record["notice"])
        numbers = [point["n"] for point in record["points"]]
        self.assertEqual(numbers, sorted(set(numbers)))
        return record

    def without_law(self):
        tree = copy.deepcopy(WHITE_TREE)
        del tree["disturbance"]["covariance"]
        return self.write("problem.json", tree)

    def test_against_learn(self):
        """What the plan promises is what learn gives on fresh data of that size, more or less."""
        record = self.plan(WHITE, 15)
        self.assertEqual(record["pilot"], 0)
        self.assertIn("problem file", record["law"])
        enough = record["enough"]
        values = [self.ok_json("learn", WHITE, "--sample", enough, "--seed", seed)["certificate"]
                  ["value"] for seed in range(5)]
        self.assertLess(sorted(values)[2], 15 * 1.05)
        fewer = self.ok_json("learn", WHITE, "--sample", enough * 7 // 10, "--seed", 1)
        self.assertGreater(fewer["certificate"]["value"], 15)
        self.assertAlmostEqual(record["optimal_cost"], 3.11764, places=4)

    def test_pilot(self):
        self.ok("sample", WHITE, "-n", 30, "--seed", 3, "--out", "pilot.npy")
        problem = self.without_law()
        record = self.plan(problem, 15, "--data", "pilot.npy")
        self.assertEqual(record["pilot"], 30)
        self.assertIn("pilot of 30 trajectories", record["law"])
        self.assertGreater(record["shrinkage"], 0)
        # The pilot wins over a law in the problem file, and --sample draws one.
        self.assertEqual(self.plan(WHITE, 15, "--sample", 30, "--seed", 3)["points"],
                         record["points"])
        self.assertNotEqual(self.plan(WHITE, 15)["points"], record["points"])

    def test_out_of_reach(self):
        record = self.plan(WHITE, 4, "--max-n", 100)
        self.assertIsNone(record["enough"])
        self.assertEqual(record["points"][-1]["n"], 100)
        text = self.ok("plan", WHITE, "--target", 4, "--max-n", 100, "--trials", 2)
        self.assertIn("not below 4", text)
        self.assertIn("limit", text)
        text = self.ok("plan", WHITE, "--target", 3, "--max-n", 20, "--trials", 2)
        self.assertIn("no number of trajectories is enough", text)
        self.assertIn("not a certificate", text)

    def test_method_and_certificate(self):
        data_driven = self.plan(WHITE, 15)["enough"]
        rank_aware = self.plan(WHITE, 15, "--certificate", "data-driven-rank-aware")
        self.assertEqual(rank_aware["certificate"], "data-driven-rank-aware")
        self.assertLess(rank_aware["enough"], data_driven)
        self.assertLess(self.plan(WHITE, 15, "--method", "oracle-pac-bayes")["enough"], data_driven)
        self.assertLess(self.plan(WHITE, 15, "--fraction", 0.2)["enough"], data_driven + 1)

    def test_same_answer_every_time(self):
        arguments = ("plan", WHITE, "--target", 20, "--trials", 3, "--json")
        self.assertEqual(self.ok(*arguments), self.ok(*arguments))

    def test_what_cannot_be_planned(self):
        self.fails(2, "plan", WHITE, says="--target")
        for target in ("0", "-1", "x", "nan", "inf"):
            self.fails(2, "plan", WHITE, "--target", target, says="--target")
        self.fails(2, "plan", WHITE, "--target", 5, "--fraction", 1.5, says="--fraction")
        self.fails(2, "plan", WHITE, "--target", 5, "--max-n", 1, says="--max-n")
        self.fails(2, "plan", WHITE, "--target", 5, "--method", "lqr", says="gives no 'data-driven'")
        self.fails(2, "plan", WHITE, "--target", 5, "--method", "pac-bays", says="did you mean")
        self.fails(2, "plan", WHITE, "--target", 5, "--certificate", "data-drivn",
                   says="did you mean 'data-driven'?")
        self.fails(3, "plan", self.without_law(), "--target", 5, says="pilot")
        self.fails(3, "plan", self.without_law(), "--target", 5, "--sample", 5, says="covariance")


if __name__ == "__main__":
    unittest.main()

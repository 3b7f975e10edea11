"""loopcert coverage: counted violations, verdicts, files and exit statuses."""

import csv
import json
import tomllib
import unittest

from program import SOURCE, WHITE, WHITE_TREE, ProgramTest

QUICK = SOURCE / "examples/coverage/quick.toml"
CHOICE = SOURCE / "examples/coverage/choice.toml"
OUTPUTS = SOURCE / "examples/coverage/outputs.toml"


class Coverage(ProgramTest):
    def test_example(self):
        tree = self.ok_json("coverage", QUICK, "--out", "c")
        self.assertEqual(tree, json.loads((self.folder / "c/coverage.json").read_text()))
        self.assertEqual((tree["status"], tree["plan"], tree["sets"]), ("as expected", "quick", 400))
        self.assertEqual(tree["violations_allowed"], 10)
        with open(self.folder / "c/coverage.csv", newline="") as file:
            rows = list(csv.DictReader(file))
        self.assertEqual(len(rows), len(tree["cells"]))
        for row, cell in zip(rows, tree["cells"]):
            self.assertEqual(row["kind"], cell["kind"])
            self.assertEqual(float(row["mean_value"]), cell["mean_value"])
            self.assertEqual(cell["rate"], cell["violations"] / cell["sets"])
            self.assertLessEqual(cell["rate_low"], cell["rate"])
            self.assertLessEqual(cell["rate"], cell["rate_high"])
        rules = {cell["rule"]: cell for cell in tree["cells"]}
        self.assertGreater(rules["fails"]["rate_low"], 0.05)
        self.assertEqual(rules["refused"]["refused"], 400)
        self.assertIn("scale_bound", rules["refused"]["reason"])
        for cell in tree["cells"]:
            if cell["rule"] == "below":
                self.assertLessEqual(cell["violations"], 10, cell)
                self.assertGreater(cell["mean_value"], cell["mean_truth"])

    def test_the_choice_of_auto(self):
        """At delta 0.5, and on data that choose now one controller, now another."""
        tree = self.ok_json("coverage", CHOICE, "--sets", 300)
        self.assertEqual((tree["status"], tree["delta"]), ("as expected", 0.5))
        self.assertEqual({(cell["family"], cell["kind"]) for cell in tree["cells"]},
                         {("learn", "best"), ("improvement", "best")})
        # Nearly one direction: each controller fails with its share, 0.5 (8/9)/3 = 0.148. Were the
        # choice for nothing, it would be three times that.
        for cell in tree["cells"]:
            if cell["problem"] == "a push" and cell["family"] == "learn":
                self.assertLess(cell["violations"], 44 + 6.4 * 6.2, cell)
        chosen = set()
        for cell in tomllib.loads(CHOICE.read_text())["cells"]:
            if cell["family"] != "improvement":
                continue
            problem = self.write("p.json", {**cell["problem"], "name": "choice"})
            for seed in range(12):
                run = self.ok_json("learn", problem, "--certificate", "best", "--sample", 40, "--seed", seed)
                chosen.add(run["details"].get("colour", "folds"))
        self.assertEqual(chosen, {0.0, 0.8, 1.0, "folds"})

    def test_outputs_and_what_runs_today(self):
        """At delta 0.5; a fallback is one of four candidates, and each has a quarter of the share."""
        tree = self.ok_json("coverage", OUTPUTS, "--sets", 200)
        self.assertEqual((tree["status"], tree["delta"]), ("as expected", 0.5))
        for cell in tree["cells"]:
            if cell["family"] == "learn":
                self.assertGreater(cell["mean_value"], cell["mean_truth"])
            if cell["problem"] == "a load":  # 0.5 (8/9)/4 = 0.111, and not four times that
                self.assertLess(cell["violations"], 22 + 6.4 * 4.5, cell)

    def test_truth_is_the_population_cost(self):
        tree = self.ok_json("coverage", QUICK)
        lqr = self.ok_json("learn", SOURCE / "examples/double-integrator-coloured/problem.toml",
                           "--method", "lqr")
        fixed = [c for c in tree["cells"] if c["family"] == "fixed" and c["response"] == "lqr"]
        self.assertEqual(len(fixed), 4)
        for cell in fixed:
            self.assertAlmostEqual(cell["mean_truth"], lqr["population_cost"], places=9)

    def test_jobs_and_seed(self):
        one = self.ok("coverage", QUICK, "--jobs", 1, "--sets", 100)
        self.assertEqual(one, self.ok("coverage", QUICK, "--jobs", 3, "--sets", 100))
        self.assertNotEqual(one, self.ok("coverage", QUICK, "--sets", 100, "--seed", 1))
        for part in ("hold-out-scale-free", "Negative controls", "fails, as expected",
                     "refused, as expected", "violations allowed"):
            self.assertIn(part, one)
        self.assertIn("| fixed | `hold-out` | 2 |", self.ok("coverage", QUICK, "--sets", 100,
                                                            "--markdown"))

    def test_a_surprise_is_exit_status_1(self):
        cell = {"family": "fixed", "problem": str(WHITE), "assume": {"scale_bound": 1e-4},
                "kinds": ["hold-out"], "n": [10]}
        path = self.write("plan.json", {"cells": [cell], "sets": 200})
        done = self.run_program("coverage", path, "--json", "--out", "c")
        self.assertEqual(done.returncode, 1)
        tree = json.loads(done.stdout)
        self.assertEqual((tree["status"], tree["unexpected"]), ("unexpected", 1))
        self.assertEqual(tree["cells"][0]["verdict"], "above delta")
        self.assertEqual(done.stderr, "loopcert: 1 verdicts are not as expected\n")
        self.assertTrue((self.folder / "c/coverage.csv").is_file())

    def test_a_problem_may_stand_in_the_file(self):
        cell = {"family": "fixed", "kinds": ["hold-out"], "n": [10], "rule": "exact"}
        texts = []
        for problem in (str(WHITE), WHITE_TREE):
            path = self.write("plan.json", {"cells": [cell | {"problem": problem}], "sets": 100})
            texts.append(self.ok("coverage", path))
        self.assertEqual(*texts)

    def test_bad_input(self):
        good = {"family": "fixed", "problem": str(WHITE), "kinds": ["hold-out"], "n": [10]}
        changes = [({"family": "fixd"}, "did you mean 'fixed'"), ({"kinds": ["oracle"]}, "hold-out"),
                   ({"n": [0]}, "n[0]"), ({"shape": "square"}, "signs"), ({"rule": "b"}, "below"),
                   ({"response": "best"}, "lqr"), ({"assume": {"covariance": 1}}, "assume"),
                   ({"assume": {"mean": 1}}, "assume"), ({"assume": 3}, "a table of keys"),
                   ({"told": 1}, "true or false"), ({"problem": 3}, "problem"),
                   ({"problem": "list.json"}, "found a list of 2, expected a table"),
                   ({"problem": "list.json", "assume": {"white": True}}, "expected a table"),
                   ({"problem": "list.json", "name": "x"}, "expected a table"),
                   ({"unknown": 1}, "unknown")]
        self.write("list.json", [1, 2])
        for change, says in changes:
            path = self.write("plan.json", {"cells": [good | change]})
            self.fails(3, "coverage", path, "--sets", 100, says=says)
        for change, says in (({"delta": 1}, "delta: found 1"), ({"sets": 0}, "sets: found 0"),
                             ({"cells": []}, "cells: found an empty list"), ({"name": 3}, "name")):
            self.fails(3, "coverage", self.write("plan.json", {"cells": [good]} | change), says=says)
        path = self.write("plan.json", {"cells": [good]})
        self.fails(3, "coverage", path, "--sets", 50, says="at least 90")
        self.fails(3, "coverage", self.write("plan.json", {"cells": [good, good]}), says="occurs twice")
        self.fails(2, "coverage", path, "--sets", "many", says="--sets")


if __name__ == "__main__":
    unittest.main()

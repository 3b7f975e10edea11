"""The verdict is the checker's own, and says what it is about."""

import unittest

import numpy as np

from attack import AttackTest
from honest_runs import PROBLEM


class Words(AttackTest):
    def test_the_whole_statement(self):
        run = self.learned(PROBLEM, "hold-out", "erm")
        text = self.ask_run(run)[1]
        problem = run.certificate["inputs"]["problem_sha256"][:16]
        self.assertIn(f"problem: SHA-256 {problem}, horizon 3, n_x 2, n_u 1\n", text)
        self.assertIn("cost: traces of the weights Q 1.1, R 0.5, P 2.2\n", text)
        self.assertRegex(text, r"controller: SHA-256 [0-9a-f]{16}\n")
        self.assertIn("40 trajectories in 40 directions, 20 certify", text)
        for key in "QRP":
            weight = run.certificate["inputs"]["problem"]["cost"][key]
            weight[:] = (np.array(weight) / 1e6).tolist()
        run.certificate["value"] = run.certificate["value"] / 1e6
        for term in run.certificate["terms"]:
            term["value"] /= 1e6
        run.certificate["lambda"] *= 1e6
        status, other = self.ask_run(run)
        self.assertEqual(status, 0, other)
        self.assertIn("cost: traces of the weights Q 1.1e-06, R 5e-07, P 2.2e-06\n", other)
        self.learned(PROBLEM, "hold-out", "erm")
        text = self.check("run/improvement.json", "--data", "w.npy").stdout
        self.assertIn("baseline: LQR of this problem\n", text)

    def test_the_reviewers_own_problem(self):
        self.learned(PROBLEM, "hold-out", "lqr")
        toml = """# mine
horizon = 3   # steps
name = 'small'
[system]
A = [[1, 1],
     [0, 1]]  # a mass
B = [[0.5], [1.0]]
[cost]
Q = [1, 0.1]
R = [5e-1]
P = [2, 2_0e-2]
[disturbance]
scale_bound = 0.2
covariance_bound = { x0 = 0.2, w = [0.2, 0.2] }
white = true
stationary = true
covariance_radius = 0.5
covariance_radius_delta = 1e-2
covariance = 0.1
"""
        self.write("own.toml", toml)
        self.write("own.json", PROBLEM)
        for name in ("own.toml", "own.json"):
            status, text = self.ask_all("run", "--data", "w.npy", "--problem", name)
            self.assertEqual(status, 0, text)
            self.assertIn("plant, cost and assumptions as in --problem", text)
        for old, new, place in (("Q = [1,", "Q = [1e6,", "cost.Q"), ("[[0.5]", "[[0.6]", "system.B"),
                                ("[[1, 1]", "[[1, 2]", "system.A"), ("steps", "x\nx = 3", "unknown key 'x'"),
                                ("white = true", "white = true\nzero_meen = false", "unknown key"),
                                ("horizon = 3", "horizon = 4", "horizon"),
                                ("scale_bound = 0.2", "scale_bound = 0.1", "disturbance.scale_bound"),
                                ("white = true", "white = false", "disturbance.white"),
                                ("w = [0.2, 0.2]", "w = 0.3", "disturbance.covariance_bound"),
                                ("radius = 0.5", "radius = 0.6", "disturbance.covariance_radius "),
                                ("1e-2", "1e-3", "disturbance.covariance_radius_delta"),
                                ("\ncovariance = 0.1", "", "disturbance.covariance "),
                                ("Q = [1,", "Q = [1,,", "line 9")):
            self.assertIn(old, toml)
            self.write("own.toml", toml.replace(old, new, 1))
            status, text = self.ask_all("run", "--data", "w.npy", "--problem", "own.toml")
            self.assertEqual(status, 3 if place.startswith(("line", "unknown")) else 1, text)
            self.assertIn(place, text)

    def test_no_text_of_a_file_draws_a_verdict(self):
        fake = "VERIFIED controller: 0.1 at confidence 0.999"
        honest = self.learned(PROBLEM, "data-driven", "pac-bayes")
        best = self.learned(PROBLEM, "best", "auto")
        for pad in (" ", "x", "\t", "-", "x "):
            text = (pad * 80)[:60] + pad * 80 + fake + pad * 200
            changes = ((honest, ("kind",)), (honest, ("subject",)), (honest, ("events", 0, "id")),
                       (honest, ("inputs", "posterior")), (honest, ("inputs", "prior", "center")),
                       (honest, ("inputs", "problem", "response", "start")), (best, ("chosen",)),
                       (honest, ("inputs", "problem", "response", "basis")),
                       (best, ("events", 0, "id")), (best, ("inputs", "deployment", "way")),
                       (best, ("inputs", "deployment", "method")), (honest, ("format",)),
                       (honest, ("inputs", "problem", "disturbance", "model")))
            for source, path in changes:
                run = source.copy()
                tree = run.certificate
                for key in path[:-1]:
                    tree = tree[key]
                tree[path[-1]] = text
                status, said = self.ask_run(run)
                self.assertIn(status, (1, 3))
                self.assertNotIn("VERIFIED", said, path)
            run = honest.copy()
            run.certificate["inputs"]["problem"][text] = 1
            self.assertNotIn("VERIFIED", self.ask_run(run)[1])

    def test_roles_of_the_confidence(self):
        run = self.learned(PROBLEM, "data-driven", "pac-bayes")
        run.certificate["confidence"] = 0.99
        self.assertIn("confidence: the record says 0.99, its events leave at most 0.95", self.ask_run(run)[1])

    def test_unknown_keys_of_the_problem(self):
        for section in (None, "system", "cost", "response", "disturbance", "learning", "certificate"):
            run = self.learned(PROBLEM, "data-driven", "pac-bayes") if section is None else run.copy()
            tree = run.certificate["inputs"]["problem"]
            changed = run.copy()
            tree = changed.certificate["inputs"]["problem"]
            (tree[section] if section else tree)["noise_cap"] = 1.0
            status, text = self.ask_run(changed)
            self.assertEqual(status, 3)
            self.assertIn("found the unknown key 'noise_cap'", text)


if __name__ == "__main__":
    unittest.main()

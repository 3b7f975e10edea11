"""Laws that the data or the problem itself contradict."""

import unittest

import numpy as np

from attack import AttackTest, no_input
from forgery import expected_cost
from honest_runs import PROBLEM


class Laws(AttackTest):
    def test_an_oracle_says_which_law(self):
        honest = self.learned(PROBLEM, "oracle", "oracle-pac-bayes")
        status, text = self.ask_run(honest)
        self.assertEqual(status, 0, text)
        self.assertIn("that law has variances 0.1 and means 0, as the problem states", text)
        run = honest.copy()
        run.certificate["inputs"]["problem"]["disturbance"]["covariance"] = 1e-30
        self.assertIn("REFUTED data: they contradict the law", self.attack(run)[1])
        run = honest.copy()
        run.certificate["inputs"]["problem"]["learning"]["method"] = "pac-bayes"
        run.certificate["inputs"]["problem"]["certificate"]["kind"] = "data-driven"
        self.assertIn("REFUTED kind: not the one", self.attack(run)[1])

    def test_a_scale_that_the_data_contradict(self):
        for kind, method in (("hold-out", "lqr"), ("scale", "pac-bayes"), ("data-driven", "pac-bayes"),
                             ("known-covariance", "pac-bayes")):
            run = self.learned(PROBLEM, kind, method)
            law = run.certificate["inputs"]["problem"]["disturbance"]
            del law["covariance"], law["mean"]
            law.update(scale_bound=1e-30, covariance_bound=1e-30)
            for statement in run.certificate["assumptions"]:
                if statement["id"] == "scale-bound":
                    statement["parameters"]["scale"] = 1e-30
            self.assertIn("REFUTED data: they contradict the law", self.attack(run)[1])

    BOUND = [1e12, 1e-6, 1e-6, 1e-6]

    def test_a_covariance_above_its_bound_in_small_units(self):
        plant = {"horizon": 1, "system": {"A": [[1, 0], [0, 1]], "B": [[0], [1]]},
                 "cost": {"Q": [[1e-12, 0], [0, 1]], "R": [[1]], "P": [[1e-12, 0], [0, 1]]},
                 "disturbance": {"covariance": [1e9, 900.0, 1e-6, 1e-6], "covariance_bound": self.BOUND}}
        K, k = no_input(1, 2)
        truth = expected_cost(plant, K, k, plant["disturbance"]["covariance"])
        rows = np.random.RandomState(1).normal(size=(20, 4))
        status, text = self.never_below(truth, self.forge(plant, "assumed-covariance", K, k, rows))
        self.assertIn("REFUTED assumptions: disturbance.covariance exceeds", text)
        self.write("problem.json", plant)
        self.fails(3, "learn", "problem.json", "--sample", "20", "--seed", "1", "--method", "lqr",
                   "--certificate", "assumed-covariance", "--out", "out", says="covariance_bound")

    def test_links_between_white_steps_in_small_units(self):
        S = np.diag([1e9, 1e-6] * 4)
        S[1::2, 1::2] = 1e-6
        run = self.learned(PROBLEM, "white", "pac-bayes")
        run.certificate["inputs"]["problem"]["disturbance"].update(covariance=S.tolist(), scale_bound=1e10)
        self.assertIn("REFUTED assumptions: kind white needs", self.attack(run)[1])
        tree = {**PROBLEM, "disturbance": {"white": True, "covariance": S.tolist()}}
        self.write("problem.json", tree)
        self.fails(3, "learn", "problem.json", "--sample", "20", "--seed", "1", "--certificate", "white",
                   "--out", "out", says="disturbance.white")

    def test_a_law_beyond_the_radius(self):
        run = self.learned({**PROBLEM, "disturbance": {"model": "bounded", "radius": 3.0,
                                                       "covariance": 0.1}}, "hold-out-bounded", "lqr")
        self.assertEqual(self.ask_run(run)[0], 0)
        run.certificate["inputs"]["problem"]["disturbance"]["covariance"] = 10.0
        self.assertIn("REFUTED assumptions: disturbance.covariance exceeds disturbance.radius",
                      self.attack(run)[1])

    def test_one_row_many_times(self):
        run = self.learned(PROBLEM, "hold-out-scale-free", "lqr")
        status, text = self.ask_run(run)
        self.assertIn("40 trajectories in 40 directions, 40 certify", text)
        one, rng = run.data[:1].copy(), np.random.RandomState(1)
        run.certificate["inputs"]["problem"]["data"] = {"repeated": "keep"}
        for rows in (np.repeat(one, 1000, 0), one * (1 + 1e-15 * rng.randint(0, 20, (1000, 8))),
                     one * rng.uniform(0.9, 1.1, (1000, 1)), -one * rng.uniform(1, 1.9, (1000, 1)),
                     np.vstack([run.data, 2 * run.data[7:8]])):
            forged = run.copy()
            forged.data, forged.certificate["n"] = rows, len(rows)
            self.assertRegex(self.attack(forged)[1], r"\AREFUTED data: \d+ trajectories have only \d+ dir")

    def test_a_copy_of_what_taught_does_not_certify(self):
        """Row 26 certifies what row 4 taught, but for a factor that no fingerprint sees."""
        for kind in ("hold-out", "cross-chi-square"):
            run = self.learned(PROBLEM, kind, "erm")
            self.assertEqual(self.ask_run(run)[0], 0)
            run.data[25] = run.data[4] * 1.0000001
            self.assertIn("REFUTED data: 40 trajectories have only 39 directions", self.attack(run)[1])

    def test_a_law_on_one_line_is_a_law(self):
        """A load that is constant over the trajectory: one direction, 40 lengths."""
        b = np.ones((8, 8)) * 0.1
        b[:2] = b[:, :2] = 0
        run = self.learned({**PROBLEM, "disturbance": {"covariance": b.tolist()}},
                           "hold-out-chi-square", "lqr")
        run.data = np.outer(np.random.RandomState(4).normal(size=40), np.sqrt(np.diag(b)))
        status, text = self.attack(run)
        self.assertEqual(status, 0, text)
        self.assertIn("40 trajectories in 1 directions", text)


if __name__ == "__main__":
    unittest.main()

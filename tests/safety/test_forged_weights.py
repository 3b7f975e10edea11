"""Weights that are definite, or symmetric, only up to a tolerance."""

import json
import unittest

import numpy as np

from attack import AttackTest, no_input
from forgery import expected_cost, printed
from honest_runs import PROBLEM


class Weights(AttackTest):
    PLANT = {"horizon": 1, "system": {"A": [[1e-6, 1.0], [-1e-6, 1.0]], "B": [[0.0], [0.0]]},
             "cost": {"Q": [[0.0, 0.0], [0.0, 0.0]], "R": [[1.0]],
                      "P": [[999999999999.1, -1e12], [-1e12, 999999999999.1]]},
             "disturbance": {"covariance": [1.0, 0.0, 0.0, 0.0],
                             "covariance_bound": [1.0, 1.0, 0.0, 0.0], "scale_bound": 1.0}}

    def test_an_indefinite_weight_lowers_no_bound(self):
        K, k = no_input(1, 2)
        truth = expected_cost(self.PLANT, K, k, self.PLANT["disturbance"]["covariance"])
        self.assertAlmostEqual(float(truth), 4, 6)
        rows = np.random.RandomState(1).normal(size=(20, 4)) * [1, 0, 0, 0]
        for kind in ("assumed-covariance", "assumed-scale"):
            self.never_below(truth, self.forge(self.PLANT, kind, K, k, rows))

    def test_nor_a_bound_from_data(self):
        """x_0 = (a, b) with a b > 0 in the data costs less than nothing."""
        K, k = no_input(1, 2)
        truth = expected_cost(self.PLANT, K, k, [1, 1, 0, 0])
        rows = np.random.RandomState(2).normal(size=(30, 4)) * [1e-3, 1, 0, 0]
        plant = {**self.PLANT, "disturbance": {"covariance": [1e-6, 1.0, 0.0, 0.0]}}
        for kind in ("hold-out-chi-square", "hold-out-scale-free"):
            status, text = self.attack(self.forge(plant, kind, K, k, rows))
            if status == 0:
                self.assertGreater(printed(text), 0, text)
        self.assertGreater(float(truth), 0)

    def test_the_library_evaluates_with_the_matrix_that_is_definite(self):
        self.write("problem.json", self.PLANT)
        self.ok("sample", "problem.json", "-n", 20, "--seed", 1, "--out", "w.npy")
        self.ok("learn", "problem.json", "--data", "w.npy", "--method", "lqr", "--certificate",
                "assumed-covariance", "--out", "run")
        record = json.loads((self.folder / "run/certificate.json").read_text())
        self.assertGreaterEqual(record["value"], 4 * (1 - 1e-9))
        P = np.array(record["inputs"]["problem"]["cost"]["P"])
        self.assertTrue((P == P.T).all() and P[0, 0] > 999999999999.1)
        status, text = self.ask("run", "--data", "w.npy")  # so large beside the cost: doubles lose it
        if status == 0:
            self.assertGreaterEqual(printed(text), 4)

    def test_singular_weights_are_ordinary(self):
        c = np.array([[1.0, 1 / 3]])
        for Q in ([[0.0, 0.0], [0.0, 0.0]], [[1.0, 0.0], [0.0, 0.0]], [[1.0, 1.0], [1.0, 1.0]],
                  (c.T @ c).tolist(), (1e12 * c.T @ c).tolist(),
                  [[1e12, -1e3 / 3], [-1e3 / 3, 1e-6 / 9]]):
            tree = {**PROBLEM, "cost": {**PROBLEM["cost"], "Q": Q}}
            for kind, method in (("hold-out-scale-free", "lqr"), ("data-driven", "pac-bayes"),
                                 ("cross-chi-square", "shrinkage")):
                status, text = self.ask_run(self.learned(tree, kind, method))
                self.assertEqual(status, 0, f"{Q}, {kind}: {text}")

    def test_another_lqr(self):
        """Costs would use the symmetric part of a weight, LQR the whole of it."""
        plant = {**PROBLEM, "cost": {"Q": [[1e12, 0.9], [0.0, 1.0]], "R": [[1.0]],
                                     "P": [[1e12, 0.9], [0.0, 1.0]]},
                 "system": {"A": [[1e-6, 1e-6], [0.0, 1.0]], "B": [[0.0], [1.0]]},
                 "disturbance": {"covariance": 0.1}}
        rows = np.random.RandomState(3).normal(size=(40, 8))
        status, text = self.attack(self.forge(plant, "improvement-mean", *no_input(3, 2), rows))
        self.assertEqual(status, 3, text)
        self.assertIn("a symmetric one", text)

    def test_the_library_makes_weights_symmetric(self):
        tree = {**PROBLEM, "cost": {**PROBLEM["cost"], "Q": [[1.0, 0.1], [0.1 + 1e-16, 1.0]],
                                    "P": [[1.0, 0.3], [0.30000000000000004, 1.0]]}}
        run = self.learned(tree, "hold-out", "erm")
        P = np.array(run.certificate["inputs"]["problem"]["cost"]["P"])
        self.assertEqual(P[0, 1], P[1, 0])
        self.assertEqual(self.ask_run(run)[0], 0)
        bad = {**PROBLEM, "cost": {**PROBLEM["cost"], "P": [[1e12, 0.9], [0.0, 1.0]]}}
        self.write("bad.json", bad)
        self.fails(3, "learn", "bad.json", "--data", "w.npy", "--out", "bad", says="a symmetric matrix")


if __name__ == "__main__":
    unittest.main()

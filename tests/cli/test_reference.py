"""Setpoints in the cost: against a simulation, a dense optimum, and the plant shifted by hand."""

import json
import re
import unittest

import numpy as np

from program import ProgramTest

A, B = np.array([[1, 0.1], [0, 0.9]]), np.array([[0.005], [0.1]])
Q, R, P, T = np.diag([1, 0.1]), np.array([[0.05]]), np.diag([2, 0.2]), 12
RAMP = [[min(1.0, 0.15 * t), 0.0] for t in range(T + 1)]
TREE = {"horizon": T, "system": {"A": A.tolist(), "B": B.tolist(), "d": [0.0, -0.02]},
        "cost": {"Q": Q.tolist(), "R": R.tolist(), "P": P.tolist(), "reference": RAMP},
        "disturbance": {"covariance": {"ar1": 0.7, "variance": 0.01}, "scale_bound": 0.1}}


def dense():
    """x = F (w + d) + G u, all steps at once."""
    F = np.eye(2 * (T + 1))
    G = np.zeros((2 * (T + 1), T))
    for t in range(T):
        now, then = slice(2 * t, 2 * t + 2), slice(2 * t + 2, 2 * t + 4)
        F[then] += A @ F[now]
        G[then] = A @ G[now]
        G[then, t] += B[:, 0]
    d = np.concatenate([[0, 0], np.tile([0, -0.02], T)])
    weight = np.kron(np.eye(T + 1), Q)
    weight[-2:, -2:] = P
    return F, G, d, weight


def cost(x, u, r):
    F, G, d, weight = dense()
    e = x - r
    return np.einsum("ij,jk,ik->i", e, weight, e) + 0.05 * np.sum(u ** 2, axis=1)


class ReferenceTest(ProgramTest):
    def setUp(self):
        super().setUp()
        self.problem = self.write("problem.json", TREE)
        self.ok("sample", self.problem, "-n", 80, "--seed", 2, "--out", "w.npy")
        self.w = np.load(self.folder / "w.npy")
        self.r = np.array(RAMP).ravel()

    def learn(self, problem, *arguments):
        return self.ok_json("learn", problem, "--data", "w.npy", *arguments, "--out", "run")

    def paths(self):
        """States and inputs of the deployed controller, step by step."""
        controller = json.loads((self.folder / "run/controller.json").read_text())
        K, k = np.array(controller["K"]), np.array(controller["k"])
        F, G, d, _ = dense()
        x, u = np.zeros((80, 2 * (T + 1))), np.zeros((80, T))
        x[:, :2] = self.w[:, :2]
        for t in range(T):
            seen = 2 * t + 2
            u[:, t] = x[:, :seen] @ K[t, :seen] + k[t]
            x[:, seen:seen + 2] = (x[:, seen - 2:seen] @ A.T + u[:, t:t + 1] @ B.T + d[seen:seen + 2] +
                                   self.w[:, seen:seen + 2])
        return x, u

    def test_costs_are_those_of_a_simulation(self):
        for method, kind in (("lqr", "best"), ("shrinkage", "best"), ("pac-bayes", "data-driven")):
            run = self.learn(self.problem, "--method", method, "--certificate", kind)
            self.assertAlmostEqual(run["empirical_cost"], cost(*self.paths(), self.r).mean(), places=8)
            simulated = self.ok_json("simulate", self.problem, "--controller", "run/controller.json",
                                     "--data", "w.npy")
            self.assertAlmostEqual(run["empirical_cost"], simulated["mean"], places=8)
            self.assertGreater(run["certificate"]["value"], run["population_cost"])
            self.ok("recheck", "run/certificate.json", "--data", "w.npy")

    def test_lqr_is_the_best_answer_to_the_mean(self):
        """Without disturbances the inputs minimize the cost over all inputs."""
        self.learn(self.problem, "--method", "lqr", "--certificate", "best")
        F, G, d, weight = dense()
        H = G.T @ weight @ G + 0.05 * np.eye(T)
        best = -np.linalg.solve(H, G.T @ weight @ (F @ d - self.r))
        self.w = np.zeros_like(self.w)
        _, u = self.paths()
        np.testing.assert_allclose(u[0], best, atol=1e-10)
        # Affine learning cannot do better than that under a law of mean zero.
        plain = self.ok_json("learn", self.problem, "--method", "optimum")
        free = self.ok_json("learn", self.write("free.json", {**TREE, "response": {"affine": True}}),
                            "--method", "optimum")
        self.assertAlmostEqual(plain["population_cost"], free["population_cost"], places=9)
        self.assertLess(plain["population_cost"], plain["lqr_cost"])

    def test_the_shifted_plant_is_the_same_problem(self):
        """In x - r there is no reference, but an offset."""
        run = self.learn(self.problem, "--method", "shrinkage", "--certificate", "cross-scale-free")
        r = np.array(RAMP)
        d = r[:-1] @ A.T - r[1:] + [0.0, -0.02]
        shifted = {**TREE, "system": {**TREE["system"], "d": d.tolist()},
                   "cost": {k: v for k, v in TREE["cost"].items() if k != "reference"}}
        same = self.learn(self.write("shifted.json", shifted), "--method", "shrinkage",
                          "--certificate", "cross-scale-free")
        self.assertAlmostEqual(run["certificate"]["value"], same["certificate"]["value"], places=8)
        self.assertAlmostEqual(run["improvement"]["value"], same["improvement"]["value"], places=8)

    def test_a_constant_one_has_an_input(self):
        tree = {**TREE, "cost": {**TREE["cost"], "reference": [0.0, 0.5]}}
        run = self.ok_json("learn", self.write("constant.json", tree), "--method", "lqr")
        self.assertNotEqual(run["steady_state"]["residual"], [0, 0])  # a speed moves the position
        tree["cost"]["reference"] = [0.7, 0.0]
        run = self.ok_json("learn", self.write("constant.json", tree), "--method", "lqr")
        u = np.array(run["steady_state"]["input"])
        gap = A @ [0.7, 0] + B @ u + [0, -0.02] - [0.7, 0]
        self.assertAlmostEqual(-gap[0], run["steady_state"]["residual"][0])
        self.assertNotIn("steady_state", self.ok_json("learn", self.problem, "--method", "lqr"))
        exact = {**TREE, "system": {"A": [[0.5, 0], [0, 0.9]], "B": [[1, 0], [0, 2]], "d": [0.1, 0.3]},
                 "cost": {"Q": [1, 1], "R": [1, 1], "reference": [2.0, -1.0]}}
        run = self.ok_json("learn", self.write("exact.json", exact), "--method", "lqr")
        np.testing.assert_allclose(run["steady_state"]["input"], [0.9, -0.2])
        self.assertEqual(run["steady_state"]["residual"], [0, 0])

    def test_kinds_without_offset_are_refused(self):
        self.fails(3, "learn", self.problem, "--data", "w.npy", "--method", "lqr", "--certificate",
                   "hold-out-chi-square", says="cost.reference")

    def test_after_the_horizon(self):
        """The average cost of holding the last gains, against a long simulation."""
        tree = {**TREE, "cost": {**TREE["cost"], "reference": [0.5, 0.0]}, "system": {
            "A": A.tolist(), "B": B.tolist(), "d": [0.0, 0.05]},
            "disturbance": {"covariance": 0.001, "white": True}}
        problem = self.write("constant.json", tree)
        self.ok("learn", problem, "--method", "lqr", "--out", "run")
        printed = self.ok("export", "run/controller.json", "--format", "c", "--out", "code",
                          "--after", "hold", "--problem", problem)
        found = float(re.search(r"average cost +([\d.e-]+) per step", printed)[1])
        controller = json.loads((self.folder / "run/controller.json").read_text())
        K, k = np.array(controller["K"])[-1, :2 * T], controller["k"][-1]
        rng = np.random.default_rng(5)
        past, total, steps = np.zeros(2 * T), 0.0, 40_000
        noise = rng.standard_normal((steps, 2)) * np.sqrt(0.001)
        for t in range(steps + 500):
            x = past[-2:]
            u = K @ past + k
            if t >= 500:
                e = x - [0.5, 0]
                total += e @ Q @ e + 0.05 * u * u
            step = A @ x + B[:, 0] * u + [0, 0.05] + noise[t % steps]
            past = np.concatenate([past[2:], step])
        self.assertAlmostEqual(total / steps, found, delta=0.06 * found)

    def test_refusals(self):
        for reference, says in (([1.0], "cost.reference"), ([[1.0, 0.0]] * T, "cost.reference"),
                                ("zero", "cost.reference")):
            tree = {**TREE, "cost": {**TREE["cost"], "reference": reference}}
            self.fails(3, "learn", self.write("bad.json", tree), "--method", "lqr", says=says)
        for section, key, says in (("cost", "x_ref", "is called reference here"),
                                   ("system", "x_ref", "a key of [cost]"),
                                   ("cost", "u_ref", "R weighs inputs around zero")):
            tree = json.loads(json.dumps(TREE))
            tree[section][key] = [0, 0]
            self.fails(3, "learn", self.write("bad.json", tree), "--method", "lqr", says=says)


if __name__ == "__main__":
    unittest.main()

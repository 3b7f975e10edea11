"""loopcert inspect: data against the assumptions that the problem file states."""

import copy
import json
import unittest

import numpy as np

from program import COLOURED, WHITE, WHITE_TREE, ProgramTest

CHECKS = ["sizes", "radius", "Gaussian", "kurtosis", "mean zero", "scale bound", "covariance bound",
          "white in time", "same at every step", "autoregressive", "no repetitions",
          "order does not matter"]


class Inspect(ProgramTest):
    def inspect(self, problem, *source):
        record = self.ok_json("inspect", problem, *source)
        logged = ["model", "sensors"] if "--rollouts" in source else []
        self.assertEqual([check["name"] for check in record["checks"]], CHECKS + logged)
        self.assertIs(record["certificate"], False)
        self.assertIn("not a certificate", record["notice"])
        return {check["name"]: check for check in record["checks"]}

    def problem(self, **disturbance):
        tree = copy.deepcopy(WHITE_TREE)
        tree["disturbance"].update(disturbance)
        return self.write("problem.json", tree)

    def data(self, w):
        np.save(self.folder / "w.npy", w)
        return "--data", "w.npy"

    def test_honest_data(self):
        """40 trajectories of the law that the file states, seed 1: fixed, so it may be exact."""
        checks = self.inspect(self.problem(white=True, stationary=True), "--sample", 40, "--seed", 1)
        self.assertEqual({checks[name]["verdict"] for name in CHECKS}, {"ok", "not assumed"})
        self.assertEqual([n for n in CHECKS if checks[n]["verdict"] == "not assumed"],
                         ["radius", "kurtosis", "covariance bound", "autoregressive"])
        for name in CHECKS:
            self.assertTrue(checks[name]["meaning"].endswith("."), name)

    def test_same_answer_every_time(self):
        arguments = ("inspect", WHITE, "--sample", 30, "--json")
        self.assertEqual(self.ok(*arguments), self.ok(*arguments))

    def test_data_of_a_file_and_sampled(self):
        self.ok("sample", WHITE, "-n", 30, "--seed", 4, "--out", "w.csv")
        self.assertEqual(self.inspect(WHITE, "--data", "w.csv"),
                         self.inspect(WHITE, "--sample", 30, "--seed", 4))

    def test_rollouts(self):
        rng = np.random.default_rng(1)
        w = rng.normal(0, 0.1 ** 0.5, (25, 22))
        A, B = np.array([[1, 1], [0, 1]]), np.array([0.5, 1])
        x, u = np.zeros((25, 11, 2)), rng.normal(0, 1, (25, 10, 1))
        x[:, 0] = w[:, :2]
        for t in range(10):
            x[:, t + 1] = x[:, t] @ A.T + u[:, t] * B + w[:, 2 * t + 2:2 * t + 4]
        np.save(self.folder / "x.npy", x)
        np.save(self.folder / "u.npy", u)
        logged = self.inspect(WHITE, "--rollouts", "x.npy", "u.npy")
        direct = self.inspect(WHITE, *self.data(w))
        for name in CHECKS:
            self.assertEqual(logged[name]["verdict"], direct[name]["verdict"], name)

    def test_wrong_assumptions(self):
        """Each breaks one assumption and is told so, with exit status 0."""
        rng = np.random.default_rng(2)
        honest = rng.normal(0, 0.1 ** 0.5, (200, 22))
        everything = dict(white=True, stationary=True)
        second_order = honest.copy()  # w_t = 0.8 w_{t-2} + v_t
        for column in range(6, 22):
            second_order[:, column] += 0.8 * second_order[:, column - 4]
        cases = {
            "Gaussian": (rng.uniform(-0.5, 0.5, (200, 22)), {}, "model"),
            "mean zero": (honest + 0.2, {}, "zero_mean = false"),
            "scale bound": (2 * honest, {}, "scale_bound"),
            "same at every step": (honest * np.linspace(0.3, 1, 22), everything, "stationary"),
            "autoregressive": (second_order, {"autoregressive": 1}, "or more"),
            "no repetitions": (np.vstack([honest, honest[:3]]), {}, "copies"),
            "order does not matter": (honest * np.linspace(0.2, 1, 200)[:, None], {}, "independent"),
        }
        for name, (w, disturbance, advice) in cases.items():
            check = self.inspect(self.problem(**disturbance), *self.data(w))[name]
            self.assertEqual(check["verdict"], "contradicted", name)
            self.assertIn(advice, check["advice"])
        check = self.inspect(self.problem(model="bounded", radius=1.0), *self.data(honest))["radius"]
        self.assertEqual(check["verdict"], "contradicted")

    def test_coloured_noise(self):
        check = self.inspect(COLOURED, "--sample", 60)["white in time"]
        self.assertEqual(check["verdict"], "not assumed")
        self.assertIn("learning can beat LQR", check["advice"])
        self.assertLess(check["p_value"], 1e-6)
        text = COLOURED.read_text().replace("[disturbance]", "[disturbance]\nwhite = true")
        check = self.inspect(self.write("white.toml", text), "--sample", 60)["white in time"]
        self.assertEqual(check["verdict"], "contradicted")

    def test_uniform_law(self):
        """A law that is bounded, sampled, inspected and certified as what it is."""
        problem = self.problem(model="bounded", radius=2.57, distribution="uniform")
        checks = self.inspect(problem, "--sample", 200)
        self.assertEqual(checks["radius"]["verdict"], "ok")
        self.assertEqual(checks["Gaussian"]["verdict"], "not assumed")
        self.assertLess(checks["Gaussian"]["p_value"], 1e-4)
        learned = self.ok_json("learn", problem, "--sample", 50, "--certificate", "bounded")
        self.assertIsNone(learned["prescient_certificate"])
        gaussian = self.problem(distribution="uniform")
        self.fails(3, "learn", gaussian, "--sample", 20, says=["disturbance.model", "uniform"])
        cost = self.ok_json("learn", gaussian, "--sample", 20, "--method", "erm")["population_cost"]
        self.assertGreater(cost, 3.1)
        short = self.problem(model="bounded", radius=2.5, distribution="uniform")
        self.fails(3, "learn", short, "--sample", 20, "--certificate", "bounded",
                   says=["disturbance.radius", "2.56905"])

    def test_page(self):
        text = self.ok("inspect", WHITE, "--sample", 40, "--out", "look")
        self.assertIn("not a certificate", text)
        self.assertIn("inspection.json, inspection.html in look", text)
        record = json.loads((self.folder / "look/inspection.json").read_text())
        self.assertEqual(record, self.ok_json("inspect", WHITE, "--sample", 40))
        page = (self.folder / "look/inspection.html").read_text()
        self.assertIn("not a certificate", page)
        self.assertEqual(page.count("<figure"), 9)
        for name in CHECKS:
            self.assertIn(name, page)

    def test_names_stay_text(self):
        tree = copy.deepcopy(WHITE_TREE)
        tree["name"] = "<script>alert(1)</script>"
        self.ok("inspect", self.write("evil.json", tree), "--sample", 20, "--out", "look")
        self.assertNotIn("<script>alert", (self.folder / "look/inspection.html").read_text())

    def test_few_trajectories(self):
        for n in (1, 2, 3, 7):
            self.inspect(WHITE, "--sample", n)
            self.ok("inspect", WHITE, "--sample", n, "--out", "look")

    def test_what_cannot_be_inspected(self):
        self.fails(2, "inspect", WHITE, says="--data")
        self.fails(3, "inspect", WHITE, *self.data(np.zeros((3, 21))), says="21")
        self.fails(3, "inspect", WHITE, *self.data(np.full((3, 22), np.nan)), says="w.npy")
        tree = copy.deepcopy(WHITE_TREE)
        tree["disturbance"] = {"distribution": "uniform"}
        self.fails(3, "inspect", self.write("bad.json", tree), "--sample", 5,
                   says=["disturbance.covariance", "distribution"])


if __name__ == "__main__":
    unittest.main()

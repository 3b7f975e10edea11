"""What the data say against assumptions and model stands beside the certificate."""

import copy
import json
import re
import unittest

import numpy as np

from program import WHITE, WHITE_TREE, ProgramTest

A, B, T = np.array([[1, 1], [0, 1.0]]), np.array([[0.5], [1]]), 10


def episodes(n=80, seed=1, friction=0.0):
    """A slow disturbance, mediocre feedback, a little noise on the input."""
    rng = np.random.default_rng(seed)
    x, u = np.zeros((n, T + 1, 2)), np.zeros((n, T, 1))
    x[:, 0] = rng.normal(size=(n, 2))
    f = rng.normal(size=(n, 2))
    for t in range(T):
        u[:, t] = x[:, t] @ [[-0.3], [-0.9]] + 0.3 * rng.normal(size=(n, 1))
        dry = -friction * np.sign(x[:, t, 1:]) * B.T
        x[:, t + 1] = x[:, t] @ A.T + u[:, t] @ B.T + 0.2 * f + dry
        f = 0.8 * f + 0.6 * rng.normal(size=(n, 2))
    return x, u


class Warnings(ProgramTest):
    def problem(self, scale_bound=None, B=B, **more):
        tree = copy.deepcopy(WHITE_TREE)
        tree["disturbance"] = {"model": "gaussian"}
        if scale_bound is not None:
            tree["disturbance"]["scale_bound"] = scale_bound
        tree["system"]["B"] = np.asarray(B).tolist()
        tree["learning"] = {"method": "auto"}
        tree["data"] = {"axes": ["episode", "step", "component"]}
        tree.update(more)
        return self.write("problem.json", tree)

    def log(self, *arguments, **options):
        x, u = episodes(*arguments, **options)
        np.savez(self.folder / "log.npz", x=x, u=u)
        return "--rollouts", "log.npz"

    def test_honest_logs(self):
        run = self.ok_json("learn", self.problem(), *self.log())
        self.assertEqual(run["warnings"], [])
        x, u = episodes()
        cost = ((x[:, :-1] ** 2) @ [1, 0.1] + 0.5 * u[:, :, 0] ** 2).sum(1) + x[:, -1] ** 2 @ [2, 0.2]
        self.assertAlmostEqual(run["logged_cost"], cost.mean(), delta=1e-9)
        self.assertAlmostEqual(run["logged_cost_standard_error"],
                               cost.std(ddof=1) / len(cost) ** 0.5, delta=1e-9)
        self.assertRegex(self.ok("learn", "problem.json", "--rollouts", "log.npz", "--out", "o"),
                         r"logged cost +[0-9.]+ \+- [0-9.]+ \(of the logged controller")
        self.assertIn("the logged controller", (self.folder / "o/report.html").read_text())

    def test_no_logs_no_logged_cost(self):
        self.assertIsNone(self.ok_json("learn", WHITE, "--sample", 30)["logged_cost"])

    def test_scale_bound_is_contradicted(self):
        arguments = (self.problem(scale_bound=0.001), *self.log())
        table = self.ok("learn", *arguments, "--out", "out")
        self.assertRegex(table, r"\nwarning +the data contradict scale_bound = 0.001 \(p < 1e-12\): ")
        self.assertLess(table.index("\ncertificate "), table.index("\nwarning "))
        run = json.loads((self.folder / "out/run.json").read_text())
        self.assertIn("scale-bound", [w["id"] for w in run["warnings"]])
        text = next(w["text"] for w in run["warnings"] if w["id"] == "scale-bound")
        self.assertIn("contradict scale_bound = 0.001", (self.folder / "out/report.html").read_text())
        self.ok("export", "out/controller.json", "--format", "c", "--out", "code")
        self.assertIn("contradict scale_bound = 0.001", (self.folder / "code/controller.h").read_text())
        done = self.run_program("learn", *arguments, "--json")
        self.assertIn(text, done.stderr)

    def test_certify_warns(self):
        self.ok("learn", self.problem(learning={"method": "lqr"}), "--out", "lqr")
        arguments = ("certify", self.problem(scale_bound=0.001), "--controller",
                     "lqr/controller.json", *self.log(), "--certificate", "hold-out")
        record = self.ok_json(*arguments)
        self.assertEqual([w["id"] for w in record["warnings"]], ["scale-bound"])
        self.assertGreater(record["logged_cost"], 0)
        self.assertIn("\nwarning ", self.ok(*arguments, "--out", "out"))
        self.ok("export", "out/controller.json", "--format", "c", "--out", "code", "--certificate",
                "out/certificate.json")
        self.assertIn("warning: the data contradict scale_bound",
                      (self.folder / "code/controller.h").read_text())
        self.assertIn("agrees", self.ok("verify", "out/certificate.json", "--rollouts", "log.npz"))

    def test_wrong_model(self):
        run = self.ok_json("learn", self.problem(B=1.3 * B), *self.log())
        found = [w["text"] for w in run["warnings"] if w["id"] == "model"]
        self.assertEqual(len(found), 1)
        self.assertRegex(found[0], r"B\[1,0\] = (0\.9\d*|1(\.0\d*)?) \+- 0\.0\d* instead of 1\.3")
        self.assertRegex(found[0], r"u\[0\] acting 0\.7\d+ times as strongly as in B")

    def test_friction(self):
        """The plant has dry friction, the model has not: no Gaussian disturbance looks like that."""
        run = self.ok_json("learn", self.problem(), *self.log(n=150, friction=1.0))
        self.assertIn("gaussian", [w["id"] for w in run["warnings"]])

    def test_states_for_disturbances(self):
        x, _ = episodes()
        np.save(self.folder / "x.npy", x.reshape(len(x), -1))
        tree = json.loads(self.problem().read_text())
        del tree["data"]
        table = self.ok("learn", self.write("problem.json", tree), "--data", "x.npy")
        self.assertEqual(len(re.findall(r"\nwarning .*--rollouts", table)), 1)
        inspected = self.ok_json("inspect", "problem.json", "--data", "x.npy")
        self.assertEqual(inspected["checks"][-1]["verdict"], "doubtful")

    def test_inspect_looks_at_the_model(self):
        def verdict(problem):
            checks = self.ok_json("inspect", problem, *self.log())["checks"]
            return {c["name"]: c["verdict"] for c in checks}["model"]

        self.assertEqual(verdict(self.problem()), "ok")
        self.assertEqual(verdict(self.problem(B=1.3 * B)), "contradicted")


if __name__ == "__main__":
    unittest.main()

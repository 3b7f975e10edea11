"""From data to a deployed controller: auto, portfolios, cross-certification, certified improvement."""

import json

import numpy as np

from program import SOURCE, WHITE, WHITE_TREE, ProgramTest

ASSUMPTIONS = SOURCE / "examples/assumptions"


class Auto(ProgramTest):
    def learn(self, problem, n, *arguments, out="out"):
        self.ok("sample", problem, "-n", n, "--seed", 1, "--out", "w.npy")
        return self.ok_json("learn", problem, "--data", "w.npy", "--out", out, *arguments)

    def verify(self, name, status=0):
        done = self.run_program("verify", name, "--data", "w.npy")
        self.assertEqual(done.returncode, status, done.stderr)
        return done.stderr

    def test_every_set_of_assumptions_is_certified_and_verified(self):
        for path in sorted(ASSUMPTIONS.glob("*.toml")):
            with self.subTest(path.name):
                run = self.learn(path, 60)
                c = run["certificate"]
                self.assertEqual((c["kind"], run["method"]), ("best", "auto"))
                self.assertAlmostEqual(sum(e["delta"] for e in c["events"]), 0.05, delta=1e-12)
                self.assertGreaterEqual(c["value"], run["population_cost"] * (1 - 1e-9))
                values = {row["kind"]: row["value"] for row in c["all"] if row["value"] is not None}
                self.assertEqual(min(values.values()), c["value"])
                self.assertEqual(values[c["chosen"]], c["value"])
                self.verify("out/certificate.json")
                page = (self.folder / "out/report.html").read_text()
                self.assertIn(c["chosen"] + " (smallest)", page)

    def test_coloured_noise(self):
        run = self.learn(ASSUMPTIONS / "coloured.toml", 100)
        self.assertLess(run["population_cost"], 3)
        self.assertLess(run["improvement"]["value"], 0)
        self.assertGreaterEqual(run["improvement"]["value"],
                                run["population_cost"] - run["lqr_cost"])
        self.assertEqual(run["improvement"]["functional"]["id"], "cost-difference")
        self.verify("out/improvement.json")
        self.assertIn("it is certified to be better", (self.folder / "out/report.html").read_text())
        # Nothing was learned: the controller is LQR for the colour that the data chose.
        self.assertEqual((run["details"]["deployed"], run["details"]["colour"]), ("coloured", 0.8))
        self.check_controller()
        # A method that learns is certified on folds: the mean of their responses is deployed.
        self.learn(ASSUMPTIONS / "coloured.toml", 100, "--method", "shrinkage")
        self.check_controller()

    def check_controller(self):
        """The controller that was written has the mean of the responses that were certified."""
        responses = np.load(self.folder / "out/responses.npz")
        inputs = [responses[name] for name in responses if name.startswith("Phi_u")]
        mean = sum(inputs) / len(inputs)
        K = np.array(json.loads((self.folder / "out/controller.json").read_text())["K"])
        A, B = np.array([[1, 1], [0, 1]]), np.array([[0.5], [1]])
        for w in np.load(self.folder / "w.npy")[:3]:
            x, u = np.zeros(22), np.zeros(10)
            x[:2] = w[:2]
            for t in range(10):
                u[t] = K[t] @ x
                x[2 * t + 2:2 * t + 4] = A @ x[2 * t:2 * t + 2] + B[:, 0] * u[t] + w[2 * t + 2:2 * t + 4]
            self.assertLess(np.abs(u - mean @ w).max(), 1e-9)

    def test_white_noise_keeps_lqr(self):
        run = self.learn(ASSUMPTIONS / "no-scale.toml", 40)
        self.assertEqual(run["details"]["deployed"], "lqr")
        self.assertIn("The controller is LQR", (self.folder / "out/report.html").read_text())
        self.assertIn("LQR: no candidate", self.ok("learn", ASSUMPTIONS / "no-scale.toml", "--data",
                                                   "w.npy"))
        self.assertIsNone(run["improvement"])
        self.assertFalse((self.folder / "out/improvement.json").exists())
        self.assertAlmostEqual(run["population_cost"], run["lqr_cost"], delta=1e-9)

    def test_tampering(self):
        self.learn(ASSUMPTIONS / "coloured.toml", 100)
        path = self.folder / "out/certificate.json"
        honest = path.read_text()

        def value(tree):
            tree["value"] -= 0.5
            tree["terms"][1]["value"] -= 0.5

        def another(tree):
            tree["all"][0]["value"] = 1.0

        def way(tree):
            tree["inputs"]["deployment"]["way"] = "cross"

        def colour(tree):
            tree["inputs"]["deployment"]["colour"] = 1

        def method(tree):  # as if it had not been chosen among several
            tree["inputs"]["deployment"] = {"method": "lqr", "way": "fixed"}

        def event(tree):
            tree["events"][0]["delta"] *= 2

        def chosen(tree):
            tree["chosen"] = "cross"

        for change in (value, another, way, colour, method, event, chosen):
            with self.subTest(change.__name__):
                tree = json.loads(honest)
                change(tree)
                path.write_text(json.dumps(tree))
                self.verify("out/certificate.json", status=4)
        path.write_text(honest)
        self.verify("out/certificate.json")
        with np.load(self.folder / "out/responses.npz") as file:
            arrays = dict(file)
        arrays["Phi_u_0"] = arrays["Phi_u_0"] * 1.01
        np.savez(self.folder / "out/responses.npz", **arrays)
        self.assertIn("responses", self.verify("out/certificate.json", status=4))

    def test_by_name(self):
        coloured = ASSUMPTIONS / "coloured.toml"
        for method, kind in (("auto", "hold-out-chi-square"), ("shrinkage", "cross-chi-square"),
                             ("ridge", "best"), ("lqr", "hold-out-relative"),
                             ("erm", "cross-relative")):
            with self.subTest(method=method, kind=kind):
                run = self.learn(coloured, 100, "--method", method, "--certificate", kind)
                self.assertEqual(run["certificate"]["kind"], kind)
                self.assertGreaterEqual(run["certificate"]["value"], run["population_cost"])
                self.verify("out/certificate.json")
        self.fails(2, "learn", coloured, "--sample", 9, "--method", "auto", "--certificate", "scale",
                   says="gives no 'scale'")
        self.fails(2, "learn", coloured, "--sample", 9, "--method", "pac-bayes", "--certificate",
                   "cross", says="gives no 'cross'")
        self.fails(3, "learn", coloured, "--sample", 3, "--method", "shrinkage", "--certificate",
                   "cross-chi-square", says="at least 4 for 2 folds")

    def test_certify_best(self):
        self.ok("learn", WHITE, "--method", "lqr", "--out", "lqr")
        self.ok("sample", WHITE, "-n", 50, "--seed", 2, "--fresh", "--out", "w.npy")
        c = self.ok_json("certify", WHITE, "--controller", "lqr/controller.json", "--data", "w.npy",
                         "--certificate", "best", "--out", "best")
        self.assertEqual(c["kind"], "best")
        self.assertAlmostEqual(sum(e["delta"] for e in c["events"]), 0.05, delta=1e-12)
        self.verify("best/certificate.json")
        self.fails(2, "certify", WHITE, "--controller", "lqr/controller.json", "--data", "w.npy",
                   "--certificate", "best", "--baseline", "lqr", says="--baseline")

    def test_prior_from_a_split_and_a_grid(self):
        for prior in ({"center": "split", "scale": 0.03}, {"center": "lqr", "scale": "grid"}):
            with self.subTest(prior=prior):
                tree = {**WHITE_TREE, "learning": {"prior": prior}}
                run = self.learn(self.write("p.json", tree), 60, "--certificate", "scale")
                self.verify("out/certificate.json")
                self.assertEqual(run["certificate"]["n"], 30 if prior["center"] == "split" else 60)

    def test_nothing_granted(self):
        tree = {**WHITE_TREE, "disturbance": {"model": "any", "zero_mean": False},
                "learning": {"method": "auto"}}
        self.ok("sample", WHITE, "-n", 20, "--out", "w.npy")
        self.fails(3, "learn", self.write("p.json", tree), "--data", "w.npy",
                   says=["no certificate", "disturbance.model"])


if __name__ == "__main__":
    import unittest
    unittest.main()

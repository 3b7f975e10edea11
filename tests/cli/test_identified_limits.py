"""Limits of a plant that nobody knows: learned, certified and checked again, as a user does it."""

import json

import numpy as np
from scipy.stats import norm

from program import ProgramTest

A = np.array([[0.9, 0.2], [-0.1, 0.8]])
B = np.array([[0.0], [1.0]])
GAIN = np.array([[0.1, -0.4]])


def draw_logs(n, steps, seed=1, offset=(0, 0), A=A, noise=0.3):
    draw = np.random.RandomState(seed)
    x, u = np.zeros((n, steps + 1, 2)), np.zeros((n, steps, 1))
    x[:, 0] = 0.5 * draw.normal(size=(n, 2))
    for t in range(steps):
        u[:, t] = x[:, t] @ GAIN.T + 0.7 * draw.normal(size=(n, 1))
        x[:, t + 1] = x[:, t] @ A.T + u[:, t] @ B.T + offset + noise * draw.normal(size=(n, 2))
    return x, u


def problem(horizon, limits, **system):
    return {"name": "limited", "horizon": horizon,
            "system": {"identify": True, "states": 2, "inputs": 1, **system},
            "cost": {"Q": [1, 0.5], "R": [0.05]}, "limits": limits}


def tails(mean, deviation, low, high):
    return norm.cdf((low - mean) / deviation) + norm.cdf((mean - high) / deviation)


def violations(controller, steps, h, A=A, noise=0.3, offset=(0, 0)):
    """P(|u_t| > h) of the true loop, step by step."""
    K, k = np.array(controller["K"]), np.array(controller["k"])
    mean, moment, found = np.zeros(2), 0.25 * np.eye(2), []
    for t in range(steps):
        gain = K[t:t + 1, 2 * t:2 * t + 2]
        found.append(tails((gain @ mean)[0] + k[t], np.sqrt((gain @ moment @ gain.T)[0, 0]), -h, h))
        loop = A + B @ gain
        mean = loop @ mean + B[:, 0] * k[t] + offset
        moment = loop @ moment @ loop.T + noise ** 2 * np.eye(2)
    return found


class IdentifiedLimits(ProgramTest):
    def logs(self, *arguments, **options):
        x, u = draw_logs(*arguments, **options)
        np.savez(self.folder / "logs.npz", x=x, u=u)

    def learn(self, tree, *more):
        self.write("p.json", tree)
        return self.ok_json("learn", "p.json", "--rollouts", "logs.npz", "--out", "out", *more)

    def file(self, name):
        return json.loads((self.folder / "out" / name).read_text())

    def test_clipping(self):
        """The limits of the inputs go with the controller, for C that clips."""
        self.logs(200, 6)
        for horizon, asked in ((6, {"probability": 0.1}), ("infinite", {"each": 0.02})):
            x, u = draw_logs(1, 1500) if horizon == "infinite" else draw_logs(200, 6)
            np.savez(self.folder / "logs.npz", x=x[0] if len(x) == 1 else x, u=u[0] if len(u) == 1 else u)
            self.learn(problem(horizon, {"u": [-0.8, 0.8], **asked}))
            self.assertEqual(self.file("controller.json")["input_limits"], [[-0.8, 0.8]])
            self.ok("export", "out/controller.json", "--format", "c", "--clip", "--certificate",
                    "out/certificate.json", "--out", "code")
            header = (self.folder / "code/controller.h").read_text()
            self.assertIn("input 0: from -0.8 to 0.8", header)
            self.assertRegex(header, r"limits: (each )?violated .* with probability at most 0\.")

    def test_finite(self):
        self.logs(200, 6)
        free = self.ok_json("learn", self.write("free.json", {
            k: v for k, v in problem(6, None).items() if k != "limits"}), "--rollouts", "logs.npz")
        self.assertIsNone(free["limits"])
        self.assertEqual([s["name"] for s in free["signals"]], ["x0", "x1", "u0"])
        run = self.learn(problem(6, {"u": [-0.8, 0.8], "probability": 0.1}))
        limits = run["limits"]
        self.assertTrue(limits["met"])
        self.assertLessEqual(limits["value"], 0.1)
        self.assertGreater(limits["value"], 0.05)  # no more room than it takes
        self.assertEqual(limits["kind"], "limits-envelope")
        self.assertAlmostEqual(limits["confidence"], 0.95)
        self.assertEqual(run["warnings"], [])
        bounds = limits["rows"][0]["bounds"]
        self.assertAlmostEqual(sum(bounds), limits["value"])
        self.assertGreater(max(limits["rows"][0]["prices"]), 0)
        self.assertGreater(run["empirical_cost"], free["empirical_cost"])
        true = violations(self.file("controller.json"), 6, 0.8)
        self.assertTrue(all(a <= b for a, b in zip(true, bounds)), (true, bounds))
        record = self.file("limits.json")
        self.assertEqual(record["functional"]["id"], "violation")
        cost = self.file("certificate.json")
        self.assertEqual(record["events"], cost["events"])
        self.assertEqual(record["assumptions"], cost["assumptions"])
        self.assertEqual(len(record["inputs"]["identified_limits"]["rows"]), 6)
        for name in ("limits.json", "certificate.json"):
            self.assertIn("agrees", self.ok("recheck", "out/" + name, "--rollouts", "logs.npz"))
        page = (self.folder / "out/report.html").read_text()
        self.assertIn("Compared with no input", page)  # that is what improvement.json is about
        self.assertNotIn("Compared with LQR", page)
        self.assertIn("over the draw of the logs", page)
        # Numbers that say less, or of other gains, are found out.
        for change in (lambda r: r.update(value=0.5 * r["value"]),
                       lambda r: r["inputs"]["identified_limits"]["rows"].pop(),
                       lambda r: r["inputs"]["identified"]["gains"][0][0].__setitem__(0, 0.0)):
            wrong = json.loads(json.dumps(record))
            change(wrong)
            self.write("out/limits.json", wrong)
            self.fails(4, "recheck", "out/limits.json", "--rollouts", "logs.npz")
        # A run without limits leaves no old file behind.
        self.ok("learn", "free.json", "--rollouts", "logs.npz", "--out", "out")
        self.assertFalse((self.folder / "out/limits.json").exists())

    def test_methods_and_rows(self):
        self.logs(150, 5)
        limits = {"each": 0.05, "x": [[-2.2, 2.2], [-1.5, 1.5]],
                  "rows": [{"x": [1, 0], "u": [0.5], "max": 1.2, "steps": [1, 3], "name": "mix"}]}
        for method in ("identified", "guaranteed", "auto"):
            with self.subTest(method):
                run = self.learn(problem(5, limits), "--method", method)
                rows = run["limits"]["rows"]
                self.assertEqual([(r["name"], r["steps"]) for r in rows],
                                 [("x0", [1, 5]), ("x1", [1, 5]), ("mix", [1, 3])])
                self.assertEqual(run["limits"]["value"], max(max(r["bounds"]) for r in rows))
                self.assertEqual(self.file("limits.json")["functional"]["id"], "violation-each")
                self.assertIn("agrees",
                              self.ok("recheck", "out/limits.json", "--rollouts", "logs.npz"))

    def test_for_ever(self):
        for offset in (False, True):
            with self.subTest(offset=offset):
                x, u = draw_logs(1, 4000, offset=(0.1, 0) if offset else (0, 0))
                np.savez(self.folder / "logs.npz", x=x[0], u=u[0])
                run = self.learn(problem("infinite", {"u": [-0.68, 0.68], "each": 0.05},
                                         offset=offset))
                self.assertTrue(run["limits"]["met"], run["limits"])
                self.assertNotIn("steps", run["limits"]["rows"][0])
                controller = self.file("controller.json")
                K, k = np.array(controller["K"]), np.array(controller["k"])
                loop = A + B @ K
                mean = np.linalg.solve(np.eye(2) - loop, B[:, 0] * k[0]
                                       + ([0.1, 0] if offset else [0, 0]))
                covariance = np.zeros((2, 2))
                for _ in range(2000):
                    covariance = loop @ covariance @ loop.T + 0.09 * np.eye(2)
                true = tails((K @ mean)[0] + k[0], np.sqrt((K @ covariance @ K.T)[0, 0]), -0.68, 0.68)
                self.assertLess(true, run["limits"]["value"])
                self.assertLess(run["limits"]["value"], 0.0501)
                self.assertIn("agrees",
                              self.ok("recheck", "out/limits.json", "--rollouts", "logs.npz"))
        self.write("p.json", problem("infinite", {"u": [-1, 1], "probability": 0.05}))
        self.fails(3, "learn", "p.json", "--rollouts", "logs.npz", says="limits.each")
        self.write("p.json", problem("infinite", {"each": 0.1, "rows": [
            {"u": [1], "max": 1, "steps": [0, 1]}]}))
        self.fails(3, "learn", "p.json", "--rollouts", "logs.npz", says="steps")

    def test_offset(self):
        self.logs(300, 6, offset=(0.05, -0.2))
        run = self.learn(problem(6, {"u": [-0.7, 1.0], "probability": 0.1}, offset=True))
        self.assertTrue(run["limits"]["met"], run["limits"])
        rows = self.file("limits.json")["inputs"]["identified_limits"]["rows"]
        self.assertTrue(all("mean" in row for row in rows))
        self.assertIn("agrees", self.ok("recheck", "out/limits.json", "--rollouts", "logs.npz"))

    def test_limits_that_cannot_be_kept(self):
        self.logs(150, 6)
        # The noise of a step alone is wider than that.
        self.write("p.json", problem(6, {"x": [-0.2, 0.2]}))
        done = self.run_program("learn", "p.json", "--rollouts", "logs.npz", "--json", "--out", "out")
        self.assertEqual(done.returncode, 1, done.stderr)
        run = json.loads(done.stdout)
        self.assertFalse(run["limits"]["feasible"])
        self.assertEqual([w["id"] for w in run["warnings"]], ["limits-infeasible"])
        self.assertIn("at step", run["warnings"][0]["text"])
        self.assertIn("agrees", self.ok("recheck", "out/limits.json", "--rollouts", "logs.npz"))
        # Possible on the estimate, not for all that the logs leave open.
        self.logs(25, 6)
        run = self.learn(problem(6, {"x": [-2, 2], "u": [-2.2, 2.2]}))
        self.assertEqual((run["limits"]["met"], run["limits"]["feasible"]), (False, True))
        self.assertEqual([w["id"] for w in run["warnings"]][-1], "limits-not-certified")

    def test_another_plant_breaks_them(self):
        """The negative control: what was certified is about the plant of the logs."""
        self.logs(200, 6)
        run = self.learn(problem(6, {"u": [-0.8, 0.8], "probability": 0.1}))
        other = violations(self.file("controller.json"), 6, 0.8, A=1.3 * A, noise=0.6)
        self.assertGreater(sum(other), 2 * run["limits"]["value"])

    def test_files_that_make_no_sense(self):
        self.logs(80, 6)
        for says, limits in [
                ("limits.robust", {"u": [-1, 1], "robust": True, "box": 1}),
                ("certificate.delta", {"u": [-1, 1], "delta": 0.01}),
                ("limits-envelope", {"u": [-1, 1], "kind": "limits-count"}),
                ("limits", {"probability": 0.1}),
                ("steps", {"rows": [{"u": [1], "max": 1, "steps": [0, 6]}]})]:
            with self.subTest(says=says):
                self.write("p.json", problem(6, limits))
                self.fails(3, "learn", "p.json", "--rollouts", "logs.npz", says=says)


if __name__ == "__main__":
    import unittest
    unittest.main()

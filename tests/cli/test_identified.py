"""A plant that nobody knows: from logs to a certified controller, as a user does it."""

import json
import subprocess

import numpy as np

from program import ProgramTest

A = np.array([[0.9, 0.2], [-0.1, 0.8]])
B = np.array([[0.0], [1.0]])
GAIN = np.array([[0.1, -0.4]])
FLAGS = ["-std=c99", "-Wall", "-Wextra", "-Wpedantic", "-Werror", "-O2"]


def draw_logs(n, steps, seed=1, excitation=0.7, offset=(0, 0), noise=0.3):
    """x: n x (steps + 1) x 2, u: n x steps x 1."""
    draw = np.random.RandomState(seed)
    x, u = np.zeros((n, steps + 1, 2)), np.zeros((n, steps, 1))
    x[:, 0] = 0.5 * draw.normal(size=(n, 2))
    for t in range(steps):
        u[:, t] = x[:, t] @ GAIN.T + excitation * draw.normal(size=(n, 1))
        x[:, t + 1] = (x[:, t] @ A.T + u[:, t] @ B.T + offset
                       + noise * draw.normal(size=(n, 2)))
    return x, u


def problem(horizon=6, **system):
    tree = {"name": "unknown plant", "horizon": horizon,
            "system": {"identify": True, "states": 2, "inputs": 1, **system},
            "cost": {"Q": [1, 0.5], "R": [0.2]}}
    tree["system"] = {k: v for k, v in tree["system"].items() if v is not None}
    return tree


class Identified(ProgramTest):
    def logs(self, *arguments, name="logs.npz", **options):
        x, u = draw_logs(*arguments, **options)
        np.savez(self.folder / name, x=x, u=u)
        return x, u

    def test_learn_and_recheck(self):
        self.write("p.json", problem())
        self.logs(80, 6)
        run = self.ok_json("learn", "p.json", "--rollouts", "logs.npz", "--out", "out")
        certificate = run["certificate"]
        self.assertEqual(certificate["kind"], "identified")
        self.assertEqual([e["id"] for e in certificate["events"]], ["model", "noise", "start"])
        self.assertAlmostEqual(certificate["confidence"], 0.95)
        self.assertAlmostEqual(sum(t["value"] for t in certificate["terms"]), certificate["value"])
        self.assertEqual(run["transitions"] + run["pilot"], 80 * 6)
        # The true entries are within their radii, and least squares agrees.
        estimate = run["estimate"]
        self.assertTrue((abs(np.array(estimate["A"]) - A) <= estimate["A_radius"]).all())
        x, u = draw_logs(80, 6)
        # The pilot: five episodes, evenly spaced in the order of their starts and first inputs.
        self.assertEqual(run["pilot"], 30)
        order = np.lexsort((u[:, 0, 0], x[:, 0, 1], x[:, 0, 0]))
        rest = np.setdiff1d(np.arange(80), order[[(2 * k + 1) * 80 // 10 for k in range(5)]])
        r = np.concatenate([x[rest, :-1], u[rest]], 2).reshape(-1, 3)
        theta = np.linalg.lstsq(r, x[rest, 1:].reshape(-1, 2), rcond=None)[0].T
        np.testing.assert_allclose(np.hstack([estimate["A"], estimate["B"]]), theta, atol=1e-9)
        # The certificate holds for the true plant, by covariances step by step.
        controller = json.loads((self.folder / "out/controller.json").read_text())
        K = np.array(controller["K"])
        moment, cost = 0.25 * np.eye(2), 0
        for t in range(6):
            k = K[t:t + 1, 2 * t:2 * t + 2]
            self.assertEqual(np.count_nonzero(K[t]), 2)
            cost += np.trace((np.diag([1, 0.5]) + 0.2 * k.T @ k) @ moment)
            moment = (A + B @ k) @ moment @ (A + B @ k).T + 0.09 * np.eye(2)
        cost += np.trace(np.diag([1, 0.5]) @ moment)
        self.assertLess(cost, certificate["value"])
        self.assertLess(certificate["value"], 3 * cost)
        for part in ("report.html", "run.json", "certificate.json"):
            self.assertTrue((self.folder / "out" / part).exists(), part)
        self.assertIn("agrees", self.ok("recheck", "out/certificate.json", "--rollouts", "logs.npz"))
        self.ok("export", "out/controller.json", "--format", "c", "--out", "code",
                "--certificate", "out/certificate.json")

    def test_recheck_rejects(self):
        self.write("p.json", problem())
        self.logs(60, 6)
        self.ok("learn", "p.json", "--rollouts", "logs.npz", "--out", "out")
        self.logs(60, 6, name="other.npz", seed=2)
        self.fails(4, "recheck", "out/certificate.json", "--rollouts", "other.npz", says="logs")
        path = self.folder / "out/certificate.json"
        record = json.loads(path.read_text())
        for change in (lambda r: r.update(value=r["value"] * 0.99),
                       lambda r: r["terms"][1].update(value=r["terms"][1]["value"] * 0.9),
                       lambda r: r["inputs"]["identified"]["gains"][0][0].__setitem__(0, 0.5),
                       lambda r: r["events"][0].update(delta=0.01)):
            forged = json.loads(json.dumps(record))
            change(forged)
            path.write_text(json.dumps(forged))
            self.fails(4, "recheck", "out/certificate.json", "--rollouts", "logs.npz")
        path.write_text(json.dumps(record))
        controller = json.loads((self.folder / "out/controller.json").read_text())
        controller["K"][0][0] += 1e-3
        (self.folder / "out/controller.json").write_text(json.dumps(controller))
        self.fails(4, "recheck", "out/certificate.json", "--rollouts", "logs.npz",
                   says="not the controller")

    def test_for_ever(self):
        self.write("p.json", problem("infinite"))
        x, u = self.logs(1, 1500)
        np.savez(self.folder / "one.npz", x=x[0], u=u[0])  # two axes: one log
        np.savetxt(self.folder / "log.csv", np.column_stack([range(1501), x[0], [*u[0, :, 0], 0]]),
                   delimiter=",", header="k,x0,x1,u0", comments="", fmt="%.17g")
        run = self.ok_json("learn", "p.json", "--rollouts", "one.npz", "--out", "out")
        self.assertEqual(run["certificate"]["functional"]["id"], "average-cost")
        self.assertEqual([e["id"] for e in run["certificate"]["events"]], ["model", "noise"])
        # Three axes of any length could be read in two ways.
        self.fails(3, "learn", "p.json", "--rollouts", "logs.npz", says="data.axes")
        tree = problem("infinite")
        tree["data"] = {"axes": ["episode", "step", "component"]}
        self.write("axes.json", tree)
        again = self.ok_json("learn", "axes.json", "--rollouts", "logs.npz")
        self.assertEqual(again["certificate"]["value"], run["certificate"]["value"])
        tree["data"] = {"layout": "long", "step": "k", "states": ["x0", "x1"], "inputs": ["u0"]}
        self.write("long.json", tree)
        again = self.ok_json("learn", "long.json", "--rollouts", "log.csv")
        self.assertEqual(again["certificate"]["value"], run["certificate"]["value"])
        controller = json.loads((self.folder / "out/controller.json").read_text())
        self.assertEqual(controller["memory"], {"outputs": 1, "inputs": 0})
        loop = A + B @ np.array(controller["K"])
        covariance = np.eye(2)
        for _ in range(500):
            covariance = loop @ covariance @ loop.T + 0.09 * np.eye(2)
        weight = np.diag([1, 0.5]) + 0.2 * np.array(controller["K"]).T @ np.array(controller["K"])
        cost = np.trace(weight @ covariance)
        self.assertLess(cost, run["certificate"]["value"])
        self.assertLess(run["certificate"]["value"], 1.5 * cost)
        self.assertIn("agrees", self.ok("recheck", "out/certificate.json", "--rollouts", "one.npz"))
        self.fails(2, "simulate", "p.json", "--controller", "out/controller.json", "--rollouts",
                   "one.npz", says="--steps")

    def test_outputs_alone_and_c_code(self):
        # One output of the plant: x0 measured, so that two lags and two inputs are needed.
        x, u = draw_logs(1, 4000, noise=0)
        draw = np.random.RandomState(5)
        y = np.zeros(4001)
        inputs = 0.7 * draw.normal(size=4000)
        for t in range(1, 4000):
            y[t + 1] = (1.5 * y[t] - 0.6 * y[t - 1] + 0.3 * inputs[t] + 0.2 * inputs[t - 1] + 0.1
                        + 0.2 * draw.normal())
        np.savez(self.folder / "y.npz", x=y, u=inputs)
        tree = problem("infinite", states=1, lags=2, offset=True)
        tree["cost"] = {"Q": [1], "R": [0.2]}
        self.write("p.json", tree)
        self.ok("learn", "p.json", "--rollouts", "y.npz", "--out", "out")
        self.assertIn("agrees", self.ok("recheck", "out/certificate.json", "--rollouts", "y.npz"))
        controller = json.loads((self.folder / "out/controller.json").read_text())
        self.assertEqual(controller["memory"], {"outputs": 2, "inputs": 1})
        self.ok("export", "out/controller.json", "--format", "c", "--out", "code",
                "--certificate", "out/certificate.json")
        done = subprocess.run(["gcc", *FLAGS, "-fsanitize=address,undefined", "code/controller.c",
                               "code/controller_test.c", "-o", "run"], cwd=self.folder,
                              capture_output=True, text=True)
        self.assertEqual(done.returncode, 0, done.stderr)
        done = subprocess.run(["./run"], cwd=self.folder, capture_output=True, text=True)
        self.assertEqual(done.returncode, 0, done.stdout)
        self.ok("report", "out")

    def test_known_rows(self):
        tree = problem(states=None, inputs=None, identify=[2], A=[[1, 0.1], [0, 0]], B=[[0], [0]])
        tree["system"]["A"][1] = [0, 0.5]
        self.write("p.json", tree)
        draw = np.random.RandomState(3)
        x, u = np.zeros((60, 7, 2)), draw.normal(size=(60, 6, 1))
        x[:, 0] = draw.normal(size=(60, 2))
        for t in range(6):
            x[:, t + 1, 0] = x[:, t, 0] + 0.1 * x[:, t, 1]
            x[:, t + 1, 1] = -0.5 * x[:, t, 0] + 0.8 * x[:, t, 1] + u[:, t, 0] + 0.2 * draw.normal(size=60)
        np.savez(self.folder / "logs.npz", x=x, u=u)
        run = self.ok_json("learn", "p.json", "--rollouts", "logs.npz")
        self.assertEqual(run["estimate"]["A"][0], [1, 0.1])
        self.assertEqual(run["estimate"]["A_radius"][0], [0, 0])
        x[7, 3, 0] += 0.01
        np.savez(self.folder / "logs.npz", x=x, u=u)
        self.fails(3, "learn", "p.json", "--rollouts", "logs.npz", says=("episode 8", "row 1"))

    def test_numbers_of_the_truth(self):
        tree = problem(states=None, inputs=None, A=A.tolist(), B=B.tolist())
        tree["disturbance"] = {"covariance": {"x0": 0.25, "w": 0.09}}
        self.write("p.json", tree)
        self.logs(80, 6)
        run = self.ok_json("learn", "p.json", "--rollouts", "logs.npz", "--out", "out")
        self.assertLess(run["optimal_cost"], run["population_cost"])
        self.assertLess(run["population_cost"], run["certificate"]["value"])
        simulated = self.ok_json("simulate", "p.json", "--controller", "out/controller.json",
                                 "--sample", 4000)
        self.assertLess(abs(simulated["mean"] - run["population_cost"]),
                        6 * simulated["standard_error"])
        self.fails(3, "certify", "p.json", "--controller", "out/controller.json", "--sample", 20,
                   says="system.identify")
        tree["disturbance"] = {"covariance": {"ar1": 0.5, "variance": 0.1}}
        self.write("coloured.json", tree)
        self.fails(3, "learn", "coloured.json", "--rollouts", "logs.npz", says="white")

    def test_methods(self):
        self.write("p.json", problem())
        self.logs(80, 6)
        for excitation in (1.0, 0.1):
            self.logs(80, 6, excitation=excitation)
            values = {m: self.ok_json("learn", "p.json", "--rollouts", "logs.npz", "--method", m)
                      ["certificate"]["value"] for m in ("identified", "guaranteed", "auto")}
            self.assertLessEqual(0.9 * values["auto"], min(values.values()))
        self.fails(2, "learn", "p.json", "--rollouts", "logs.npz", "--method", "ridge",
                   says="guaranteed")
        self.fails(2, "learn", "p.json", "--rollouts", "logs.npz", "--certificate", "hold-out",
                   says="identified")
        self.fails(2, "learn", "p.json", "--sample", 20, says="--rollouts")

    def test_logs_that_are_not_enough(self):
        self.write("p.json", problem())
        self.logs(4, 6)
        self.fails(3, "learn", "p.json", "--rollouts", "logs.npz", says="are needed")
        self.logs(80, 6, excitation=0)
        self.fails(3, "learn", "p.json", "--rollouts", "logs.npz", says=("never excite", "u0"))
        self.logs(80, 6, excitation=0.02)
        run = self.ok_json("learn", "p.json", "--rollouts", "logs.npz", "--method", "identified")
        self.assertEqual([w["id"] for w in run["warnings"]], ["uncertain-plant"])
        # Gains near those of the logs need no direction that was not excited.
        run = self.ok_json("learn", "p.json", "--rollouts", "logs.npz")
        self.assertEqual((run["details"]["deployed"], run["warnings"]), ("guaranteed", []))
        x, u = draw_logs(1, 300, excitation=1e-3)
        np.savez(self.folder / "logs.npz", x=x[0], u=u[0])
        self.write("long.json", problem("infinite"))
        self.fails(3, "learn", "long.json", "--rollouts", "logs.npz", says="transitions like these")
        self.logs(80, 5)
        self.fails(3, "learn", "p.json", "--rollouts", "logs.npz", says="logs.npz")
        x, u = draw_logs(80, 6)
        x[3, 2, 1] = np.nan
        np.savez(self.folder / "logs.npz", x=x, u=u)
        self.fails(3, "learn", "p.json", "--rollouts", "logs.npz")
        x, u = draw_logs(40, 6)
        np.savez(self.folder / "logs.npz", x=np.concatenate([x, x]), u=np.concatenate([u, u]))
        self.fails(3, "learn", "p.json", "--rollouts", "logs.npz", says="episode 41: equal")

    def test_files_that_make_no_sense(self):
        self.logs(80, 6)
        for says, tree in [
                ("system.states", problem(states=None)),
                ("system.identify", problem(identify="all")),
                ("system.identify[0]", problem(identify=[0], A=A.tolist(), B=B.tolist())),
                ("1 to 2", problem(identify=[3], A=A.tolist(), B=B.tolist())),
                ("system.A", problem(identify=[1])),
                ("system.lags", problem(lags=2)),
                ("system.states", problem(identify=False)),
                ("as A and B have", problem(states=3, A=A.tolist(), B=B.tolist())),
                ("system.B", problem(A=A.tolist())),
                ("horizon", {**problem("infinite"), "system": {"A": A.tolist(), "B": B.tolist()}}),
                ("cost.P", {**problem("infinite"), "cost": {"Q": [1, 1], "R": [1], "P": [1, 1]}}),
                ("cost.Q", {**problem(), "cost": {"Q": [1, 1, 1], "R": [1]}})]:
            with self.subTest(says=says):
                self.write("p.json", tree)
                self.fails(3, "learn", "p.json", "--rollouts", "logs.npz", says=says)

    def test_other_commands(self):
        self.write("p.json", problem())
        self.logs(80, 6)
        self.ok("learn", "p.json", "--rollouts", "logs.npz", "--out", "out")
        controller = ("--controller", "out/controller.json")
        for command in (("certify", "p.json", *controller, "--rollouts", "logs.npz"),
                        ("simulate", "p.json", *controller, "--rollouts", "logs.npz"),
                        ("plan", "p.json", "--target", 1),
                        ("import", "p.json", "--rollouts", "logs.npz", "--out", "w.csv"),
                        ("sample", "p.json", "-n", 3, "--out", "w.csv")):
            with self.subTest(command=command[0]):
                done = self.run_program(*command)
                self.assertIn(done.returncode, (2, 3), done.stdout + done.stderr)
                self.assertRegex(done.stderr, r"\Aloopcert: [^\n]+\n\Z")


if __name__ == "__main__":
    import unittest
    unittest.main()

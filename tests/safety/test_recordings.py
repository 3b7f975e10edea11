"""Logs are known again: rounded, cut, prolonged, in another order or file, under another model."""

import hashlib
import json
import unittest

import numpy as np

from checker import CheckerTest
from program import SOURCE, WHITE_TREE

CART = SOURCE / "examples/cart"
CART_LOGS = (CART / "monday.csv", CART / "tuesday.mat")
TREE = {**WHITE_TREE, "disturbance": {"scale_bound": 1.0}}


def at_horizon(horizon, **data):
    return {**TREE, "horizon": horizon, "data": {"longer": "first", "axes": ["episode", "step", "component"], **data}}


def logs(n, steps, seed=1):
    """Episodes of the double integrator under a feedback that is not ours."""
    draw = np.random.RandomState(seed)
    A, B = np.array(TREE["system"]["A"], float), np.array(TREE["system"]["B"], float)
    x, u = np.zeros((n, steps + 1, 2)), np.zeros((n, steps, 1))
    x[:, 0] = draw.normal(size=(n, 2))
    for t in range(steps):
        u[:, t] = -x[:, t] @ np.array([[0.3], [0.9]]) + 0.1 * draw.normal(size=(n, 1))
        x[:, t + 1] = x[:, t] @ A.T + u[:, t] @ B.T + 0.3 * draw.normal(size=(n, 2))
    return x, u


def digits(array, count):
    return np.vectorize(lambda value: float(f"{value:.{count}g}"))(array)


def single(array):
    return array.astype(np.float32)


class Recordings(CheckerTest):
    def save(self, name, x, u):
        np.savez(self.folder / name, x=x, u=u)
        return name

    def learn(self, horizon=10, steps=10, n=60):
        """A controller learned from logs, as `learned/controller.json`; the logs."""
        self.write("problem.json", at_horizon(horizon))
        x, u = logs(n, steps)
        self.ok("learn", "problem.json", "--method", "ridge", "--rollouts", self.save("logs.npz", x, u),
                "--out", "learned")
        return x, u

    def refused(self, *data, controller="learned/controller.json", problem="problem.json", says=()):
        self.fails(3, "certify", problem, "--controller", controller, *data,
                   says=["learned from", *says])

    def certified(self, *data, controller="learned/controller.json", problem="problem.json"):
        self.ok("certify", problem, "--controller", controller, *data)

    def test_rounded(self):
        x, u = self.learn()
        copies = {"12 digits": (digits(x, 12), digits(u, 12)), "single": (single(x), single(u)),
                  "6 digits": (digits(x, 6), digits(u, 6)), "reversed": (x[::-1], u[::-1])}
        for name, (x_copy, u_copy) in copies.items():
            self.refused("--rollouts", self.save(f"{name}.npz", x_copy, u_copy), says=["60 of 60"])
        fresh_x, fresh_u = logs(60, 10, seed=2)
        self.certified("--rollouts", self.save("fresh.npz", fresh_x, fresh_u))
        fresh_x[17], fresh_u[17] = single(x[3]), single(u[3])
        self.refused("--rollouts", self.save("mixed.npz", fresh_x, fresh_u),
                     says=["1 of 60", "trajectory 18"])
        seen = self.ok_json("simulate", "problem.json", "--controller", "learned/controller.json",
                            "--rollouts", "single.npz")
        self.assertEqual(seen["learned_from"], 60)

    def test_under_another_model(self):
        self.learn()
        other = at_horizon(10)
        other["system"] = {"A": [[1, 0.9], [0, 0.95]], "B": [[0.4], [1.2]]}
        self.refused("--rollouts", "logs.npz", problem=self.write("other.json", other),
                     says=["60 of 60"])

    def test_as_disturbances(self):
        """What learn read as logs is known as the disturbances that import makes of it."""
        self.learn()
        self.ok("import", "problem.json", "--rollouts", "logs.npz", "--out", "w.npy")
        w = np.load(self.folder / "w.npy")
        for name, copy in (("w", w), ("w12", digits(w, 12)), ("w32", single(w))):
            np.save(self.folder / f"{name}.npy", copy)
            self.refused("--data", f"{name}.npy", says=["60 of 60"])

    def test_cut_and_prolonged(self):
        """export --steps, and episodes that begin as those that taught."""
        x, u = self.learn(10, 14)
        self.save("longer.npz", x, u)
        for steps in (1, 2, 5, 9, 12):
            self.ok("export", "learned/controller.json", "--format", "json", "--steps", steps,
                    "--after", "hold", "--out", f"{steps}.json")
            problem = self.write(f"problem-{steps}.json", at_horizon(steps))
            self.refused("--rollouts", "longer.npz", controller=f"{steps}.json", problem=problem,
                         says=["60 of 60"])
            self.ok("import", problem, "--rollouts", "longer.npz", "--out", f"{steps}.npy")
            self.refused("--data", f"{steps}.npy", controller=f"{steps}.json", problem=problem)
            fresh = self.save("fresh.npz", *logs(60, 14, seed=2))
            self.certified("--rollouts", fresh, controller=f"{steps}.json", problem=problem)

    def test_kept_in_every_format(self):
        self.learn()
        for name in ("npz", "mat"):
            self.ok("export", "learned/controller.json", "--format", name, "--out", f"c.{name}")
            self.ok("export", f"c.{name}", "--format", "json", "--out", f"{name}.json")
            self.assertEqual(json.loads((self.folder / f"{name}.json").read_text())["recordings"],
                             self.controller()["recordings"])

    def controller(self, name="learned/controller.json"):
        return json.loads((self.folder / name).read_text())

    def test_cut_elsewhere(self):
        """One long log in pieces, and the same log in pieces that begin three steps later."""
        x, u = logs(1, 400)
        problem = self.write("problem.json", at_horizon(10, longer="windows"))
        self.ok("learn", problem, "--method", "ridge", "--rollouts", self.save("a.npz", x, u), "--out",
                "learned")
        for start in range(1, 10):
            self.save("b.npz", x[:, start:], u[:, start:])
            done = self.run_program("certify", problem, "--controller", "learned/controller.json",
                                    "--rollouts", "b.npz")
            self.assertEqual(done.returncode, 3)
            self.assertIn("found 39 of 39 trajectories", done.stderr)  # after a warning
        self.certified("--rollouts", self.save("c.npz", *logs(1, 400, seed=2)))

    def test_repeated_in_one_set(self):
        x, u = logs(101, 10)
        problem = self.write("problem.json", at_horizon(10))
        for copy in (lambda a: a, single, lambda a: digits(a, 12)):
            x[100], u[100] = copy(x[0]), copy(u[0])
            self.fails(3, "learn", problem, "--rollouts", self.save("logs.npz", x, u),
                       says="trajectories 1 and 101")
        keep = self.write("keep.json", at_horizon(10, repeated="keep"))
        self.ok("learn", keep, "--method", "ridge", "--rollouts", "logs.npz")

    def test_hashes_are_of_the_logs(self):
        self.ok("learn", CART / "problem.toml", "--rollouts", *CART_LOGS, "--out", "out")
        inputs = json.loads((self.folder / "out/certificate.json").read_text())["inputs"]
        self.ok("verify", "out/certificate.json", "--rollouts", *CART_LOGS)
        self.ok("import", CART / "problem.toml", "--rollouts", *CART_LOGS, "--out", "w.npy")
        w = np.load(self.folder / "w.npy")
        self.assertEqual(hashlib.sha256(w.tobytes()).hexdigest(), inputs["data_sha256"])
        self.assertEqual(self.ask("out", "--data", "w.npy")[0], 0)
        self.fails(4, "verify", "out/certificate.json", "--rollouts", *CART_LOGS[::-1], says="data")
        x, u = self.learn()
        self.ok("learn", "problem.json", "--rollouts", "logs.npz", "--out", "out")
        self.ok("import", "problem.json", "--rollouts", "logs.npz", "--out", "w.npy")
        self.ok("verify", "out/certificate.json", "--data", "w.npy")
        inputs = json.loads((self.folder / "out/certificate.json").read_text())["inputs"]
        self.assertEqual(hashlib.sha256(x.tobytes() + u.tobytes()).hexdigest(), inputs["logs_sha256"])

    def test_order_of_files(self):
        """Without parts of the data, the order of files changes hashes and last digits only."""
        problem = self.write("problem.json", {**at_horizon(10), "disturbance": {"scale_bound": 0.5}})
        for seed, name in ((1, "a.npz"), (2, "b.npz")):
            self.save(name, *logs(30, 10, seed))
        found = []
        for number, files in enumerate((("a.npz", "b.npz"), ("b.npz", "a.npz"))):
            self.ok("learn", problem, "--method", "pac-bayes", "--certificate", "data-driven",
                    "--rollouts", *files, "--out", number)
            found.append(json.loads((self.folder / f"{number}/certificate.json").read_text()))
            self.refused("--rollouts", *files[::-1], controller=f"{number}/controller.json")
        self.assertAlmostEqual(found[0]["value"], found[1]["value"], delta=1e-6 * found[0]["value"])
        self.assertNotEqual(*(record["inputs"]["logs_sha256"] for record in found))

    def forged(self, controller, problem, data, name):
        """A record for a controller whose file says nothing, then with the file that does."""
        blank = self.controller(controller)
        blank["learned_from"] = []
        del blank["recordings"], blank["provenance"]["data_sha256"]
        self.write("blank.json", blank)
        self.ok("certify", problem, "--controller", "blank.json", "--data", data, "--out", name)
        self.assertEqual(self.ask(name, "--data", data)[0], 0)  # nobody can know
        told = self.controller(controller)
        told["learned_from"] = []
        text = self.write(f"{name}/controller.json", told).read_bytes()
        record = json.loads((self.folder / name / "certificate.json").read_text())
        record["inputs"]["controller_sha256"] = hashlib.sha256(text).hexdigest()
        self.write(f"{name}/certificate.json", record)
        self.fails(4, "verify", f"{name}/certificate.json", "--data", data, says="learned from")
        self.assertIn("was learned from trajectory 1", self.ask(name, "--data", data)[1])

    def test_checker(self):
        """Program and checker know copies by the recordings in the controller's file."""
        self.learn(10, 10)
        self.ok("import", "problem.json", "--rollouts", "logs.npz", "--out", "w.npy")
        w = np.load(self.folder / "w.npy")
        self.forged("learned/controller.json", "problem.json", "w.npy", "same")
        for name, copy in (("12", digits(w, 12)), ("32", single(w)), ("6", digits(w, 6))):
            np.save(self.folder / f"{name}.npy", copy.astype(float))
            self.forged("learned/controller.json", "problem.json", f"{name}.npy", f"round-{name}")
        for steps in (1, 4, 12):
            self.ok("export", "learned/controller.json", "--format", "json", "--steps", steps,
                    "--after", "hold", "--out", f"{steps}.json")
            problem = self.write(f"problem-{steps}.json", at_horizon(steps))
            other = np.random.RandomState(9).normal(size=(60, 2 * (steps + 1)))
            common = min(w.shape[1], other.shape[1])
            other[:, :common] = w[:, :common]
            np.save(self.folder / f"{steps}.npy", other)
            self.forged(f"{steps}.json", problem, f"{steps}.npy", f"cut-{steps}")

    def test_files_of_before(self):
        """Of a controller without recordings the exact fingerprints count, but not for logs."""
        self.learn()
        self.ok("import", "problem.json", "--rollouts", "logs.npz", "--out", "w.npy")
        old = self.controller()
        del old["recordings"]
        self.write("old.json", old)
        self.refused("--data", "w.npy", controller="old.json")
        fresh = self.save("fresh.npz", *logs(60, 10, seed=2))
        self.fails(3, "certify", "problem.json", "--controller", "old.json", "--rollouts", fresh,
                   says=["old.json", "earlier version", "learn it again"])
        self.ok("import", "problem.json", "--rollouts", fresh, "--out", "fresh.npy")
        self.certified("--data", "fresh.npy", controller="old.json")

    def test_wrong_recordings(self):
        self.learn(n=5)
        good = self.controller()
        for key, value in (("first", [0.0, 1.0]), ("first", "x"), ("later", [1.0]), ("lost", [1]),
                           ("lost", [0.5] * 11), ("most", [99] * 11), ("rows", ["0"]), ("rows", 7),
                           ("rows", ["g" * 132])):
            bad = json.loads(json.dumps(good))
            bad["recordings"]["disturbances"][key] = value
            self.write("bad.json", bad)
            self.fails(3, "certify", "problem.json", "--controller", "bad.json", "--rollouts",
                       "logs.npz", says=["bad.json", "recordings.disturbances"])
        bad["recordings"] = {"waves": {}}
        self.write("bad.json", bad)
        self.fails(3, "export", "bad.json", "--format", "json", "--out", "x.json", says="waves")


if __name__ == "__main__":
    unittest.main()

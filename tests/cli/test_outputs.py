"""Plants seen through outputs on the command line: a plant of this file's own, simulated here step by
step, from its logs to C code."""

import ctypes
import json
import subprocess
import unittest

import numpy as np

from program import ProgramTest

T = 12
A, B = np.array([[0.9, 0.3], [-0.2, 0.7]]), np.array([[0.1], [0.5]])
C = np.array([[1.0, 0.0], [0.5, 1.0]])  # two sensors
DELAY = 1
TREE = {"name": "two sensors", "horizon": T,
        "system": {"A": A.tolist(), "B": B.tolist(), "C": C.tolist(), "delay": DELAY},
        "cost": {"Q": [2, 0.5], "R": [0.1]},
        "baseline": {"pid": {"p": [[0.4, 0.1]], "i": [[0.05, 0]], "dt": 0.5}}}


def today(y):
    """What the PI controller of TREE does on the outputs so far."""
    return -(y[-1] @ [0.4, 0.1]) - 0.05 * 0.5 * np.sum(y, axis=0)[0]


def run(x0, w, v, input_of, offset=None):
    """Outputs (T+1, 2) and inputs (T,) of one episode, step by step through the state."""
    x, y, u = x0, [], []
    for t in range(T + 1):
        y.append(C @ x + v[t])
        if t == T:
            return np.array(y), np.array(u)
        u.append(input_of(y))
        x = A @ x + w[t] + (B[:, 0] * u[t - DELAY] if t >= DELAY else 0)
        if offset is not None:
            x = x + offset[t]


def noise(n, seed):
    rng = np.random.default_rng(seed)
    return (rng.normal(size=(n, 2)), 0.3 * rng.normal(size=(n, T, 2)),
            0.1 * rng.normal(size=(n, T + 1, 2)))


def cost(y, u):
    return np.sum(y**2 @ [2, 0.5]) + 0.1 * np.sum(u**2)


def controller(path):
    tree = json.loads(path.read_text())
    K, k = np.array(tree["K"]), np.array(tree["k"])
    n_y = tree["n_x"]
    return lambda y: float(K[len(y) - 1, :n_y * len(y)] @ np.concatenate(y) + k[len(y) - 1])


class LogsTest(ProgramTest):
    def setUp(self):
        super().setUp()
        self.problem = self.write("problem.json", TREE)
        self.noise = noise(80, 1)
        self.logs = [run(*one, today) for one in zip(*self.noise)]
        np.savez(self.folder / "logs.npz", y=np.array([y for y, _ in self.logs]),
                 u=np.array([u for _, u in self.logs])[..., None])
        # What there would have been without inputs: what a record calls disturbances.
        self.eta = np.array([run(*one, lambda y: 0.0)[0] for one in zip(*self.noise)])


class OutputsTest(LogsTest):
    def test_logs_of_outputs_and_inputs_are_enough(self):
        found = self.ok_json("learn", self.problem, "--rollouts", "logs.npz", "--method", "auto",
                             "--out", "run")
        expected = np.mean([cost(*log) for log in self.logs])
        self.assertAlmostEqual(found["baseline_cost"], expected, places=9)  # they are under it
        self.assertAlmostEqual(found["logged_cost"], expected, places=9)
        self.assertEqual([w["id"] for w in found["warnings"]], [])
        new = controller(self.folder / "run/controller.json")
        costs = [cost(*run(*one, new)) for one in zip(*self.noise)]
        self.assertAlmostEqual(found["empirical_cost"], np.mean(costs), places=8)
        self.ok("import", self.problem, "--rollouts", "logs.npz", "--out", "eta.npy")
        np.testing.assert_allclose(np.load(self.folder / "eta.npy"), self.eta.reshape(80, -1), atol=1e-12)
        self.ok("recheck", "run/certificate.json", "--rollouts", "logs.npz")
        # Step by step on other episodes, too.
        fresh = noise(30, 2)
        np.save(self.folder / "fresh.npy", np.array(
            [run(*one, lambda y: 0.0)[0] for one in zip(*fresh)]).reshape(30, -1))
        simulated = self.ok_json("simulate", self.problem, "--controller", "run/controller.json",
                                 "--data", "fresh.npy", "--paths", "paths.npz")
        paths = [run(*one, new) for one in zip(*fresh)]
        self.assertAlmostEqual(simulated["mean"], np.mean([cost(*path) for path in paths]), places=9)
        found = np.load(self.folder / "paths.npz")
        np.testing.assert_allclose(found["y"].reshape(30, T + 1, 2), [y for y, _ in paths], atol=1e-10)
        np.testing.assert_allclose(found["u"].reshape(30, T), [u for _, u in paths], atol=1e-10)

    def test_what_runs_today_as_a_method(self):
        run_ = self.ok_json("learn", self.problem, "--rollouts", "logs.npz", "--method", "baseline",
                            "--certificate", "best", "--out", "run")
        self.assertEqual(run_["baseline_verdict"], "it is the one that runs today")
        self.assertGreater(run_["certificate"]["value"], run_["empirical_cost"])
        K = controller(self.folder / "run/controller.json")
        for y, u in self.logs[:5]:
            np.testing.assert_allclose([K(list(y[:t + 1])) for t in range(T)], u, atol=1e-12)
        self.ok("recheck", "run/certificate.json", "--rollouts", "logs.npz")
        self.ok("export", "run/controller.json", "--format", "c", "--out", "code")

    def test_c_code_does_what_simulate_does(self):
        self.ok("learn", self.problem, "--rollouts", "logs.npz", "--method", "auto", "--out", "run")
        self.ok("simulate", self.problem, "--controller", "run/controller.json", "--rollouts",
                "logs.npz", "--paths", "paths.npz")
        paths = np.load(self.folder / "paths.npz")
        for single, real, room in ((False, ctypes.c_double, 1e-12), (True, ctypes.c_float, 1e-5)):
            said = self.ok("export", "run/controller.json", "--format", "c", "--out", "code",
                           "--problem", self.problem, "--rollouts", "logs.npz",
                           *(["--float"] if single else ["--after", "hold"]))
            done = subprocess.run(["gcc", "-std=c99", "-Wall", "-Werror", "-shared", "-fPIC",
                                   "controller.c", "-o", f"../loaded-{single}.so"],
                                  cwd=self.folder / "code", capture_output=True, text=True)
            self.assertEqual(done.returncode, 0, done.stderr)
            for test in (["gcc", "controller.c", "controller_test.c", "-o", "test"], ["./test"]):
                done = subprocess.run(test, cwd=self.folder / "code", capture_output=True, text=True)
                self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
            if single:  # the effect of rounding, measured on these logs
                self.assertRegex(said, "mean cost|changed")
            code = ctypes.CDLL(str(self.folder / f"loaded-{single}.so"))
            memory = ctypes.create_string_buffer(1 << 16)
            for i in range(3):
                code.controller_reset(memory)
                for t in range(T):
                    y = (real * 2)(*paths["y"].reshape(80, T + 1, 2)[i, t])
                    u = (real * 1)()
                    self.assertEqual(code.controller_step(memory, y, u), 0)
                    self.assertAlmostEqual(u[0], paths["u"].reshape(80, T)[i, t], delta=room * 10)

    def test_an_offset_of_each_episode(self):
        """A recipe that is known of each logged episode is taken out of it."""
        rng = np.random.default_rng(5)
        d = rng.normal(size=(80, T, 2))
        logs = [run(*one, today, offset) for *one, offset in zip(*self.noise, d)]
        # An output's offset is what the state's does to it.
        moved = np.zeros((80, T, 2))
        for i in range(80):
            x = np.zeros(2)
            for t in range(T):
                x = A @ x + d[i, t]
                moved[i, t] = C @ x
        y, u = np.array([y for y, _ in logs]), np.array([u for _, u in logs])
        np.savez(self.folder / "recipes.npz", y=y, u=u[..., None], d=moved)
        self.ok("import", self.problem, "--rollouts", "recipes.npz", "--out", "eta.npy")
        np.testing.assert_allclose(np.load(self.folder / "eta.npy"), self.eta.reshape(80, -1), atol=1e-11)
        names = ([f"y{t}_{i}" for t in range(T + 1) for i in range(2)] + [f"u{t}_0" for t in range(T)]
                 + [f"d{t}_{i}" for t in range(T) for i in range(2)])
        rows = np.concatenate([y.reshape(80, -1), u, moved.reshape(80, -1)], axis=1)
        np.savetxt(self.folder / "wide.csv", rows, delimiter=",", header=",".join(names), comments="",
                   fmt="%.17g")
        self.ok("import", self.problem, "--rollouts", "wide.csv", "--out", "wide.npy")
        np.testing.assert_array_equal(np.load(self.folder / "wide.npy"), np.load(self.folder / "eta.npy"))
        long = self.write("long.json", {**TREE, "data": {
            "layout": "long", "episode": "run", "step": "k"}})
        lines = ["run,k,y0,y1,u0,d0,d1"]
        for i in range(80):
            for t in range(T + 1):
                later = [f"{u[i, t]:.17g}", *(f"{v:.17g}" for v in moved[i, t])] if t < T else ["", "", ""]
                lines.append(",".join([str(i), str(t), *(f"{v:.17g}" for v in y[i, t]), *later]))
        self.write("long.csv", "\n".join(lines) + "\n")
        self.ok("import", long, "--rollouts", "long.csv", "--out", "long.npy")
        np.testing.assert_array_equal(np.load(self.folder / "long.npy"), np.load(self.folder / "eta.npy"))
        found = self.ok_json("learn", self.problem, "--rollouts", "recipes.npz", "--method", "auto",
                             "--out", "run")
        self.assertIsNone(found["logged_cost"])
        self.ok("recheck", "run/certificate.json", "--rollouts", "recipes.npz")

    def test_an_offset_of_each_episode_moves_all_later_states(self):
        rng = np.random.default_rng(6)
        x0, w, _ = noise(30, 7)
        u, d = rng.normal(size=(30, T, 1)), rng.normal(size=(30, T, 2))
        x = [x0]
        for t in range(T):
            x.append(x[-1] @ A.T + u[:, t] @ B.T + d[:, t] + w[:, t])
        np.savez(self.folder / "states.npz", x=np.stack(x, axis=1), u=u, d=d)
        state = self.write("state.json", {**TREE, "system": {"A": A.tolist(), "B": B.tolist(),
                                                             "d": [0.4, -0.1]}})
        self.ok("import", state, "--rollouts", "states.npz", "--out", "w.npy")
        np.testing.assert_allclose(np.load(self.folder / "w.npy"),
                                   np.concatenate([x0, w.reshape(30, -1)], axis=1), atol=1e-11)

    def test_a_signal_that_only_tests_measure(self):
        tree = {**TREE, "system": {**TREE["system"], "test_only": 1},
                "cost": {"Q": [0, 1], "R": [0.1]}, "baseline": {"pid": {"p": 0.4}}}
        problem = self.write("tests.json", tree)
        found = self.ok_json("learn", problem, "--rollouts", "logs.npz", "--method", "auto", "--out", "run")
        # Logs of tests have what the controller does not see: what they cost is known.
        logged = [np.sum(y[:, 1]**2) + 0.1 * np.sum(u**2) for y, u in self.logs]
        self.assertAlmostEqual(found["logged_cost"], np.mean(logged), places=9)
        measured = self.ok_json("measure", problem, "--rollouts", "logs.npz", "--gaussian")
        self.assertAlmostEqual(measured["terms"][0]["value"], np.mean(logged), places=9)
        self.ok("report", "run", "--problem", problem, "--rollouts", "logs.npz")
        tree = json.loads((self.folder / "run/controller.json").read_text())
        self.assertEqual((tree["n_x"], np.shape(tree["K"])), (1, (T, T + 1)))
        K, k = np.array(tree["K"]), np.array(tree["k"])

        def new(y):
            return float(K[len(y) - 1, :len(y)] @ [one[0] for one in y] + k[len(y) - 1])

        costs = [np.sum(y[:, 1]**2) + 0.1 * np.sum(u**2)
                 for y, u in (run(*one, new) for one in zip(*self.noise))]
        self.assertAlmostEqual(found["empirical_cost"], np.mean(costs), places=8)
        for name in ("certificate", "baseline-certificate"):
            self.ok("recheck", f"run/{name}.json", "--rollouts", "logs.npz")
        self.ok("inspect", problem, "--rollouts", "logs.npz")
        self.ok("export", "run/controller.json", "--format", "c", "--float", "--out", "code", "--problem",
                problem, "--rollouts", "logs.npz")
        simulated = self.ok_json("simulate", problem, "--controller", "run/controller.json",
                                 "--rollouts", "logs.npz")
        self.assertAlmostEqual(simulated["mean"], np.mean(costs), places=8)
        for bad, says in (({"test_only": 2}, "system.test_only: found 2"),
                          ({"test_only": 0.5}, "system.test_only")):
            self.fails(3, "learn", self.write("bad.json", {**TREE, "system": {**TREE["system"], **bad}}),
                       "--rollouts", "logs.npz", says=says)
        white = {**json.loads(problem.read_text()), "disturbance": {"white": True}}
        self.fails(3, "learn", self.write("bad.json", white), "--rollouts", "logs.npz", says="test_only")
        state = {**TREE, "system": {"A": A.tolist(), "B": B.tolist(), "test_only": 1}}
        self.fails(3, "learn", self.write("bad.json", state), "--rollouts", "logs.npz", says="test_only")

    def test_a_setpoint_is_followed(self):
        """From the open loop on every controller has the feedforward; what runs today is beaten at once."""
        r = np.array([[0.0, 0.0]] * 4 + [[1.0, 0.8]] * (T - 3))
        tree = {**TREE, "cost": {**TREE["cost"], "reference": r.tolist()}}
        tree["baseline"] = {**TREE["baseline"], "setpoint": r[:T].tolist()}
        problem = self.write("setpoint.json", tree)
        for method, kind in (("auto", None), ("shrinkage", "cross-scale-free"), ("erm", None)):
            found = self.ok_json("learn", problem, "--rollouts", "logs.npz", "--method", method, "--out",
                                 "run", *(["--certificate", kind] if kind else []))
            new = controller(self.folder / "run/controller.json")
            paths = [run(*one, new) for one in zip(*self.noise)]
            costs = [cost(y - r, u) for y, u in paths]
            self.assertAlmostEqual(found["empirical_cost"], np.mean(costs), places=8)
            # The mean path is that of the best inputs for what is known, and of noise of mean zero.
            G = np.zeros((2 * (T + 1), T))
            for s in range(T):
                G[:, s] = run(np.zeros(2), np.zeros((T, 2)), np.zeros((T + 1, 2)),
                              lambda y: float(len(y) - 1 == s))[0].ravel()
            weight = np.tile([2, 0.5], T + 1)
            u = np.linalg.solve((G.T * weight) @ G + 0.1 * np.eye(T), (G.T * weight) @ r.ravel())
            still = run(np.zeros(2), np.zeros((T, 2)), np.zeros((T + 1, 2)), new)
            if method != "erm":  # whose column of the constant stays where the start has it
                np.testing.assert_allclose(still[1], u, atol=1e-9)
                self.assertLess(found["improvement"]["value"], 0)
                self.assertIn("costs less", found["baseline_verdict"])

    def test_the_input_that_holds_a_setpoint(self):
        """Of every form that says what comes in the end."""
        gain = C @ np.linalg.solve(np.eye(2) - A, B)
        one = {**TREE, "cost": {"Q": [1], "R": [0.1], "reference": [0.7]}}
        del one["baseline"]
        first = {"A": A.tolist(), "B": B.tolist(), "C": C[:1].tolist()}
        h = [float((C[:1] @ np.linalg.matrix_power(A, k) @ B)[0, 0]) for k in range(200)]
        forms = [(first, gain[0, 0]), ({**first, "delay": 3}, gain[0, 0]), ({"impulse": h}, gain[0, 0]),
                 ({"step": np.cumsum(h).tolist(), "delay": 1}, gain[0, 0]),
                 ({"transfer": {"num": [2, 1], "den": [4, 1, -1], "delay": 1}}, 0.75),
                 ({"transfer": {"num": [2], "den": [5, 4], "delay": 0.3}, "continuous": True, "dt": 0.5}, 0.5),
                 ({"A": [[-2.0]], "B": [[3.0]], "C": [[4.0]], "continuous": True, "dt": 0.1, "delay": 0.25}, 6)]
        for system, expected in forms:
            run_ = self.ok_json("learn", self.write("one.json", {**one, "system": system}), "--method",
                                "start")
            np.testing.assert_allclose(run_["steady_state"]["input"], [0.7 / expected], rtol=1e-9)
            self.assertEqual(run_["steady_state"]["residual"], [0])
        # Two outputs: only setpoints on one line, also where a test alone measures one of them.
        for more in ({}, {"test_only": 1}):
            tree = {**TREE, "system": {**TREE["system"], **more}, "cost": {**TREE["cost"]}}
            del tree["baseline"]
            tree["cost"]["reference"] = (0.4 * gain[:, 0]).tolist()
            run_ = self.ok_json("learn", self.write("two.json", tree), "--method", "start")
            np.testing.assert_allclose(run_["steady_state"]["input"], [0.4], rtol=1e-9)
            tree["cost"]["reference"] = [1, -1]
            self.assertNotIn("steady_state", self.ok_json("learn", self.write("two.json", tree),
                                                          "--method", "start"))
        integrator = {**one, "system": {"transfer": {"num": [1], "den": [1, -1]}}}
        self.assertNotIn("steady_state", self.ok_json("learn", self.write("one.json", integrator), "--method",
                                                      "start"))

    def test_limits_beside_a_signal_that_only_tests_measure(self):
        tree = {**TREE, "system": {**TREE["system"], "test_only": 1}, "baseline": {"pid": {"p": 0.4}},
                "limits": {"u": [-4, 4], "y": [[-9, 9], [-9, 9]], "probability": 0.3}}
        problem = self.write("tests.json", tree)
        found = self.ok_json("learn", problem, "--rollouts", "logs.npz", "--method", "auto", "--out", "run")
        self.assertLessEqual(found["limits"]["value"], 1)
        names = [row["name"] for row in found["limits"]["rows"]]
        self.assertEqual(names, ["u0", "y0", "y1"])  # the second is one that the controller never sees
        new = controller(self.folder / "run/controller.json")
        paths = [run(*one, lambda y: new([v[:1] for v in y])) for one in zip(*self.noise)]
        broken = np.mean([np.any(abs(u) > 4) or np.any(abs(y[1:]) > 9) for y, u in paths])
        self.assertAlmostEqual(found["limits"]["episodes"]["data"], broken)
        self.ok("recheck", "run/limits.json", "--rollouts", "logs.npz")
        self.ok("recheck", "run/certificate.json", "--rollouts", "logs.npz")

    def test_a_cost_on_what_nobody_measures(self):
        tree = {**TREE, "cost": {**TREE["cost"], "of": "states"}}
        del tree["baseline"]
        self.fails(3, "learn", self.write("bad.json", tree), "--rollouts", "logs.npz",
                   says="never measured")


def spoiled(y, fault):
    """The log with a fault of its first sensor."""
    y = np.round(y, 3)
    if fault == "stands still":
        y[3, 2:9, 0] = y[3, 2, 0]
    if fault == "drops out":
        for i, t in ((1, 4), (5, 6), (9, 3), (12, 8), (30, 5), (44, 7)):
            y[i, t, 0] = -99.0
    if fault == "saturates":
        y[..., 0] = np.clip(y[..., 0], -0.8, 0.8)
    if fault == "spikes":
        y[7, 5, 0] += 300.0
    return y


class SensorsTest(LogsTest):
    def test_setpoints_are_no_faults(self):
        """An edge that a quiet sensor sees, and rest from which an episode starts."""
        rng = np.random.default_rng(4)
        edge = np.zeros((60, T + 1))
        for y in edge:
            y[rng.integers(3, T - 1):] = 1
        edge += 5e-4 * rng.normal(size=edge.shape)
        rest = np.concatenate([np.zeros((60, 2)), 0.05 + 0.1 * np.cumsum(
            abs(rng.normal(size=(60, T - 1))), axis=1)], axis=1)
        one = self.write("one.json", {"horizon": T, "system": {"impulse": [1]}, "cost": {"Q": [1], "R": [1]}})
        for y in (edge, rest):
            np.savez(self.folder / "quiet.npz", y=y[..., None], u=np.zeros((60, T, 1)))
            checks = self.ok_json("inspect", one, "--rollouts", "quiet.npz")["checks"]
            (found,) = [check for check in checks if check["name"] == "sensors"]
            self.assertEqual(found["verdict"], "ok", found)

    def test_faults_are_found(self):
        for fault in ("", "stands still", "drops out", "saturates", "spikes"):
            y = spoiled(np.array([y for y, _ in self.logs]), fault)
            np.savez(self.folder / "faulty.npz", y=y, u=np.array([u for _, u in self.logs])[..., None])
            checks = self.ok_json("inspect", self.problem, "--rollouts", "faulty.npz")["checks"]
            (found,) = [check for check in checks if check["name"] == "sensors"]
            self.assertEqual(found["verdict"], "contradicted" if fault else "ok", (fault, found))
            self.assertIn(fault, found["meaning"])
            if fault:
                self.assertIn("y[0]", found["meaning"])
                warnings = self.ok_json("learn", self.problem, "--rollouts", "faulty.npz", "--method",
                                        "auto")["warnings"]
                self.assertIn("sensors", [w["id"] for w in warnings])


if __name__ == "__main__":
    unittest.main()

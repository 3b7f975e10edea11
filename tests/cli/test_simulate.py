"""simulate, sample and export."""

import json

import numpy as np

from program import AFFINE, COLOURED, WHITE, ProgramTest


def closed_loop_costs(controller, w):
    """Costs on the double integrator, step by step, by another program than the one under test."""
    A, B = np.array([[1, 1], [0, 1]]), np.array([[0.5], [1]])
    Q, R, P = np.diag([1, 0.1]), np.array([[0.5]]), np.diag([2, 0.2])
    K, k = np.array(controller["K"]), np.array(controller["k"])
    costs = []
    for row in w.reshape(len(w), 11, 2):
        x, u, cost = [row[0]], [], 0.0
        for t in range(10):
            u.append(K[t:t + 1, :2 * (t + 1)] @ np.concatenate(x) + k[t:t + 1])
            cost += x[t] @ Q @ x[t] + u[t] @ R @ u[t]
            x.append(A @ x[t] + B @ u[t] + row[t + 1])
        costs.append((cost + x[10] @ P @ x[10], np.concatenate(x + u)))
    return np.array([cost for cost, _ in costs]), np.array([path for _, path in costs])


class Simulate(ProgramTest):
    def test_mean_agrees_with_the_population_cost(self):
        for problem, method in ((WHITE, "lqr"), (COLOURED, "erm"), (AFFINE, "ridge")):
            run = self.ok_json("learn", problem, "--method", method, "--sample", 60, "--out", "out")
            cost = self.ok_json("simulate", problem, "--controller", "out/controller.json",
                                "--sample", 20000)
            self.assertEqual(cost["n"], 20000)
            self.assertLess(abs(cost["mean"] - run["population_cost"]), 5 * cost["standard_error"])
            self.assertLess(cost["standard_error"], 0.05 * cost["mean"])

    def test_training_data_give_the_empirical_cost(self):
        self.ok("sample", AFFINE, "-n", 50, "--seed", 2, "--out", "w.npy")
        run = self.ok_json("learn", AFFINE, "--method", "erm", "--data", "w.npy", "--out", "out")
        cost = self.ok_json("simulate", AFFINE, "--controller", "out/controller.json",
                            "--data", "w.npy")
        self.assertAlmostEqual(cost["mean"], run["empirical_cost"], delta=1e-9)

    def test_samples_of_learn_and_simulate_differ(self):
        run = self.ok_json("learn", WHITE, "--method", "erm", "--sample", 50, "--seed", 1,
                           "--out", "out")
        cost = self.ok_json("simulate", WHITE, "--controller", "out/controller.json",
                            "--sample", 50, "--seed", 1)
        self.assertNotAlmostEqual(cost["mean"], run["empirical_cost"], delta=1e-3)

    def test_paths_and_statistics(self):
        self.ok("learn", WHITE, "--method", "ridge", "--sample", 30, "--out", "out")
        self.ok("sample", WHITE, "-n", 101, "--seed", 9, "--out", "w.npy")
        controller = json.loads((self.folder / "out/controller.json").read_text())
        costs, paths = closed_loop_costs(controller, np.load(self.folder / "w.npy"))
        arguments = ("simulate", WHITE, "--controller", "out/controller.json", "--data", "w.npy")
        found = self.ok_json(*arguments, "--paths", "paths.npy")
        expected = {"mean": costs.mean(), "standard_deviation": costs.std(ddof=1),
                    "standard_error": costs.std(ddof=1) / np.sqrt(101),
                    "median": np.median(costs), "minimum": costs.min(), "maximum": costs.max()}
        for key, value in expected.items():
            self.assertAlmostEqual(found[key], value, delta=1e-9, msg=key)
        np.testing.assert_allclose(np.load(self.folder / "paths.npy"), paths, atol=1e-10)

        text = self.ok(*arguments, "--paths", "paths.csv")
        self.assertIn("mean cost", text)
        header, *rows = (self.folder / "paths.csv").read_text().splitlines()
        self.assertEqual(header.split(",")[:3], ["x0_0", "x0_1", "x1_0"])
        self.assertEqual(header.split(",")[-1], "u9_0")
        values = np.array([[float(entry) for entry in row.split(",")] for row in rows])
        np.testing.assert_array_equal(values, np.load(self.folder / "paths.npy"))

    def test_controller_of_another_problem(self):
        self.ok("learn", AFFINE, "--method", "lqr", "--out", "out")
        self.fails(3, "simulate", WHITE, "--controller", "out/controller.json", "--sample", 5,
                   says=["controller.json", "n_x 1", "n_x 2"])

    def test_controller_that_blows_up(self):
        self.ok("learn", WHITE, "--method", "lqr", "--out", "out")
        controller = json.loads((self.folder / "out/controller.json").read_text())
        controller["k"] = [1e200] * 10
        self.write("wild.json", controller)
        self.fails(1, "simulate", WHITE, "--controller", "wild.json", "--sample", 5,
                   "--paths", "paths.csv", says="too large for double precision")

    def test_damaged_controllers(self):
        self.ok("learn", WHITE, "--method", "lqr", "--out", "out")
        controller = json.loads((self.folder / "out/controller.json").read_text())
        for name, change in (("cut", {"K": controller["K"][:9]}), ("word", {"k": ["a"] * 10}),
                             ("future", {"K": [[1.0] * 22] * 10}), ("size", {"n_x": 10 ** 5})):
            self.write(name + ".json", {**controller, **change})
            self.fails(3, "simulate", WHITE, "--controller", name + ".json", "--sample", 5,
                       says=name + ".json")
        self.write("text.json", "no JSON")
        self.fails(3, "simulate", WHITE, "--controller", "text.json", "--sample", 5)


class Sample(ProgramTest):
    def test_npy_and_csv_hold_the_same_numbers(self):
        for name in ("w.npy", "w.csv"):
            self.ok("sample", COLOURED, "-n", 200, "--seed", 11, "--out", name)
        header, *rows = (self.folder / "w.csv").read_text().splitlines()
        values = np.array([[float(entry) for entry in row.split(",")] for row in rows])
        w = np.load(self.folder / "w.npy")
        self.assertEqual((w.shape, w.dtype), ((200, 22), np.dtype("float64")))
        np.testing.assert_array_equal(values, w)
        self.assertEqual(header.split(",")[:4], ["x0_0", "x0_1", "w0_0", "w0_1"])

    def test_moments_are_those_of_the_law(self):
        self.ok("sample", COLOURED, "-n", 50000, "--out", "w.npy")
        w = np.load(self.folder / "w.npy")
        covariance = w.T @ w / len(w)
        self.assertAlmostEqual(covariance[0, 0], 0.1, delta=0.004)
        self.assertAlmostEqual(covariance[2, 4], 0.08, delta=0.004)
        self.assertAlmostEqual(covariance[2, 5], 0.0, delta=0.004)
        self.ok("sample", AFFINE, "-n", 50000, "--out", "w.npy")
        w = np.load(self.folder / "w.npy")
        np.testing.assert_allclose(w.mean(0), [2.3] + [0.3] * 10, atol=0.01)
        np.testing.assert_allclose(w.var(0), [0.09] * 11, atol=0.004)

    def test_seeds(self):
        for seed in (0, 1, 2 ** 64 - 1):
            self.ok("sample", WHITE, "-n", 3, "--seed", seed, "--out", f"{seed}.npy")
        self.ok("sample", WHITE, "-n", 5, "--out", "longer.npy")
        a, b, c = (np.load(self.folder / f"{seed}.npy") for seed in (0, 1, 2 ** 64 - 1))
        self.assertFalse((a == b).any() or (b == c).any())
        np.testing.assert_array_equal(np.load(self.folder / "longer.npy")[:3], a)


class Export(ProgramTest):
    def test_npy_and_json(self):
        self.ok("learn", AFFINE, "--method", "erm", "--sample", 30, "--out", "out")
        controller = json.loads((self.folder / "out/controller.json").read_text())
        self.ok("export", "out/controller.json", "--format", "npy", "--out", "gain.npy")
        np.testing.assert_array_equal(np.load(self.folder / "gain.npy"), controller["K"])
        np.testing.assert_array_equal(np.load(self.folder / "gain-k.npy"), controller["k"])
        self.ok("export", "out/controller.json", "--format", "json", "--out", "copy.json")
        self.assertEqual((self.folder / "copy.json").read_bytes(),
                         (self.folder / "out/controller.json").read_bytes())

    def test_both_files_or_none(self):
        self.ok("learn", WHITE, "--method", "lqr", "--out", "out")
        (self.folder / "gain-k.npy").mkdir()
        self.fails(6, "export", "out/controller.json", "--format", "npy", "--out", "gain.npy")
        self.write("gain.npy", "older")
        self.fails(6, "export", "out/controller.json", "--format", "npy", "--out", "gain.npy")
        self.assertEqual((self.folder / "gain.npy").read_text(), "older")

    def test_bad_requests(self):
        self.ok("learn", WHITE, "--method", "lqr", "--out", "out")
        self.fails(2, "export", "out/controller.json", "--format", "xls", "--out", "a.xls",
                   says="json | npy")
        self.fails(2, "export", "out/controller.json", "--format", "npy", "--out", "a.txt")
        self.fails(3, "export", "none.json", "--format", "json", "--out", "a.json")
        self.fails(6, "export", "out/controller.json", "--format", "json", "--out", "none/a.json")

"""loopcert identify: estimate, intervals, noise, poles, whiteness and forecasts, recomputed with
NumPy; and what it refuses."""

import json

import numpy as np

from program import ProgramTest
from test_identified import A, B, draw_logs, problem


def regression(x, u):
    r = np.concatenate([x[:, :-1], u], 2).reshape(-1, 3)
    y = x[:, 1:].reshape(-1, 2)
    theta = np.linalg.lstsq(r, y, rcond=None)[0].T
    return theta, y - r @ theta.T


class Identify(ProgramTest):
    def logs(self, *arguments, name="logs.npz", **options):
        x, u = draw_logs(*arguments, **options)
        np.savez(self.folder / name, x=x, u=u)
        return x, u

    def identify(self, tree, *more):
        self.write("p.json", tree)
        return self.ok_json("identify", "p.json", "--rollouts", "logs.npz", *more)

    def test_numbers(self):
        x, u = self.logs(80, 6)
        found = self.identify(problem(), "--out", "out")
        self.assertEqual(found["transitions"] + found["pilot"], 480)
        self.assertEqual(found["subject"], "plant")
        # About least squares on all transitions: those that choose the scale are few.
        theta, left = regression(x, u)
        np.testing.assert_allclose(np.hstack([found["A"], found["B"]]), theta, atol=0.02)
        noise = np.array(found["noise"])
        np.testing.assert_allclose(noise, left.T @ left / len(left), rtol=0.2, atol=0.01)
        above = np.linalg.eigvalsh(np.array(found["noise_bound"]) - noise)
        self.assertGreater(above.min(), 0)
        self.assertGreater(np.linalg.eigvalsh(np.array(found["noise_bound"]) - 0.09 * np.eye(2)).min(), 0)
        for name, truth in (("A", A), ("B", B)):
            spans = np.array(found["intervals"][name])
            self.assertTrue((spans[..., 0] < truth).all() and (truth < spans[..., 1]).all(), name)
            np.testing.assert_allclose(spans.mean(2), found[name], atol=1e-12)
        # The intervals are the shadows of the set: radius, noise bound and Gram matrix by hand.
        deltas = 0.05 / 3
        self.assertGreater(found["radius"] ** 2, 2 * np.log(1 / deltas))
        poles = sorted((p["real"], p["imaginary"]) for p in found["poles"])
        expected = sorted((z.real, z.imag) for z in np.linalg.eigvals(np.array(found["A"])))
        np.testing.assert_allclose(poles, expected, atol=1e-9)
        self.assertTrue(all(0 < p["reach"] < 1 for p in found["poles"]))
        # Correlations of what is left over, lag by lag, with a second moment of one.
        white = np.linalg.solve(np.linalg.cholesky(left.T @ left / len(left)), left.T).T
        white = white.reshape(80, 6, 2)
        for lag in found["whiteness"]:
            k = lag["lag"]
            C = np.einsum("nti,ntj->ij", white[:, k:], white[:, :-k]) / (80 * (6 - k))
            self.assertAlmostEqual(lag["correlation"], np.trace(C) / 2, delta=0.02)
            self.assertAlmostEqual(lag["band"], 2.576 / np.sqrt(160 * (6 - k)), delta=1e-3)
        self.assertEqual([c["verdict"] for c in found["checks"]], 4 * ["ok"])
        # More logs: narrower, smaller, and the first is what `learn` certifies.
        run = self.ok_json("learn", "p.json", "--rollouts", "logs.npz", "--method", "identified")
        self.assertAlmostEqual(found["certificate"], run["certificate"]["value"], delta=1e-12)
        values = [found["certificate"]] + [f["certificate"] for f in found["forecasts"]]
        self.assertEqual(values, sorted(values, reverse=True))
        widths = [f["width"] for f in found["forecasts"]]
        self.assertEqual(widths, sorted(widths, reverse=True))
        self.assertLess(widths[1], 2 ** -0.5)  # twice as many
        page = (self.folder / "out/identification.html").read_text()
        for words in ("One step ahead", "innovations white", "Poles of the plant", "more logs"):
            self.assertIn(words, page)
        record = json.loads((self.folder / "out/identification.json").read_text())
        self.assertEqual(record, found)

    def test_forecast_comes_true(self):
        """What is forecast from 80 episodes is about what 320 give."""
        self.logs(80, 6)
        forecast = {f["n"]: f for f in self.identify(problem())["forecasts"]}[320]
        self.logs(320, 6, seed=2)
        found = self.identify(problem())
        self.assertLess(abs(found["certificate"] / forecast["certificate"] - 1), 0.25)

    def test_contradictions(self):
        """Lags that are missing and a plant that changes are seen; learn says it as well."""
        draw = np.random.RandomState(3)
        y, u = np.zeros((1, 3001, 1)), draw.normal(size=(1, 3000, 1))
        for t in range(1, 3000):
            y[0, t + 1] = (1.2 * y[0, t] - 0.5 * y[0, t - 1] + u[0, t] + 0.1 * draw.normal())
        np.savez(self.folder / "logs.npz", x=y[0], u=u[0])
        tree = problem("infinite", states=1)
        tree["cost"] = {"Q": [1], "R": [0.2]}
        verdicts = {c["name"]: c["verdict"] for c in self.identify(tree)["checks"]}
        self.assertEqual(verdicts["enough lags"], "contradicted")
        self.assertEqual(verdicts["white innovations"], "contradicted")
        warnings = self.ok_json("learn", "p.json", "--rollouts", "logs.npz")["warnings"]
        self.assertIn("enough-lags", [w["id"] for w in warnings])
        tree["system"]["lags"] = 2
        found = self.identify(tree)
        self.assertEqual([c["verdict"] for c in found["checks"]], 4 * ["ok"])
        self.assertEqual(found["lags_suggested"], 2)
        np.testing.assert_allclose(np.array(found["A"])[0], [1.2, -0.5, 0], atol=0.02)

        x, u = self.logs(60, 12)
        x[30:], u[30:] = draw_logs(30, 12, seed=5, noise=0.6)
        np.savez(self.folder / "logs.npz", x=x, u=u)
        found = self.identify(problem(12))
        verdicts = {c["name"]: c["verdict"] for c in found["checks"]}
        self.assertEqual(verdicts["constant plant"], "contradicted")
        self.assertIn("constant-plant", [w["id"] for w in found["warnings"]])
        inspection = self.ok_json("inspect", "p.json", "--rollouts", "logs.npz", "--out", "look")
        self.assertEqual({c["name"]: c["verdict"] for c in inspection["checks"]}, verdicts)
        self.assertIn("constant plant", (self.folder / "look/inspection.html").read_text())

    def test_known_rows_and_offset(self):
        x, u = self.logs(60, 8, offset=(0, 0.5))
        for t in range(8):  # a row that holds exactly
            x[:, t + 1, 0] = x[:, t, 0] + 0.1 * x[:, t, 1]
        np.savez(self.folder / "logs.npz", x=x, u=u)
        tree = problem(8, A=[[1, 0.1], [0, 0]], B=[[0], [1]], identify=[2], offset=True)
        found = self.identify(tree)
        self.assertEqual(found["A"][0], [1, 0.1])
        self.assertEqual(found["intervals"]["A"][0], [[1, 1], [0.1, 0.1]])
        low, high = found["intervals"]["offset"][1]
        self.assertTrue(low < 0.5 < high)
        self.assertEqual(len(found["noise"]), 1)

    def test_colour(self):
        tree = {"name": "colour", "horizon": 8, "system": {"A": A.tolist(), "B": B.tolist()},
                "cost": {"Q": [1, 1], "R": [1]}, "disturbance": {"autoregressive": 1}}
        self.write("c.json", tree)
        draw, Phi = np.random.RandomState(4), np.array([[0.7, 0.2], [0, 0.5]])
        w = 0.4 * draw.normal(size=(90, 9, 2))
        for t in range(2, 9):
            w[:, t] += w[:, t - 1] @ Phi.T
        np.save(self.folder / "w.npy", w.reshape(90, -1))
        found = self.ok_json("identify", "c.json", "--data", "w.npy", "--out", "out")
        self.assertEqual((found["subject"], found["transitions"], found["pilot"]), ("colour", 630, 0))
        r, y = w[:, 1:-1].reshape(-1, 2), w[:, 2:].reshape(-1, 2)
        theta = np.linalg.lstsq(r, y, rcond=None)[0].T
        np.testing.assert_allclose(found["Phi"], theta, atol=1e-9)
        left = y - r @ theta.T
        np.testing.assert_allclose(found["noise"], left.T @ left / 630, rtol=1e-9)
        spans = np.array(found["intervals"]["Phi"])
        self.assertTrue((spans[..., 0] < Phi).all() and (Phi < spans[..., 1]).all())
        self.assertEqual(found["A"], A.tolist())
        del tree["disturbance"]
        self.write("c.json", tree)
        self.fails(3, "identify", "c.json", "--data", "w.npy", says="nothing to identify")

    def test_refusals_leave_nothing(self):
        self.write("p.json", problem())
        self.fails(2, "identify", "p.json", "--out", "out", says="--rollouts")
        self.logs(3, 6)
        self.fails(3, "identify", "p.json", "--rollouts", "logs.npz", "--out", "out", says="transitions")
        x, u = draw_logs(80, 6, excitation=0)
        np.savez(self.folder / "logs.npz", x=x, u=u)
        self.fails(3, "identify", "p.json", "--rollouts", "logs.npz", "--out", "out", says="never excite")
        self.assertFalse((self.folder / "out").exists())

    def test_simulate_for_ever(self):
        """The cost of a step, against the covariance equation."""
        self.logs(1, 2000)
        tree = problem("infinite", states=None, inputs=None, A=A.tolist(), B=B.tolist())
        tree["data"] = {"axes": ["episode", "step", "component"]}
        tree["disturbance"] = {"covariance": {"x0": [0.25, 0.25], "w": [0.09, 0.09]}}
        self.write("p.json", tree)
        run = self.ok_json("learn", "p.json", "--rollouts", "logs.npz", "--out", "out")
        drive = ["simulate", "p.json", "--controller", "out/controller.json", "--sample", "400"]
        self.fails(2, *drive, says="--steps")
        self.fails(2, *drive, "--steps", "50", "--after", "hold", says="for ever")
        found = self.ok_json(*drive, "--steps", "200")
        self.assertLess(abs(found["mean_of_a_step"] / run["population_cost"] - 1), 0.05)
        self.assertIn("of a step", self.ok(*drive, "--steps", "20"))

"""Limits in Python: the section as a dictionary, what a result says of it, against NumPy."""

import json
import pickle
import tempfile
import unittest
import warnings
from pathlib import Path

import numpy as np
from support import program_json, same_bits, small_problem, without_times

import loopcert as lc

T, N_X, N_U = 6, 2, 1
INPUT, TILT = 1.1, 1.6  # where an equal share of the probability for each row at each step is enough
LIMITS = {"u": [-INPUT, INPUT], "probability": 0.1,
          "rows": [{"name": "tilt", "x": [1, 0.5], "max": TILT, "steps": [2, 6]}]}
PLAIN = small_problem()
PROBLEM = small_problem(limits=LIMITS)
DATA = PROBLEM.sample(300, seed=7)


def loops(problem, controller, w):
    """States and inputs, step by step."""
    w = np.asarray(w).reshape(len(w), T + 1, N_X)
    x, u = np.zeros_like(w), np.zeros((len(w), T, N_U))
    x[:, 0] = w[:, 0]
    for t in range(T):
        u[:, t] = x.reshape(len(w), -1) @ controller.K[t : t + 1].T + controller.k[t]
        x[:, t + 1] = x[:, t] @ problem.A.T + u[:, t] @ problem.B.T + w[:, t + 1]
    return x, u


def broken(x, u):
    """Of LIMITS: (n, steps) of each row."""
    return [abs(u[:, :, 0]) > INPUT, x[:, 2:] @ [1, 0.5] > TILT]


def learn(method, problem=PROBLEM, data=DATA, **options):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return lc.learn(problem, data, method=method, **options)


RESULT = learn("auto")


class Section(unittest.TestCase):
    def test_limits_are_written_out(self):
        limits = PROBLEM.limits
        self.assertEqual([row["name"] for row in limits["rows"]], ["u0", "tilt"])
        self.assertEqual(limits["rows"][0], {"name": "u0", "x": [0, 0], "u": [1], "min": -INPUT,
                                             "max": INPUT, "steps": [0, 5]})
        self.assertEqual(limits["probability"], 0.1)
        self.assertIsNone(PLAIN.limits)
        self.assertEqual(lc.Problem.from_dict(PROBLEM.to_dict()), PROBLEM)
        self.assertEqual(pickle.loads(pickle.dumps(PROBLEM)), PROBLEM)

    def test_replace(self):
        self.assertEqual(PLAIN.replace(limits=LIMITS), PROBLEM)
        self.assertEqual(PROBLEM.replace(limits=None), PLAIN)
        self.assertEqual(PROBLEM.replace(white=False).limits, PROBLEM.limits)
        arrays = {"u": np.array([-INPUT, INPUT]), "probability": np.float64(0.1),
                  "rows": [{"name": "tilt", "x": np.array([1, 0.5]), "max": TILT, "steps": (2, 6)}]}
        self.assertEqual(PLAIN.replace(limits=arrays), PROBLEM)

    def test_a_set_follows_its_radius(self):
        robust = PLAIN.replace(radius=3.0, limits={"u": [-9, 9], "robust": True})
        again = robust.replace(radius=5.0)
        self.assertEqual(again, lc.Problem.from_dict(again.to_dict()))
        with self.assertRaisesRegex(lc.InputError, "limits.robust"):
            robust.replace(radius=None)
        self.assertIsNone(robust.replace(radius=None, limits=None).limits)

    def test_bad_ones(self):
        for limits, words in (({}, "no row"), ({"u": [1, -1]}, "u0"), ({"v": [1, 2]}, "limits.v"),
                              ({"u": [-1, np.nan]}, "limits.u"), ([1], "limits"),
                              ({"u": [-1, 1], "robust": True}, "without a set")):
            with self.subTest(limits=limits), self.assertRaisesRegex(lc.InputError, words):
                small_problem(limits=limits)
        with self.assertRaisesRegex(TypeError, "limits"):
            small_problem(u_max=1.0)

    def test_repr(self):
        self.assertRegex(repr(PROBLEM), r"\nlimits +u0, tilt, broken in at most 0.1 of the episodes\n")
        self.assertNotIn("limits", repr(PLAIN))


class Results(unittest.TestCase):
    def test_shares_and_signals(self):
        x, u = loops(PROBLEM, RESULT.controller, DATA.w)
        rows = broken(x, u)
        for said, found in zip(RESULT.limits["rows"], rows):
            np.testing.assert_allclose(said["shares"], found.mean(axis=0), atol=1e-12)
        both = np.hstack(rows).any(axis=1)
        self.assertAlmostEqual(RESULT.limits["episodes"]["data"], both.mean(), places=12)
        lqr = np.hstack(broken(*loops(PROBLEM, PROBLEM.lqr(), DATA.w))).any(axis=1)
        self.assertAlmostEqual(RESULT.limits["episodes"]["lqr_data"], lqr.mean(), places=12)

    def test_under_the_law(self):
        """Rows exactly: their values are Gaussian with variance a'Sigma a."""
        from math import erfc

        response = RESULT.response
        mean, covariance, shape = lc._core.stated_law(PROBLEM._core)
        self.assertEqual(shape, "gaussian")

        def beyond(value):
            return 0.5 * erfc(value / 2**0.5)

        for t in range(T):
            a = response.Phi_u[t]
            s = (a @ covariance @ a) ** 0.5
            self.assertAlmostEqual(RESULT.limits["rows"][0]["probabilities"][t],
                                   2 * beyond(INPUT / s), places=10)
        for i, t in enumerate(range(2, 7)):
            a = response.Phi_x[2 * t] + 0.5 * response.Phi_x[2 * t + 1]
            s = (a @ covariance @ a) ** 0.5
            self.assertAlmostEqual(RESULT.limits["rows"][1]["probabilities"][i],
                                   beyond(TILT / s), places=10)
        for i, said in enumerate(RESULT.signals):
            Phi = response.Phi_x[2 + i :: 2] if i < 2 else response.Phi_u
            v = np.einsum("tj,jk,tk->t", Phi, covariance, Phi)
            self.assertAlmostEqual(said["rms"], v.mean() ** 0.5, places=10)
            self.assertAlmostEqual(said["expected"], ((2 / np.pi * v) ** 0.5).mean(), places=10)
            for key, share in (("level_95", 0.05), ("level_99", 0.01)):
                above = np.mean([2 * beyond(said[key] / s) for s in v**0.5])
                self.assertAlmostEqual(above, share, places=8)

    def test_what_was_asked_for(self):
        self.assertLessEqual(RESULT.limits["value"], 0.1)
        self.assertEqual(RESULT.limits_certificate.value, RESULT.limits["value"])
        self.assertEqual(RESULT.limits["joint"]["cost"], RESULT.certificate.value)
        self.assertIn("violation", RESULT.limits_certificate.subject)
        self.assertIn("limits", "\n".join(repr(RESULT).splitlines()[:13]))
        self.assertRegex(repr(RESULT), r"\nsmallest population cost +\S+ with an equal share of the prob")
        never = learn("lqr", radius=3.0, certificate="best", limits={"u": [-9, 9], "robust": True})
        self.assertRegex(repr(never), r"\nlimits +never broken by a disturbance of the set \(limits-best")
        self.assertRegex(repr(never), r"\nsmallest population cost +\S+ under the limits\n")
        self.assertIn("the controller without clipping", repr(RESULT))
        self.assertLess(RESULT.limits["design"]["lower"], RESULT.limits["design"]["cost"] * (1 + 1e-9))

    def test_verified(self):
        self.assertTrue(lc.verify(RESULT.limits_certificate, DATA))
        self.assertTrue(lc.verify(RESULT.certificate, DATA))
        self.assertFalse(lc.verify(RESULT.limits_certificate, PROBLEM.sample(300, seed=8)))
        with tempfile.TemporaryDirectory() as folder:
            self.assertIn("limits.json", RESULT.save(folder))
            record = json.loads((Path(folder) / "limits.json").read_text())
            self.assertEqual(record, RESULT.limits_certificate.to_dict())
            self.assertIn("<h2>Limits</h2>", (Path(folder) / "report.html").read_text())

    def test_same_as_the_program(self):
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "problem.json"
            path.write_text(json.dumps(PROBLEM.replace(method="auto", certificate="best").to_dict()))
            run = program_json("learn", path, "--sample", 300, "--seed", 7)
        ours = without_times(RESULT.to_dict())
        for key in ("limits", "signals", "signals_from"):
            self.assertEqual(ours[key], without_times(run)[key])

    def test_picture(self):
        """The fan of the first input shows its limits where they hold; that of a state has none."""
        figure = RESULT.plot()

        def dashed(ax):
            return sorted(line.get_ydata()[0] for line in ax.lines if line.get_linestyle() == "--")

        self.assertEqual(dashed(figure.axes[1]), [-INPUT, INPUT])
        self.assertEqual(dashed(figure.axes[0]), [])

    def test_overrides(self):
        result = learn("auto", PLAIN, limits=LIMITS)
        self.assertTrue(same_bits(result.controller.K, RESULT.controller.K))
        free = learn("auto", PROBLEM, limits=None)
        self.assertIsNone(free.limits)
        self.assertIsNone(free.limits_certificate)
        self.assertEqual(len(free.signals), 3)
        self.assertLess(free.population_cost, RESULT.population_cost)

    def test_pickle(self):
        for result in (RESULT, learn("auto", data=DATA.w[:40]), learn("auto", limits=None),
                       learn("lqr", radius=3.0, certificate="best",
                             limits={"u": [-9, 9], "robust": True})):
            again = pickle.loads(pickle.dumps(result))
            self.assertEqual(again.to_dict(), result.to_dict())
            self.assertEqual(again.limits, result.limits)
            self.assertEqual(again.signals, result.signals)
            self.assertEqual(again.report(), result.report())
            if result.limits is None:
                continue
            self.assertEqual(again.limits_certificate, result.limits_certificate)
            with tempfile.TemporaryDirectory() as a, tempfile.TemporaryDirectory() as b:
                self.assertEqual(result.save(a), again.save(b))
                for name in result.save(a):
                    self.assertEqual((Path(a) / name).read_bytes(), (Path(b) / name).read_bytes(), name)
            self.assertTrue(lc.verify(again.limits_certificate, result.data))


class Methods(unittest.TestCase):
    def test_every_method_keeps_them(self):
        """Certified, and under the law as rarely broken as was asked for."""
        best = learn("optimum", certificate="best")
        self.assertAlmostEqual(best.population_cost, best.optimal_cost, delta=1e-6 * best.optimal_cost)
        for method in ("erm", "ridge", "shrinkage", "identified", "auto"):
            with self.subTest(method):
                result = learn(method, certificate="best")
                self.assertIsNotNone(result.limits_certificate)
                self.assertTrue(lc.verify(result.limits_certificate, DATA))
                self.assertTrue(lc.verify(result.certificate, DATA))
                self.assertLess(result.limits["episodes"]["law"], 0.1)
                self.assertLess(result.population_cost, 2 * best.population_cost)

    def test_pac_bayes(self):
        result = learn("pac-bayes", certificate="data-driven-rank-aware", scale_bound=2.0)
        self.assertIsNotNone(result.limits_certificate)
        self.assertTrue(lc.verify(result.limits_certificate, DATA))
        self.assertTrue(lc.verify(result.certificate, DATA))
        again = pickle.loads(pickle.dumps(result))
        self.assertEqual(again.limits_certificate, result.limits_certificate)

    def test_lqr_is_left_alone(self):
        result = learn("lqr", certificate="best")
        self.assertTrue(same_bits(result.controller.K, PROBLEM.lqr().K))
        episodes = result.limits["episodes"]
        self.assertEqual(episodes["data"], episodes["lqr_data"])
        self.assertGreater(result.limits["value"], episodes["data"])

    def test_nothing_certifies(self):
        result = learn("erm")
        self.assertIsNone(result.limits_certificate)
        self.assertIsNotNone(result.limits["design"])
        x, u = loops(PROBLEM, result.controller, DATA.w)
        self.assertLess(np.hstack(broken(x, u)).any(axis=1).mean(), 0.1)

    def test_impossible(self):
        with self.assertRaisesRegex(lc.NumericsError, "no controller keeps all of them.*'x0' at step 1"):
            learn("auto", limits={"x": [[-0.01, 0.01], [-9, 9]]})


class Certify(unittest.TestCase):
    def test_certify(self):
        fresh = PROBLEM.sample(250, seed=9, fresh=True)
        made = lc.certify(PROBLEM, RESULT.controller, fresh, "best")
        rows = broken(*loops(PROBLEM, RESULT.controller, fresh.w))
        for said, found in zip(made.limits["rows"], rows):
            np.testing.assert_allclose(said["shares"], found.mean(axis=0), atol=1e-12)
        self.assertEqual(made.limits_certificate.value, made.limits["value"])
        self.assertTrue(lc.verify(made.limits_certificate, fresh))
        self.assertEqual([s["name"] for s in made.signals], ["x0", "x1", "u0"])
        self.assertIn("limits", repr(made))
        again = pickle.loads(pickle.dumps(made))
        self.assertEqual(again.limits_certificate, made.limits_certificate)
        self.assertEqual(again.signals, made.signals)

    def test_counting(self):
        """limits-count by hand: Clopper and Pearson's upper end."""
        fresh = PROBLEM.sample(250, seed=10, fresh=True)
        counted = lc.certify(PROBLEM, PROBLEM.lqr(), fresh, "best",
                             limits={**LIMITS, "kind": "limits-count"})
        k = int(np.hstack(broken(*loops(PROBLEM, PROBLEM.lqr(), fresh.w))).any(axis=1).sum())
        p = counted.limits["value"]
        from math import comb

        tail = sum(comb(250, i) * p**i * (1 - p) ** (250 - i) for i in range(k + 1))
        self.assertAlmostEqual(tail, 0.05, places=7)

    def test_nothing_without_limits(self):
        made = lc.certify(PLAIN, RESULT.controller, PLAIN.sample(50, seed=3, fresh=True))
        self.assertIsNone(made.limits)
        self.assertIsNone(made.limits_certificate)
        self.assertEqual(len(made.signals), 3)


if __name__ == "__main__":
    unittest.main()

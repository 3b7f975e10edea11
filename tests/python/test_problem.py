"""Problems from arrays, files and other libraries' systems; bad input in the program's words."""

import json
import pickle
import tempfile
import unittest
from pathlib import Path
from types import SimpleNamespace

import numpy as np
from support import DOUBLE_INTEGRATOR, EXAMPLES, program, small_problem

import loopcert as lc


class Construction(unittest.TestCase):
    def test_arrays_come_back(self):
        problem = small_problem()
        for name, value in DOUBLE_INTEGRATOR.items():
            np.testing.assert_array_equal(getattr(problem, name), value)
        self.assertEqual((problem.horizon, problem.n_x, problem.n_u, problem.d_w), (6, 2, 1, 14))

    def test_same_as_file(self):
        path = EXAMPLES / "double-integrator" / "problem.toml"
        read = lc.Problem.read(path)
        tree = read.to_dict()
        self.assertEqual(lc.Problem.from_dict(tree), read)
        made = lc.Problem(
            np.array(tree["system"]["A"]), np.array(tree["system"]["B"]), tree["cost"]["Q"],
            tree["cost"]["R"], tree["cost"]["P"], horizon=tree["horizon"], name=tree["name"],
            certificate=tree["certificate"]["kind"],
            **{k: v for k, v in tree["certificate"].items() if k != "kind"},
            **tree["disturbance"], **tree["response"], **tree["learning"],
        )
        self.assertEqual(made, read)

    def test_time_varying(self):
        A = np.stack([np.eye(2) * (1 + t / 10) for t in range(3)])
        problem = lc.Problem(A, [[0.5], [1]], [1, 1], [1], horizon=3)
        np.testing.assert_array_equal(problem.A, A)
        np.testing.assert_array_equal(problem.Q, np.eye(2))

    def test_offset(self):
        problem = lc.Problem(**DOUBLE_INTEGRATOR, horizon=3, d=[0.5, -1])
        np.testing.assert_array_equal(problem.d, [[0.5, -1]] * 3)

    def test_replace(self):
        problem = small_problem(scale_bound=2.0)
        changed = problem.replace(scale_bound=None, white=True, method="auto", prior={"scale": 0.3})
        self.assertNotIn("scale_bound", changed.to_dict()["disturbance"])
        self.assertTrue(changed.to_dict()["disturbance"]["white"])
        self.assertEqual(changed.to_dict()["learning"]["prior"]["scale"], 0.3)
        self.assertEqual(changed.to_dict()["learning"]["prior"]["center"], "start")
        self.assertTrue(changed.has_law)
        self.assertEqual(problem, small_problem(scale_bound=2.0))

    def test_riccati_weight(self):
        problem = lc.Problem(**{**DOUBLE_INTEGRATOR, "P": "riccati"}, horizon=6)
        gains = problem.lqr().K
        for t in range(6):  # every step as good as any other
            np.testing.assert_allclose(gains[t, 2 * t:2 * t + 2], gains[0, :2], rtol=1e-10)
        self.assertEqual(lc.Problem.from_dict(problem.to_dict()), problem)
        self.assertIsInstance(problem.to_dict()["cost"]["P"], list)
        with self.assertRaisesRegex(lc.InputError, "one A, B, Q and R for all steps"):
            lc.Problem(np.stack([np.eye(2)] * 3), [[0.5], [1]], [1, 1], [1], "riccati", horizon=3)

    def test_long_run(self):
        held = lc.Problem(**{**DOUBLE_INTEGRATOR, "P": "riccati"}, horizon=6)
        found = held.long_run(held.lqr())
        self.assertAlmostEqual(found["average_cost"], found["optimal_cost"], 9)
        self.assertLess(found["spectral_radius"], 1)
        self.assertEqual((found["noise"], found["warning"]), ("white noise of covariance I", ""))
        ending = lc.Problem(**{**DOUBLE_INTEGRATOR, "P": [0, 0]}, horizon=6)
        worse = ending.long_run(ending.lqr())
        self.assertIn("riccati", worse["warning"])
        data = np.random.RandomState(0).normal(size=(9, held.d_w))
        self.assertIn("data", held.long_run(held.lqr(), "restart", data)["noise"])

    def test_keys_of_other_tools(self):
        for name, text in (("u_max", "limits are a section"), ("x_ref", "is called reference here"), ("N", "products")):
            with self.assertRaisesRegex(TypeError, f"{name}.*{text}"):
                small_problem(**{name: 1})
        with self.assertRaisesRegex(lc.InputError, "dt: only together with"):
            small_problem(dt=1)

    def test_unknown_option(self):
        with self.assertRaisesRegex(TypeError, "scale_bond.*scale_bound"):
            small_problem(scale_bond=1)

    def test_pickle(self):
        problem = small_problem(white=True, delta={"pac_bayes": 0.02, "covariance": 0.03})
        self.assertEqual(pickle.loads(pickle.dumps(problem)), problem)

    def test_repr(self):
        text = repr(small_problem())
        self.assertIn("horizon 6, 2 states, 1 inputs", text)
        self.assertIn("<table>", small_problem()._repr_html_())


class Systems(unittest.TestCase):
    """Objects like those of python-control and SciPy, by what they have."""

    A, B = np.array([[1.0, 1.0], [0.0, 1.0]]), np.array([[0.5], [1.0]])

    def make(self, system):
        return lc.Problem(system, Q=[1, 1], R=[1], horizon=4)

    def test_control_like(self):
        system = SimpleNamespace(A=self.A, B=self.B, dt=0.1, isctime=lambda strict=False: False)
        np.testing.assert_array_equal(self.make(system).A, self.A)

    def test_control_like_continuous(self):
        system = SimpleNamespace(A=self.A, B=self.B, dt=0, isctime=lambda strict=False: True)
        with self.assertRaisesRegex(lc.InputError, "continuous-time"):
            self.make(system)

    def test_scipy(self):
        from scipy import signal

        discrete = signal.dlti(self.A, self.B, np.eye(2), np.zeros((2, 1)), dt=0.1)
        np.testing.assert_array_equal(self.make(discrete).B, self.B)
        with self.assertRaisesRegex(lc.InputError, "continuous-time"):
            self.make(signal.lti(self.A, self.B, np.eye(2), np.zeros((2, 1))))


class BadInput(unittest.TestCase):
    def test_same_text_as_program(self):
        base = small_problem().to_dict()
        changes = [
            ("cost", "R", [[-1.0]]),
            ("cost", "Q", [[1.0, 2.0], [0.0, 1.0]]),
            ("system", "A", [[1.0, 1.0]]),
            ("system", "B", "none"),
            ("disturbance", "scale_bound", -1),
            ("learning", "method", "pac-bays"),
            ("certificate", "delta", 1.5),
            ("disturbance", "covariance", [1.0, 2.0]),
            ("learning", "gama", 1.0),
        ]
        for section, key, value in changes:
            with self.subTest(key=key), tempfile.TemporaryDirectory() as folder:
                tree = json.loads(json.dumps(base))
                tree[section][key] = value
                path = Path(folder) / "problem.json"
                path.write_text(json.dumps(tree))
                done = program("learn", path, "--method", "lqr", check=False)
                self.assertEqual(done.returncode, 3)
                with self.assertRaises(lc.InputError) as caught:
                    lc.Problem.from_dict(tree)
                said = done.stderr.strip()
                self.assertEqual(said, f"loopcert: {path}: {caught.exception}")
                with self.assertRaises(lc.InputError) as caught:
                    lc.Problem.read(path)
                self.assertEqual(said, f"loopcert: {caught.exception}")

    def test_topic(self):
        """Errors of C++ and of Python name the topic of the quick reference; the codes are stated here."""
        short = ({"R": [[-1.0]]}, "P3"), ({"horizon": 0}, "P1"), ({"A": [[1, 1]]}, "P2"), ({"delta": 2}, "P7")
        for change, code in short:
            with self.subTest(code=code), self.assertRaises(lc.InputError) as caught:
                lc.Problem(**{**DOUBLE_INTEGRATOR, "horizon": 6, **change})
            error = caught.exception
            self.assertEqual((error.help, str(error)), (code, f"{error.args[0]} (help {code})"))
        problem = small_problem()
        for call, code in ((lambda: lc.learn(problem, "logs.csv"), "D"),
                           (lambda: lc.learn(problem, problem.sample(5, seed=1), method="pac"), "M"),
                           (lambda: lc.learn(problem, problem.sample(5, seed=1), certificate="one"), "K")):
            with self.subTest(code=code), self.assertRaises(lc.InputError) as caught:
                call()
            self.assertTrue(str(caught.exception).endswith(f" (help {code})"), str(caught.exception))
            self.assertEqual(caught.exception.help, code)

    def test_no_topic(self):
        for given in (lc.InputError("costs: found none"), lc.InputError("cost", "Q"), lc.InputError()):
            self.assertIsNone(given.help)
            self.assertEqual(str(given), str(ValueError(*given.args)))

    def test_nan(self):
        with self.assertRaisesRegex(lc.InputError, r"system\.A"):
            lc.Problem([[np.nan, 1], [0, 1]], [[0.5], [1]], [1, 1], [1], horizon=4)

    def test_missing(self):
        with self.assertRaisesRegex(lc.InputError, r"cost\.R"):
            lc.Problem([[1.0]], [[1.0]], [[1.0]], horizon=4)

    def test_strange_object(self):
        with self.assertRaisesRegex(lc.InputError, "system.A: found an object of type set"):
            lc.Problem({1.0, 2.0}, [[1.0]], [[1.0]], [[1.0]], horizon=4)

    def test_is_value_error(self):
        self.assertTrue(issubclass(lc.InputError, ValueError))
        self.assertTrue(issubclass(lc.OutputError, OSError))


if __name__ == "__main__":
    unittest.main()

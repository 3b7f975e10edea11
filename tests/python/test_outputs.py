"""Plants seen through outputs, setpoints and today's controller, from Python: one plant in the forms
that it may have there, among them the objects of other libraries."""

import unittest
from types import SimpleNamespace

import numpy as np
import scipy.signal

import loopcert as lc

try:
    import control  # python-control, from PyPI
except ImportError:
    control = None

A = np.array([[0.0, 1.0], [-1.0, -0.4]])
B = np.array([[0.0], [1.0]])
C = np.array([[1.0, 0.0]])
DT, T = 0.5, 8
COST = {"Q": [10], "R": [0.1]}
# Discretized by another library.
A_D, B_D, *_ = scipy.signal.cont2discrete((A, B, C, 0), DT)
H = [(C @ np.linalg.matrix_power(A_D, k) @ B_D)[0, 0] for k in range(T)]


def problem(*plant, **options):
    return lc.Problem(*plant, **{**COST, "horizon": T, "name": "one plant", **options})


def coloured(rows, seed):
    """Trajectories of eta that remember."""
    noise = np.random.default_rng(seed).normal(size=(rows, T + 1))
    for t in range(1, T + 1):
        noise[:, t] += 0.9 * noise[:, t - 1]
    return noise


class OnePlant(unittest.TestCase):
    def setUp(self):
        self.eta = coloured(60, 1)
        self.K = self.gain(problem(A=A_D, B=B_D, C=C))

    def gain(self, made):
        return lc.learn(made, self.eta, method="erm").controller.K

    def assert_same(self, made):
        np.testing.assert_allclose(self.gain(made), self.K, rtol=1e-7, atol=1e-8)

    def test_in_every_form(self):
        self.assert_same(problem(A=A, B=B, C=C, continuous=True, dt=DT))
        self.assert_same(problem(impulse=H))
        self.assert_same(problem(step=np.cumsum(H)))
        num, den = scipy.signal.ss2tf(A, B, C, [[0.0]])
        self.assert_same(problem(transfer={"num": num[0], "den": den}, continuous=True, dt=DT))
        num, den = scipy.signal.ss2tf(A_D, B_D, C, [[0.0]])
        self.assert_same(problem(transfer={"num": num[0], "den": den}))

    def test_of_scipy(self):
        for system in (scipy.signal.StateSpace(A, B, C, [[0.0]]),
                       scipy.signal.StateSpace(A, B, C, [[0.0]]).to_tf(),
                       scipy.signal.StateSpace(A, B, C, [[0.0]]).to_zpk()):
            self.assert_same(problem(system, dt=DT))
        for system in (scipy.signal.StateSpace(A_D, B_D, C, [[0.0]], dt=DT),
                       scipy.signal.StateSpace(A_D, B_D, C, [[0.0]], dt=DT).to_tf()):
            self.assert_same(problem(system))

    @unittest.skipIf(control is None, "python-control is not installed")
    def test_of_python_control(self):
        for system in (control.ss(A, B, C, 0), control.ss2tf(control.ss(A, B, C, 0))):
            self.assert_same(problem(system, dt=DT))
        self.assert_same(problem(control.ss(A_D, B_D, C, 0, DT)))
        self.assert_same(problem(control.c2d(control.ss(A, B, C, 0), DT)))
        # Several inputs and outputs, from a transfer function.
        first, second = ([1.0], [1.0, -0.5]), ([0.3], [1.0, -0.9])
        plant = control.tf([[first[0]], [second[0]]], [[first[1]], [second[1]]], 1.0)
        made = lc.Problem(plant, Q=[1, 1], R=[1], horizon=3)
        self.assertEqual((made.n_x, made.n_u), (2, 1))
        self.assertEqual(made, lc.Problem(
            transfer=[[{"num": n, "den": d}] for n, d in (first, second)], Q=[1, 1], R=[1],
            horizon=3))
        with self.assertRaisesRegex(lc.InputError, "its own step"):
            problem(control.ss(A_D, B_D, C, 1, DT))

    def test_several_outputs_of_scipy(self):
        plant = scipy.signal.TransferFunction([[1.0, 2.0], [0.0, 3.0]], [1.0, 2.0, 3.0])
        made = lc.Problem(plant, dt=0.1, Q=[1, 1], R=[1], horizon=3)
        ss = scipy.signal.cont2discrete((plant.to_ss().A, plant.to_ss().B, plant.to_ss().C, 0), 0.1)
        other = lc.Problem(A=ss[0], B=ss[1], C=ss[2], Q=[1, 1], R=[1], horizon=3)
        w = np.random.default_rng(3).normal(size=(40, 8))
        np.testing.assert_allclose(lc.learn(made, w, method="erm").controller.K,
                                   lc.learn(other, w, method="erm").controller.K, atol=1e-9)

    def test_what_is_missing_is_said(self):
        with self.assertRaisesRegex(lc.InputError, "dt="):
            problem(scipy.signal.StateSpace(A, B, C, [[0.0]]))
        with self.assertRaisesRegex(lc.InputError, "discrete"):
            problem(scipy.signal.StateSpace(A_D, B_D, C, [[0.0]], dt=DT), dt=DT)
        with self.assertRaisesRegex(lc.InputError, "its own step"):
            problem(scipy.signal.StateSpace(A_D, B_D, C, [[1.0]], dt=DT))

    def test_the_state_itself(self):
        """An object without C, or with C = I, is a state that is measured."""
        plain = lc.Problem(A_D, B_D, Q=[1, 1], R=[1], horizon=T)
        for system in (SimpleNamespace(A=A_D, B=B_D, dt=DT),
                       scipy.signal.StateSpace(A_D, B_D, np.eye(2), np.zeros((2, 1)), dt=DT)):
            self.assertEqual(lc.Problem(system, Q=[1, 1], R=[1], horizon=T), plain)


class Logs(unittest.TestCase):
    def setUp(self):
        self.G = np.zeros((T + 1, T))
        for s in range(T):
            self.G[s + 1:, s] = H[:T - s]
        self.eta, self.u = coloured(50, 4), np.random.default_rng(5).normal(size=(50, T))

    def test_outputs_and_inputs_are_enough(self):
        y = self.eta + self.u @ self.G.T
        data = lc.Disturbances.from_rollouts(problem(impulse=H), y, self.u)
        np.testing.assert_allclose(data.w, self.eta, atol=1e-12)
        self.assertEqual(list(data.notes), [])

    def test_a_recipe_of_each_episode(self):
        d = np.random.default_rng(6).normal(size=(50, T))
        y = self.eta + self.u @ self.G.T
        y[:, 1:] += d
        made = problem(impulse=H)
        data = lc.Disturbances.from_rollouts(made, y, self.u, d)
        np.testing.assert_allclose(data.w, self.eta, atol=1e-12)
        self.assertIsNone(data.logs)
        with self.assertRaisesRegex(lc.InputError, "d: found"):
            lc.Disturbances.from_rollouts(made, y, self.u, d[:, 1:])
        # Of a state: what the offset did to later states is taken out, too.
        x0, w = np.random.default_rng(7).normal(size=(50, 2)), np.random.default_rng(8).normal(size=(50, T, 2))
        d = np.random.default_rng(9).normal(size=(50, T, 2))
        x = [x0]
        for t in range(T):
            x.append(x[-1] @ A_D.T + self.u[:, t:t + 1] @ B_D.T + d[:, t] + w[:, t])
        state = lc.Problem(A_D, B_D, Q=[1, 1], R=[1], horizon=T, d=[0.3, -0.2])
        data = lc.Disturbances.from_rollouts(state, np.stack(x, axis=1), self.u, d)
        np.testing.assert_allclose(data.w, np.concatenate([x0, w.reshape(50, -1)], axis=1), atol=1e-11)

    def test_the_recipe_to_come_of_outputs(self):
        """Every form takes one; of A, B and C it is an offset of the state."""
        recipe = np.random.default_rng(10).normal(size=(T, 1))
        made = problem(impulse=H).replace(d=recipe)
        nothing = lc.Controller(np.zeros((T, T + 1)), horizon=T)
        y = np.reshape(lc.simulate(made, nothing, self.eta).x, (50, T + 1))
        np.testing.assert_allclose(y, self.eta + np.concatenate([[0], recipe[:, 0]]), atol=1e-12)
        for form in ({"step": np.cumsum(H)}, {"G": self.G},
                     {"transfer": {"num": [2], "den": [1, -0.5]}, "d": [0.4]}):
            other = problem(**form).replace(d=recipe)
            np.testing.assert_array_equal(other.d, recipe)
            self.assertEqual(lc.Problem.from_dict(other.to_dict()), other)
            with self.assertRaises(lc.InputError):
                other.replace(d=[1.0, 2.0])
        known = lc.learn(made, self.eta, method="shrinkage", certificate=None).controller
        G, Q = self.G, np.diag([10.0] * (T + 1))
        best = -np.linalg.solve(G.T @ Q @ G + 0.1 * np.eye(T), G.T @ Q @ np.append(0, recipe))
        still = lc.simulate(made, known, np.zeros((1, T + 1)))
        np.testing.assert_allclose(np.ravel(still.u), best, atol=1e-9)

    def test_another_recipe(self):
        """Learning again for the episode to come moves the feedforward, not the gains."""
        made = lc.Problem(A_D, B_D, Q=[1, 1], R=[1], horizon=T, d=[0.3, -0.2], reference=[1.0, 0.0])
        one = lc.learn(made, method="lqr", certificate=None)
        recipe = np.random.default_rng(2).normal(size=(T, 2))
        other = lc.learn(made.replace(d=recipe, reference=None), method="lqr")
        np.testing.assert_allclose(one.controller.K, other.controller.K, atol=1e-12)
        self.assertGreater(np.abs(one.controller.k - other.controller.k).max(), 0.01)
        direct = lc.Problem(A_D, B_D, Q=[1, 1], R=[1], horizon=T, d=recipe)
        np.testing.assert_array_equal(other.controller.k,
                                      lc.learn(direct, method="lqr").controller.k)
        with self.assertRaises(lc.InputError):
            made.replace(d=[1.0])


class TestOnly(unittest.TestCase):
    def test_a_signal_that_the_controller_does_not_see(self):
        both = {"A": A_D, "B": B_D, "C": np.eye(2), "test_only": 1, "Q": [0.0, 1.0], "R": [0.1],
                "horizon": T}
        made = lc.Problem(**both, baseline={"pid": {"p": 0.2}})
        self.assertEqual((made.n_x, made.baseline.n_x), (2, 1))
        rng = np.random.default_rng(11)
        x, u, free = np.zeros((60, T + 1, 2)), rng.normal(size=(60, T, 1)), np.zeros((60, T + 1, 2))
        x[:, 0] = free[:, 0] = rng.normal(size=(60, 2))
        for t in range(T):
            w = 0.1 * rng.normal(size=(60, 2))
            x[:, t + 1] = x[:, t] @ A_D.T + u[:, t] @ B_D.T + w
            free[:, t + 1] = free[:, t] @ A_D.T + w
        data = lc.Disturbances.from_rollouts(made, x, u)
        # What is seen, all steps of it, then the others.
        np.testing.assert_allclose(data.w, np.concatenate([free[..., 0], free[..., 1]], axis=1),
                                   atol=1e-11)
        result = lc.learn(made, data, method="erm", certificate="cross-scale-free")
        self.assertEqual(result.controller.K.shape, (T, T + 1))
        self.assertIsNotNone(result.improvement)
        # The cost is that of the signal that it never saw.
        loop = result.response
        y = data.w @ loop.Phi_x.T
        inputs = data.w @ loop.Phi_u.T
        np.testing.assert_allclose(
            result.empirical_cost,
            np.mean((y.reshape(60, T + 1, 2)[..., 1]**2).sum(1) + 0.1 * (inputs**2).sum(1)))
        np.testing.assert_allclose(loop.Phi_u[:, T + 1:], 0)
        self.assertLess(result.empirical_cost,
                        np.mean((free[..., 1]**2).sum(1)))  # without feedback


class ConstantLoad(unittest.TestCase):
    """docs/theory/reference.md, integral action."""

    def test_of_outputs_by_changes_of_the_input(self):
        T = 40
        stays = np.tril(np.ones((T + 1, T + 1)))
        load = np.zeros((1, T + 1))
        load[0, 5:] = 1
        left = {}
        for name, lag in (("inputs", {"num": [0.1], "den": [1, -0.9]}),
                          ("changes", {"num": [0.1, 0], "den": [1, -1.9, 0.9]})):
            made = lc.Problem(transfer=lag, Q=[1], R=[0.1], horizon=T, method="optimum",
                              covariance=(stays @ stays.T).tolist())
            left[name] = np.ravel(lc.simulate(made, lc.learn(made).controller, load).x)[30]
        self.assertAlmostEqual(left["inputs"], 0.0965, places=4)  # as on the page
        self.assertLess(abs(left["changes"]), 4e-5)

    def test_of_an_identified_plant(self):
        A, B = np.array([[1, 0.05], [0, 0.9]]), np.array([0.00125, 0.05])
        load = np.array([0, 0.03])
        rng = np.random.default_rng(1)
        x, u = np.zeros((4001, 2)), np.zeros((4000, 1))
        for t in range(4000):
            u[t] = -2 * x[t, 0] - 0.5 * x[t, 1] + rng.normal()
            x[t + 1] = A @ x[t] + B * u[t, 0] + load + 0.01 * rng.normal(size=2)
        integral = np.concatenate([[0], np.cumsum(0.05 * x[:-1, 0])])[:, None]

        def rests(logged, **plant):
            made = lc.Problem(**plant, offset=True, horizon="infinite", R=[1])
            result = lc.learn(made, lc.rollouts([logged], [u]), method="identified")
            self.assertIsNotNone(result.certificate)
            K, k = np.ravel(result.controller.K), result.controller.k[0]
            state = np.zeros(logged.shape[1])
            for _ in range(20000):
                moved = A @ state[:2] + B * (K @ state + k) + load
                state = np.concatenate([moved, state[2:] + 0.05 * state[0]])
            return state[0]

        self.assertGreater(abs(rests(x, identify=True, states=2, inputs=1, Q=[40, 0.1])), 1e-3)
        known = {"A": [[0, 0, 0], [0, 0, 0], [0.05, 0, 1]], "B": [[0], [0], [0]]}
        self.assertLess(abs(rests(np.concatenate([x, integral], axis=1), **known, identify=[1, 2],
                                  Q=[40, 0.1, 10])), 1e-9)


if __name__ == "__main__":
    unittest.main()

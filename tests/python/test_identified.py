"""Kind identified from Python, recomputed with dense NumPy: least squares row by row, the expansion
of the cost by finite differences in the coefficients."""

import os
import pickle
import tempfile
import unittest

import numpy as np
from support import DOUBLE_INTEGRATOR

import loopcert as lc

T, N, SEED = 6, 80, int(os.environ.get("LOOPCERT_TEST_SEED", "1"))


def recorded(seed):
    rng = np.random.default_rng(seed)
    w = 0.3 * rng.normal(size=(N, T + 1, 2))
    for t in range(2, T + 1):
        w[:, t] = w[:, t - 1] @ np.array([[0.7, 0.1], [0.0, 0.5]]).T + w[:, t]
    return w


class Identified(unittest.TestCase):
    def setUp(self):
        self.problem = lc.Problem(**DOUBLE_INTEGRATOR, horizon=T, autoregressive=1)
        self.w = recorded(SEED)

    def response(self, controller):
        """M of y = M w, by simulating the loop on unit disturbances."""
        A, B = (np.asarray(DOUBLE_INTEGRATOR[key], float) for key in "AB")
        Q, R = (np.sqrt(np.diag(np.diagonal(np.atleast_2d(m)) if np.ndim(m) == 2 else m))
                for m in (DOUBLE_INTEGRATOR["Q"], DOUBLE_INTEGRATOR["R"]))
        P = DOUBLE_INTEGRATOR.get("P", DOUBLE_INTEGRATOR["Q"])
        P = np.sqrt(np.diag(np.diagonal(np.atleast_2d(P)) if np.ndim(P) == 2 else P))
        unit, K = np.eye(2 * (T + 1)), np.asarray(controller.K)
        x, rows = [unit[:2]], []
        for t in range(T):
            u = K[t:t + 1, :2 * (t + 1)] @ np.vstack(x)
            rows += [Q @ x[t], R @ u]
            x.append(A @ x[t] + B @ u + unit[2 * t + 2:2 * t + 4])
        return np.vstack(rows + [P @ x[T]])

    def test_certificate_is_its_formula(self):
        result = lc.learn(self.problem, self.w, method="identified", certificate="identified")
        deltas = {event.name: event.delta for event in result.certificate.events}
        self.assertEqual(sorted(deltas), ["model", "noise", "start"])
        # Least squares, beta, the shape of the ellipsoid.
        r, y = (part.reshape(-1, 2) for part in (self.w[:, 1:T], self.w[:, 2:]))
        V, first = r.T @ r, self.w[:, 1]
        V0 = 0.35 * (T - 1) * first.T @ first
        Phi = np.linalg.solve(V, r.T @ y).T
        beta_sq = 2 * np.log(1 / deltas["model"]) + 2 * np.log(
            np.linalg.det(np.eye(2) + np.linalg.solve(V0, V)))
        G = np.linalg.cholesky(np.linalg.inv(V) @ (V + V0) @ np.linalg.inv(V)).T
        record = result.certificate.to_dict()
        numbers = {e["id"]: e["statement"]["parameters"] for e in record["events"]}
        self.assertAlmostEqual(numbers["model"]["beta"] ** 2, beta_sq, delta=1e-8 * beta_sq)
        eta = np.linalg.eigvals(np.linalg.solve(V, V0)).real.max()
        left = y - r @ Phi.T
        U = left.T @ left / (len(y) * numbers["noise"]["q"] - (1 + eta) * beta_sq)
        start = self.w[:, :2].reshape(N, 4)
        U0 = start.T @ start / N / numbers["start"]["q"]
        M = self.response(result.controller)

        def cost(Phi):
            L = np.eye(2 * (T + 1))
            for t in range(1, T):
                L[2 * t + 2:2 * t + 4] += Phi @ L[2 * t:2 * t + 2]
            D = np.zeros_like(L)
            D[:4, :4] = U0
            for t in range(1, T):
                D[2 * t + 2:2 * t + 4, 2 * t + 2:2 * t + 4] = U
            return np.trace(M @ L @ D @ L.T @ M.T)

        terms = {term["id"]: term["value"] for term in record["terms"]}
        nominal = cost(Phi)
        self.assertAlmostEqual(terms["identified-nominal"], nominal, delta=1e-8 * nominal)
        # Gradient and Hessian in f by differences; the sup of that quadratic over the ball is the
        # larger part of the error term, and the whole is above the cost of every model.
        root, beta = np.linalg.cholesky(U), np.sqrt(beta_sq)
        at = lambda f: cost(Phi + root @ f.reshape(2, 2, order="F") @ G)  # noqa: E731
        h, I = 1e-4, np.eye(4)
        g = np.array([(at(h * e) - at(-h * e)) / (2 * h) for e in I]) / 2
        H = np.array([[(at(h * (a + b)) - at(h * (a - b)) - at(h * (b - a)) + at(-h * (a + b)))
                       / (4 * h * h) for a in I] for b in I]) / 2
        s, E = np.linalg.eigh(H)
        nus = max(s.max(), 0) + np.logspace(-6, 3, 4000) * nominal / beta_sq
        sup = min(nu * beta_sq + ((E.T @ g) ** 2 / (nu - s)).sum() for nu in nus)
        self.assertGreaterEqual(terms["identified-error"], sup * (1 - 1e-4))
        self.assertLess(terms["identified-error"], 3 * sup)
        rng = np.random.default_rng(SEED + 1)
        for _ in range(200):
            f = rng.normal(size=4)
            self.assertLessEqual(at(beta * f / np.linalg.norm(f)), result.certificate.value)

    def test_folds_and_verify(self):
        for kind in ("identified", "cross-identified", "best"):
            result = lc.learn(self.problem, self.w, method="identified", certificate=kind)
            self.assertTrue(lc.verify(result.certificate, self.w), kind)

    def test_bad_order(self):
        for order in (0, T, -1):
            with self.assertRaisesRegex(lc.InputError, "disturbance.autoregressive"):
                lc.Problem(**DOUBLE_INTEGRATOR, horizon=T, autoregressive=order)


class FirstSteps(unittest.TestCase):
    def test_what_was_before_is_not_zero(self):
        """A wave of order two that was there before the first step: within 1 % of the optimum."""
        steps, a, b = 60, 2 * 0.9 * np.cos(np.pi / 6), -0.81
        colour = np.eye(steps)
        for t in range(1, steps):
            colour[t] += a * colour[t - 1] + (b * colour[t - 2] if t > 1 else 0)
        rows = 0.2 * np.kron(colour[-T:], np.eye(2))
        law = np.zeros((2 * T + 2, 2 * T + 2))
        law[:2, :2], law[2:, 2:] = 0.1 * np.eye(2), rows @ rows.T
        problem = lc.Problem(**DOUBLE_INTEGRATOR, horizon=T, covariance=law)
        result = lc.learn(problem, problem.sample(300, SEED), method="identified")
        self.assertGreaterEqual(result.details["lags"], 2)
        self.assertLess(result.population_cost, 1.01 * result.optimal_cost)


def logs_of(rng, n=40, steps=10):
    A, B = np.array([[0.9, 0.2], [-0.1, 0.8]]), np.array([[0.0], [1.0]])
    x, u = np.zeros((n, steps + 1, 2)), np.zeros((n, steps, 1))
    x[:, 0] = rng.normal(size=(n, 2))
    for t in range(steps):
        u[:, t] = -0.3 * x[:, t, :1] + rng.normal(size=(n, 1))
        x[:, t + 1] = x[:, t] @ A.T + u[:, t] @ B.T + 0.2 * rng.normal(size=(n, 2))
    return x, u


class UnknownPlant(unittest.TestCase):
    def setUp(self):
        self.problem = lc.Problem(Q=[1, 1], R=[0.5], horizon=10, identify=True, states=2, inputs=1)

    def test_tests_keep_their_level(self):
        """On logs that obey the model a p-value below 5 % comes in about 5 % of the cases."""
        rng = np.random.default_rng(SEED)
        sets, low = 200, {}
        for _ in range(sets):
            for check in lc.identify(self.problem, lc.rollouts(*logs_of(rng))).checks:
                low[check["name"]] = low.get(check["name"], 0) + (check["p_value"] < 0.05)
        self.assertEqual(len(low), 4)
        for name, count in low.items():
            self.assertLess(count, 10 + 5 * np.sqrt(10), name)  # of a binomial law

    def test_learn_identify_inspect(self):
        x, u = logs_of(np.random.default_rng(SEED))
        logs = lc.rollouts(x, u)
        again = lc.rollouts(list(x), list(u))
        self.assertEqual(logs.n, again.n)
        result = lc.learn(self.problem, logs)
        found = lc.identify(self.problem, again)
        # Where the numbers lie in memory may move the last bit of a product.
        np.testing.assert_allclose(result.A, found.A, rtol=1e-13, atol=1e-15)
        np.testing.assert_allclose(found.intervals["A"][..., 1] - found.A, result.A_radius)
        self.assertEqual(result.certificate.kind, "identified")
        self.assertGreater(result.certificate.value, result.empirical_cost)
        self.assertIsNone(found.Phi)
        self.assertEqual(lc.inspect(self.problem, logs).checks, found.checks)
        self.assertIn("<svg", found.report())
        self.assertEqual(pickle.loads(pickle.dumps(found)).to_dict(), found.to_dict())
        with tempfile.TemporaryDirectory() as folder:
            names = result.save(folder)
            self.assertIn("certificate.json", names)
            self.assertEqual(lc.Controller.read(folder + "/controller.json").K.tolist(),
                             result.controller.K.tolist())
        with self.assertRaisesRegex(lc.InputError, "rollouts"):
            lc.learn(self.problem, np.zeros((3, 22)))
        with self.assertRaisesRegex(lc.InputError, "one more row"):
            lc.rollouts(x, u[:, :-1])

    def test_for_ever(self):
        x, u = logs_of(np.random.default_rng(SEED), 1, 1500)
        problem = lc.Problem(Q=[1, 1], R=[0.5], horizon="infinite", identify=True, states=2, inputs=1)
        self.assertEqual(problem.horizon, "infinite")
        result = lc.learn(problem, lc.rollouts(x[0], u[0]))
        controller = result.controller
        run = lc.MemoryRun(controller)
        finite = controller.first_steps(3)
        y = np.arange(8).reshape(4, 2) / 7
        steps = [run.step(row) for row in y[:3]]
        np.testing.assert_allclose(np.ravel(steps), finite.K @ y.ravel() + finite.k)
        self.assertIn("controller.c", controller.to_c())
        self.assertEqual(pickle.loads(pickle.dumps(controller)).K.tolist(), controller.K.tolist())


if __name__ == "__main__":
    unittest.main()

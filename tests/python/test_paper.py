"""The paper's symbols, each recomputed with dense NumPy: bounds at a posterior, draws, cumulants,
the interval of lambda, the vectorized form."""

import json
import os
import pickle
import sys
import tempfile
import unittest
from pathlib import Path

import numpy as np
from support import DOUBLE_INTEGRATOR, SOURCE, program_json, small_problem

import loopcert as lc
from loopcert import _core

sys.path.append(str(SOURCE / "tests/support"))

from dense import DenseProblem, certificate, quartic  # noqa: E402

T, SCALE = 4, 0.15
SEED = int(os.environ.get("LOOPCERT_TEST_SEED", "1"))
DELTAS = {"pac_bayes": 0.025, "covariance": 0.025}


def problem_of(**options):
    options = {"covariance": {"ar1": 0.5, "variance": 0.06}, "scale_bound": SCALE, **options}
    return lc.Problem(**DOUBLE_INTEGRATOR, horizon=T, name="paper", **options)


class Paper(unittest.TestCase):
    """One problem, data, and a posterior that nobody learned."""

    def setUp(self):
        self.random = np.random.default_rng(SEED)
        self.problem = problem_of()
        self.space = self.problem.space()
        self.free = self.space.free
        self.dense = DenseProblem(T, **DOUBLE_INTEGRATOR)
        self.data = self.problem.sample(30, seed=SEED)
        self.posterior = self.some_posterior()
        self.mean = self.posterior.mean[self.dense.free]
        self.variance = self.posterior.variance[self.dense.free]
        self.Sigma = _core.stated_law(self.problem._core)[1]
        self.Sigma_hat = self.data.w.T @ self.data.w / self.data.n
        self.M = self.dense.M_0 + np.tensordot(self.mean, self.dense.M, 1)

    def some_posterior(self, size=0.1):
        mean = size * self.random.standard_normal(self.free.shape) * self.free
        variance = self.random.uniform(0.001, 0.01, self.free.shape) * self.free
        return lc.Posterior(mean, variance)

    def curvature(self, Sigma):
        """G_kl = tr(M_k Sigma M_l')."""
        return np.einsum("kij,jm,lim->kl", self.dense.M, Sigma, self.dense.M)

    def kl(self, center=0.0, scale=1.0):
        v = self.variance / scale**2
        return 0.5 * np.sum(v + (self.mean - center) ** 2 / scale**2 - 1 - np.log(v))

    def rate(self, kl, delta):
        return (kl + np.log(self.data.n / delta)) / (self.data.n - 1)

    def radius(self):
        d, n = self.problem.d_w, self.data.n
        a = np.sqrt(d / n) + np.sqrt(2 * np.log(2 / DELTAS["covariance"]) / n)
        return SCALE * (2 * a + a**2)


class Bounds(Paper):
    def test_data_driven(self):
        bound = lc.evaluate(self.problem, self.posterior, self.data)["data-driven"]
        arrays = {"mean": self.posterior.mean, "variance": self.posterior.variance}
        value = certificate(self.dense, self.data.w, arrays, SCALE, DELTAS)
        self.assertAlmostEqual(bound.value / value, 1, delta=1e-9)
        U = self.Sigma_hat + self.radius() * np.eye(self.problem.d_w)
        C = quartic(self.dense, self.mean, self.variance, U, U)
        rate = self.rate(self.kl(), DELTAS["pac_bayes"])
        for found, expected in [(bound.kl, self.kl()), (bound.C, C), (bound.rate, rate),
                                (bound.lambda_, np.sqrt(rate / C)), (bound.psi, rate),
                                (bound.terms["complexity"], 2 * np.sqrt(rate * C)),
                                (bound.certificate.confidence, 0.95)]:
            self.assertAlmostEqual(found / expected, 1, delta=1e-9)
        spread = self.radius() * np.sum(self.variance * np.sum(self.dense.M**2, axis=(1, 2)))
        self.assertAlmostEqual(bound.terms["curvature-mismatch"] / spread, 1, delta=1e-9)
        self.assertEqual(bound.mean_term, 0)

    def test_oracle(self):
        bound = lc.evaluate(self.problem, self.posterior, self.data, "oracle")["oracle"]
        C = quartic(self.dense, self.mean, self.variance, self.Sigma, self.Sigma)
        rate = self.rate(self.kl(), 0.05)
        mismatch = np.sum(self.variance * np.diag(self.curvature(self.Sigma_hat - self.Sigma)))
        empirical = np.trace(self.M @ self.Sigma_hat @ self.M.T)
        self.assertAlmostEqual(bound.value / (empirical + mismatch + 2 * np.sqrt(C * rate)), 1,
                               delta=1e-9)
        self.assertTrue(bound.certificate.oracle)

    def test_own_prior_and_lambda(self):
        center = 0.05 * self.random.standard_normal(self.free.shape) * self.free
        prior = lc.Prior(center, 0.3)
        bound = lc.evaluate(self.problem, self.posterior, self.data, "data-driven", prior=prior,
                            lambda_=0.7)["data-driven"]
        kl = self.kl(center[self.dense.free], 0.3)
        U = self.Sigma_hat + self.radius() * np.eye(self.problem.d_w)
        C = quartic(self.dense, self.mean, self.variance, U, U)
        complexity = self.rate(kl, DELTAS["pac_bayes"]) / 0.7 + 0.7 * C
        self.assertAlmostEqual(bound.kl, kl, delta=1e-9 * kl)
        self.assertEqual((bound.lambda_, bound.prior_scale), (0.7, 0.3))
        self.assertAlmostEqual(bound.terms["complexity"] / complexity, 1, delta=1e-9)
        self.assertAlmostEqual(bound.psi / (0.49 * C), 1, delta=1e-9)
        best = lc.evaluate(self.problem, self.posterior, self.data, "data-driven", prior=prior)
        self.assertLess(best["data-driven"].value, bound.value)

    def test_every_kind(self):
        """The terms add up, Comp = (rate + psi)/lambda, and what is not granted says why."""
        found = lc.evaluate(self.problem, self.posterior, self.data)
        kinds = {bound.kind for bound in found.bounds}
        self.assertLessEqual({"data-driven", "scale", "relative", "oracle", "bounded",
                              "posterior-localized", "data-driven-rank-aware"}, kinds)
        for bound in found.bounds:
            with self.subTest(kind=bound.kind):
                self.assertNotEqual(bound.certificate is None, bound.missing == "")
                if bound.certificate is None:
                    continue
                self.assertAlmostEqual(sum(bound.terms.values()) / bound.value, 1, delta=1e-12)
                complexity = (bound.rate + bound.psi) / bound.lambda_
                self.assertAlmostEqual(bound.terms["complexity"] / complexity, 1, delta=1e-9)
                self.assertAlmostEqual(bound.kl, self.kl(), delta=1e-9 * self.kl())
                self.assertGreater(bound.quadratic, bound.cumulant)
        self.assertIn("radius", found["bounded"].missing)
        self.assertLess(found["scale"].value, found["data-driven"].value)
        with self.assertRaises(KeyError):
            found["no such kind"]

    def test_what_learn_finds(self):
        """The posterior of learn has the certificate of learn, to the last bit."""
        for options in ({}, {"prior": {"center": "lqr", "scale": "grid"}},
                        {"delta": {"pac_bayes": 0.03, "covariance": 0.01}}):
            problem = self.problem.replace(**options)
            learned = lc.learn(problem, self.data, method="pac-bayes", certificate="data-driven")
            bound = lc.evaluate(problem, learned.posterior, self.data)["data-driven"]
            self.assertEqual(bound.value, learned.certificate.value)
            self.assertEqual(bound.kl, learned.certificate.kl)
            self.assertEqual(bound.certificate.confidence, learned.certificate.confidence)
            self.assertEqual(learned.prescient_certificate is None, False)

    def test_split_prior_certifies_on_the_rest(self):
        problem = self.problem.replace(prior={"center": "split", "fraction": 0.5})
        learned = lc.learn(problem, self.data, method="pac-bayes", certificate="data-driven")
        bound = lc.evaluate(problem, learned.posterior, self.data, "data-driven")["data-driven"]
        self.assertEqual(bound.certificate.n, 15)
        self.assertEqual(bound.value, learned.certificate.value)

    def test_same_as_the_program(self):
        with tempfile.TemporaryDirectory() as name:
            folder = Path(name)
            self.posterior.save(folder / "rho.npz")
            again = lc.Posterior.read(folder / "rho.npz")
            np.testing.assert_array_equal(again.mean, self.posterior.mean)
            np.testing.assert_array_equal(again.variance, self.posterior.variance)
            (folder / "p.json").write_text(json.dumps(self.problem.to_dict()))
            said = program_json("evaluate", folder / "p.json", "--posterior", folder / "rho.npz",
                                "--sample", self.data.n, "--seed", SEED)
        found = lc.evaluate(self.problem, self.posterior, self.data)
        self.assertEqual(said, found.to_dict())
        self.assertIn("data-driven", repr(found))

    def test_pickle(self):
        again = pickle.loads(pickle.dumps(self.posterior))
        np.testing.assert_array_equal(again.variance, self.posterior.variance)

    def test_refusals(self):
        def refused(says, call):
            with self.assertRaisesRegex(lc.InputError, says):
                call()

        wrong = lc.Posterior(self.posterior.mean[:, 1:], self.posterior.variance)
        refused("posterior", lambda: lc.evaluate(self.problem, wrong, self.data))
        flat = lc.Posterior(self.posterior.mean, 0 * self.posterior.variance)
        refused("variance", lambda: lc.evaluate(self.problem, flat, self.data))
        full = lc.Posterior(np.ones(self.free.shape), self.posterior.variance)
        refused("mean", lambda: lc.evaluate(self.problem, full, self.data))
        refused("certificate.kind", lambda: lc.evaluate(self.problem, self.posterior, self.data, "x"))
        refused("radius", lambda: lc.evaluate(self.problem, self.posterior, self.data, "bounded"))
        refused("lambda", lambda: lc.evaluate(self.problem, self.posterior, self.data, lambda_=-1.0))
        refused("lambda", lambda: lc.evaluate(self.problem, self.posterior, self.data,
                                              "posterior-localized", lambda_=1.0))
        unknown = self.problem.replace(covariance=None)
        refused("covariance", lambda: lc.trajectory_law(unknown, self.posterior.mean))
        refused("covariance", lambda: lc.lambda_end(unknown, self.posterior))
        uniform = self.problem.replace(distribution="uniform", model="bounded",
                                       radius=10.0)
        refused("gaussian", lambda: lc.trajectory_law(uniform, self.posterior.mean))
        self.assertGreater(lc.pointwise_radius(uniform, self.posterior.mean), 0)


class UnderTheLaw(Paper):
    def y(self, M, m, mean, covariance):
        return M @ mean + m, M @ covariance @ M.T

    def dense_cumulant(self, mu, Sigma_y, x):
        """eq:exact-gaussian-cgf, word by word."""
        inflated = np.eye(len(mu)) + 2 * x * Sigma_y
        return (x * (np.trace(Sigma_y) + mu @ mu) - 0.5 * np.linalg.slogdet(inflated)[1]
                - x * mu @ np.linalg.solve(inflated, mu))

    def test_cumulant(self):
        mean = self.random.standard_normal(self.problem.d_w)
        law = lc.trajectory_law(self.problem, self.posterior.mean, mean=mean,
                                covariance=self.Sigma)
        mu, Sigma_y = self.y(self.M, 0, mean, self.Sigma)
        self.assertAlmostEqual(law.risk, np.trace(Sigma_y) + mu @ mu, delta=1e-9 * law.risk)
        phi = np.sum(Sigma_y**2) + 2 * mu @ Sigma_y @ mu
        self.assertAlmostEqual(law.phi, phi, delta=1e-9 * phi)
        lambdas = np.array([0.01, 0.3, 2.0, 50.0])
        exact = [self.dense_cumulant(mu, Sigma_y, x) for x in lambdas]
        np.testing.assert_allclose(law.cumulant(lambdas), exact, rtol=1e-8)
        np.testing.assert_allclose(law.quadratic_bound(lambdas), lambdas**2 * phi, rtol=1e-9)
        self.assertEqual(law.cumulant(0.3), law.cumulant(lambdas)[1])
        self.assertTrue(np.all(law.cumulant(lambdas) <= law.quadratic_bound(lambdas)))
        with self.assertRaises(lc.InputError):
            law.cumulant(-1.0)

    def test_at_the_lambda_of_each_bound(self):
        found = lc.evaluate(self.problem, self.posterior, self.data)
        mu, Sigma_y = self.y(self.M, 0, np.zeros(self.problem.d_w), self.Sigma)
        self.assertAlmostEqual(found.population_cost, np.trace(Sigma_y), delta=1e-9)
        self.assertAlmostEqual(found.sensitivity, np.sum(Sigma_y**2), delta=1e-9)
        for kind in ("data-driven", "oracle", "posterior-localized"):
            bound = found[kind]
            expected = self.dense_cumulant(mu, Sigma_y, bound.lambda_)
            self.assertAlmostEqual(bound.cumulant / expected, 1, delta=1e-8)
            self.assertAlmostEqual(bound.quadratic, bound.lambda_**2 * np.sum(Sigma_y**2),
                                   delta=1e-9 * bound.quadratic)

    def test_interval_and_radius(self):
        root = np.sqrt(self.variance)
        widest = np.linalg.eigvalsh(root[:, None] * self.curvature(self.Sigma) * root)[-1]
        found = lc.evaluate(self.problem, self.posterior, self.data, "oracle")
        self.assertAlmostEqual(lc.lambda_end(self.problem, self.posterior) * 2 * widest, 1,
                               delta=1e-9)
        self.assertEqual(found.lambda_end, lc.lambda_end(self.problem, self.posterior))
        _, Sigma_y = self.y(self.M, 0, np.zeros(self.problem.d_w), self.Sigma)
        radius = 1 / (2 * np.linalg.eigvalsh(Sigma_y)[-1])
        self.assertAlmostEqual(found.pointwise_radius / radius, 1, delta=1e-9)
        response = self.problem.response(self.problem.controller(self.posterior.mean))
        self.assertAlmostEqual(lc.pointwise_radius(self.problem, response) / radius, 1, delta=1e-9)
        twice = lc.pointwise_radius(self.problem, response, covariance=2 * self.Sigma)
        self.assertAlmostEqual(twice / radius, 0.5, delta=1e-9)

    def test_global_minimum(self):
        learned = lc.learn(self.problem, self.data, method="pac-bayes", certificate="data-driven")
        least = lc.global_minimum(self.problem, self.data)
        self.assertAlmostEqual(learned.certificate.value / least.value, 1, delta=1e-4)
        there = lc.evaluate(self.problem, least.posterior, self.data, "data-driven",
                            lambda_=least.lambda_)["data-driven"]
        self.assertAlmostEqual(there.value / least.value, 1, delta=1e-9)
        with self.assertRaisesRegex(lc.InputError, "global check"):
            lc.global_minimum(self.problem, self.data, "data-driven-rank-aware")
        with self.assertRaisesRegex(lc.InputError, "certificate"):
            lc.global_minimum(self.problem, self.data, "data-driven-exact")  # retired


class Draws(Paper):
    def test_controllers(self):
        draws = lc.draw(self.problem, self.posterior, 5, seed=SEED)
        self.assertEqual(len(draws), 5)
        for Z, response, controller in draws:
            self.assertEqual(np.abs(Z[~self.free]).max(), 0)
            expected = self.space.Phi_u0 + self.space.T_u @ Z
            np.testing.assert_allclose(response.Phi_u, expected, atol=1e-12)
            K = response.Phi_u @ np.linalg.inv(response.Phi_x)
            np.testing.assert_allclose(controller.K, K, atol=1e-9 * np.abs(K).max())
            closed = self.problem.response(controller)
            np.testing.assert_allclose(closed.Phi_x, response.Phi_x, atol=1e-9)
        again = lc.draw(self.problem, self.posterior, 2, seed=SEED)
        np.testing.assert_array_equal(again[1].Z, draws[1].Z)
        self.assertFalse(np.array_equal(
            lc.draw(self.problem, self.posterior, 1, seed=SEED + 1)[0].Z, draws[0].Z))

    def test_are_normal(self):
        n = 400
        Z = np.array([d.Z[self.free] for d in lc.draw(self.problem, self.posterior, n, seed=SEED)])
        e = (Z - self.posterior.mean[self.free]) / np.sqrt(self.posterior.variance[self.free])
        count = e.size  # independent standard normals: 6.7 standard errors, probability 2e-11
        self.assertLess(abs(e.mean()) * np.sqrt(count), 6.7)
        self.assertLess(abs((e**2).mean() - 1) * np.sqrt(count / 2), 6.9)

    def test_do_not_certify_on_what_the_posterior_saw(self):
        drawn = lc.draw(self.problem, self.posterior, 1, data=self.data)[0].controller
        with self.assertRaises(lc.InputError):
            lc.certify(self.problem, drawn, self.data)
        fresh = self.problem.sample(20, seed=SEED, fresh=True)
        self.assertGreater(lc.certify(self.problem, drawn, fresh).value, 0)
        with self.assertRaisesRegex(lc.InputError, "draws"):
            lc.draw(self.problem, self.posterior, 0)


class Vectorized(Paper):
    def blocks(self):
        """I - Z_A and Z_B, dense."""
        d_w, d_u = self.problem.d_w, T
        Z_A, Z_B = np.zeros((d_w, d_w)), np.zeros((d_w, d_u))
        for t in range(T):
            Z_A[2 * t + 2:2 * t + 4, 2 * t:2 * t + 2] = self.problem.A
            Z_B[2 * t + 2:2 * t + 4, t:t + 1] = self.problem.B
        return np.eye(d_w) - Z_A, Z_B

    def test_constraint(self):
        v = lc.vectorized(self.problem)
        A, B = self.blocks()
        d_w = self.problem.d_w
        full = np.hstack([np.kron(np.eye(d_w), A), -np.kron(np.eye(d_w), B)])
        selection = v.selection.toarray()
        np.testing.assert_array_equal(v.H.toarray(), full @ selection)
        np.testing.assert_array_equal(v.h, np.eye(d_w).ravel())
        # A selection: one entry for each unknown, and every causal entry is one.
        np.testing.assert_array_equal(selection.sum(axis=0), 1)
        rows, columns = np.indices((d_w, d_w)) // 2
        inputs = np.arange(T)[:, None] >= np.arange(d_w)[None, :] // 2
        causal = np.concatenate([(rows >= columns).ravel("F"), inputs.ravel("F")])
        np.testing.assert_array_equal(selection.sum(axis=1), causal)

    def test_solutions(self):
        v = lc.vectorized(self.problem)
        N, H = v.N.toarray(), v.H.toarray()
        self.assertEqual(N.shape[1], v.p)
        self.assertEqual(H.shape[1] - np.linalg.matrix_rank(H), v.p)
        np.testing.assert_allclose(N.T @ N, np.eye(v.p), atol=1e-12)
        np.testing.assert_allclose(H @ N, 0, atol=1e-12)
        least = np.linalg.lstsq(H, v.h, rcond=None)[0]
        np.testing.assert_allclose(v.theta_0, least, atol=1e-10)

    def test_conversions(self):
        v = lc.vectorized(self.problem)
        Z = self.posterior.mean
        alpha = v.alpha(Z)
        np.testing.assert_array_equal(alpha, Z.T[self.free.T])
        np.testing.assert_array_equal(v.Z(alpha), Z)
        for k in (0, v.p // 2, v.p - 1):
            self.assertEqual(alpha[k], Z[v.entry(k)])
        theta = v.theta(alpha)
        response = v.response(alpha)
        all_entries = v.selection @ theta
        d_w = self.problem.d_w
        np.testing.assert_array_equal(all_entries[:d_w**2].reshape(d_w, d_w).T, response.Phi_x)
        np.testing.assert_allclose(v.theta(response), theta, atol=1e-12)
        np.testing.assert_allclose(v.alpha_of(response), alpha, atol=1e-10)
        np.testing.assert_allclose(v.alpha_of(theta), alpha, atol=1e-10)
        np.testing.assert_allclose(self.space.coordinates(response), Z, atol=1e-10)
        with self.assertRaisesRegex(lc.InputError, "alpha"):
            v.theta(alpha[1:])

    def test_maps(self):
        v = lc.vectorized(self.problem)
        order = {tuple(entry): k for k, entry in enumerate(np.argwhere(self.dense.free))}
        for k in range(v.p):
            np.testing.assert_allclose(v.M(k), self.dense.M[order[v.entry(k)]], atol=1e-12)
            self.assertEqual(np.abs(v.m(k)).max(), 0)
        np.testing.assert_allclose(v.M_0, self.dense.M_0, atol=1e-12)
        M = np.array([v.M(k) for k in range(v.p)])
        np.testing.assert_allclose(v.M_G.toarray(), np.einsum("kij,lij->kl", M, M), atol=1e-12)
        with self.assertRaisesRegex(lc.InputError, "k: "):
            v.M(v.p)

    def test_loss(self):
        v = lc.vectorized(self.problem)
        G, g, c = v.loss(self.Sigma_hat)
        alpha = v.alpha(self.posterior.mean)
        y = self.data.w @ self.M.T
        self.assertAlmostEqual(alpha @ G @ alpha + 2 * g @ alpha + c, np.mean(np.sum(y**2, axis=1)),
                               delta=1e-9)
        np.testing.assert_allclose(G, G.T, atol=1e-12)

    def test_affine(self):
        problem = problem_of(affine=True, zero_mean=False)
        v = lc.vectorized(problem)
        self.assertEqual(v.p, T * (T + 1) + T)
        self.assertTrue(v.affine)
        alpha = self.random.standard_normal(v.p)
        np.testing.assert_allclose(v.H @ v.theta(alpha), v.h, atol=1e-10)
        G, g, c = v.loss(self.Sigma_hat, self.data.w.mean(axis=0))
        response = v.response(alpha)
        x = self.data.w @ response.Phi_x.T + response.phi_x
        u = self.data.w @ response.Phi_u.T + response.phi_u
        Q = np.kron(np.eye(T + 1), problem.Q)
        Q[-2:, -2:] = problem.P
        cost = np.einsum("ni,ij,nj->n", x, Q, x) + 0.5 * np.sum(u**2, axis=1)
        self.assertAlmostEqual((alpha @ G @ alpha + 2 * g @ alpha + c) / cost.mean(), 1, delta=1e-9)

    def test_too_large(self):
        with self.assertRaisesRegex(lc.InputError, "p = 4032, expected at most 4000"):
            lc.vectorized(lc.Problem(**DOUBLE_INTEGRATOR, horizon=63))

    def test_of_another_test(self):
        """The problem of the other tests: coloured noise and six steps."""
        v = lc.vectorized(small_problem())
        self.assertEqual((v.p, v.H.shape[0]), (42, 14 * 14))
        self.assertIn("42", repr(v))


if __name__ == "__main__":
    unittest.main()

"""Posteriors and priors with any covariance from Python, recomputed with dense NumPy."""

import os
import pickle
import sys
import unittest

import numpy as np
from support import DOUBLE_INTEGRATOR, SOURCE

import loopcert as lc

sys.path.append(str(SOURCE / "tests/support"))

import dense  # noqa: E402
import dense_bound  # noqa: E402

T, SCALE, N = 4, 0.15, 30
SEED = int(os.environ.get("LOOPCERT_TEST_SEED", "1"))
DELTAS = {"pac_bayes": 0.025, "covariance": 0.025}


class Families(unittest.TestCase):
    def setUp(self):
        self.random = np.random.default_rng(SEED)
        self.problem = lc.Problem(**DOUBLE_INTEGRATOR, horizon=T, scale_bound=SCALE, covariance=0.1)
        self.w = np.array(self.problem.sample(N, seed=SEED).w)
        self.dense = dense.DenseProblem(T, **DOUBLE_INTEGRATOR)
        self.free, self.M = self.dense.free, dense_bound.stack(self.dense)
        self.p = int(self.free.sum())
        self.space = self.problem.space()

    def expected(self, posterior, prior_cov, center=None):
        mean = dense_bound.pack(self.free, np.array(posterior.mean))
        step = mean if center is None else mean - dense_bound.pack(self.free, center)
        return dense_bound.data_driven(
            self.dense.M_0, self.M, self.w, mean, posterior.covariance(self.space), step, prior_cov,
            SCALE, DELTAS)

    def test_what_learning_finds_in_each_family(self):
        values = {}
        for family in ("diagonal", "rotated", "block", "kronecker", "full"):
            result = lc.learn(self.problem, self.w, posterior=family, certificate="data-driven",
                              delta=DELTAS)
            values[family] = result.certificate.value
            self.assertEqual(result.posterior.is_diagonal,
                             result.details["posterior"] == "diagonal", family)
            found = self.expected(result.posterior, np.eye(self.p))
            self.assertAlmostEqual(result.certificate.value / found["value"], 1, delta=1e-8)
            self.assertAlmostEqual(result.certificate.kl / found["kl"], 1, delta=1e-8)
            self.assertTrue(lc.verify(result.certificate, self.w))
            again = pickle.loads(pickle.dumps(result.posterior))
            np.testing.assert_allclose(again.covariance(self.space),
                                       result.posterior.covariance(self.space))
        self.assertLessEqual(max(values.values()), values["diagonal"])
        self.assertLessEqual(values["full"], values["block"] * (1 + 1e-9))

    def test_any_covariance(self):
        root = 0.2 * np.eye(self.p) + 0.02 * self.random.normal(size=(self.p, self.p))
        mean = 0.1 * self.free * self.random.normal(size=self.free.shape)
        posterior = lc.Posterior.with_covariance(self.space, mean, root @ root.T)
        np.testing.assert_allclose(posterior.covariance(self.space), root @ root.T, atol=1e-12)
        bound = lc.evaluate(self.problem, posterior, self.w, "data-driven", delta=DELTAS).bounds[0]
        self.assertAlmostEqual(
            bound.certificate.value / self.expected(posterior, np.eye(self.p))["value"], 1,
            delta=1e-9)
        with self.assertRaisesRegex(lc.InputError, "covariance"):
            lc.Posterior.with_covariance(self.space, mean, -root @ root.T)

    def test_priors_of_any_shape(self):
        rows, columns = self.free.shape
        lower = [np.tril(self.random.uniform(0.1, 0.3, (k, k))) + 0.5 * np.eye(k)
                 for k in (rows, columns)]
        full = 0.7 * np.eye(self.p) + 0.05 * self.random.normal(size=(self.p, self.p))
        center = 0.1 * self.free * self.random.normal(size=self.free.shape)
        shapes = {
            "diagonal": {"deviation": self.free * self.random.uniform(0.3, 1, self.free.shape)},
            "kronecker": {"rows": lower[0], "columns": lower[1]},
            "full": {"full": full},
        }
        for covariance, arrays in shapes.items():
            prior = lc.Prior(center, 0.8, **arrays)
            self.assertEqual(pickle.loads(pickle.dumps(prior)).covariance, covariance)
            known = dense_bound.prior_covariance(
                self.free, 0.8, covariance, None,
                {"prior_" + name: value for name, value in arrays.items()})
            named = self.problem.replace(prior={
                "center": "given", "mean": center.tolist(), "scale": 0.8, "covariance": covariance,
                **{name: value.tolist() for name, value in arrays.items()}})
            result = lc.learn(named, self.w, certificate="data-driven", delta=DELTAS)
            found = self.expected(result.posterior, known, center)
            self.assertAlmostEqual(result.certificate.value / found["value"], 1, delta=1e-8)
            self.assertIn("given by the user", " ".join(result.certificate.assumptions))
            own = lc.learn_with_prior(self.problem, self.w, lambda space, learning: prior,
                                      fraction=0, certificate="data-driven", delta=DELTAS)
            self.assertAlmostEqual(own.certificate.value / result.certificate.value, 1, delta=1e-9)
        with self.assertRaisesRegex(lc.InputError, "one of them"):
            lc.Prior(center, deviation=center, full=full)


if __name__ == "__main__":
    unittest.main()

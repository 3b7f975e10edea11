"""The bound computed four ways: small matrices and dense tensors in NumPy, dense with automatic
differentiation, and loopcert. Also LQR and ERM by other means."""

import os
import pathlib
import sys
import unittest

import numpy as np

SOURCE = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(SOURCE / "bench/other_ways"))

import controllers  # noqa: E402
from dense_form import DenseForm, DirectDenseForm, directions  # noqa: E402
from learn import learn, start  # noqa: E402
from matrix_form import MatrixForm  # noqa: E402
from problem import Problem, Space  # noqa: E402
from reference import Reference  # noqa: E402

PAPER, OTHER = (2, 1, 10), (3, 2, 4)


class OtherWays(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.reference = Reference(os.environ["LOOPCERT_REFERENCE"])
        cls.addClassCleanup(cls.reference.__exit__)

    def assert_close(self, found, expected, tolerance=1e-10):
        found, expected = np.array(found), np.array(expected)
        self.assertEqual(found.shape, expected.shape)
        self.assertLess(abs(found - expected).max(), tolerance * abs(expected).max())

    def setting(self, sizes, n=40, seed=1):
        data = {"n": n, "seed": seed}
        answer = self.reference.ask("problem", sizes, **data)
        return data, answer, Problem(Space(answer), answer)

    def random_posterior(self, p, seed):
        random = np.random.default_rng(seed)
        return np.concatenate([0.3 * random.normal(size=p), 0.5 * random.normal(size=p) - 2])

    def test_response_space_and_envelope(self):
        for sizes in (PAPER, OTHER):
            _, answer, problem = self.setting(sizes)
            for name, found in (("gram", problem.space.P), ("N_0", problem.space.N_0),
                                ("K_0", problem.space.K_0), ("U", problem.U), ("eps", problem.eps)):
                self.assert_close(found, answer[name], 1e-12)

    def test_value_and_gradient(self):
        for sizes, n in ((PAPER, 40), (PAPER, 400), (OTHER, 20)):
            data, _, problem = self.setting(sizes, n)
            tensors = directions(problem.space)
            forms = [MatrixForm(problem)]
            forms += [form(problem, tensors) for form in (DenseForm, DirectDenseForm)]
            for seed in range(3):
                x = self.random_posterior(problem.space.p, seed)
                expected = self.reference.ask("evaluate", sizes, **data, x=list(x))
                for form in forms:
                    value, gradient = form(x)
                    self.assert_close(value, expected["value"])
                    self.assert_close(gradient, expected["gradient"])

    def test_automatic_differentiation(self):
        data, _, problem = self.setting(OTHER)
        x = list(self.random_posterior(problem.space.p, 5))
        expected = self.reference.ask("evaluate", OTHER, **data, x=x)
        found = self.reference.ask("evaluate dual", OTHER, **data, x=x)
        self.assert_close(found["value"], expected["value"])
        self.assert_close(found["gradient"], expected["gradient"])

    def test_same_minimum(self):
        for sizes in (PAPER, OTHER):
            data, _, problem = self.setting(sizes)
            expected = self.reference.ask("learn", sizes, **data)["bound"]
            for scaled in (False, True):
                found = learn(lambda: MatrixForm(problem), scaled)["bound"]
                self.assert_close(found, expected, 1e-8)
        tensors = directions(problem.space)
        dense = learn(lambda: DenseForm(problem, tensors), False)
        self.assert_close(dense["bound"], expected, 1e-8)
        dual = self.reference.ask("learn dual", OTHER, **data, x=list(start(MatrixForm(problem))))
        self.assert_close(dual["bound"], expected, 1e-8)

    def test_lqr(self):
        for sizes in (PAPER, OTHER):
            answer = self.reference.ask("lqr", sizes, response=True)
            A, B, Q, R, P = (np.array(answer["system"][name]) for name in "ABQRP")
            gains = controllers.riccati_gains(A, B, Q, R, P, sizes[2])
            self.assert_close(gains, answer["K"])
            self.assert_close(controllers.closed_loop(A, B, gains), answer["Phi_u"])
            limit = self.reference.ask("lqr", (*sizes[:2], 300), response=False)
            A, B, Q, R = (np.array(limit["system"][name]) for name in "ABQR")
            self.assert_close(limit["K"][0], controllers.scipy_limit(A, B, Q, R))
            if library := controllers.slicot():
                self.assert_close(limit["K"][0], controllers.slicot_limit(library, A, B, Q, R))

    def test_erm(self):
        for sizes in (PAPER, OTHER):
            answer = self.reference.ask("erm", sizes, seed=1)
            space, Sigma = Space(answer["system"]), np.array(answer["Sigma"])
            operator = controllers.stacked_operator(space, Sigma)
            for (alpha, _), tolerance in (
                    (controllers.normal_equations(space, Sigma), 1e-12),
                    (controllers.sparse_least_squares(*operator), 1e-8),
                    (controllers.matrix_free_least_squares(space, Sigma), 1e-8)):
                found = controllers.risk(space, Sigma, alpha)
                self.assert_close(found, answer["risk"], tolerance)


if __name__ == "__main__":
    unittest.main()

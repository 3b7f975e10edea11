"""The estimator, with and without scikit-learn."""

import subprocess
import sys
import unittest

import numpy as np
from sklearn.base import clone
from sklearn.model_selection import GridSearchCV
from support import same_bits, small_problem

import loopcert as lc

PROBLEM = small_problem()
W = np.array(PROBLEM.sample(60, seed=1).w)


class Estimator(unittest.TestCase):
    def test_wraps_learn(self):
        model = lc.CertifiedController(PROBLEM, method="auto").fit(W)
        result = lc.learn(PROBLEM, W, method="auto")
        self.assertEqual(model.certificate_, result.certificate)
        self.assertTrue(same_bits(model.K_, result.controller.K))
        self.assertEqual(model.n_features_in_, 14)

    def test_predict_and_score(self):
        model = lc.CertifiedController(PROBLEM, method="ridge", certificate="cross-chi-square")
        fresh = PROBLEM.sample(100, seed=3, fresh=True)
        run = lc.simulate(PROBLEM, model.fit(W).controller_, fresh)
        np.testing.assert_allclose(model.predict(run.x), run.u, atol=1e-12)
        self.assertEqual(model.score(fresh), -run.mean)

    def test_random_state(self):
        def value(state):
            model = lc.CertifiedController(PROBLEM, method="ridge", random_state=state,
                                           certificate="hold-out-chi-square")
            return model.fit(W).certificate_.value

        self.assertEqual(value(4), value(4))
        self.assertNotEqual(value(4), value(5))
        self.assertNotEqual(value(4), value(None))

    def test_clone_and_search(self):
        model = lc.CertifiedController(PROBLEM, method="ridge", certificate="cross-chi-square")
        self.assertEqual(clone(model).get_params()["method"], "ridge")
        search = GridSearchCV(model, {"gamma": [1e-3, 1e-1, 10.0]}, cv=3, error_score="raise")
        search.fit(W)
        self.assertIn(search.best_params_["gamma"], (1e-3, 1e-1, 10.0))

    def test_not_fitted(self):
        with self.assertRaisesRegex(lc.InputError, "fit first"):
            lc.CertifiedController(PROBLEM).predict(np.zeros((1, 7, 2)))

    def test_without_sklearn(self):
        code = ("import sys; sys.modules['sklearn'] = None; import loopcert as lc;"
                "m = lc.CertifiedController(method='lqr');"
                "print(m.get_params()['method'], m.set_params(gamma=2.0).gamma)")
        done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
        self.assertEqual((done.stdout.strip(), done.returncode), ("lqr 2.0", 0), done.stderr)


if __name__ == "__main__":
    unittest.main()

"""Run by test_with_others.py where control, scikit-learn, pandas and gymnasium are as PyPI has them."""

import sys
import unittest

import control
import gymnasium
import numpy as np
import pandas
import sklearn.utils.estimator_checks as checks
from sklearn.base import clone
from sklearn.model_selection import GridSearchCV
from sklearn.pipeline import make_pipeline

import loopcert as lc

A, B = np.array([[1.0, 1.0], [0.0, 1.0]]), np.array([[0.5], [1.0]])
Q, R = np.diag([1.0, 0.1]), np.array([[0.5]])
K, P, _ = control.dlqr(A, B, Q, R)
STEPS = 6
# With the endless horizon's cost to go at the end, LQR is the same at every step.
PROBLEM = lc.Problem(A, B, Q, R, P=P, horizon=STEPS, covariance={"ar1": 0.8, "variance": 0.1})
W = np.array(PROBLEM.sample(60, seed=1).w)

# scikit-learn's own checks, but for those that fit tables of numbers with targets: a plant decides
# what rows mean here.
SKLEARN_CHECKS = (
    "check_estimator_cloneable",
    "check_estimator_repr",
    "check_get_params_invariance",
    "check_set_params",
    "check_no_attributes_set_in_init",
    "check_do_not_raise_errors_in_init_or_set_params",
    "check_estimator_tags_renamed",
    "check_mixin_order",
    "check_parameters_default_constructible",
    "check_valid_tag_types",
)


class Plant(gymnasium.Env):
    """The double integrator without disturbances, from one state."""

    observation_space = gymnasium.spaces.Box(-np.inf, np.inf, (2,))
    action_space = gymnasium.spaces.Box(-np.inf, np.inf, (1,))
    start = np.array([1.0, -0.5])

    def reset(self, *, seed=None, options=None):
        super().reset(seed=seed)
        self.x = self.start
        return self.x, {}

    def step(self, action):
        cost = self.x @ Q @ self.x + action @ R @ action
        self.x = A @ self.x + B @ action
        return self.x, -float(cost), False, False, {}


class WithOthers(unittest.TestCase):
    def test_control_has_the_same_lqr(self):
        gains = np.array(PROBLEM.lqr().K)
        for t in range(STEPS):
            np.testing.assert_allclose(gains[t, 2 * t:2 * t + 2], -K[0], rtol=1e-9)

    def test_a_gymnasium_environment_pays_the_cost_to_go(self):
        x = Plant.start
        for simulator in (Plant(), gymnasium.wrappers.TimeLimit(Plant(), 100)):
            run = lc.rollouts(simulator, PROBLEM.lqr(), n=2, cost=PROBLEM, workers=1)
            np.testing.assert_allclose(run.cost, [x @ P @ x] * 2, rtol=1e-9)

    def test_data_frames(self):
        frame = pandas.DataFrame(W)
        plain = lc.learn(PROBLEM, W, method="auto")
        self.assertEqual(lc.learn(PROBLEM, frame, method="auto").certificate, plain.certificate)
        model = lc.CertifiedController(PROBLEM, method="auto").fit(frame)
        self.assertEqual(model.certificate_, plain.certificate)
        self.assertEqual(lc.certify(PROBLEM, PROBLEM.lqr(), frame), lc.certify(PROBLEM, PROBLEM.lqr(), W))

    def test_a_table_of_logs(self):
        rng = np.random.default_rng(3)
        rows = []
        for episode in range(4):
            x = rng.normal(size=2)
            for t in range(STEPS + 1):
                u = rng.normal(size=1)
                rows.append((episode, t, *x, u[0]))
                x = A @ x + B @ u + 0.1 * rng.normal(size=2)
        table = pandas.DataFrame(rows, columns=["episode", "step", "p", "v", "force"])
        episodes = [part for _, part in table.groupby("episode")]
        x = np.stack([part[["p", "v"]] for part in episodes])
        u = np.stack([part[["force"]][:-1] for part in episodes])
        data = lc.Disturbances.from_rollouts(PROBLEM, x, u)
        second = x[:, 1] - x[:, 0] @ A.T - u[:, 0] @ B.T
        np.testing.assert_allclose(np.array(data.w)[:, 2:4], second, atol=1e-12)

    def test_estimator_checks(self):
        found = [name for name in SKLEARN_CHECKS if hasattr(checks, name)]  # versions rename some
        self.assertGreaterEqual(len(found), 8)
        for name in found:
            with self.subTest(name):
                argument = lc.CertifiedController(PROBLEM, method="ridge")
                getattr(checks, name)("CertifiedController", argument)

    def test_search_and_pipeline(self):
        model = lc.CertifiedController(PROBLEM, method="ridge", certificate="cross-chi-square")
        search = GridSearchCV(model, {"gamma": [1e-3, 10.0]}, cv=3, error_score="raise").fit(W)
        self.assertIn(search.best_params_["gamma"], (1e-3, 10.0))
        line = make_pipeline(clone(model)).fit(W)
        self.assertEqual(line[-1].certificate_, model.fit(W).certificate_)


if __name__ == "__main__":
    for module in (control, gymnasium, np, pandas, sys.modules["sklearn"]):
        print(module.__name__, module.__version__, file=sys.stderr)
    unittest.main()

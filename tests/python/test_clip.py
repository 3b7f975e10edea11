"""simulate(clip=True): the same numbers as the program, and as NumPy."""

import json
import pathlib
import pickle
import tempfile
import unittest

import loopcert as lc
import numpy as np

WHITE_TREE = {
    "name": "double integrator",
    "horizon": 10,
    "system": {"A": [[1, 1], [0, 1]], "B": [[0.5], [1]]},
    "cost": {"Q": [1, 0.1], "R": [0.5], "P": [2, 0.2]},
    "disturbance": {"scale_bound": 0.1, "covariance": 0.1},
}
LIMITS = {"u": [-0.4, 0.3], "x": [[-0.8, 0.8], [-5, 5]]}


class Clip(unittest.TestCase):
    def problem(self, **more):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "problem.json"
            path.write_text(json.dumps({**WHITE_TREE, **more}))
            return lc.Problem.read(path)

    def test_clipped_loop(self):
        problem = self.problem(limits=LIMITS)
        run = lc.simulate(problem, problem.lqr(), n=200, seed=3, clip=True)
        free = lc.simulate(problem, problem.lqr(), n=200, seed=3)
        self.assertIsNone(free.clipped)
        self.assertIsNone(free.episodes_clipped)
        np.testing.assert_array_equal(run.cost, free.cost)
        self.assertEqual(run.violations, free.violations)
        outside = ((free.u < -0.4) | (free.u > 0.3)).any((1, 2)).mean()
        self.assertAlmostEqual(free.violations["rows"][0]["share"], outside)
        u = run.clipped.u
        self.assertEqual((u.min(), u.max()), (-0.4, 0.3))
        hit = (u == -0.4) | (u == 0.3)
        self.assertAlmostEqual(run.clipped.episodes_clipped, hit.any((1, 2)).mean())
        self.assertAlmostEqual(run.clipped.steps_clipped[0], hit.mean())
        self.assertEqual(run.clipped.violations["rows"][0], {"name": "u0", "share": 0.0})
        tree = run.to_dict()
        self.assertEqual(tree["clip"]["mean"], run.clipped.mean)
        self.assertEqual(tree["clip"]["limits"], [[-0.4, 0.3]])
        self.assertEqual(tree["violations"], free.violations)
        again = pickle.loads(pickle.dumps(run))
        self.assertEqual(again.to_dict(), tree)
        self.assertIn("episodes clipped", repr(run))

    def test_limits_of_the_controller(self):
        problem = self.problem()
        lqr = problem.lqr()
        self.assertIsNone(lqr.input_limits)
        with self.assertRaisesRegex(lc.InputError, "no limits on inputs"):
            lc.simulate(problem, lqr, n=5, clip=True)
        own = lc.Controller(lqr.K, lqr.k, horizon=10, input_limits=[[-0.2, np.inf]])
        np.testing.assert_array_equal(own.input_limits, [[-0.2, np.inf]])
        run = lc.simulate(problem, own, n=50, clip=True, paths=False)
        self.assertIsNone(run.violations)
        self.assertEqual(run.to_dict()["clip"]["limits"], [[-0.2, None]])
        self.assertEqual(pickle.loads(pickle.dumps(own)).input_limits.tolist(), [[-0.2, np.inf]])
        self.assertIn("controller_clipped", own.to_c(clip=True)["controller.h"])
        self.assertEqual(own.to_c(), lqr.to_c())
        with self.assertRaisesRegex(lc.InputError, "input_limits"):
            lc.Controller(lqr.K, lqr.k, horizon=10, input_limits=[[1, -1]])


if __name__ == "__main__":
    unittest.main()

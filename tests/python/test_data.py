"""Trajectories in and out: views, shapes, reconstruction, refusals."""

import pickle
import tempfile
import unittest
import warnings
from pathlib import Path

import numpy as np
from support import small_problem

import loopcert as lc


class Arrays(unittest.TestCase):
    def setUp(self):
        self.problem = small_problem()
        self.data = self.problem.sample(20, seed=5)

    def test_view(self):
        w = self.data.w
        self.assertFalse(w.flags.writeable)
        self.assertTrue(np.shares_memory(w, self.data.w))
        self.assertIsNotNone(w.base)

    def test_view_outlives_owner(self):
        w = self.problem.sample(20, seed=5).w
        np.testing.assert_array_equal(w, self.data.w)

    def test_results_are_views(self):
        result = lc.learn(self.problem, self.data, method="ridge", certificate="cross-chi-square")
        for name in ("K", "k"):
            array = getattr(result.controller, name)
            self.assertTrue(np.shares_memory(array, getattr(result.controller, name)), name)
            self.assertFalse(array.flags.writeable)
        run = lc.simulate(self.problem, result, self.data)
        self.assertEqual(run.x.shape, (20, 7, 2))
        self.assertEqual(run.u.shape, (20, 6, 1))
        self.assertFalse(run.x.flags.owndata)

    def test_orders_and_types(self):
        for array in (np.asfortranarray(self.data.w), np.ascontiguousarray(self.data.w),
                      self.data.w.tolist(), self.data.w.reshape(20, 7, 2)):
            result = lc.learn(self.problem, array, method="ridge", certificate="cross-chi-square")
            self.assertEqual(result.n, 20)
            self.assertEqual(
                result.certificate,
                lc.learn(self.problem, self.data, method="ridge",
                         certificate="cross-chi-square").certificate)

    def test_paths_obey_the_plant(self):
        result = lc.learn(self.problem, method="lqr", certificate="assumed-scale", scale_bound=1.0)
        run = lc.simulate(self.problem, result, self.data)
        w = self.data.w.reshape(20, 7, 2)
        x, u = run.x, run.u
        np.testing.assert_allclose(x[:, 0], w[:, 0])
        for t in range(6):
            expected = x[:, t] @ self.problem.A.T + u[:, t] @ self.problem.B.T + w[:, t + 1]
            np.testing.assert_allclose(x[:, t + 1], expected, atol=1e-12)
        np.testing.assert_allclose(result.controller.inputs(x), u, atol=1e-12)
        cost = np.einsum("nti,ij,ntj->n", x[:, :-1], self.problem.Q, x[:, :-1])
        cost += np.einsum("nti,ij,ntj->n", u, self.problem.R, u)
        cost += np.einsum("ni,ij,nj->n", x[:, -1], self.problem.P, x[:, -1])
        np.testing.assert_allclose(run.cost, cost, rtol=1e-12)
        loop = result.controller.run()
        for t in range(6):
            np.testing.assert_allclose(loop.step(x[0, t]), u[0, t], atol=1e-12)
        with self.assertRaises(lc.InputError):
            loop.step(x[0, 6])

    def test_rollouts(self):
        run = lc.simulate(self.problem, self.problem.lqr(), self.data)
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            data = lc.Disturbances.from_rollouts(self.problem, run.x, run.u)
        np.testing.assert_allclose(data.w, self.data.w, atol=1e-12)
        result = lc.learn(self.problem, data, method="ridge", certificate="cross-chi-square")
        self.assertEqual(len(result.to_dict()["reconstruction"]), 2)

    def test_logs_are_kept_and_looked_at(self):
        draw = np.random.RandomState(3)
        x, u = np.zeros((60, 7, 2)), np.zeros((60, 6, 1))
        x[:, 0] = draw.normal(size=(60, 2))
        A, B = self.problem.A, self.problem.B
        for t in range(6):
            u[:, t] = x[:, t] @ [[-0.3], [-0.8]] + 0.5 * draw.normal(size=(60, 1))
            x[:, t + 1] = x[:, t] @ A.T + u[:, t] @ B.T + 0.2 * draw.normal(size=(60, 2))
        data = lc.Disturbances.from_rollouts(self.problem, x, u)
        np.testing.assert_array_equal(data.logs[0], x.reshape(60, -1))
        result = lc.learn(self.problem, data, method="ridge", certificate="cross-chi-square")
        self.assertEqual([w.id for w in result.warnings if w.id == "model"], [])
        cost = np.einsum("nti,ij,ntj->n", x[:, :-1], self.problem.Q, x[:, :-1])
        cost += np.einsum("nti,ij,ntj->n", u, self.problem.R, u)
        cost += np.einsum("ni,ij,nj->n", x[:, -1], self.problem.P, x[:, -1])
        self.assertAlmostEqual(result.logged_cost, cost.mean(), delta=1e-9)
        self.assertEqual(result.to_dict()["logged_cost"], result.logged_cost)
        # Inputs with the wrong sign.
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            wrong = lc.Disturbances.from_rollouts(self.problem, x, -u)
        with self.assertWarnsRegex(UserWarning, "the logged inputs do not move"):
            result = lc.learn(self.problem, wrong, method="ridge", certificate="cross-chi-square")
        self.assertIn("model", [w.id for w in result.warnings])
        self.assertIn("model", [w["id"] for w in result.to_dict()["warnings"]])
        again = pickle.loads(pickle.dumps(result._run))
        self.assertEqual(again.warnings, result._run.warnings)
        with self.assertWarnsRegex(UserWarning, "the logged inputs do not move"):
            certificate = lc.certify(self.problem, self.problem.lqr(), wrong)
        self.assertIn("model", [w.id for w in certificate.warnings])
        self.assertEqual(lc.inspect(self.problem, wrong).contradicted[-1], "model")

    def test_rollouts_of_another_plant(self):
        run = lc.simulate(self.problem, self.problem.lqr(), self.data)
        wrong = lc.Problem(-10 * self.problem.A, self.problem.B, [1, 1], [1], horizon=6)
        with self.assertWarnsRegex(UserWarning, "units or signs mixed up"):
            data = lc.Disturbances.from_rollouts(wrong, run.x, run.u)
        self.assertTrue(data.notes)

    def test_files(self):
        with tempfile.TemporaryDirectory() as folder:
            for extension in ("csv", "npy", "npz", "mat"):
                path = Path(folder) / f"w.{extension}"
                self.data.write(self.problem, path)
                again = lc.Disturbances.read(self.problem, path)
                self.assertEqual(again.w.tobytes(), self.data.w.tobytes(), extension)

    def test_lists_of_files(self):
        with tempfile.TemporaryDirectory() as folder:
            paths = [Path(folder) / f"w{i}.csv" for i in range(3)]
            for i, path in enumerate(paths):
                lc.Disturbances(self.data.w[5 * i:5 * i + 5]).write(self.problem, path)
            for given in (paths, tuple(map(str, paths)), iter(paths)):
                data = lc.Disturbances.read(self.problem, given)
                np.testing.assert_array_equal(data.w, self.data.w[:15])
            mixed = lc.Disturbances.read(self.problem, paths[2], paths[:2])
            np.testing.assert_array_equal(mixed.w[:5], self.data.w[10:15])
            run = lc.simulate(self.problem, self.problem.lqr(), self.data)
            for i, part in enumerate((slice(0, 8), slice(8, 20))):
                np.savez(Path(folder) / f"log{i}.npz", x=run.x[part], u=run.u[part])
            logs = sorted(Path(folder).glob("log*.npz"))
            found = lc.Disturbances.read_rollouts(self.problem, logs)
            np.testing.assert_allclose(found.w, self.data.w, atol=1e-12)
            with self.assertRaisesRegex(lc.InputError, "no file is named"):
                lc.Disturbances.read(self.problem, [])
            for wrong in (paths, str(paths[0]), paths[0]):
                with self.assertRaisesRegex(lc.InputError, "read them first"):
                    lc.learn(self.problem, wrong)

    def test_pickle(self):
        again = pickle.loads(pickle.dumps(self.data))
        self.assertEqual(again.w.tobytes(), self.data.w.tobytes())

    def test_len_and_repr(self):
        self.assertEqual(len(self.data), 20)
        self.assertEqual(repr(self.data), "Disturbances(20 trajectories of 14 numbers)")


class Refusals(unittest.TestCase):
    def setUp(self):
        self.problem = small_problem()
        self.w = np.array(self.problem.sample(20, seed=5).w)

    def refused(self, w, text):
        with self.assertRaisesRegex(lc.InputError, text):
            lc.learn(self.problem, w)

    def test_columns(self):
        self.refused(self.w[:, 1:], "14")

    def test_not_finite(self):
        self.w[3, 4] = np.inf
        self.refused(self.w, "inf")

    def test_repeated(self):
        self.w[7] = self.w[2]
        self.refused(self.w, "trajectories 3 and 8 equal")
        self.problem = small_problem(data={"repeated": "keep"})
        options = {"method": "ridge", "certificate": "cross-chi-square"}
        with self.assertRaisesRegex(lc.InputError, "in one part only"):  # rows 2 and 7: two folds
            lc.learn(self.problem, self.w, **options)
        self.w[7], self.w[12] = self.w[8], self.w[2]
        self.w[7] += 1
        self.assertEqual(lc.learn(self.problem, self.w, **options).n, 20)

    def test_nothing(self):
        self.refused(None, "no trajectories")

    def test_axes(self):
        self.refused(self.w.reshape(20, 2, 7), "20 x 2 x 7")
        self.refused(5.0, "a number")

    def test_no_law(self):
        with self.assertRaisesRegex(lc.InputError, "disturbance.covariance: found nothing"):
            small_problem(covariance=None).sample(3)

    def test_logs_are_known_again(self):
        """Rounded, pickled, under another model: what was logged travels with the disturbances."""
        run = lc.simulate(self.problem, self.problem.lqr(), self.problem.sample(20, seed=8))
        data = lc.Disturbances.from_rollouts(self.problem, run.x, run.u)
        learned = lc.learn(self.problem, data, method="ridge", certificate="cross-chi-square")
        copies = [pickle.loads(pickle.dumps(data))]
        for x, u in ((run.x.astype(np.float32), run.u.astype(np.float32)), (run.x[::-1], run.u[::-1])):
            copies.append(lc.Disturbances.from_rollouts(self.problem, x, u))
        for controller in (learned.controller, pickle.loads(pickle.dumps(learned.controller))):
            for copy in copies:
                self.assertEqual(lc.simulate(self.problem, controller, copy).seen, 20)
                with self.assertRaisesRegex(lc.InputError, "learned from"):
                    lc.certify(self.problem, controller, copy, certificate="hold-out-scale-free")
        other = lc.Problem(A=[[1, 0.9], [0, 1]], B=[[0.4], [1.1]], Q=[1, 0.1], R=[0.5], horizon=6)
        again = lc.Disturbances.from_rollouts(other, run.x, run.u)
        self.assertEqual(lc.simulate(other, learned.controller, again).seen, 20)
        fresh = lc.simulate(self.problem, self.problem.lqr(), self.problem.sample(20, seed=9))
        clean = lc.Disturbances.from_rollouts(self.problem, fresh.x, fresh.u)
        self.assertEqual(lc.simulate(self.problem, learned.controller, clean).seen, 0)

    def test_seen_by_the_controller(self):
        controller = lc.learn(self.problem, self.w, method="ridge",
                              certificate="cross-chi-square").controller
        with self.assertRaisesRegex(lc.InputError, "controller"):
            lc.certify(self.problem, controller, self.w)
        self.assertEqual(lc.simulate(self.problem, controller, self.w).seen, 20)

    def test_controller_of_other_sizes(self):
        other = lc.Problem([[1.0]], [[1.0]], [[1.0]], [[1.0]], horizon=6).lqr()
        with self.assertRaisesRegex(lc.InputError, "controller: found horizon 6, n_x 1"):
            lc.simulate(self.problem, other, self.w)


if __name__ == "__main__":
    unittest.main()

"""lc.Watch, lc.PlantWatch and lc.rollouts of simulators."""

import json
import pickle
import random
import re
import subprocess
import tempfile
import unittest
import warnings
from pathlib import Path

import loopcert as lc
import numpy as np
from support import PROGRAM, SOURCE

A, B = np.array([[1.0, 1.0], [0.0, 1.0]]), np.array([[0.5], [1.0]])
PROBLEM = lc.Problem(A, B, [1, 0.1], [0.5], horizon=8, covariance=0.1)


class Costs(unittest.TestCase):
    def setUp(self):
        rng = np.random.default_rng(5)
        self.costs = np.concatenate([rng.chisquare(4, 300) / 4, 2 * rng.chisquare(4, 300) / 4])

    def test_the_same_as_the_program(self):
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "costs.txt"
            path.write_text("\n".join(map(repr, self.costs.tolist())) + "\n")
            for degrees in (0, 4):
                done = subprocess.run(
                    [PROGRAM, "watch", "--claim", "1.05", "--alpha", "0.002", "--json", path,
                     *(["--degrees", str(degrees)] if degrees else [])],
                    capture_output=True, text=True)
                watch = lc.Watch(1.05, alpha=0.002, degrees=degrees)
                self.assertTrue(watch.extend(self.costs))
                self.assertEqual(watch.to_dict(), json.loads(done.stdout))
                self.assertEqual(watch.n, watch.rejected_at)  # it stops there

    def test_one_by_one(self):
        whole, single = lc.Watch(1.05), lc.Watch(1.05)
        whole.extend(self.costs)
        evidence = list(single.over(iter(self.costs)))
        self.assertEqual(single.to_dict(), whole.to_dict())
        self.assertEqual(len(evidence), whole.rejected_at)
        self.assertEqual((max(evidence), evidence[-1]), (whole.largest, whole.evidence))
        self.assertTrue(single.update(0.0))  # it stays rejected
        self.assertIn("claim rejected", repr(single))

    def test_saved_and_pickled(self):
        whole, watch = lc.Watch(1.05), lc.Watch(1.05)
        whole.extend(self.costs)
        with tempfile.TemporaryDirectory() as folder:
            for part in np.split(self.costs, 12):
                watch.save(Path(folder) / "w.json")
                watch = pickle.loads(pickle.dumps(lc.Watch.load(Path(folder) / "w.json")))
                if watch.extend(part):
                    break
        self.assertEqual(watch.to_dict(), whole.to_dict())

    def test_certificates(self):
        w = PROBLEM.sample(200, seed=1)
        result = lc.learn(PROBLEM, w, method="lqr", certificate="hold-out-chi-square")
        watch = lc.Watch(result.certificate)
        self.assertEqual(watch.claim, result.certificate.value)
        with tempfile.TemporaryDirectory() as folder:
            result.save(folder)
            file = Path(folder) / "certificate.json"
            self.assertEqual(lc.Watch(file).claim, watch.claim)
            (Path(folder) / "costs.txt").write_text("1\n2\n")
            done = subprocess.run([PROGRAM, "watch", "--certificate", file, "--json",
                                   Path(folder) / "costs.txt"], capture_output=True, text=True)
            short = lc.Watch(file)
            short.extend([1.0, 2.0])
            self.assertEqual(short.to_dict(), json.loads(done.stdout))
            short.save(Path(folder) / "w.json")
            again = pickle.loads(pickle.dumps(lc.Watch.load(Path(folder) / "w.json")))
            self.assertEqual(again.to_dict(), short.to_dict())
        later = lc.rollouts(lambda x, u, rng: A @ x + B @ u + np.sqrt(0.1) * rng.normal(size=2), result,
                            400, 7, cost=PROBLEM, start=lambda rng: np.sqrt(0.1) * rng.normal(size=2))
        self.assertFalse(watch.extend(later.cost))
        improved = lc.certify(PROBLEM, result.controller, PROBLEM.sample(50, 9), certificate="improvement")
        with self.assertRaises(lc.InputError):
            lc.Watch(improved)

    def test_refusals(self):
        for claim in (0, -1, np.nan, np.inf):
            with self.assertRaises(lc.InputError):
                lc.Watch(claim)
        watch = lc.Watch(1)
        for cost in (-1, np.nan):
            with self.assertRaises(lc.InputError):
                watch.update(cost)
        with self.assertRaises(lc.InputError):
            lc.Watch.load(__file__)

    def test_c(self):
        files = lc.Watch(2.0).to_c("pump")
        self.assertEqual(sorted(files), ["pump_watch.c", "pump_watch.h", "pump_watch_test.c"])
        # As many numbers as the page says.
        memory = files["pump_watch.h"].split("typedef struct {")[1].split("}")[0]
        bets = int(re.search(r"_WATCH_BETS (\d+)", files["pump_watch.h"])[1])
        fields = re.findall(r"[\w\[\]]+(?=[,;])", re.sub(r"/\*.*?\*/", "", memory))
        said = re.findall(r"(\d+) numbers", (SOURCE / "docs/watch.md").read_text())
        self.assertEqual(said, 2 * [str(len(fields) - 1 + bets)])


class Steps(unittest.TestCase):
    def test_a_drive(self):
        problem = lc.Problem.read(SOURCE / "examples/drive/problem.toml")
        logs = lc.Rollouts.read(problem, SOURCE / "examples/drive/logs.csv")
        with tempfile.TemporaryDirectory() as folder:
            lc.learn(problem, logs).save(folder)
            watch = lc.PlantWatch(Path(folder) / "certificate.json", logs)
            steps = []
            for log in SOURCE.joinpath("examples/drive/logs.csv").read_text().splitlines()[1:200]:
                run, _, position, speed, torque = log.split(",")
                steps.append(([float(position), float(speed)], float(torque) if torque else None))
                watch.update(*steps[-1])
            self.assertFalse(watch.rejected)
            evidence = list(lc.PlantWatch(Path(folder) / "certificate.json", logs).over(iter(steps)))
            self.assertEqual((len(evidence), evidence[-1]), (199, watch.evidence))
            frozen = lc.PlantWatch(Path(folder) / "certificate.json", logs)
            evidence = list(frozen.over(([1.0 + 0.02 * t, 1.0], 0.0) for t in range(500)))
            self.assertEqual(frozen.rejected_at, len(evidence) - 1)  # the first one has none before it
            part = Path(folder) / "part.csv"
            lines = SOURCE.joinpath("examples/drive/logs.csv").read_text().splitlines()[:200]
            part.write_text("\n".join(lines) + "\n")
            done = subprocess.run(
                [PROGRAM, "watch", "--steps", part, "--certificate", Path(folder) / "certificate.json",
                 "--rollouts", SOURCE / "examples/drive/logs.csv", "--json"],
                capture_output=True, text=True)
            said = json.loads(done.stdout)
            self.assertEqual(watch.n, said["n"])
            self.assertAlmostEqual(watch.evidence, said["evidence"], delta=1e-9 * said["evidence"])
            watch.save(Path(folder) / "w.json")
            again = lc.PlantWatch.load(Path(folder) / "w.json")
            self.assertEqual(again.to_dict(), watch.to_dict())
            self.assertGreater(watch.n, 180)
            with self.assertRaises(lc.InputError):
                again.update([1.0], [1.0])


def step(x, u, rng):
    return A @ x + B @ u + 0.3 * rng.normal(size=2)


class World:
    """As gymnasium has them; an episode ends where the state leaves a box."""

    def reset(self, seed=None):
        self.random = np.random.default_rng(seed)
        self.x = self.random.normal(size=2)
        return self.x, {}

    def step(self, u):
        self.x = A @ self.x + B @ u + self.random.normal(size=2)
        return self.x, -float(self.x @ self.x), bool(abs(self.x).max() > 4), False, {}


class Rollouts(unittest.TestCase):
    def test_workers_do_not_matter(self):
        def squares(x, u):
            return (x**2).sum() + (u**2).sum()

        for simulator, cost in ((step, PROBLEM), (World(), None), (World(), squares)):
            runs = [lc.rollouts(simulator, PROBLEM.lqr(), 23, 4, cost=cost, workers=workers)
                    for workers in (1, 2, 5)]
            for other in runs[1:]:
                for name in ("x", "u", "cost", "steps"):
                    np.testing.assert_array_equal(getattr(runs[0], name), getattr(other, name))
            self.assertEqual(len(set(runs[0].cost)), 23)
            others = lc.rollouts(simulator, PROBLEM.lqr(), 23, 5, cost=cost, workers=1)
            self.assertNotEqual(others.cost[0], runs[0].cost[0])
            more = lc.rollouts(simulator, PROBLEM.lqr(), 30, 4, cost=cost, workers=2)
            np.testing.assert_array_equal(more.cost[:23], runs[0].cost)

    def test_who_draws_from_global_generators(self):
        """Other numbers in each episode, the same ones with any number of workers, and theirs are kept."""
        def step_by_global_draws(x, u):
            return A @ x + B @ u + np.random.normal(size=2) + random.random()

        before = np.random.get_state()[1].copy(), random.getstate()
        costs = [lc.rollouts(step_by_global_draws, PROBLEM.lqr(), 20, 4, cost=PROBLEM, workers=workers).cost
                 for workers in (1, 2, 3)]
        self.assertEqual(len(set(costs[0])), 20)
        for other in costs[1:]:
            np.testing.assert_array_equal(costs[0], other)
        np.testing.assert_array_equal(np.random.get_state()[1], before[0])
        self.assertEqual(random.getstate(), before[1])

    def test_copies_are_noticed(self):
        """A simulator that ignores the seed of reset: every copy of it draws the same."""
        class Stubborn(World):
            def reset(self, seed=None):
                self.random, self.x = np.random.default_rng(1), np.zeros(2)
                return self.x, {}

        with self.assertWarnsRegex(UserWarning, "9 of 10 episodes are copies"):
            lc.rollouts(Stubborn(), PROBLEM.lqr(), 10)
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            lc.rollouts(step, PROBLEM.lqr(), 10, cost=PROBLEM)

    def test_the_same_as_simulate(self):
        """A table of disturbances played back by a simulator: states, inputs and costs of simulate."""
        w = np.array(PROBLEM.sample(5, seed=3).w)
        controller = lc.learn(PROBLEM, PROBLEM.sample(60, seed=2), method="ridge").controller

        class Table:
            row = -1

            def reset(self, seed=None):
                self.t, self.x = 0, w[Table.row, :2]
                return self.x, {}

            def step(self, u):
                self.t += 1
                self.x = A @ self.x + B @ u + w[Table.row, 2 * self.t:2 * self.t + 2]
                return self.x, 0.0, False, False, {}

        expected = lc.simulate(PROBLEM, controller, w)
        for row in range(5):
            Table.row = row
            found = lc.rollouts(Table(), controller, 1, cost=PROBLEM)
            np.testing.assert_allclose(found.x[0], expected.x[row], rtol=1e-12, atol=1e-12)
            np.testing.assert_allclose(found.u[0], expected.u[row], rtol=1e-12, atol=1e-12)
            np.testing.assert_allclose(found.cost, expected.cost[row], rtol=1e-12)

    def test_early_ends_and_rewards(self):
        found = lc.rollouts(World(), lambda x, t: [0.0], 40, 1, steps=12)
        self.assertLess(found.steps.min(), 12)
        for x, u, cost, steps in zip(found.x, found.u, found.cost, found.steps):
            self.assertTrue(np.isfinite(x[:steps + 1]).all() and np.isnan(x[steps + 1:]).all())
            self.assertTrue(np.isfinite(u[:steps]).all() and np.isnan(u[steps:]).all())
            self.assertAlmostEqual(cost, (x[1:steps + 1] ** 2).sum(), places=9)
        self.assertEqual(found.logs().n, 40)

    def test_a_setpoint_is_in_the_cost(self):
        ramp = np.linspace([0, 0], [1, 0.5], 9)
        tracking = lc.Problem(A, B, [1, 0.1], [0.5], horizon=8, covariance=0.1, reference=ramp)
        found = lc.rollouts(step, tracking.lqr(), 5, 3, cost=tracking)
        costs = [np.einsum("ti,i,ti", (x - ramp)[:-1], [1, 0.1], (x - ramp)[:-1]) + 0.5 * (u**2).sum()
                 + (x - ramp)[-1] @ tracking.P @ (x - ramp)[-1] for x, u in zip(found.x, found.u)]
        np.testing.assert_allclose(found.cost, costs, rtol=1e-12)
        measured = lc.measure(found.logs(), problem=tracking, gaussian=True, any_mean=True)
        self.assertAlmostEqual(measured.mean, found.mean, delta=1e-12 * found.mean)
        short = lc.rollouts(step, tracking.lqr(), 5, 3, cost=tracking, steps=4)
        e = short.x - ramp[:5]
        self.assertAlmostEqual(short.cost[0], (e[0, :4] ** 2 @ [1, 0.1]).sum() + 0.5 * (short.u[0]**2).sum()
                               + e[0, 4] @ tracking.P @ e[0, 4], delta=1e-12)

    def test_costs_that_are_none(self):
        """A short episode is not cheap; what is not a number is no cost."""
        with self.assertRaisesRegex(lc.InputError, "ended after"):
            lc.rollouts(World(), lambda x, t: [0.0], 40, 1, steps=8, cost=PROBLEM)
        with self.assertRaisesRegex(lc.InputError, "nan in episode 0"):
            lc.rollouts(lambda x, u, rng: np.nan * x, PROBLEM.lqr(), 2, cost=PROBLEM)

    def test_costs_in_a_file(self):
        found = lc.rollouts(step, PROBLEM.lqr(), 20, 2, cost=PROBLEM)
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "costs.csv"
            found.save_costs(path)
            done = subprocess.run([PROGRAM, "watch", "--claim", "1e3", "--json", path],
                                  capture_output=True, text=True, check=True)
        watch = lc.Watch(1e3)
        watch.extend(found.cost)
        self.assertEqual(json.loads(done.stdout), watch.to_dict())

    def test_clip(self):
        limited = lc.Controller(PROBLEM.lqr().K, horizon=8, input_limits=[[-0.1, 0.2]])
        found = lc.rollouts(step, limited, 20, 1, cost=PROBLEM, clip=True)
        self.assertEqual((found.u.min(), found.u.max()), (-0.1, 0.2))

    def test_logs_as_before(self):
        x, u = np.zeros((3, 5, 2)), np.zeros((3, 4, 1))
        self.assertEqual(lc.rollouts(x, u).x[0].shape, (5, 2))
        self.assertEqual(lc.rollouts(x[0], u[0]).u[0].shape, (4, 1))

    def test_refusals(self):
        lqr = PROBLEM.lqr()
        for arguments, options in (((step, lqr), {"cost": PROBLEM}), ((step, lqr, 0), {"cost": PROBLEM}),
                                   ((step, lqr, 3), {}), ((step, lambda x, t: [0], 3), {"cost": PROBLEM}),
                                   ((np.zeros((2, 3)), np.zeros((1, 3)), 3), {})):
            with self.assertRaises(TypeError):
                lc.rollouts(*arguments, **options)
        with self.assertRaises(lc.InputError):
            lc.rollouts(step, lqr, 3, cost=PROBLEM, steps=9)
        with self.assertRaises(lc.InputError):
            lc.rollouts(step, lqr, 3, cost=PROBLEM, clip=True)

        def broken(x, u, rng):
            raise RuntimeError("the simulator says no")

        for workers in (1, 2):
            with self.assertRaisesRegex(RuntimeError, "says no"):
                lc.rollouts(broken, lqr, 8, cost=PROBLEM, workers=workers)


if __name__ == "__main__":
    unittest.main()

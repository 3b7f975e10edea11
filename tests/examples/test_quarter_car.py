import json
import pathlib
import subprocess
import tempfile
import unittest

import numpy as np
from example import Example, example_laws, table


class QuarterCar(Example, unittest.TestCase):
    name, numbers = "quarter-car", (100, 200, 400)

    def check(self, found):
        changes = [auto["improvement"]["value"] for _, _, auto, *_ in found]
        self.assertEqual([change < 0 for change in changes], [False, True, True])
        for *_, change, _ in found:
            self.assertLess(change[0] + 4 * change[1], 0)
        self.assert_gain_on_page(found[-1], digits=1)
        self.assert_on_page(f"{-changes[-1]:.4f}")

    def test_law(self):
        for patch, words in ((0.2, "tyre touches 0.2 m"), (0.0, "point contact")):
            costs = [example_laws.quarter_car(speed, patch) for speed in (2.5, 5, 10, 20)]
            gains = [f"{100 * (1 - best / lqr):.1f} %" for lqr, best in costs]
            self.assertIn(f"| optimum below LQR, {words} | " + " | ".join(gains) + " |", self.text)
        costs = example_laws.quarter_car()
        self.assert_on_page(*(f"{cost:.2f}" for cost in costs))
        self.assert_lqr_costs(costs[0])
        for tyre in (10, 3):
            lqr, best = example_laws.quarter_car(tyre=tyre)
            self.assert_on_page(f"{100 * (1 - best / lqr):.1f} %")

    def test_road(self):
        """Height under a point has the spectrum of ISO 8608, one-sided over cycles/m."""
        car = example_laws.script(self.name)
        for speed in (5.0, 20.0):
            A, G, *_ = car.road(speed)
            for n in (0.1, 1.0, 5.0):
                H = np.linalg.solve(2j * np.pi * n * speed * np.eye(3) - A, G)[0, 0]
                found = 2 * speed * abs(H)**2
                self.assertAlmostEqual(found / (256e-6 * (n / 0.1)**-2), 1 / (1 + (0.01 / n)**2))

    def test_units(self):
        """The same data and cost in metres: the same answer."""
        costs, changes = [], []
        for factor in (1.0, 0.01):
            tree = example_laws.problem(self.name)
            scale = np.array([factor, 1, factor, 1])
            every = np.tile(scale, tree["horizon"] + 1)
            A, B = (np.array(tree["system"][key]) for key in "AB")
            Q = np.array(tree["cost"]["Q"])
            tree["system"] = {"A": (scale[:, None] * A / scale).tolist(),
                              "B": (scale[:, None] * B).tolist()}
            tree["cost"]["Q"] = (Q / scale**2).tolist()
            law = example_laws.script(self.name).law() * np.outer(every, every)
            tree["disturbance"]["covariance"] = law.tolist()
            with tempfile.TemporaryDirectory() as name:
                path = pathlib.Path(name)
                (path / "p.json").write_text(json.dumps(tree))
                np.save(path / "w.npy", table.learning_set(self.folder) * every)
                command = [table.PROGRAM, "learn", path / "p.json", "--data", path / "w.npy",
                           "--method", "auto", "--json"]
                done = subprocess.run(command, capture_output=True, text=True, check=True)
            run = json.loads(done.stdout)
            costs.append(run["population_cost"])
            changes.append(run["improvement"]["value"])
        self.assertAlmostEqual(costs[1] / costs[0], 1, delta=1e-9)
        self.assertAlmostEqual(changes[1] / changes[0], 1, delta=1e-6)

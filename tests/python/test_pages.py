"""Every result that the program has a page for has it in Python: the same page."""

import json
import pickle
import tempfile
import unittest
from pathlib import Path

import loopcert as lc
import numpy as np
from support import program, small_problem


class Pages(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)
        self.problem = small_problem()
        self.file = self.folder / "problem.json"
        self.file.write_text(json.dumps(self.problem.to_dict()))
        self.data = self.problem.sample(60, seed=4)
        self.table = self.folder / "w.npy"
        np.save(self.table, self.data.w)

    def page(self, name):
        return (self.folder / name).read_text()

    def test_certify(self):
        lqr = lc.learn(self.problem, self.data, method="lqr").controller
        lqr.save(self.folder / "lqr.json")
        program("certify", self.file, "--controller", self.folder / "lqr.json", "--data", self.table, "--out",
                self.folder / "certified")
        certificate = lc.certify(self.problem, lqr, self.data)
        self.assertEqual(certificate.report(), self.page("certified/report.html"))
        copy = pickle.loads(pickle.dumps(certificate))
        with self.assertRaisesRegex(lc.InputError, "found no page"):
            copy.report()

    def test_of_a_result(self):
        result = lc.learn(self.problem, self.data, method="ridge", certificate="hold-out-chi-square")
        self.assertEqual(result.certificate.report(), result.report())

    def test_measure(self):
        costs = 1 + np.arange(40.0) % 5
        (self.folder / "costs.txt").write_text("".join(f"{c}\n" for c in costs))
        program("measure", self.folder / "costs.txt", "--largest", 20, "--out", self.folder / "measured")
        self.assertEqual(lc.measure(costs, largest=20).report(), self.page("measured/report.html"))

    def test_inspect(self):
        program("inspect", self.file, "--data", self.table, "--out", self.folder / "look")
        found = lc.inspect(self.problem, self.data)
        self.assertEqual(found.report(), self.page("look/inspection.html"))
        self.assertEqual(pickle.loads(pickle.dumps(found)).report(), found.report())

    def test_sweep(self):
        out = self.folder / "sweep"
        found = lc.sweep(problems=[self.problem], n=[10, 20], methods=["lqr", "erm"], seeds=2, test=10, out=out)
        program("report", out)
        self.assertEqual(found.report(), self.page("sweep/report.html"))
        self.assertIn("1 method<", found.where(label="erm").report())

    def test_watch(self):
        costs = np.concatenate([np.ones(30), np.full(60, 40.0)])
        text = "".join(f"{c}\n" for c in costs)
        (self.folder / "costs.txt").write_text(text)
        program("watch", "--claim", 2, "--page", self.folder / "watch.html", self.folder / "costs.txt", check=False)
        watch = lc.Watch(2)
        self.assertTrue(watch.extend(costs))
        self.assertEqual(watch.report(), self.page("watch.html"))
        self.assertTrue(watch.update(1.0))  # it stays rejected, and says so
        self.assertIn(f"The claim is rejected at cost {watch.rejected_at}:", watch.report())
        # Another process goes on: what it has not seen is not drawn.
        first = lc.Watch(2)
        first.extend(costs[:20])
        first.save(self.folder / "state.json")
        self.assertNotIn("Not drawn", first.report())
        second = lc.Watch.load(self.folder / "state.json")
        second.extend(costs[20:])
        self.assertIn("Not drawn: 20 costs", second.report())

    def test_plants(self):
        rng = np.random.default_rng(3)
        x, u = np.zeros((30, 9, 1)), rng.normal(size=(30, 8, 1))
        x[:, 0, 0] = rng.normal(size=30)
        for t in range(8):
            x[:, t + 1] = 0.8 * x[:, t] + u[:, t] + 0.1 * rng.normal(size=(30, 1))
        problem = lc.Problem([[0.8]], [[1.0]], [1], [0.5], horizon=8, identify=True)
        logs = lc.rollouts(x, u)
        result = lc.learn(problem, logs)
        result.save(self.folder / "run")
        self.assertEqual(result.report(), self.page("run/report.html"))
        self.assertEqual(result.certificate.report(), result.report())
        self.assertIn("What the model leaves over", lc.inspect(problem, logs).report())
        watch = lc.PlantWatch(self.folder / "run/certificate.json", logs)
        for t in range(8):
            watch.update(x[0, t], u[0, t])
        self.assertIn("The claim stands after 7 transitions", watch.report())


if __name__ == "__main__":
    unittest.main()

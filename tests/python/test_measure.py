"""lc.measure: the program's numbers, arrays of any kind, saved files, logs with limits."""

import json
import subprocess
import tempfile
import unittest
import warnings
from pathlib import Path

import numpy as np

import loopcert as lc
from support import PROGRAM


class Measure(unittest.TestCase):
    def setUp(self):
        random = np.random.RandomState(2)
        self.costs = np.minimum(random.gamma(2, 1, 50), 9)
        self.other = np.minimum(random.gamma(2, 1.4, 50), 9)
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)

    def program(self, *arguments):
        done = subprocess.run([PROGRAM, "measure", *map(str, arguments), "--json"],
                              capture_output=True, text=True, check=True)
        return json.loads(done.stdout)

    def test_as_the_program(self):
        np.save(self.folder / "a.npy", self.costs)
        np.save(self.folder / "b.npy", self.other)
        one = lc.measure(self.costs, largest=9, gaussian=True)
        found = self.program(self.folder / "a.npy", "--largest", 9, "--gaussian")
        self.assertEqual(one.to_dict(), found)
        two = lc.measure(self.costs, self.other, largest=9, paired=True, delta=0.1)
        found = self.program(self.folder / "a.npy", "--against", self.folder / "b.npy", "--largest",
                             9, "--paired", "--delta", 0.1, "--plan", 0.5)
        self.assertEqual(two.value, found["value"])
        self.assertEqual(two.plan(0.5), found["plan"])
        self.assertEqual(two.against_mean, found["against_mean"])

    def test_columns(self):
        value = lc.measure(self.costs, largest=9).value
        for same in (self.costs.tolist(), self.costs[:, None], self.costs[::-1],
                     self.costs.astype(object)):
            self.assertEqual(lc.measure(same, largest=9).value, value)
        for bad in (np.ones((3, 2)), [-1.0], [np.nan], []):
            with self.assertRaises(lc.InputError):
                lc.measure(bad, largest=9)
        with self.assertRaises(lc.InputError):
            lc.measure(self.costs)

    def test_in_words_and_in_files(self):
        made = lc.measure(self.costs, largest=9)
        self.assertIn("No cost exceeds 9.", made.assumptions)
        self.assertIn("mean cost", repr(made))
        self.assertAlmostEqual(made.mean, self.costs.mean(), places=12)
        self.assertEqual(sorted(made.save(self.folder)),
                         ["certificate.json", "costs.npy", "report.html"])
        self.assertTrue(lc.verify(self.folder))
        self.assertTrue(lc.verify(made))
        record = json.loads((self.folder / "certificate.json").read_text())
        record["value"] -= 0.01
        (self.folder / "certificate.json").write_text(json.dumps(record))
        self.assertFalse(lc.verify(self.folder))

    def test_logs(self):
        random = np.random.RandomState(5)
        x, u = random.normal(size=(30, 6, 2)), 0.3 * random.normal(size=(30, 5, 1))
        problem = lc.Problem(Q=[1, 0.1], R=[0.5], horizon=5, identify=True, states=2, inputs=1,
                             limits={"u": [-0.5, 0.5]})
        found = lc.measure(lc.rollouts(x, u), problem=problem, gaussian=True)
        cost = (x**2 @ [1, 0.1]).sum(1) + 0.5 * (u**2).sum((1, 2))
        self.assertAlmostEqual(found.mean, cost.mean(), places=10)
        broken = (abs(u) > 0.5).any((1, 2)).sum()
        self.assertGreater(found.limits_certificate.value, broken / 30)
        self.assertEqual(found.limits_certificate.kind, "measured-count")
        with self.assertRaises(lc.InputError):
            lc.measure(lc.rollouts(x, u), gaussian=True)

    def test_warnings(self):
        rising = np.random.RandomState(1).uniform(0, 1, 100) + np.arange(100) / 50
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            made = lc.measure(rising, largest=3)
        self.assertIn("drift", [w.id for w in made.warnings])
        self.assertEqual(len(caught), len(made.warnings))


if __name__ == "__main__":
    unittest.main()

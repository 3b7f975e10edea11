"""lc.init_problem writes what `loopcert init` writes, and what it writes learns."""

import tempfile
import unittest
import warnings
from pathlib import Path

import numpy as np
from support import EXAMPLES, program

import loopcert as lc

LOGS = EXAMPLES / "drive/logs.csv"
ROLES = {"states": ["position", "speed"], "inputs": "torque"}


class Init(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)

    def test_as_the_program(self):
        path = self.folder / "p.toml"
        program("init", LOGS, "--states", "position,speed", "--inputs", "torque", "--out", path,
                "--largest", "torque=2", "--horizon", "20", "--name", "drive")
        text = lc.init_problem(LOGS, **ROLES, largest={"torque": 2}, horizon=20, name="drive")
        self.assertEqual(text, path.read_text())

    def test_learns(self):
        path = self.folder / "p.toml"
        lc.init_problem([LOGS], **ROLES, out=path)
        problem = lc.Problem.read(path)
        self.assertEqual(problem.horizon, 25)
        random = np.random.RandomState(0)
        np.savez(self.folder / "logs.npz", x=random.normal(size=(1, 300, 1)) + 5, u=random.normal(size=(1, 299, 1)))
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            text = lc.init_problem(self.folder / "logs.npz")
        self.assertIn("setpoint", str(caught[0].message))
        self.assertIn('horizon = "infinite"', text)

    def test_refusals(self):
        with self.assertRaisesRegex(lc.InputError, "no 'postion'.*did you mean 'position'"):
            lc.init_problem(LOGS, states="postion", inputs="torque")
        with self.assertRaisesRegex(lc.InputError, "states: found none"):
            lc.init_problem(LOGS)
        with self.assertRaisesRegex(lc.InputError, "horizon: found 'x'"):
            lc.init_problem(LOGS, **ROLES, horizon="x")
        with self.assertRaises(lc.OutputError):
            lc.init_problem(LOGS, **ROLES, out=self.folder / "none" / "p.toml")


if __name__ == "__main__":
    unittest.main()

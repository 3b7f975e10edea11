import json
import pathlib
import shutil
import subprocess
import tempfile
import unittest

import numpy as np
from example import Identified, record  # its path leads to the next one

import identified_figures as figures


class Process(Identified, unittest.TestCase):
    name, log = "process", "log.csv"

    def test_output_on_page(self):
        value, cost = float(self.said("certificate")[0]), float(self.said("auto")[0])
        self.assertLess(cost, value)
        self.assert_on_page(f"{value:.4f}", f"{cost:.4f}")

    def test_truth(self):
        """A long run of the true process costs what the formula says."""
        process = figures.PROCESS
        K, k = process.optimum()
        draw, state, costs = np.random.RandomState(1), np.zeros(3), []
        for _ in range(100_000):
            u = (K @ state)[0] + k
            costs.append(process.Q * state[0]**2 + process.R * u**2)
            state = (process.F @ state + process.G[:, 0] * u
                     + (process.OFFSET + process.NOISE * draw.normal()) * process.FIRST)
        blocks = np.array(costs).reshape(100, -1).mean(axis=1)
        error = blocks.std(ddof=1) / 10
        self.assertLess(abs(blocks.mean() - process.cost(K, k)), 7 * error)

    def test_table(self):
        """One column, measured again."""
        (found,) = figures.medians(figures.process, [2000])
        self.assert_column("2,000", [f"{value:.4f}" for value in found])

    def test_program_that_runs_for_ever(self):
        """run.c with the exported code answers every temperature as the controller file says."""
        with tempfile.TemporaryDirectory() as name:
            folder = pathlib.Path(name)
            shutil.copy(self.folder / "run.c", folder)
            for words in (["learn", self.folder / "problem.toml", "--rollouts",
                           self.folder / self.log, "--out", folder / "out", "--quiet"],
                          ["export", folder / "out/controller.json", "--format", "c", "--out",
                           folder / "out/code"]):
                subprocess.run([record.PROGRAM, *words], check=True, capture_output=True)
            subprocess.run(["cc", "-Wall", "-Wextra", "-Werror", "-Iout/code", "run.c",
                            "out/code/controller.c", "-o", "run"], cwd=folder, check=True)
            controller = json.loads((folder / "out/controller.json").read_text())
            y, _ = figures.PROCESS.log(5000, 3)
            text = "\n".join(f"{value:.3f}" for value in y)
            done = subprocess.run([folder / "run"], input=text, capture_output=True, text=True,
                                  check=True)
        K, k = figures.process_gain(controller)
        before, u = 0.0, 0.0
        answers = [float(line) for line in done.stdout.split()]
        self.assertEqual(len(answers), len(y))
        for now, answer in zip(y, answers):
            u = (K @ np.array([now, before, u]))[0] + k
            before = now
            self.assertLess(abs(answer - u), 1e-7 * (1 + abs(u)))


if __name__ == "__main__":
    unittest.main()

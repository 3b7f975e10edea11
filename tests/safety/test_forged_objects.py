"""What is certified is what is named."""

import unittest

import numpy as np

from attack import AttackTest
from forgery import printed
from honest_runs import PROBLEM, Run


class Objects(AttackTest):
    def test_the_average_of_another_posterior(self):
        """A second input so dear that its mean cannot be told from zero in absolute terms."""
        two = {**PROBLEM, "system": {"A": [[1, 1], [0, 1]], "B": [[0.5, 0.0], [1, 1e-9]]},
               "cost": {**PROBLEM["cost"], "R": [0.5, 1.0]}}
        for kind in ("data-driven-randomized", "oracle-randomized"):
            method = "oracle-pac-bayes" if "oracle" in kind else "pac-bayes"
            run = self.learned({**two, "response": {"basis": "input", "start": "zero-input"}}, kind,
                               method)
            self.assertEqual(self.ask_run(run)[0], 0)
            run.certificate["inputs"]["problem"]["cost"]["R"] = [[0.5, 0], [0, 1e18]]
            run.arrays["posterior"]["mean"][1, :2] = 4e-7
            run.arrays["posterior"]["variance"][1::2][run.arrays["posterior"]["variance"][1::2] > 0] = 1e-24
            least = 1e18 * 4e-7**2 * np.mean(run.data[:, :2].sum(1)**2)  # of the mean alone
            status, text = self.attack(run)
            self.assertGreater(least, 1e4)
            if status == 0:
                self.assertGreater(printed(text), least, text)

    def test_digits_of_lqr_that_know_the_data(self):
        """An input in small units: anything is within 1e-9 of the largest one."""
        two = {**PROBLEM, "system": {"A": [[1, 1], [0, 1]], "B": [[0.5, 0.0], [1, 1]]},
               "cost": {**PROBLEM["cost"], "R": [0.5, 0.5]}}
        run = self.learned(two, "hold-out-scale-free", "lqr")
        unit = 2.0**60
        problem = run.certificate["inputs"]["problem"]
        problem["system"]["B"] = [[0.5, 0.0], [1.0, unit]]
        problem["cost"]["R"] = [[0.5, 0.0], [0.0, 0.5 * unit**2]]
        K = np.array(run.controller["K"])
        K[1::2] /= unit
        run.controller["K"] = K.tolist()
        for array in run.arrays["responses"].values():
            array[1::2] /= unit
        status, text = self.ask_run(run)
        self.assertEqual(status, 0, text)
        run.controller["K"][1][0] += 1 / unit  # as much as the whole gain
        status, text = self.attack(run)
        self.assertEqual(status, 1, text)

    def test_folds_of_a_given_controller(self):
        run = self.learned(PROBLEM, "hold-out", "erm")
        self.ok("sample", "problem.json", "-n", 40, "--seed", 5, "--out", "fresh.npy")
        self.ok("certify", "problem.json", "--controller", "run/controller.json", "--data",
                "fresh.npy", "--certificate", "hold-out-scale-free", "--out", "given")
        honest = Run(self.folder / "given", self.folder / "fresh.npy")
        for kind in ("cross-bounded", "cross-known", "cross", "cross-white", "cross-scale-free",
                     "cross-assumed-scale", "hold-out-", "cross-fourth-moment"):
            run = honest.copy()
            run.certificate["kind"] = kind
            run.certificate["inputs"]["problem"]["certificate"]["kind"] = kind
            status, text = self.attack(run)
            self.assertEqual(status, 1, text)
            self.assertRegex(text, "kind")


if __name__ == "__main__":
    unittest.main()

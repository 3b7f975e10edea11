"""Numbers that no double holds, and decimals that round the wrong way."""

import unittest
from fractions import Fraction

import numpy as np

from attack import AttackTest
from forgery import expected_cost
from honest_runs import PROBLEM


class Numbers(AttackTest):
    BIG = {"horizon": 1, "system": {"A": [[9223372036854775295]], "B": [[1]]},
           "cost": {"Q": [[0.0]], "R": [[1e-30]], "P": [[1.0]]},
           "disturbance": {"covariance": [1.0, 0.0], "covariance_bound": [1.0, 0.0]}}

    def test_whole_numbers_without_a_double(self):
        K, k = [[-9223372036854774784, 0]], [0]
        truth = expected_cost(self.BIG, K, k, [1, 0])
        self.assertGreater(truth, 511**2)
        status, text = self.attack(self.forge(self.BIG, "assumed-covariance", K, k, [[1.0, 0.0]]))
        self.assertEqual(status, 3, text)
        self.assertIn("number: found '9223372036854775295', expected one as a double is written", text)
        self.write("problem.json", self.BIG)
        self.fails(3, "learn", "problem.json", "--sample", "4", "--seed", "1", "--method", "lqr",
                   "--certificate", "assumed-covariance", "--out", "out", says="a number that a double can represent")
        toml = "horizon = 1\n[system]\nA = [[9223372036854775295]]\nB = [[1]]\n[cost]\nQ = [1]\nR = [1]\n"
        self.write("problem.toml", toml)
        self.fails(3, "learn", "problem.toml", "--sample", "4", "--seed", "1", "--out", "out",
                   says="a number that a double can represent")

    def test_decimals_that_say_more_than_a_double(self):
        run = self.learned(PROBLEM, "hold-out-scale-free", "lqr")
        run.rehash()
        run.write(self.folder / "run")
        text = (self.folder / "run/controller.json").read_text()
        entry = repr(run.controller["K"][0][0])
        for more, status in (("", 0), ("000", 0), ("1", 3), ("0001", 3), ("e0", 0), ("e400", 3)):
            self.write("run/controller.json", text.replace(entry, entry + more, 1))
            self.assertEqual(self.ask("run")[0], status, more)
        for whole in ("18446744073709551617", "123456789012345678901234567890", "-9223372036854775809"):
            self.write("run/controller.json", text.replace(entry, whole, 1))
            self.assertEqual(self.ask("run")[0], 3, whole)

    def test_what_is_printed_is_not_below(self):
        for seed in range(6):
            tree = {**PROBLEM, "cost": {**PROBLEM["cost"], "R": [0.5 + seed / 7]}}
            run = self.learned(tree, "assumed-scale", "lqr")
            # Beside a covariance the bound counts as a little more.
            del run.certificate["inputs"]["problem"]["disturbance"]["covariance"]
            status, text = self.ask_run(run)
            self.assertEqual(status, 0, text)
            exact = expected_cost(run.certificate["inputs"]["problem"], run.controller["K"],
                                  run.controller["k"], np.full(8, Fraction(0.2)))
            value = float(exact)  # what the checker has is this double, or the next one
            if value < exact:
                value = np.nextafter(value, np.inf)
            self.assertGreaterEqual(Fraction(text.split(": ")[1].split()[0]), Fraction(value))


if __name__ == "__main__":
    unittest.main()

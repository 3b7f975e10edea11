"""An attacker who writes every file, and repairs every hash and every number that the checker asks for.

Most statements of test_forged_*.py are false, and each of these was VERIFIED once.
"""

import numpy as np

from checker import CheckerTest
from forgery import Forger, printed, repair


def no_input(T, n_x, n_u=1):
    """Gains K and k of a controller that does nothing."""
    return np.zeros((T * n_u, (T + 1) * n_x)).tolist(), [0.0] * (T * n_u)


class AttackTest(CheckerTest):
    def setUp(self):
        super().setUp()
        self.forger = Forger(self.ok, self.folder)

    def ask_forged(self, run):
        folder = self.folder / "forged"
        folder.mkdir(exist_ok=True)
        run.write(folder)
        return self.ask_all("forged")

    def attack(self, run):
        """(exit status, everything that it says) once all is repaired."""
        return repair(self.ask_forged, run)

    def forge(self, problem, kind, K, k, data, **options):
        return self.forger.forge(problem, kind, K, k, data, self.write, **options)

    def never_below(self, truth, run):
        """VERIFIED, if at all, with a number that is no smaller than the truth."""
        status, text = self.attack(run)
        if status == 0:
            self.assertGreaterEqual(printed(text), float(truth) * (1 - 1e-12), text)
        return status, text

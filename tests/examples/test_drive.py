import unittest

import numpy as np
from example import Identified  # its path leads to the next one

import identified_figures as figures


class Drive(Identified, unittest.TestCase):
    name, log = "drive", "logs.csv"

    def test_output_on_page(self):
        value, cost = float(self.said("certificate")[0]), float(self.said("mean cost")[0])
        self.assertLess(cost, value)
        self.assert_on_page(f"{value:.2f}", f"{cost:.2f}")

    def test_truth(self):
        """The drive of truth.toml is the one that draws the logs."""
        best = figures.DRIVE.cost(figures.DRIVE.optimum())
        old = figures.DRIVE.cost([np.array([[figures.DRIVE.OLD_GAIN, 0]])] * figures.DRIVE.T)
        self.assertLess(abs(float(self.said("population cost")[0]) - best), 2e-5)
        self.assert_on_page(f"{best:.3f}", f"{old:.2f}")

    def test_table(self):
        """One column, measured again."""
        ((cost, value, nominal, *intervals),) = figures.medians(figures.drive, [40])
        self.assert_column("40", [f"{cost:.3f}", f"{value:.2f}", f"{nominal:.2f}"] + [
            f"{middle:.3f} ± {radius:.3f}" for middle, radius in (intervals[:2], intervals[2:])])


if __name__ == "__main__":
    unittest.main()

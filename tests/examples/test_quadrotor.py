import unittest

import numpy as np
from example import Example, example_laws


class Quadrotor(Example, unittest.TestCase):
    name, numbers = "quadrotor", (25, 50, 100, 200)

    def check(self, found):
        for _, _, auto, _, change, _ in found:  # better, and certified to be, at every n
            self.assertLess(auto["improvement"]["value"], 0)
            self.assertLess(change[0] + 4 * change[1], 0)
        _, _, auto, _, _, (lqr, _) = found[-1]
        self.assert_gain_on_page(found[-1])
        self.assert_on_page(f"at least {-auto['improvement']['value']:.3f}", str(auto["p"]))
        self.assertLess(found[2][2]["certificate"]["value"], lqr)  # from 100 flights on

    def test_law(self):
        costs = example_laws.quadrotor()
        self.assert_on_page(*(f"{cost:.3f}" for cost in costs))
        self.assert_lqr_costs(costs[0])

    def test_turbulence(self):
        """The filters have the spectra of MIL-F-8785C, one-sided over rad/m."""
        quad = example_laws.script(self.name)
        A, G, C, (length, length_up, sigma, sigma_up) = quad.dryden()
        self.assert_on_page(f"{sigma:.2f}", f"{sigma_up:.2f}", f"{length:.0f} m")
        self.assertAlmostEqual(length_up, 6.1)
        for wavenumber in (0.003, 0.02, 0.1, 1.0):
            H = C @ np.linalg.solve(1j * wavenumber * quad.WIND * np.eye(5) - A, G)
            found = quad.WIND / np.pi * np.abs(H)**2
            a, b = (length * wavenumber)**2, (length_up * wavenumber)**2
            said = [sigma**2 * 2 * length / np.pi / (1 + a),
                    sigma**2 * length / np.pi * (1 + 3 * a) / (1 + a)**2,
                    sigma_up**2 * length_up / np.pi * (1 + 3 * b) / (1 + b)**2]
            self.assertLess(np.abs(found - np.diag(said)).max(), 1e-12)

import unittest

from example import Example, example_laws


class Quadrotor(Example, unittest.TestCase):
    name, numbers = "quadrotor", (25, 50, 100, 200)

    def check(self, found):
        for _, _, auto, _, change, _ in found:  # better, and certified to be, at every n
            self.assertLess(auto["improvement"]["value"], 0)
            self.assertLess(change[0] + 4 * change[1], 0)
        _, _, auto, _, (change, error), (lqr, _) = found[-1]
        self.assert_on_page(f"by {-change:.3f} ± {error:#.2g} of {lqr:.3f} ({-100 * change / lqr:.0f} %)",
                            f"at least {-auto['improvement']['value']:.3f}", str(auto["p"]))
        self.assertLess(found[2][2]["certificate"]["value"], lqr)  # from 100 flights on

    def test_law(self):
        self.assert_on_page(*(f"{cost:.3f}" for cost in example_laws.quadrotor()))
        length, length_up, sigma, sigma_up = example_laws.script(self.name).dryden()[3]
        self.assert_on_page(f"{sigma:.2f}", f"{sigma_up:.2f}", f"{length:.0f} m")
        self.assertAlmostEqual(length_up, 6.1)

import unittest

from example import Example, example_laws


class Building(Example, unittest.TestCase):
    name, numbers = "building", (15, 30, 60, 120)

    def check(self, found):
        changes = [auto["improvement"]["value"] for _, _, auto, *_ in found]
        self.assertEqual([change < 0 for change in changes], [False, True, True, True])
        _, _, auto, _, (change, error), (lqr, _) = found[-1]
        self.assert_on_page(f"by {-change:.3f} ± {error:#.2g} of {lqr:.3f} ({-100 * change / lqr:.0f} %)",
                            f"at least {-changes[-1]:.3f}")
        self.assertEqual(auto["certificate"]["chosen"], "cross-scale-free")

    def test_law(self):
        costs = [*example_laws.building(), example_laws.building(told=True)[0]]
        self.assert_on_page(*(f"{cost:.3f}" for cost in costs))
        self.assert_lqr_costs(costs[0])

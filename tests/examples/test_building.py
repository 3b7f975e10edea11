import unittest

from example import Example, example_laws


class Building(Example, unittest.TestCase):
    name, numbers = "building", (15, 30, 60, 120)

    def check(self, found):
        changes = [auto["improvement"]["value"] for _, _, auto, *_ in found]
        self.assertEqual([change < 0 for change in changes], [True, True, True, True])
        self.assert_gain_on_page(found[-1])
        self.assert_on_page(f"at least {-changes[-1]:.3f}")
        self.assertEqual(found[-1][2]["certificate"]["chosen"], "cross-scale-free")

    def test_law(self):
        costs = [*example_laws.building(), example_laws.building(told=True)[0]]
        self.assert_on_page(*(f"{cost:.3f}" for cost in costs))
        self.assert_lqr_costs(costs[0])

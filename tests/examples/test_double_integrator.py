import re
import unittest

from example import Example, example_laws


class White(Example, unittest.TestCase):
    name, numbers, certified = "double-integrator", (20, 40, 100), False

    def test_paper(self):
        expected = (self.folder / "expected.txt").read_text()
        value = re.search(r"certificate +(\S+) at confidence 0.95 \(data-driven", expected)[1]
        self.assert_on_page(f"{float(value):.1f}")

    def check(self, found):
        for _, _, auto, *_ in found:
            self.assertEqual(auto["details"]["deployed"], "lqr")
            self.assertEqual(auto["certificate"]["chosen"], "assumed-scale")


class Coloured(Example, unittest.TestCase):
    name, page, numbers = "double-integrator-coloured", "double-integrator", (20, 40, 100)
    certified = False

    def check(self, found):
        changes = [auto["improvement"]["value"] for _, _, auto, *_ in found]
        self.assertEqual([change < 0 for change in changes], [False, False, True])
        _, _, auto, _, (change, error), (lqr, _) = found[-1]
        self.assert_on_page(f"by {-change:.3f} ± {error:#.2g} of {lqr:.3f} ({-100 * change / lqr:.0f} %)",
                            f"{-changes[-1]:.4f}",
                            f"{example_laws.costs(example_laws.problem(self.name))[1]:.3f}")

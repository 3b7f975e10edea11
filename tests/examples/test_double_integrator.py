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
        self.assertEqual([change < 0 for change in changes], [True, True, True])
        self.assert_gain_on_page(found[-1])
        best = example_laws.costs(example_laws.problem(self.name))[1]
        self.assert_on_page(f"{-changes[-1]:.4f}", f"{best:.3f}")

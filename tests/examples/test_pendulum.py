import importlib.util
import re
import unittest

import numpy as np
from example import Recorded, record


class Pendulum(Recorded, unittest.TestCase):
    name = "pendulum"

    def setUp(self):
        if not (record.environment() or {}).get("PYTHONPATH"):
            self.skipTest("the Python package was not built")

    def test_output_on_page(self):
        text = (self.folder / "expected.txt").read_text()
        means = re.findall(r"episodes, mean cost ([\d.]+), largest", text)
        self.assertEqual(len(means), 3)
        self.assert_on_page(*means)
        values = re.findall(r"^certificate +([\d.]+)", text, re.M)
        self.assert_on_page(values[-1])
        at = re.findall(r"^claim rejected +at cost (\d+)", text, re.M)
        self.assertEqual(len(at), 1)
        self.assert_on_page(f"episode {at[0]}")
        self.assertGreater(float(values[-1]), float(means[1]))  # the certificate holds
        self.assertLess(float(values[-1]), float(means[2]))  # and the dry bearing breaks it

    def test_the_simulator(self):
        """Energy is conserved without friction, and small angles are the problem's plant."""
        source = (self.folder / "pendulum.py").read_text().replace("import loopcert as lc\n", "")
        pendulum = {"__name__": "pendulum"}
        exec(compile(source, "pendulum.py", "exec"), pendulum)
        make_data = importlib.util.spec_from_file_location("m", self.folder / "make_data.py")
        module = importlib.util.module_from_spec(make_data)
        make_data.loader.exec_module(module)
        A, B = module.plant()
        for column, state in enumerate(1e-6 * np.eye(4)):
            np.testing.assert_allclose(pendulum["advance"](state, 0.0, 0.0) / 1e-6, A[:, column],
                                       atol=1e-4)  # one step of Runge and Kutta
        np.testing.assert_allclose(pendulum["advance"](np.zeros(4), 1e-6, 0.0) / 1e-6, B[:, 0],
                                   atol=1e-4)
        for name in ("CART", "BOB", "LENGTH", "GRAVITY", "DRAG", "BEARING", "PERIOD", "STEPS"):
            self.assertEqual(pendulum[name], getattr(module, name))


if __name__ == "__main__":
    unittest.main()

import json
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

import numpy as np
from example import Recorded, record


class Fleet(Recorded, unittest.TestCase):
    name = "fleet"

    def test_the_worn_one_is_found_and_no_other(self):
        text = (self.folder / "expected.txt").read_text()
        rows = re.findall(r"^drive (\d+) +[\d.]+ +[\d.e+]+ +(\d+|-)$", text, re.M)
        self.assertEqual(len(rows), 20)
        alarms = {int(drive): int(at) for drive, at in rows if at != "-"}
        self.assertEqual(list(alarms), [13])
        self.assertGreater(alarms[13], 200)
        self.assert_on_page(f"at episode {alarms[13]}")

    def test_the_command_says_the_same(self):
        text = (self.folder / "expected.txt").read_text()
        self.assertEqual(re.findall(r"^claim rejected +at cost (\d+)", text, re.M),
                         re.findall(r"^drive 13 .* (\d+)$", text, re.M))

    def test_gains(self):
        """make_data.py runs the controller that `learn` gives."""
        sys.path.insert(0, str(self.folder))
        import make_data
        with tempfile.TemporaryDirectory() as name:
            subprocess.run([record.PROGRAM, "learn", self.folder / "problem.toml", "--method", "lqr",
                            "--out", name, "--quiet"], check=True)
            K = np.array(json.loads((pathlib.Path(name) / "controller.json").read_text())["K"])
        for t, gain in enumerate(make_data.gains()):
            np.testing.assert_allclose(K[t, 2 * t:2 * t + 2], gain[0], rtol=1e-9)


if __name__ == "__main__":
    unittest.main()

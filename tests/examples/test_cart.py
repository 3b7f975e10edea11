"""The logs of the quick start are what its script makes."""

import csv
import pathlib
import subprocess
import sys
import tempfile
import unittest

import numpy as np
import scipy.io

from example import SOURCE

FOLDER = SOURCE / "examples/cart"


class Cart(unittest.TestCase):
    def test_data(self):
        with tempfile.TemporaryDirectory() as folder:
            subprocess.run([sys.executable, "-B", str(FOLDER / "make_data.py"), folder], check=True)
            made = pathlib.Path(folder)
            rows = [list(csv.reader((place / "monday.csv").open())) for place in (made, FOLDER)]
            files = [scipy.io.loadmat(place / "tuesday.mat") for place in (made, FOLDER)]
        self.assertEqual(len(rows[0]), 1 + 40 * 33)
        self.assertEqual([row[:2] + row[5:] for row in rows[0]],
                         [row[:2] + row[5:] for row in rows[1]])
        for a, b in zip(rows[0][1:], rows[1][1:]):
            for x, y in zip(a[2:5], b[2:5]):
                self.assertEqual(x == "", y == "")
                self.assertLess(abs(float(x or 0) - float(y or 0)), 2e-6)
        for name, shape in (("states", (2, 21, 80)), ("forces", (1, 20, 80))):
            self.assertEqual(files[0][name].shape, shape)
            self.assertLess(np.abs(files[0][name] - files[1][name]).max(), 1e-9)


if __name__ == "__main__":
    unittest.main()

#!/usr/bin/python3
"""Average cost of a step of controllers on the process that drew the log.

    truth.py CONTROLLER.json ...
"""

import json
import pathlib
import sys

import numpy as np

import make_data


def main():
    print(f"{'controller':<12}{'average cost':>14}")
    for path in map(pathlib.Path, sys.argv[1:]):
        tree = json.loads(path.read_text())
        K = np.array([[*np.ravel(tree["K"]), *np.ravel(tree["L"])]])
        print(f"{path.parent.name:<12}{make_data.cost(K, tree['k'][0]):>14.5f}")
    print(f"{'old':<12}{make_data.cost(np.array([[make_data.OLD_GAIN, 0, 0]]), 0.0):>14.5f}")
    print(f"{'optimum':<12}{make_data.cost(*make_data.optimum()):>14.5f}")


if __name__ == "__main__":
    main()

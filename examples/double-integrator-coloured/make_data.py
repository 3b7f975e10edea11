#!/usr/bin/python3
"""Disturbances of variance 0.1, each 0.8 of the one before plus something new: learn.csv and
test.npy.

    make_data.py [FOLDER]
"""

import pathlib
import sys

import numpy as np

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))
from linear import trajectory_names, write_csv  # noqa

T, N_X, VARIANCE, MEMORY = 10, 2, 0.1, 0.8
N_LEARN, N_TEST, SEED = 100, 2000, 20


def trajectories(n, seed):
    e = np.random.RandomState(seed).standard_normal((n, T + 1, N_X))
    for t in range(2, T + 1):  # the start x_0 = e[:, 0] is independent of the rest
        e[:, t] = MEMORY * e[:, t - 1] + np.sqrt(1 - MEMORY**2) * e[:, t]
    return np.sqrt(VARIANCE) * e.reshape(n, -1)


def main():
    folder = pathlib.Path(sys.argv[1]) if len(sys.argv) > 1 else HERE
    write_csv(folder / "learn.csv", trajectory_names(T, N_X), trajectories(N_LEARN, SEED), 8)
    np.save(folder / "test.npy", trajectories(N_TEST, SEED + 1).astype("<f4"))


if __name__ == "__main__":
    main()

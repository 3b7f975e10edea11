#!/usr/bin/python3
"""White Gaussian disturbances of variance 0.1 for the paper's example: writes learn.csv and
test.npy.

    make_data.py [FOLDER]
"""

import pathlib
import sys

import numpy as np

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))
from linear import trajectory_names, write_csv  # noqa

T, N_X, VARIANCE = 10, 2, 0.1
N_LEARN, N_TEST, SEED = 100, 2000, 10


def trajectories(n, seed):
    normal = np.random.RandomState(seed).standard_normal((n, (T + 1) * N_X))
    return np.sqrt(VARIANCE) * normal


def main():
    folder = pathlib.Path(sys.argv[1]) if len(sys.argv) > 1 else HERE
    write_csv(folder / "learn.csv", trajectory_names(T, N_X), trajectories(N_LEARN, SEED), 8)
    np.save(folder / "test.npy", trajectories(N_TEST, SEED + 1).astype("<f4"))


if __name__ == "__main__":
    main()

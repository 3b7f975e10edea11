#!/usr/bin/python3
"""Posterior families at p = 61,200, for docs/theory/posterior-families.md.

    PYTHONPATH=build/python docs/scripts/families_large.py [family...]

A random plant with 12 states, 4 inputs and 50 steps whose largest eigenvalue has size 0.9, 100
trajectories of white noise. Prints certificate, cost of the mean and seconds; minutes in all.
"""

import sys
import time

import numpy as np

import loopcert as lc


def problem():
    random = np.random.RandomState(1)
    A = random.normal(size=(12, 12))
    A *= 0.9 / np.abs(np.linalg.eigvals(A)).max()
    return lc.Problem(A, random.normal(size=(12, 4)), Q=np.ones(12), R=np.ones(4), horizon=50,
                      covariance=0.1, scale_bound=0.1)


if __name__ == "__main__":
    plant = problem()
    data = plant.sample(100, seed=1)
    for family in sys.argv[1:] or ("diagonal", "rotated", "kronecker", "block"):
        start = time.perf_counter()
        result = lc.learn(plant, data, posterior=family)
        print(f"{family:10} p {plant.space().p}  certificate {result.certificate.value:.5g}  "
              f"cost {result.population_cost:.5g}  {time.perf_counter() - start:.1f} s", flush=True)

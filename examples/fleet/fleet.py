#!/usr/bin/python3
"""Watches every column of a table of costs: is its mean still what the certificate says?

    fleet.py CERTIFICATE COSTS.csv [--alpha A]

A is the probability of a false alarm of any drive, ever (default: 0.01): each has its share. Needs
numpy and the package loopcert.
"""

import argparse

import loopcert as lc
import numpy as np


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("certificate")
    parser.add_argument("costs")
    parser.add_argument("--alpha", type=float, default=0.01)
    given = parser.parse_args()
    with open(given.costs, encoding="ascii") as file:
        names = file.readline().strip().split(",")
        costs = np.loadtxt(file, delimiter=",")
    print("drive      mean cost  largest evidence  rejected at")
    for name, column in zip(names, costs.T):
        watch = lc.Watch(given.certificate, alpha=given.alpha / len(names))
        watch.extend(column)
        alarm = watch.rejected_at or "-"
        print(f"{name:<9}  {column.mean():9.3f}  {watch.largest:16.4g}  {alarm:>11}")


if __name__ == "__main__":
    main()

#!/usr/bin/python3
"""Costs of 200 braking manoeuvres each of two controllers, nonlinear: what docs/measure.md measures.

    python3 examples/measure/make_data.py [FOLDER]

A cart with dry friction and an actuator that saturates is brought to rest from a random start; the
cost is the sum of position^2 + 0.2 u^2 over 40 steps. An episode is aborted, and counts 20, when its cost
reaches 20. Both controllers met the same starts and gusts.
"""

import pathlib
import sys

import numpy as np


def episode(gain, start, gusts):
    x, v, cost = start[0], start[1], 0.0
    for gust in gusts:
        u = np.clip(-gain[0] * x - gain[1] * v, -1, 1)
        cost += x * x + 0.2 * u * u
        push = u + gust - 0.3 * v * abs(v) - 0.1 * np.sign(v)
        x, v = x + 0.2 * v, v + 0.2 * push
    return min(cost, 20.0)


def costs(gain, n, seed):
    random = np.random.RandomState(seed)
    return [episode(gain, random.uniform(-1, 1, 2), random.uniform(-0.3, 0.3, 40))
            for _ in range(n)]


if __name__ == "__main__":
    folder = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else pathlib.Path(__file__).parent)
    for name, gain, seed in (("costs", (2.0, 1.8), 1), ("before", (0.8, 0.5), 1)):
        text = "\n".join(["cost", *(f"{cost:.6g}" for cost in costs(gain, 200, seed))])
        (folder / f"{name}.csv").write_text(text + "\n")

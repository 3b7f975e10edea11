#!/usr/bin/python3
"""What is left of a constant load: runs controllers on, their last gains held, until all is at rest.

    load.py problem.toml controller.json [problem.toml controller.json ...]

The load pushes the speed by the same amount in each step; the setpoint stands where it was last.
Prints the error of the angle in the end, and the torque.
"""

import json
import sys
import tomllib

import numpy as np

LOAD, STEPS = 0.05, 4000  # rad/s in a step; steps after the horizon


def at_rest(problem, controller, load=LOAD, steps=STEPS):
    """Angle minus setpoint, and torque, after so many steps with the last gains."""
    T, system = problem["horizon"], problem["system"]
    A, B = np.array(system["A"], float), np.array(system["B"], float)
    n = len(A)
    d = np.array(system.get("d", np.zeros((T, n))), float)[-1]
    r = np.array(problem["cost"]["reference"], float)[-1]
    # The last input uses the states x_0, ..., x_{T-1}: held, the last T of them.
    gains, k = np.array(controller["K"])[-1, :T * n], controller["k"][-1]
    window, x = np.tile(r, T), r.copy()
    for _ in range(steps):
        window = np.concatenate([window[n:], x])
        u = gains @ window + k
        x = A @ x + B[:, 0] * u + d
        x[1] += load
    return x[0] - r[0], u


def main():
    for path, file in zip(sys.argv[1::2], sys.argv[2::2]):
        with open(path, "rb") as problem, open(file) as controller:
            error, torque = at_rest(tomllib.load(problem), json.load(controller))
        print(f"{path:14} error of the angle {error:9.5f} rad, torque {torque:8.5f} N m")


if __name__ == "__main__":
    main()

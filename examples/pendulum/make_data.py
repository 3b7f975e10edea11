#!/usr/bin/python3
"""A pendulum on a cart: writes problem.toml, its linearization upright.

    make_data.py [FOLDER]

pendulum.py is the nonlinear one.
"""

import pathlib
import sys

import numpy as np

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))
from linear import hold, toml_matrix  # noqa

CART, BOB, LENGTH, GRAVITY, DRAG, BEARING = 1.0, 0.3, 0.5, 9.81, 0.5, 0.01  # as in pendulum.py
PERIOD, STEPS = 0.05, 40


def plant():
    """x' = A x + B u for small angles, sampled."""
    mass = np.array([[CART + BOB, BOB * LENGTH], [BOB * LENGTH, BOB * LENGTH**2]])
    forces = np.array([[0, 0, -DRAG, 0, 1], [0, BOB * GRAVITY * LENGTH, 0, -BEARING, 0]])
    rates = np.linalg.solve(mass, forces)
    A = np.vstack([[0, 0, 1, 0], [0, 0, 0, 1], rates[:, :4]])
    B = np.concatenate([[0, 0], rates[:, 4]])[:, None]
    return hold(A, B, PERIOD)


PROBLEM = """\
# A pendulum on a cart, linearized upright; 4 states, 1 input, two seconds in steps of 0.05 s.
# Written by make_data.py.
name    = "pendulum on a cart"
horizon = {steps}

[system]
A = {A}
B = {B}

[cost]            # position^2 + 10 angle^2 + 0.1 speed^2 + 0.1 rate^2 + 0.01 force^2
Q = [1, 10, 0.1, 0.1]
R = [0.01]
"""


def main():
    folder = pathlib.Path(sys.argv[1]) if len(sys.argv) > 1 else HERE
    A, B = plant()
    text = PROBLEM.format(steps=STEPS, A=toml_matrix(A), B=toml_matrix(B))
    (folder / "problem.toml").write_text(text, encoding="ascii")


if __name__ == "__main__":
    main()

#!/usr/bin/python3
"""A drive with a motor that can do so much and no more: writes problem.toml.

    make_data.py [FOLDER]

State: position [rad] and speed [rad/s] of the shaft; input: torque [N m]; 20 steps a second. The
load pushes the shaft and keeps pushing: its effect on the speed is an AR(1) sequence, stationary
from the first step on, and independent of where an episode starts.
"""

import pathlib
import sys

import numpy as np

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))
from linear import hold, toml_matrix  # noqa

INERTIA, STIFFNESS, FRICTION, PERIOD = 0.02, 0.3, 0.05, 0.05  # kg m^2, N m/rad, N m s/rad, s
T, LIMIT = 20, 0.35  # steps; N m
START = np.array([0.1, 0.3])  # rad and rad/s
PUSH, MEMORY = 0.2, 0.95  # rad/s a step; how much of a push is left at the next step


def covariance():
    """Of x_0, w_0, ..., w_{T-1}."""
    lag = np.abs(np.subtract.outer(np.arange(T), np.arange(T)))
    sigma = np.zeros((2 * T + 2, 2 * T + 2))
    sigma[:2, :2] = np.diag(START**2)
    sigma[3::2, 3::2] = PUSH**2 * MEMORY**lag
    return sigma


PROBLEM = """\
# A drive with a torque limit, 2 states, 1 input, a second in steps of 0.05 s. Written by
# make_data.py.
name    = "drive with a torque limit"
horizon = {T}

[system]
A = {A}
B = {B}

[cost]            # 40 position^2 + 0.05 speed^2 + torque^2
Q = [40, 0.05]
R = [1]

[limits]          # torque [N m], at every step of an episode
u = [-{limit}, {limit}]
probability = 0.05

[learning]
method = "auto"

[disturbance]     # the law that --sample draws from: a load that lasts. Learning is not told
covariance = {covariance}
"""


def main():
    folder = pathlib.Path(sys.argv[1]) if len(sys.argv) > 1 else HERE
    A, B = hold(np.array([[0, 1], [-STIFFNESS / INERTIA, -FRICTION / INERTIA]]),
                np.array([[0], [1 / INERTIA]]), PERIOD)
    text = PROBLEM.format(T=T, A=toml_matrix(A), B=toml_matrix(B), limit=LIMIT,
                          covariance=toml_matrix(covariance(), 6))
    (folder / "problem.toml").write_text(text, encoding="ascii")


if __name__ == "__main__":
    main()

#!/usr/bin/python3
"""A drive that turns a load on a spring: writes problem.toml, truth.toml and logs.csv.

    make_data.py [FOLDER]

State: position [rad] and speed [rad/s] of the shaft; input: torque [N m]; 50 steps a second. The
counter adds up the speed that was measured, so the position row is exact. Stiffness, friction and
what a newton metre does are nobody's knowledge; loads push the shaft, which is the noise of the
speed row. The logs come from the controller that is there, a weak spring in software, with white
torque on top of it.
"""

import pathlib
import sys

import numpy as np

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))
from linear import toml_matrix, write_csv  # noqa

INERTIA, STIFFNESS, FRICTION, PERIOD = 0.02, 0.3, 0.05, 0.02  # kg m^2, N m/rad, N m s/rad, s
T, EPISODES, SEED = 25, 80, 2400
OLD_GAIN, EXCITATION = -0.1, 0.25  # N m/rad; N m
START, PUSH = np.array([0.12, 0.5]), 0.1  # rad and rad/s; rad/s a step
RESOLUTION = 1e-4  # rad/s: what the log keeps of the speed
RATE = PERIOD / INERTIA  # rad/s a step for a newton metre
A = np.array([[1, PERIOD], [-RATE * STIFFNESS, 1 - RATE * FRICTION]])
B = np.array([[0.0], [RATE]])
Q, R = np.diag([40.0, 0.05]), np.array([[1.0]])


def logs(n, seed):
    """x and u of n episodes. Speeds are multiples of the resolution, positions their sums."""
    draw = np.random.RandomState(seed)
    x, u = np.zeros((n, T + 1, 2)), np.zeros((n, T, 1))

    def keep(values, unit):
        return np.round(values / unit) * unit

    x[:, 0] = START * draw.normal(size=(n, 2))
    x[:, 0] = np.stack([keep(x[:, 0, 0], PERIOD * RESOLUTION), keep(x[:, 0, 1], RESOLUTION)], 1)
    for t in range(T):
        u[:, t] = keep(OLD_GAIN * x[:, t, :1] + EXCITATION * draw.normal(size=(n, 1)), 1e-4)
        speed = x[:, t] @ A[1] + u[:, t] @ B[1] + PUSH * draw.normal(size=n)
        x[:, t + 1, 0] = keep(x[:, t] @ A[0], PERIOD * RESOLUTION)
        x[:, t + 1, 1] = keep(speed, RESOLUTION)
    return x, u


def cost(gains):
    """Expected cost of u_t = K_t x_t on the true plant."""
    S, value = Q, 0.0
    for K in reversed(gains):
        value += PUSH**2 * S[1, 1]
        loop = A + B @ K
        S = Q + K.T @ R @ K + loop.T @ S @ loop
    return value + START**2 @ np.diagonal(S)


def optimum():
    """The gains of who knows the plant."""
    P, gains = Q, []
    for _ in range(T):
        K = -np.linalg.solve(R + B.T @ P @ B, B.T @ P @ A)
        gains.append(K)
        P = Q + A.T @ P @ (A + B @ K)
    return gains[::-1]


COST = """\
[cost]                   # 40 position^2 + 0.05 speed^2 + torque^2
Q = [40, 0.05]
R = [1]
"""
PROBLEM = """\
# A drive on a spring, 2 states, 1 input, half a second in steps of 0.02 s. Written by make_data.py.
name    = "drive with unknown friction and stiffness"
horizon = {T}

[system]
identify = [2]           # the speed row comes from the logs
A = [[1, 0.02], [0, 0]]  # position + 0.02 s speed: exact. Row 2 is not used
B = [[0], [0]]

{COST}
[data]
layout  = "long"
episode = "run"
step    = "k"
states  = ["position [rad]", "speed [rad/s]"]
inputs  = ["torque [Nm]"]
"""
TRUTH = """\
# The plant and the law that make_data.py draws from: what a user never has. For comparisons only.
name    = "the drive as it is"
horizon = {T}

[system]
A = {A}
B = {B}

{COST}
[disturbance]
covariance = {{ x0 = [{x0[0]:.9g}, {x0[1]:.9g}], w = [0, {w:.9g}] }}
"""


def rows(x, u):
    """One line for each step; no torque at the last."""
    for run, (states, inputs) in enumerate(zip(x, u), 1):
        for k, (position, speed) in enumerate(states):
            torque = f"{inputs[k, 0]:.4f}" if k < T else ""
            yield [str(run), str(k), f"{position:.6f}", f"{speed:.4f}", torque]


def main():
    folder = pathlib.Path(sys.argv[1]) if len(sys.argv) > 1 else HERE
    (folder / "problem.toml").write_text(PROBLEM.format(T=T, COST=COST), encoding="ascii")
    truth = TRUTH.format(T=T, COST=COST, A=toml_matrix(A), B=toml_matrix(B), x0=START**2, w=PUSH**2)
    (folder / "truth.toml").write_text(truth, encoding="ascii")
    header = ["run", "k", "position [rad]", "speed [rad/s]", "torque [Nm]"]
    write_csv(folder / "logs.csv", header, rows(*logs(EPISODES, SEED)), 6)


if __name__ == "__main__":
    main()

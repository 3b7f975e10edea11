#!/usr/bin/python3
"""Twenty drives on a spring, watched; the gear of one wears: writes problem.toml,
costs.csv and drive-13.csv.

    make_data.py [FOLDER]

All drives have the same controller, that of `loopcert learn --method lqr` on problem.toml (computed
here again, by the Riccati recursion). costs.csv holds the cost of each episode, a column for each
drive, and drive-13.csv that of one. From episode 200 on the pushes of the gear of drive 13 grow, by 0.5 % in each episode.
"""

import pathlib
import sys

import numpy as np

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))
from linear import hold, rounded, toml_matrix, write_csv  # noqa

INERTIA, STIFFNESS, FRICTION, PERIOD = 0.02, 0.3, 0.05, 0.05  # kg m^2, N m/rad, N m s/rad, s
T, START, PUSH = 20, np.array([0.1, 0.3]), 0.15  # steps; rad and rad/s; rad/s a step
Q, R = np.diag([40, 0.05]), np.array([[1.0]])
DRIVES, EPISODES, SEED = 20, 600, 1305
WORN, SINCE, GROWTH = 13, 200, 0.005


def plant():
    A = np.array([[0, 1], [-STIFFNESS / INERTIA, -FRICTION / INERTIA]])
    A, B = hold(A, np.array([[0], [1 / INERTIA]]), PERIOD)
    return rounded(A), rounded(B)


def gains():
    A, B = plant()
    S, K = Q.copy(), [None] * T
    for t in reversed(range(T)):
        K[t] = -np.linalg.solve(R + B.T @ S @ B, B.T @ S @ A)
        S = Q + A.T @ S @ (A + B @ K[t])
    return K


def episode(draw, A, B, K, push):
    x, cost = START * draw.normal(size=2), 0.0
    for t in range(T):
        u = K[t] @ x
        cost += x @ Q @ x + u @ R @ u
        x = A @ x + B @ u + np.array([0, push * draw.normal()])
    return cost + x @ Q @ x


def costs():
    (A, B), K = plant(), gains()
    found = np.zeros((EPISODES, DRIVES))
    for drive in range(DRIVES):
        draw = np.random.RandomState([SEED, drive])
        for i in range(EPISODES):
            age = max(0, i + 1 - SINCE) if drive + 1 == WORN else 0
            found[i, drive] = episode(draw, A, B, K, PUSH * (1 + GROWTH) ** age)
    return found


PROBLEM = """\
# A drive on a spring, 2 states, 1 input, a second in steps of 0.05 s. Written by make_data.py.
name    = "drive of a fleet"
horizon = {T}

[system]
A = {A}
B = {B}

[cost]            # 40 position^2 + 0.05 speed^2 + torque^2
Q = [40, 0.05]
R = [1]

[disturbance]     # the law that --sample draws from
covariance = {covariance}
"""


def main():
    folder = pathlib.Path(sys.argv[1]) if len(sys.argv) > 1 else HERE
    A, B = plant()
    variances = np.concatenate([START**2, np.tile([0, PUSH**2], T)])
    text = PROBLEM.format(T=T, A=toml_matrix(A), B=toml_matrix(B),
                          covariance="[" + ", ".join(f"{v:.9g}" for v in variances) + "]")
    (folder / "problem.toml").write_text(text, encoding="ascii")
    names = [f"drive {k + 1}" for k in range(DRIVES)]
    rows = [[f"{v:.5f}" for v in row] for row in costs()]
    write_csv(folder / "costs.csv", names, rows, 5)
    write_csv(folder / "drive-13.csv", ["cost"], [row[WORN - 1:WORN] for row in rows], 5)


if __name__ == "__main__":
    main()

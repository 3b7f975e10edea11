#!/usr/bin/python3
"""A cart on a belt, of which an encoder sees the position and nothing else: writes problem.toml,
logs.csv, truth.toml.

    make_data.py [FOLDER]

Output: position [mm]; input: motor force [N]; 20 samples a second. Gusts and friction push the
cart, the encoder rounds and shakes. Logs are under the PD controller that is there, which takes
the speed from the difference of two positions. The cart stands still before each episode.
"""

import pathlib
import sys

import numpy as np

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))
from linear import hold, rounded, toml_matrix, write_csv  # noqa

MASS, FRICTION, PERIOD, T = 2.0, 1.0, 0.05, 20  # kg, N s/m, s, steps
START, PUSH, SHAKE = (20.0, 50.0), 30.0, 2.0  # mm and mm/s; mm/s a step; mm
P, D, FILTER = 0.03, 0.012, 0.05  # N/mm, N s/mm, s
Q, R = 0.01, 1.0  # of mm^2 and N^2
N, SEED = 200, 2602
A_C = np.array([[0, 1], [0, -FRICTION / MASS]])
B_C = np.array([[0], [1000 / MASS]])  # a newton moves mm/s
C = np.array([[1.0, 0.0]])
A, B = (rounded(M) for M in hold(A_C, B_C, PERIOD))


def causes():
    """Covariances of x_0, of what moves the states in a step, and of the encoder."""
    return np.diag(np.square(START)), np.diag([0.0, PUSH**2]), SHAKE**2


def episode(draw):
    """Under the PD controller; position to a tenth of a millimetre, force to a hundredth."""
    x, y, u, rate = np.array(START) * draw.normal(size=2), np.zeros(T + 1), np.zeros(T), 0.0
    for t in range(T + 1):
        y[t] = round((C @ x)[0] + SHAKE * draw.normal(), 1)
        if t == T:
            break
        if t > 0:
            rate = (FILTER * rate - (y[t] - y[t - 1])) / (FILTER + PERIOD)
        u[t] = round(P * -y[t] + D * rate, 2)
        x = A @ x + B[:, 0] * u[t] + np.array([0, PUSH * draw.normal()])
    return y, u


SYSTEM = """\
name    = "{name}"
horizon = {T}

[system]            # position and speed; only the position is measured
A = {A}
B = {B}
C = [[1, 0]]

[cost]              # 0.01 mm^2 + N^2, of what is measured
Q = [{Q:g}]
R = [{R:g}]
"""

PROBLEM = """\
# A cart with an encoder, a second in steps of 50 ms. Written by make_data.py.
{system}
[baseline]          # the PD controller that runs today
pid = {{ p = {P:g}, d = {D:g}, filter = {FILTER:g}, dt = {PERIOD:g} }}

[learning]
method = "auto"

[data]
layout  = "long"
episode = "run"
step    = "k"
outputs = ["position [mm]"]
inputs  = ["force [N]"]
"""

TRUTH = """\
# The cart with the noise that drew the logs, for comparisons only. Written by make_data.py.
{system}
[disturbance]       # of the states, and of the encoder
covariance  = {{ x0 = {x0}, w = {w} }}
measurement = {v:g}

[learning]
method = "lqg"
"""


def main():
    folder = pathlib.Path(sys.argv[1]) if len(sys.argv) > 1 else HERE
    draw, rows = np.random.RandomState(SEED), []
    for run in range(1, N + 1):
        y, u = episode(draw)
        for k in range(T + 1):
            rows.append([str(run), str(k), f"{y[k]:.1f}", f"{u[k]:.2f}" if k < T else ""])
    write_csv(folder / "logs.csv", ["run", "k", "position [mm]", "force [N]"], rows, 6)
    x0, w, v = causes()
    words = {"T": T, "A": toml_matrix(A), "B": toml_matrix(B), "Q": Q, "R": R}
    (folder / "problem.toml").write_text(PROBLEM.format(
        system=SYSTEM.format(name="cart with an encoder", **words), P=P, D=D, FILTER=FILTER,
        PERIOD=PERIOD), encoding="ascii")
    (folder / "truth.toml").write_text(TRUTH.format(
        system=SYSTEM.format(name="cart with an encoder, the truth", **words),
        x0=[float(value) for value in np.diag(x0)], w=[float(value) for value in np.diag(w)], v=v),
        encoding="ascii")


if __name__ == "__main__":
    main()

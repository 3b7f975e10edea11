#!/usr/bin/python3
"""A heat exchanger of which only the outlet is measured: writes problem.toml and log.csv.

    make_data.py [FOLDER]

Output: outlet temperature above the set-point, in kelvin; input: valve, in percent above its usual
opening; a sample every 10 s. The metal is a second store of heat that nobody measures, so the next
temperature follows from the last two temperatures and the last two openings. The usual opening is
a little too much, an offset. The log is one morning under the controller that is there, a weak
one, while the opening was also moved in steps of two minutes and shaken.
"""

import pathlib
import sys

import numpy as np

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))
from linear import stationary, write_csv  # noqa

POLES = (0.94, 0.6)  # the exchanger, 160 s, and its metal, 20 s
A1, A2 = POLES[0] + POLES[1], -POLES[0] * POLES[1]
B1, B2, OFFSET, NOISE = 0.06, 0.04, 0.05, 0.1  # K per percent, K, K
N, SEED = 3000, 2401
OLD_GAIN, STEP, SHAKE, HELD = -0.2, 1.0, 0.3, 12  # percent per kelvin; percent; samples
Q, R = 1.0, 0.1


def log(N, seed):
    """y_0 … y_N and u_0 … u_{N-1}, as a data logger rounds them."""
    draw = np.random.RandomState(seed)
    y, u, level = np.zeros(N + 1), np.zeros(N), 0.0
    for t in range(N):
        if t % HELD == 0:
            level = STEP * draw.normal()
        u[t] = round(OLD_GAIN * y[t] + level + SHAKE * draw.normal(), 3)
        before = (y[t - 1], u[t - 1]) if t > 0 else (0.0, 0.0)
        y[t + 1] = (A1 * y[t] + A2 * before[0] + B1 * u[t] + B2 * before[1] + OFFSET
                    + NOISE * draw.normal())
        y[t + 1] = round(y[t + 1], 3)
    return y, u


# The true plant over (y_t, y_{t-1}, u_{t-1}), for comparisons only.
F = np.array([[A1, A2, B2], [1, 0, 0], [0, 0, 0]])
G = np.array([[B1], [0], [1]])
FIRST = np.array([1.0, 0, 0])


def cost(K, k):
    """Average cost of a step of u = K (y_t, y_{t-1}, u_{t-1}) + k on the true plant."""
    loop = F + G @ K
    if abs(np.linalg.eigvals(loop)).max() >= 1:
        return np.inf
    S = stationary(loop, NOISE**2 * np.outer(FIRST, FIRST))
    mean = np.linalg.solve(np.eye(3) - loop, OFFSET * FIRST + G[:, 0] * k)
    u = (K @ mean)[0] + k
    return Q * (S[0, 0] + mean[0]**2) + R * ((K @ S @ K.T)[0, 0] + u**2)


def optimum():
    """(K, k) of who knows the plant."""
    P = Q * np.outer(FIRST, FIRST)
    for _ in range(2000):
        K = -np.linalg.solve(R + G.T @ P @ G, G.T @ P @ F)
        P = Q * np.outer(FIRST, FIRST) + F.T @ P @ (F + G @ K)
    # The cost is quadratic in k: three of them have its minimum.
    low, middle, high = (cost(K, k) for k in (-1.0, 0.0, 1.0))
    return K, 0.5 * (low - high) / (low - 2 * middle + high)


PROBLEM = """\
# A heat exchanger, one output, one input, for ever in steps of 10 s. Written by make_data.py.
name    = "heat exchanger from one log"
horizon = "infinite"

[system]
identify = true
states   = 1             # what is measured
inputs   = 1
lags     = 2
offset   = true

[cost]                   # kelvin^2 + 0.1 percent^2
Q = [1]
R = [0.1]

[data]
layout = "long"
step   = "k"
states = ["outlet [K]"]
inputs = ["valve [%]"]
"""


def main():
    folder = pathlib.Path(sys.argv[1]) if len(sys.argv) > 1 else HERE
    (folder / "problem.toml").write_text(PROBLEM, encoding="ascii")
    y, u = log(N, SEED)
    rows = [[str(k), f"{value:.3f}", f"{u[k]:.3f}" if k < N else ""] for k, value in enumerate(y)]
    write_csv(folder / "log.csv", ["k", "outlet [K]", "valve [%]"], rows, 6)


if __name__ == "__main__":
    main()

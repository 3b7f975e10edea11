#!/usr/bin/python3
"""A heat exchanger under its PI controller: writes problem.toml, logs.csv and truth.toml.

    make_data.py [FOLDER]

Output: outlet temperature above the set-point [K]; input: valve above its usual opening [%]; a
sample every 10 s. Of the plant only a step response is known, as a technician reads it off a
recorder: nothing for 20 s after the valve moved, then a slow rise. The water comes in warmer or
colder, which lasts for minutes; the sensor has noise. Between two episodes the plant was at rest.
"""

import pathlib
import sys

import numpy as np

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))
from linear import toml_matrix, write_csv  # noqa

PERIOD, T, DELAY = 10, 30, 2  # s; steps; of dead time
GAIN, METAL, WATER = 0.8, 15.0, 60.0  # K per percent; s, s
DRIFT, LASTS, NOISE = 1.0, 0.97, 0.15  # K; how much of it is left a step later; K
P, I = 1.0, 0.01  # of the PI controller: percent per K, percent per K and s
Q, R = 1.0, 0.02
N, SEED = 200, 2601


def step_response():
    """After the dead time, to two digits: what is read off the recorder."""
    t = PERIOD * np.arange(1, T + 1)
    rise = GAIN * (1 - (WATER * np.exp(-t / WATER) - METAL * np.exp(-t / METAL)) / (WATER - METAL))
    return np.round(rise, 2)


def effect():
    """(T+1) x T: what the openings do to the temperatures."""
    S = step_response()
    h = np.concatenate([np.zeros(DELAY), np.diff(S, prepend=0)])
    G = np.zeros((T + 1, T))
    for s in range(T):
        G[s + 1:, s] = h[:T - s]
    return G


def covariance():
    """Of the temperatures that there would be without the valve."""
    lag = np.abs(np.subtract.outer(np.arange(T + 1), np.arange(T + 1)))
    return DRIFT**2 * LASTS**lag + NOISE**2 * np.eye(T + 1)


def episode(eta, G):
    """Under the PI controller; the logger rounds to a hundredth."""
    y, u, total = np.zeros(T + 1), np.zeros(T), 0.0
    for t in range(T + 1):
        y[t] = round(eta[t] + G[t] @ u, 2)
        if t == T:
            break
        total += PERIOD * -y[t]
        u[t] = round(P * -y[t] + I * total, 2)
    return y, u


SYSTEM = """\
name    = "{name}"
horizon = {T}

[system]
step  = [{step}]
delay = {delay}         # 20 s; the values of the step response are those after it

[cost]              # K^2 + 0.02 %^2
Q = [{Q:g}]
R = [{R:g}]
"""

PROBLEM = """\
# A heat exchanger from its step response, 5 minutes in steps of 10 s. Written by make_data.py.
{system}
[baseline]          # the PI controller that runs today
pid = {{ p = {P:g}, i = {I:g}, dt = {period} }}

[learning]
method = "auto"

[data]
layout  = "long"
episode = "shift"
step    = "k"
outputs = ["outlet [K]"]
inputs  = ["valve [%]"]
"""

TRUTH = """\
# The exchanger with the law that drew the logs, for comparisons only. Written by make_data.py.
{system}
[disturbance]
covariance = {covariance}

[learning]
method = "optimum"
"""


def main():
    folder = pathlib.Path(sys.argv[1]) if len(sys.argv) > 1 else HERE
    G, root, draw = effect(), np.linalg.cholesky(covariance()), np.random.RandomState(SEED)
    rows = []
    for shift in range(1, N + 1):
        y, u = episode(root @ draw.normal(size=T + 1), G)
        for k in range(T + 1):
            opening = f"{u[k]:.2f}" if k < T else ""
            rows.append([str(shift), str(k), f"{y[k]:.2f}", opening])
    write_csv(folder / "logs.csv", ["shift", "k", "outlet [K]", "valve [%]"], rows, 6)
    step = ", ".join(f"{value:g}" for value in step_response())
    words = {"T": T, "step": step, "delay": DELAY, "Q": Q, "R": R}
    (folder / "problem.toml").write_text(PROBLEM.format(
        system=SYSTEM.format(name="heat exchanger", **words), P=P, I=I, period=PERIOD),
        encoding="ascii")
    (folder / "truth.toml").write_text(TRUTH.format(
        system=SYSTEM.format(name="heat exchanger, the truth", **words),
        covariance=toml_matrix(covariance(), 6)), encoding="ascii")


if __name__ == "__main__":
    main()

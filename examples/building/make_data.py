#!/usr/bin/python3
"""An office with fan-coil heating: writes problem.toml, learn.csv and test.npy.

    make_data.py [FOLDER]

One day from 6:00 to 18:00 in steps of half an hour. State: room air, walls and slab, in kelvin
above the set-point. Input: heat above what keeps the set-point on an average winter day, in kW.
Known beforehand: the outdoor temperature of the average day (the offset d). Not known: how far
outdoors is from it, people and machines, and the sun. These have a mean, and what is unusual at
9:00 is still unusual at noon.
"""

import pathlib
import sys

import numpy as np

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))
from linear import factor, hold, rounded, toml_matrix, trajectory_names, write_csv  # noqa

AIR, WALL, SLAB = 2e6, 40e6, 25e6  # J/K, air with furniture
AIR_WALL, AIR_SLAB, AIR_OUT, WALL_OUT = 400.0, 300.0, 60.0, 80.0  # W/K
PERIOD, T = 1800.0, 24  # s, steps
HOUR = 6.25 + 0.5 * np.arange(T)  # middle of each step
SWING = 4.0  # K, of the average day, warmest at 15:00

PRESENT = np.where((HOUR > 8) & (HOUR < 17.5), 1.0, 0.1)  # people and machines
SUN = np.where((HOUR > 8) & (HOUR < 17), np.sin(np.pi * (HOUR - 8) / 9), 0.0)
# Means and standard deviations: K outdoors, kW of people and machines, kW of sun.
OUT_MEAN, OUT = 1.5, 3.5
LOAD_MEAN, LOAD_DAY, LOAD_HOUR = 0.8, 0.25, 0.15  # a busy day, a busy hour
SUN_MEAN, SUN_DAY, SUN_HOUR = 0.9, 0.35, 0.15  # a clear day, a passing cloud
START_MEAN = np.array([-0.8, -0.2, -0.3])  # after the night, K
START_COMMON, START = 0.2, np.array([0.6, 0.3, 0.3])
ROUGH = np.array([0.05, 0.005, 0.005])  # K per step: doors, drafts

N_LEARN, N_TEST, SEED = 120, 400, 2100


def plant():
    """A, B and the effect of (outdoors [K], people and machines [kW], sun [kW]) on one step."""
    A = np.array([[-(AIR_WALL + AIR_SLAB + AIR_OUT) / AIR, AIR_WALL / AIR, AIR_SLAB / AIR],
                  [AIR_WALL / WALL, -(AIR_WALL + WALL_OUT) / WALL, 0],
                  [AIR_SLAB / SLAB, 0, -AIR_SLAB / SLAB]])
    B = np.array([[1000 / AIR], [0], [0]])
    E = np.array([[AIR_OUT / AIR, 600 / AIR, 300 / AIR], [WALL_OUT / WALL, 0, 0],
                  [0, 400 / SLAB, 700 / SLAB]])
    A_d, BE = hold(A, np.hstack([B, E]), PERIOD)
    return rounded(A_d), rounded(BE[:, :1]), BE[:, 1:]


def offset():
    """d: the average day outdoors, against its own mean."""
    _, _, E = plant()
    return rounded(np.outer(SWING * np.cos(2 * np.pi * (HOUR - 15) / 24), E[:, 0]))


def law():
    """Mean and covariance of (x_0, w_0, ..., w_{T-1}): Gaussian, exactly."""
    _, _, E = plant()
    hours = 0.5 * np.abs(np.subtract.outer(np.arange(T), np.arange(T)))
    outdoors = OUT**2 * np.exp(-hours / 30)
    load = (LOAD_DAY**2 + LOAD_HOUR**2 * np.exp(-hours / 1.5)) * np.outer(PRESENT, PRESENT)
    sun = (SUN_DAY**2 + SUN_HOUR**2 * np.exp(-hours / 0.7)) * np.outer(SUN, SUN)
    mean, covariance = np.zeros(3 * (T + 1)), np.zeros((3 * (T + 1),) * 2)
    mean[:3] = START_MEAN
    covariance[:3, :3] = np.diag(START**2) + START_COMMON**2
    covariance[3:, 3:] = np.kron(np.eye(T), np.diag(ROUGH**2))
    means = (OUT_MEAN * np.ones(T), LOAD_MEAN * PRESENT, SUN_MEAN * SUN)
    for k, C in enumerate((outdoors, load, sun)):
        mean[3:] += np.kron(means[k], E[:, k])
        covariance[3:, 3:] += np.kron(C, np.outer(E[:, k], E[:, k]))
    return mean, covariance


def trajectories(n, seed):
    mean, covariance = law()
    return mean + np.random.RandomState(seed).standard_normal((n, len(mean))) @ factor(covariance).T


PROBLEM = """\
# An office, 3 temperatures, 1 heater, half-hour steps from 6:00 to 18:00. Written by make_data.py,
# which has the physics.
name    = "office in winter"
horizon = {T}

[system]
A = {A}
B = {B}
# The average day outdoors, step by step.
d = {d}

[cost]            # kelvin of the air against kilowatts; walls and slab at the end only
Q = [1, 0, 0]
R = [0.02]
P = [1, 0.5, 0.5]

[response]
affine = true     # the mean of the loads is learned as an offset k of the input

[disturbance]
model     = "gaussian"
zero_mean = false

[learning]
method = "auto"
"""


def main():
    folder = pathlib.Path(sys.argv[1]) if len(sys.argv) > 1 else HERE
    A, B, _ = plant()
    text = PROBLEM.format(T=T, A=toml_matrix(A), B=toml_matrix(B), d=toml_matrix(offset()))
    (folder / "problem.toml").write_text(text, encoding="ascii")
    write_csv(folder / "learn.csv", trajectory_names(T, 3), trajectories(N_LEARN, SEED), 6)
    np.save(folder / "test.npy", trajectories(N_TEST, SEED + 1).astype("<f4"))


if __name__ == "__main__":
    main()

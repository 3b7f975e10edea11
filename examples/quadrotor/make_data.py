#!/usr/bin/python3
"""A quadrotor in hover in Dryden turbulence: writes problem.toml, limits.toml (the same with
limits), learn.npy and test.npy.

    make_data.py [FOLDER]

State: position [m], velocity [m/s] (x forward, y left, z up), roll, pitch, yaw [rad], their rates
[rad/s]. Input: thrust above hover [N], three torques [N m]. Gusts push through the drag, which
acts on the velocity relative to the air, and through the moment that flapping rotors feel. The
gust is no state: what it does to the state within one period is the disturbance w.
"""

import pathlib
import sys

import numpy as np

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))
from linear import factor, hold, noise_step, rounded, stationary, toml_matrix  # noqa

MASS, INERTIA, INERTIA_YAW, GRAVITY = 1.0, 0.0082, 0.0149, 9.81  # kg, kg m^2, kg m^2, m/s^2
DRAG, DRAG_UP = 0.30, 0.45  # N per m/s: rotor drag sideways, inflow damping upwards
FLAP = 0.006  # N m per m/s: relative wind tilts the rotor discs
SPIN = 0.004  # N m per rad/s
PERIOD, T = 0.1, 20  # s, steps

# MIL-F-8785C at low altitude, moderate wind; its formulas are in feet.
HEIGHT, WIND_20FT, WIND = 6.1, 7.7, 5.0  # m, m/s at 20 ft, mean wind that carries the gusts past
FOOT = 0.3048

START = np.array([0.1] * 3 + [0.1] * 3 + [0.03] * 3 + [0.1] * 3)  # standard deviations of x_0
ROUGH = np.array([0.6e-3] * 3 + [6e-3] * 3 + [0.6e-3] * 3 + [6e-3] * 3)  # what the model leaves out

N_LEARN, N_TEST, SEED = 200, 300, 8785


def plant():
    """Hover, linearized: x' = A x + B u + E gust."""
    A, B, E = np.zeros((12, 12)), np.zeros((12, 4)), np.zeros((12, 3))
    A[0:3, 3:6] = A[6:9, 9:12] = np.eye(3)
    A[3, 7], A[4, 6] = GRAVITY, -GRAVITY  # pitch moves forward, roll moves right
    for i, drag in enumerate((DRAG, DRAG, DRAG_UP)):
        A[3 + i, 3 + i], E[3 + i, i] = -drag / MASS, drag / MASS
    A[10, 3], E[10, 0] = -FLAP / INERTIA, FLAP / INERTIA  # the discs lean away from the wind
    A[9, 4], E[9, 1] = FLAP / INERTIA, -FLAP / INERTIA
    A[9:12, 9:12] = -np.diag([SPIN / INERTIA, SPIN / INERTIA, SPIN / INERTIA_YAW])
    B[5, 0] = 1 / MASS
    B[9:12, 1:4] = np.diag([1 / INERTIA, 1 / INERTIA, 1 / INERTIA_YAW])
    return A, B, E


def dryden():
    """Three gust components from white noise: g' = A g + G e, gust = C g [m/s]."""
    feet = HEIGHT / FOOT
    shape = 0.177 + 0.000823 * feet
    length, length_up = feet / shape**1.2 * FOOT, HEIGHT
    sigma_up = 0.1 * WIND_20FT
    sigma = sigma_up / shape**0.4
    A, G, C = np.zeros((5, 5)), np.zeros((5, 3)), np.zeros((3, 5))
    rate = WIND / length  # along the wind: sigma sqrt(2 L/V) / (1 + L/V s)
    A[0, 0], G[0, 0], C[0, 0] = -rate, sigma * np.sqrt(2 * rate), 1
    for k, (L, s) in enumerate(((length, sigma), (length_up, sigma_up))):
        rate, i = WIND / L, 1 + 2 * k  # across: sigma sqrt(L/V) (1 + sqrt 3 L/V s) / (1 + L/V s)^2
        A[i:i + 2, i:i + 2] = [[0, 1], [-rate**2, -2 * rate]]
        G[i + 1, 1 + k] = 1
        C[1 + k, i:i + 2] = s / np.sqrt(rate) * np.array([rate**2, np.sqrt(3) * rate])
    return A, G, C, (length, length_up, sigma, sigma_up)


def discrete():
    """A and B of the problem file, and the joint step (state, gust filters) with its noise."""
    A, B, E = plant()
    A_g, G_g, C_g, _ = dryden()
    A_d, B_d = (rounded(M) for M in hold(A, B, PERIOD))
    joint = np.block([[A, E @ C_g], [np.zeros((5, 12)), A_g]])
    F, V = noise_step(joint, np.vstack([np.zeros((12, 3)), G_g]), PERIOD)
    return A_d, B_d, F, V, stationary(*noise_step(A_g, G_g, PERIOD))


def sources():
    """R with (x_0, w_0, ..., w_{T-1}) = R e, e standard normal: the law, exactly."""
    _, _, F, V, S = discrete()
    R = np.zeros((12 * (T + 1), 17 + 29 * T))
    R[:12, :12] = np.diag(START)
    g = np.zeros((5, R.shape[1]))
    g[:, 12:17] = factor(S)
    L = factor(V)
    for t in range(T):
        now, at = slice(12 * (t + 1), 12 * (t + 2)), 17 + 29 * t
        noise = np.zeros((17, R.shape[1]))
        noise[:, at:at + 17] = L
        R[now] = F[:12, 12:] @ g + noise[:12]
        R[now, at + 17:at + 29] = np.diag(ROUGH)
        g = F[12:, 12:] @ g + noise[12:]
    return R


def law():
    """Covariance of (x_0, w_0, ..., w_{T-1}): Gaussian with mean zero, exactly."""
    return sources() @ sources().T


def trajectories(n, seed):
    R = sources()
    return np.random.RandomState(seed).standard_normal((n, R.shape[1])) @ R.T


PROBLEM = """\
# A quadrotor in hover, 12 states, 4 inputs, steps of 0.1 s. Written by make_data.py, which has the
# physics. The gusts are no states: they enter as disturbances that are correlated in time.
name    = "quadrotor in turbulence"
horizon = {T}

[system]
A = {A}
B = {B}

[cost]            # one unit: 0.5 m, 1 m/s, 0.5 rad, 2.2 rad/s, 1.4 N, 0.22 N m
Q = [4, 4, 4, 1, 1, 1, 4, 4, 4, 0.2, 0.2, 0.2]
R = [0.5, 20, 20, 20]

[disturbance]     # Dryden gusts are Gaussian by definition; nothing is assumed of their size
model = "gaussian"

[learning]
method = "auto"
"""
LIMITS = """\

[limits]          # 0.2 rad = 11 degrees; 1 N, a tenth of the weight
probability = 0.05
rows = [
  { name = "roll", x = [0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0], min = -0.2, max = 0.2 },
  { name = "pitch", x = [0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0], min = -0.2, max = 0.2 },
  { name = "thrust", u = [1, 0, 0, 0], min = -1, max = 1 },
]
"""


def main():
    folder = pathlib.Path(sys.argv[1]) if len(sys.argv) > 1 else HERE
    A, B, *_ = discrete()
    text = PROBLEM.format(T=T, A=toml_matrix(A), B=toml_matrix(B))
    (folder / "problem.toml").write_text(text, encoding="ascii")
    text = text.replace("quadrotor in turbulence", "quadrotor with limits") + LIMITS
    (folder / "limits.toml").write_text(text, encoding="ascii")
    np.save(folder / "learn.npy", trajectories(N_LEARN, SEED).astype("<f4"))
    np.save(folder / "test.npy", trajectories(N_TEST, SEED + 1).astype("<f4"))


if __name__ == "__main__":
    main()

#!/usr/bin/python3
"""An active suspension on a rough road: writes problem.toml, drive-1.csv, drive-2.csv and
test.npy.

    make_data.py [FOLDER]

Quarter car with states suspension deflection [cm], body speed [m/s], tyre deflection [cm], wheel
speed [m/s]. The input is the force [N] between body and wheel: an inner loop makes the actuator
give it, so the squared input is the squared body acceleration times 320^2. The road is of ISO 8608
class C, taken at 18 km/h; the tyre touches it along 0.2 m and follows its average.

The drives are logged with the stock suspension, a spring and a damper that the actuator imitates,
plus some excitation. Each run starts somewhere else on such a road; the log begins after 3 s.
"""

import pathlib
import sys

import numpy as np

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))
from linear import factor, hold, noise_step, rounded, stationary, toml_matrix, write_csv  # noqa

BODY, WHEEL = 320.0, 40.0  # kg
TYRE, TYRE_DAMPING = 200e3, 100.0  # N/m, N per m/s
SPRING, DAMPER, EXCITATION = 18e3, 1500.0, 40.0  # stock: N/m, N per m/s; N
SPEED, PATCH = 5.0, 0.2  # m/s, m
N_0, G_0, N_LOW = 0.1, 256e-6, 0.01  # ISO 8608: cycles/m, class C in m^3; flat below N_LOW cycles/m
PERIOD, T = 0.01, 25  # s, steps
UNITS = np.array([100.0, 1, 100, 1])  # cm, m/s, cm, m/s
ROUGH = np.array([0.002, 0.001, 0.002, 0.005])  # per step, in these units: friction

N_DRIVE, N_TEST, SEED = 200, 400, 8608


def plant():
    """x' = A x + B F + E v with v the speed at which the road rises under the tyre, in SI units."""
    A = np.array([[0, 1, 0, -1], [0, 0, 0, 0], [0, 0, 0, 1],
                  [0, 0, -TYRE / WHEEL, -TYRE_DAMPING / WHEEL]])
    B = np.array([[0], [1 / BODY], [0], [-1 / WHEEL]])
    E = np.array([[0], [0], [-1], [TYRE_DAMPING / WHEEL]])
    return A, B, E


def road(speed=SPEED, patch=PATCH):
    """r' = A r + G e, v = C r, and v_white the part of v that is white noise (point contact).

    Waviness 2: G_d(n) = G_0 (n/N_0)^-2 for n above N_LOW. The height that a point meets is white
    noise through one lag; the average along the contact patch is close to two lags of patch/4 each.
    """
    rate = 2 * np.pi * N_LOW * speed
    intensity = np.sqrt(2 * np.pi**2 * N_0**2 * G_0 * speed)  # two-sided, of the vertical speed
    if patch == 0:
        return np.array([[-rate]]), np.array([[intensity]]), np.array([[-rate]]), intensity
    lag = 4 * speed / patch
    A = np.array([[-rate, 0, 0], [lag, -lag, 0], [0, lag, -lag]])
    return A, np.array([[intensity], [0], [0]]), np.array([[0, lag, -lag]]), 0.0


def discrete(speed=SPEED, patch=PATCH):
    """A and B of the problem file, and the joint step (state, road) with its noise."""
    A, B, E = plant()
    A_r, G_r, C_r, white = road(speed, patch)
    k = len(A_r)
    joint = np.block([[A, E @ C_r], [np.zeros((k, 4)), A_r]])
    F, V = noise_step(joint, np.vstack([E * white, G_r]), PERIOD)
    units = np.concatenate([UNITS, np.ones(k)])
    rough = np.concatenate([ROUGH, np.zeros(k)])
    A_d, B_d = hold(A, B, PERIOD)
    return (rounded(UNITS[:, None] * A_d / UNITS), rounded(UNITS[:, None] * B_d),
            units[:, None] * F / units, V * np.outer(units, units) + np.diag(rough**2),
            stationary(*noise_step(A_r, G_r, PERIOD)))


STOCK = np.array([-SPRING, -DAMPER, 0, DAMPER]) / UNITS


def drives(n, seed, steps=T, settle=300):
    """States n x (steps+1) x 4 and forces n x steps of runs with the stock suspension."""
    random = np.random.RandomState(seed)
    A, B, F, V, S = discrete()
    L = factor(V)
    x, r = np.zeros((n, 4)), random.standard_normal((n, len(S))) @ factor(S).T
    states, forces = [], []
    for _ in range(settle + steps + 1):
        u = x @ STOCK + EXCITATION * random.standard_normal(n)
        states.append(x)
        forces.append(u)
        noise = random.standard_normal((n, len(V))) @ L.T
        x, r = (x @ A.T + u[:, None] * B[:, 0] + r @ F[:4, 4:].T + noise[:, :4],
                r @ F[4:, 4:].T + noise[:, 4:])
    return np.stack(states[settle:], axis=1), np.stack(forces[settle:], axis=1)


def law(speed=SPEED, patch=PATCH, settle=300):
    """Covariance of (x_0, w_0, ..., w_{T-1}): Gaussian with mean zero, exactly."""
    _, B, F, V, S = discrete(speed, patch)
    closed, excited = F.copy(), V.copy()
    closed[:4, :4] += np.outer(B[:, 0], STOCK)
    excited[:4, :4] += EXCITATION**2 * np.outer(B[:, 0], B[:, 0])
    joint = np.zeros_like(V)
    joint[4:, 4:] = S
    for _ in range(settle):
        joint = closed @ joint @ closed.T + excited
    k = len(V)
    R = np.zeros((4 * (T + 1), k * (T + 1)))
    start = factor(joint)
    R[:4, :k], r = start[:4], np.zeros((k - 4, R.shape[1]))
    r[:, :k] = start[4:]
    for t in range(T):
        noise = np.zeros((k, R.shape[1]))
        noise[:, k * (t + 1):k * (t + 2)] = factor(V)
        R[4 * (t + 1):4 * (t + 2)] = F[:4, 4:] @ r + noise[:4]
        r = F[4:, 4:] @ r + noise[4:]
    return R @ R.T


def write_drives(path, x, u, first):
    """One row per step; no force was applied after the last state, so that field is empty."""
    header = ["run", "t [s]", "deflection [cm]", "body speed [m/s]", "tyre [cm]",
              "wheel speed [m/s]", "force [N]"]
    rows = []
    for run in range(len(x)):
        for t in range(T + 1):
            force = f"{u[run, t]:.6g}" if t < T else ""
            rows.append([str(first + run), f"{t * PERIOD:.2f}", *x[run, t], force])
    write_csv(path, header, rows, 6)


def trajectories(x, u):
    A, B, *_ = discrete()
    w = x[:, 1:] - x[:, :-1] @ A.T - u[:, :T, None] * B[:, 0]
    return np.concatenate([x[:, 0], w.reshape(len(x), -1)], axis=1)


PROBLEM = """\
# An active suspension, 4 states, 1 input, steps of 0.01 s. Written by make_data.py, which has the
# physics. The road is no state: it enters as a disturbance.
name    = "quarter car on a rough road"
horizon = {T}

[system]
A = {A}
B = {B}

[cost]             # squared body acceleration, 1000 deflection^2 and 300000 tyre^2, both in metres
Q = [0.1, 0, 30, 0]
R = [9.765625e-06]  # 1/320^2: the force by which the body accelerates

[disturbance]
model = "gaussian"

[data]
layout  = "long"
episode = "run"
time    = "t [s]"
period  = {PERIOD}
states  = ["deflection [cm]", "body speed [m/s]", "tyre [cm]", "wheel speed [m/s]"]
inputs  = ["force [N]"]

[learning]
method = "auto"
"""


def main():
    folder = pathlib.Path(sys.argv[1]) if len(sys.argv) > 1 else HERE
    A, B, *_ = discrete()
    text = PROBLEM.format(T=T, PERIOD=PERIOD, A=toml_matrix(A), B=toml_matrix(B))
    (folder / "problem.toml").write_text(text, encoding="ascii")
    for drive in (1, 2):
        x, u = drives(N_DRIVE, SEED + drive)
        write_drives(folder / f"drive-{drive}.csv", x, u, 1 + N_DRIVE * (drive - 1))
    np.save(folder / "test.npy", trajectories(*drives(N_TEST, SEED + 3)).astype("<f4"))


if __name__ == "__main__":
    main()

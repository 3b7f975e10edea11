#!/usr/bin/python3
"""The second table of docs/examples/colour.md: other colours, granted or not.

    docs/scripts/colours_table.py [build/bin/loopcert [seeds]]

Draws disturbances of three colours for the double integrator of the examples, learns with method auto
with and without [disturbance] autoregressive, and prints medians of what the deployed controller costs
(exact, from its gains) and of its certificate.
"""

import json
import pathlib
import statistics
import subprocess
import sys
import tempfile

import numpy as np

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
PROGRAM = sys.argv[1] if len(sys.argv) > 1 else ROOT / "build/bin/loopcert"
SEEDS = int(sys.argv[2]) if len(sys.argv) > 2 else 10
A, B = np.array([[1, 1], [0, 1.0]]), np.array([[0.5], [1]])
Q, R, P, T = np.diag([1, 0.1]), np.array([[0.5]]), np.diag([2, 0.2]), 10
PROBLEM = """horizon = 10
[system]
A = [[1, 1], [0, 1]]
B = [[0.5], [1]]
[cost]
Q = [[1, 0], [0, 0.1]]
R = [[0.5]]
P = [[2, 0], [0, 0.2]]
[learning]
method = "auto"
"""


def filtered(taps, echoes, length):
    """Rows: what white noise becomes after v + taps v_{t-1}, ... = w - echoes w_{t-1} - ...; the first
    50 steps are left out, so that a stable colour is stationary."""
    steps = length + 50
    rows = np.zeros((steps, steps))
    for t in range(steps):
        rows[t, t] = 1
        for k, tap in enumerate(taps, 1):
            if t >= k:
                rows[t, t - k] += tap
        for k, echo in enumerate(echoes, 1):
            if t >= k:
                rows[t] += echo * rows[t - k]
    return rows[50:]


def walk(length):
    return np.tril(np.ones((length, length)))


# Each with variance 0.1 on average over the steps; lags granted.
COLOURS = {
    "AR(2), a wave of 12 steps": (filtered((), (2 * 0.9 * np.cos(np.pi / 6), -0.81), T), 2),
    "gust (Dryden, lateral: ARMA(2, 1))": (filtered((-0.5,), (1.4, -0.49), T), 2),
    "random walk": (walk(T), 1),
}


def root_of(colour):
    """w = root e, w = (x_0, w_0, ...), two independent components."""
    unit = np.sqrt(0.1 / np.mean(np.sum(colour**2, 1)))
    steps = np.kron(unit * colour, np.eye(2))
    return np.block([[np.sqrt(0.1) * np.eye(2), np.zeros((2, steps.shape[1]))],
                     [np.zeros((2 * T, 2)), steps]])


def cost_of(K, root):
    states, total = [root[:2]], 0.0
    for t in range(T):
        u = K[t:t + 1, :2 * (t + 1)] @ np.vstack(states)
        total += np.sum(states[t] * (Q @ states[t])) + np.sum(u * (R @ u))
        states.append(A @ states[t] + B @ u + root[2 * (t + 1):2 * (t + 2)])
    return total + np.sum(states[T] * (P @ states[T]))


def main():
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        for label, (colour, lags) in COLOURS.items():
            root = root_of(colour)
            for n in (50, 100, 200):
                cells = []
                for extra in ("", f"[disturbance]\nautoregressive = {lags}\n"):
                    (folder / "p.toml").write_text(PROBLEM + extra)
                    runs = []
                    for seed in range(SEEDS):
                        rng = np.random.default_rng(seed)
                        np.save(folder / "w.npy", rng.normal(size=(n, root.shape[1])) @ root.T)
                        done = subprocess.run([PROGRAM, "learn", folder / "p.toml", "--data",
                                               folder / "w.npy", "--out", folder / "o", "--json"],
                                              capture_output=True, text=True, check=True)
                        K = np.array(json.loads((folder / "o/controller.json").read_text())["K"])
                        runs.append((cost_of(K, root),
                                     json.loads(done.stdout)["certificate"]["value"]))
                    cells.append("{:.3f}, {:.3f}".format(*map(statistics.median, zip(*runs))))
                print(f"| {label} | {n} | {cells[0]} | {cells[1]} |", flush=True)


if __name__ == "__main__":
    main()

#!/usr/bin/python3
"""The table of docs/certificates.md about the chain of three states.

    docs/scripts/chain_table.py [build/bin/loopcert] [seeds]

Draws logs of the chain under white inputs, learns from them alone, and puts the cost of what is
deployed on the true plant, which this file computes itself, beside its certificate. All in the
units of the published figures, 10 sqrt(J), J the average cost of a step.
"""

import json
import pathlib
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor

import numpy as np

A, B = np.array([[1.01, 0.01, 0], [0.01, 1.01, 0.01], [0, 0.01, 1.01]]), np.eye(3)
Q, R, VARIANCE = 1e-3 * np.eye(3), np.eye(3), 0.1
STEPS, SIZES, METHODS = 45, (10, 30, 100), ("identified", "guaranteed", "auto")
PROBLEM = """\
name    = "chain"
horizon = "infinite"
[system]
identify = true
states   = 3
inputs   = 3
[cost]
Q = [0.001, 0.001, 0.001]
R = [1, 1, 1]
[data]
axes = ["episode", "step", "component"]
"""


def logs(n, seed):
    """n logs from rest; inputs of variance 1."""
    draw = np.random.RandomState(seed)
    x, u = np.zeros((n, STEPS + 1, 3)), draw.normal(size=(n, STEPS, 3))
    for t in range(STEPS):
        x[:, t + 1] = (x[:, t] @ A.T + u[:, t] @ B.T
                       + np.sqrt(VARIANCE) * draw.normal(size=(n, 3)))
    return x, u


def average_cost(K):
    """J of u = K x on the true plant; infinite where the loop is not stable."""
    loop = A + B @ K
    if abs(np.linalg.eigvals(loop)).max() >= 1:
        return np.inf
    S, power = VARIANCE * np.eye(3), loop
    for _ in range(40):
        S, power = S + power @ S @ power.T, power @ power
    return np.trace((Q + K.T @ R @ K) @ S)


def lqr(A, B):
    P = Q
    for _ in range(5000):
        K = -np.linalg.solve(R + B.T @ P @ B, B.T @ P @ A)
        P = Q + A.T @ P @ (A + B @ K)
    return K


def units(J):
    return 10 * np.sqrt(J)


def learn(program, n, seed, method):
    """(cost, certificate), or nothing where there is no certificate."""
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        (folder / "p.toml").write_text(PROBLEM)
        x, u = logs(n, seed)
        np.savez(folder / "l.npz", x=x, u=u)
        done = subprocess.run([program, "learn", "p.toml", "--rollouts", "l.npz", "--method",
                               method, "--out", "o", "--json"], cwd=folder, capture_output=True,
                              text=True)
        if done.returncode:
            return None
        K = np.array(json.loads((folder / "o/controller.json").read_text())["K"])
        return units(average_cost(K)), units(json.loads(done.stdout)["certificate"]["value"])


def least_squares(n, seed):
    """What certainty equivalence costs where nobody asks for a certificate."""
    x, u = logs(n, seed)
    r = np.concatenate([x[:, :-1], u], 2).reshape(-1, 6)
    theta = np.linalg.lstsq(r, x[:, 1:].reshape(-1, 3), rcond=None)[0].T
    return units(average_cost(lqr(theta[:, :3], theta[:, 3:])))


def cell(program, n, seeds, method):
    """(median cost, median certificate, refusals, violations) over the seeds."""
    with ThreadPoolExecutor(2) as pool:
        found = list(pool.map(lambda seed: learn(program, n, seed, method), range(seeds)))
    given = [pair for pair in found if pair]
    if not given:
        return np.nan, np.nan, seeds, 0
    cost, value = np.median(given, axis=0)
    return cost, value, seeds - len(given), sum(value < cost for cost, value in given)


def main():
    program = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else "build/bin/loopcert").resolve()
    seeds = int(sys.argv[2]) if len(sys.argv) > 2 else 40
    print(f"optimum {units(average_cost(lqr(A, B))):.4f}\n")
    print("| | N = 10 | 30 | 100 |\n|---|---|---|---|")
    plain = [np.median([least_squares(n, seed) for seed in range(seeds)]) for n in SIZES]
    print("| LQR of least squares, no certificate |", " | ".join(f"{c:.3f}" for c in plain), "|")
    wrong = 0
    for method in METHODS:
        row = [cell(program, n, seeds, method) for n in SIZES]
        print(f"| method `{method}` |", " | ".join(
            f"{cost:.3f}, {value:.3f}" if refused == 0 else
            "refused" if refused == seeds else f"{cost:.3f}, {value:.3f} ({refused} refused)"
            for cost, value, refused, _ in row), "|", flush=True)
        wrong += sum(found[-1] for found in row)
    print(f"\ncertificates below the cost: {wrong}")


if __name__ == "__main__":
    main()

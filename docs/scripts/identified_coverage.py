#!/usr/bin/python3
"""The table of docs/coverage.md about identified plants.

    docs/scripts/identified_coverage.py [build/bin/loopcert] [sets]

Draws logs of known plants, learns and certifies on each, and counts certificates below the cost of
the deployed controller on the true plant, which this file computes itself.
"""

import json
import pathlib
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor

import numpy as np

PROGRAM = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else "build/bin/loopcert").resolve()
SETS = int(sys.argv[2]) if len(sys.argv) > 2 else 1000
A, B = np.array([[1.0, 0.5], [-0.3, 0.8]]), np.array([[0.1], [1.0]])
DEVIATION = np.array([0.2, 0.3])
SYSTEM = '[system]\nidentify = true\nstates = 2\ninputs = 1\n'
COST = '[cost]\nQ = [1, 0.2]\nR = [0.3]\n'
Q, R = np.diag([1, 0.2]), np.array([[0.3]])


def logs(rng, episodes, steps, plant):
    x, u = np.zeros((episodes, steps + 1, 2)), np.zeros((episodes, steps, 1))
    x[:, 0] = DEVIATION * rng.normal(size=(episodes, 2))
    for t in range(steps):
        u[:, t] = -0.4 * x[:, t, 1:] + 0.5 * rng.normal(size=(episodes, 1))
        x[:, t + 1] = x[:, t] @ plant(t).T + u[:, t] @ B.T + DEVIATION * rng.normal(size=(episodes, 2))
    return x, u


def cost_to_go(K, steps):
    """x'S x + noise of the loop on the true plant."""
    S, noise = Q.copy(), 0.0
    for gain in reversed(K[:steps]):
        noise += DEVIATION**2 @ np.diagonal(S)
        loop = A + B @ gain
        S = Q + gain.T @ R @ gain + loop.T @ S @ loop
    return DEVIATION**2 @ np.diagonal(S) + noise, noise


def trial(kind, seed, plant, episodes, steps):
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        horizon = steps if kind == "identified" else '"infinite"'
        axes = '["episode", "step", "component"]' if kind == "identified" else '["step", "component"]'
        (folder / "p.toml").write_text(f'name = "p"\nhorizon = {horizon}\n{SYSTEM}{COST}'
                                       f'[data]\naxes = {axes}\n')
        x, u = logs(np.random.default_rng(seed), episodes, steps, plant)
        if kind != "identified":
            x, u = x[0], u[0]
        np.savez(folder / "l.npz", x=x, u=u)
        done = subprocess.run([PROGRAM, "learn", "p.toml", "--rollouts", "l.npz", "--out", "o",
                               "--json"], cwd=folder, capture_output=True, text=True)
        if done.returncode:
            return None
        value = json.loads(done.stdout)["certificate"]["value"]
        K = np.array(json.loads((folder / "o/controller.json").read_text())["K"])
    if kind == "identified":
        gains = [K[t:t + 1, 2 * t:2 * t + 2] for t in range(steps)]
        return value, cost_to_go(gains, steps)[0]
    return value, (cost_to_go([K] * 2000, 2000)[1] - cost_to_go([K] * 1000, 1000)[1]) / 1000


def main():
    constant, other = (lambda t: A), (lambda t: A - 0.3 * np.eye(2))
    print("| kind | logs | sets | refused | violations | median value/true |\n|---|---|---|---|---|---|")
    for kind, plant, episodes, steps, words in (
            ("identified", constant, 40, 8, "40 episodes of 8 steps, feedback and excitation"),
            ("identified-average", constant, 1, 800, "one of 800 steps, the same"),
            ("identified-average", other, 1, 800,
             "one of 800 steps, of another plant than the deployed one: a negative control")):
        with ThreadPoolExecutor(2) as pool:
            found = list(pool.map(lambda s: trial(kind, s, plant, episodes, steps), range(SETS)))
        given = [pair for pair in found if pair]
        wrong = sum(value < cost for value, cost in given)
        ratio = np.median([value / cost for value, cost in given]) if given else float("nan")
        print(f"| `{kind}` | {words} | {SETS} | {SETS - len(given)} | {wrong} | {ratio:.2f} |", flush=True)


if __name__ == "__main__":
    main()

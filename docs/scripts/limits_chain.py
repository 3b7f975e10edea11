#!/usr/bin/python3
"""The table of docs/certificates.md about a coloured chain with a limit on its input.

    docs/scripts/limits_chain.py [build/bin/loopcert] [seeds]

The double integrator of the examples, x_0, w_0, w_1, ... one AR(1) sequence with 0.8 and variance 0.1;
|u_t| <= 1.5 in an episode but for 5 %, certified at delta 0.05. Learns from n trajectories, with
nothing granted but a Gaussian law of mean zero, and with [disturbance] autoregressive = 1. Cost and
violations of the deployed controller are computed here, from its gains and the true covariance: the
cost exactly, violations on 400,000 trajectories, the same for all.
"""

import json
import pathlib
import statistics
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor

import numpy as np

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
PROGRAM = str(pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else ROOT / "build/bin/loopcert").resolve())
SEEDS = int(sys.argv[2]) if len(sys.argv) > 2 else 20
T, LIMIT, TARGET, DELTA = 10, 1.5, 0.05, 0.05
A, B = np.array([[1, 1], [0, 1.0]]), np.array([[0.5], [1]])
Q, R, P = np.diag([1, 0.1]), np.array([[0.5]]), np.diag([2, 0.2])
LAGS = np.abs(np.subtract.outer(np.arange(T + 1), np.arange(T + 1)))
FACTOR = np.linalg.cholesky(np.kron(0.1 * 0.8**LAGS, np.eye(2)))
DRAWS = np.random.default_rng(2025).standard_normal((400_000, 2 * (T + 1))) @ FACTOR.T
PROBLEM = {"name": "chain", "horizon": T, "system": {"A": A.tolist(), "B": B.tolist()},
           "cost": {"Q": Q.tolist(), "R": R.tolist(), "P": P.tolist()},
           "limits": {"u": [-LIMIT, LIMIT], "probability": TARGET, "delta": DELTA}}
ORDER_ONE = {"autoregressive": 1}
# name: (n, method, certificate of the cost, [disturbance], kind of the limits)
WAYS = {
    "nothing granted": ("auto", "best", {}, "limits-best"),
    "`autoregressive = 1`": ("auto", "best", ORDER_ONE, "limits-best"),
    "the same, `identified`, all data": ("identified", "identified", ORDER_ONE, "limits-envelope"),
}


def truth(K):
    """(cost, probability of a violation) of u = K x."""
    X, U = np.zeros((2 * (T + 1), 2 * (T + 1))), np.zeros((T, 2 * (T + 1)))
    X[:2, :2] = np.eye(2)
    for t in range(T):
        now, after = slice(2 * t, 2 * t + 2), slice(2 * t + 2, 2 * t + 4)
        U[t] = K[t] @ X
        X[after] = A @ X[now] + B @ U[t:t + 1]
        X[after, after] += np.eye(2)
    weights = np.kron(np.eye(T + 1), Q)
    weights[-2:, -2:] = P
    cost = np.sum((X @ FACTOR) * (weights @ X @ FACTOR)) + R[0, 0] * np.sum((U @ FACTOR)**2)
    return cost, np.mean(np.any(np.abs(DRAWS @ U.T) > LIMIT, axis=1))


def learn(n, seed, method, certificate, disturbance, kind):
    """(cost, certified cost, violation, certified violation)"""
    w = np.random.default_rng([seed, n]).standard_normal((n, 2 * (T + 1))) @ FACTOR.T
    problem = {**PROBLEM, "disturbance": disturbance, "limits": {**PROBLEM["limits"], "kind": kind}}
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        (folder / "p.json").write_text(json.dumps(problem))
        np.save(folder / "w.npy", w)
        done = subprocess.run([PROGRAM, "learn", "p.json", "--data", "w.npy", "--method", method,
                               "--certificate", certificate, "--out", "o", "--json"], cwd=folder,
                              capture_output=True, text=True)
        if done.returncode != 0:
            raise SystemExit(done.stderr)
        run = json.loads(done.stdout)
        K = np.array(json.loads((folder / "o/controller.json").read_text())["K"])
    cost, violation = truth(K)
    return cost, run["certificate"]["value"], violation, run["limits"]["value"]


def main():
    print("| granted | n | cost | its certificate | violations | certified at most 5 % | false |")
    print("|---|---|---|---|---|---|---|")
    for name, way in WAYS.items():
        for n in (200, 400):
            with ThreadPoolExecutor(2) as pool:
                runs = list(pool.map(lambda seed: learn(n, seed, *way), range(SEEDS)))
            cost, bound, true, said = zip(*runs)
            passed = sum(value <= TARGET for value in said)
            false = sum(value < truly for value, truly in zip(said, true))
            wrong = sum(value < really for value, really in zip(bound, cost))
            print(f"| {name} | {n} | {statistics.median(cost):.3f} ({min(cost):.3f} to {max(cost):.3f}) | "
                  f"{statistics.median(bound):.3f} | {statistics.median(true):.2%} (at most "
                  f"{max(true):.2%}) | {passed} of {SEEDS} | {false + wrong} |", flush=True)


main()

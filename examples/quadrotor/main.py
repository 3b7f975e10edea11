"""The quadrotor in Python: what is certified from more and more flights, and what the controllers
cost on flights that were held out. The first argument is this folder."""

import sys
from pathlib import Path

import numpy as np

import loopcert as lc

folder = Path(sys.argv[1] if len(sys.argv) > 1 else ".")
problem = lc.Problem.read(folder / "problem.toml")
flights = lc.Disturbances.read(problem, folder / "learn.npy")
test = lc.Disturbances.read(problem, folder / "test.npy")

lqr_cost = lc.simulate(problem, problem.lqr(), test, paths=False).cost
print(f"LQR: held-out cost {lqr_cost.mean():.4f}")

for n in (50, 100, 200):
    result = lc.learn(problem, flights.w[:n])
    cost = lc.simulate(problem, result, test, paths=False).cost
    change = cost - lqr_cost
    error = change.std(ddof=1) / np.sqrt(len(change))

    line = (f"{n:3d} flights: certified {result.certificate.value_text}, "
            f"held-out cost {cost.mean():.4f}, minus LQR {change.mean():.4f} +- {error:.4f}")
    if result.improvement:
        line += f" (certified: at most {result.improvement.value_text})"
    print(line)

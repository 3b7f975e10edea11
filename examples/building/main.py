"""The office in Python: learns from 120 days, prints the offset that was learned, and what it is
worth on days that were held out. The first argument is this folder."""

import sys
from pathlib import Path

import numpy as np

import loopcert as lc

folder = Path(sys.argv[1] if len(sys.argv) > 1 else ".")
problem = lc.Problem.read(folder / "problem.toml")
days = lc.Disturbances.read(problem, folder / "learn.csv")
test = lc.Disturbances.read(problem, folder / "test.npy")

result = lc.learn(problem, days)
lqr = problem.lqr()
print(f"certified {result.certificate.value_text} at confidence {result.certificate.confidence_text}, "
      f"change from LQR at most {result.improvement.value_text}")
print("offset of the heat [kW], learned and LQR's")
for t in range(0, len(lqr.k), 4):
    print(f"  {6 + 0.5 * t:4.1f} h  {result.controller.k[t]:7.3f}  {lqr.k[t]:7.3f}")

cost = lc.simulate(problem, result, test, paths=False).cost
lqr_cost = lc.simulate(problem, lqr, test, paths=False).cost
change = cost - lqr_cost
error = change.std(ddof=1) / np.sqrt(len(change))
print(f"held-out cost {cost.mean():.4f}, LQR {lqr_cost.mean():.4f}, "
      f"difference {change.mean():.4f} +- {error:.4f}")

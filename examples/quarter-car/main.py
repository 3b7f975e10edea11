"""The active suspension in Python: from two logged drives to a certified controller, and what it
costs beside LQR on stretches of road that were held out. The first argument is this folder."""

import sys
from pathlib import Path

import numpy as np

import loopcert as lc

folder = Path(sys.argv[1] if len(sys.argv) > 1 else ".")
problem = lc.Problem.read(folder / "problem.toml")

# The logs hold states and forces; the disturbances are what the model does not explain.
data = lc.Disturbances.read_rollouts(problem, folder / "drive-1.csv", folder / "drive-2.csv")
test = lc.Disturbances.read(problem, folder / "test.npy")

result = lc.learn(problem, data)
print(f"{result.n} runs: certified {result.certificate.value_text} "
      f"at confidence {result.certificate.confidence_text}")
if result.improvement:
    print(f"change from LQR at most {result.improvement.value_text}")

cost = lc.simulate(problem, result, test, paths=False).cost
lqr_cost = lc.simulate(problem, problem.lqr(), test, paths=False).cost
change = cost - lqr_cost
error = change.std(ddof=1) / np.sqrt(len(change))
print(f"held-out cost {cost.mean():.4f}, LQR {lqr_cost.mean():.4f}, "
      f"difference {change.mean():.4f} +- {error:.4f}")

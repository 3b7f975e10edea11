"""Coloured disturbances in Python: what LQR, ridge and auto cost on the same held-out trajectories.
The first argument is this folder."""

import sys
from pathlib import Path

import loopcert as lc

folder = Path(sys.argv[1] if len(sys.argv) > 1 else ".")
problem = lc.Problem.read(folder / "problem.toml")
data = lc.Disturbances.read(problem, folder / "learn.csv")
test = lc.Disturbances.read(problem, folder / "test.npy")

for method in ("lqr", "ridge", "auto"):
    result = lc.learn(problem, data, method=method, certificate="best")
    cost = lc.simulate(problem, result, test, paths=False)
    line = (f"{method:<5}  certified {result.certificate.value_text}  "
            f"held-out cost {cost.mean:.4f} +- {cost.standard_error:.4f}")
    if result.improvement:
        line += f"  change from LQR at most {result.improvement.value_text}"
    print(line)

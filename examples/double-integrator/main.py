"""The paper's example in Python: learns by its method, prints the certificate term by term, and
runs the controller on held-out trajectories. The first argument is this folder."""

import sys
from pathlib import Path

import loopcert as lc

folder = Path(sys.argv[1] if len(sys.argv) > 1 else ".")
problem = lc.Problem.read(folder / "problem.toml")
data = lc.Disturbances.read(problem, folder / "learn.csv")
test = lc.Disturbances.read(problem, folder / "test.npy")

for method, kind in (("pac-bayes", "data-driven"), ("auto", "best")):
    result = lc.learn(problem, data, method=method, certificate=kind)
    certificate = result.certificate
    cost = lc.simulate(problem, result, test, paths=False)

    print(f"{method}: certified {certificate.value_text} at confidence {certificate.confidence_text}, "
          f"held-out cost {cost.mean:.4f} +- {cost.standard_error:.4f}")
    for term in certificate.terms:
        print(f"  {term.name:<36} {term.value_text}")

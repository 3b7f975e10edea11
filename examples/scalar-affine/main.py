"""Disturbances with a mean: the controller gets an offset, which LQR does not have.

    main.py FOLDER    (the folder with problem.toml)
"""

import sys
from pathlib import Path

import loopcert as lc

folder = Path(sys.argv[1] if len(sys.argv) > 1 else ".")
problem = lc.Problem.read(folder / "problem.toml")

# The file states the true law; the certificates may not use it.
result = lc.learn(problem, problem.sample(100, seed=1))
certificate = result.certificate
print(f"certificate    {certificate.value_text} at confidence {certificate.confidence_text} "
      f"({certificate.kind})")

fresh = problem.sample(5000, seed=1, fresh=True)
for name, controller in (("held-out cost", result.controller), ("LQR's        ", problem.lqr())):
    cost = lc.simulate(problem, controller, fresh, paths=False)
    print(f"{name}  {cost.mean:.2f} +- {cost.standard_error:.2f}")

# Running it: one state in, one input out, from step to step.
loop = result.controller.run()
print(f"first input    {loop.step([2.3])[0]:.3f} for the state 2.3")

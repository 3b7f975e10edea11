"""From logs of two formats to a certified controller and C code. The first argument is this
folder."""

import sys
from pathlib import Path

import loopcert as lc

folder = Path(sys.argv[1] if len(sys.argv) > 1 else ".")
problem = lc.Problem.read(folder / "problem.toml")

# Monday: one row per sample. Tuesday: component x step x episode, as MATLAB users keep logs. The
# section [data] of the problem file says so.
data = lc.Disturbances.read_rollouts(problem, folder / "monday.csv", folder / "tuesday.mat")
for state in data.residuals:
    print(f"residual of the model {state['residual_rms']:.6g} rms")

result = lc.learn(problem, data)
print(f"certificate {result.certificate.value_text} from {data.n} episodes")
if result.improvement:
    print(f"change from LQR at most {result.improvement.value_text}")

for name, code in result.controller.to_c("cart").items():
    print(f"{name}: {code.count(chr(10))} lines")

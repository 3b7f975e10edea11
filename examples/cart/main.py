"""From logs of two formats to a certified controller and C code. The first argument is this
folder."""

import sys
from pathlib import Path

import numpy as np
import scipy.io

import loopcert as lc

folder = Path(sys.argv[1] if len(sys.argv) > 1 else ".")
problem = lc.Problem.read(folder / "problem.toml")
T = problem.horizon

# Monday: one row per sample, 33 to an episode, of which the first 20 steps are used.
columns = np.genfromtxt(folder / "monday.csv", delimiter=",", skip_header=1, usecols=(2, 3, 4))
monday = columns.reshape(-1, 33, 3)
# Tuesday: component x step x episode, as MATLAB users keep logs.
tuesday = scipy.io.loadmat(folder / "tuesday.mat")
x = np.concatenate([monday[:, :T + 1, :2], tuesday["states"].transpose(2, 1, 0)])
u = np.concatenate([monday[:, :T, 2:], tuesday["forces"].transpose(2, 1, 0)])

data = lc.Disturbances.from_rollouts(problem, x, u)
for state in data.residuals:
    print(f"the model leaves over {state['residual_rms']:.6g} rms")

result = lc.learn(problem, data)
print(f"certificate {result.certificate.value:.6g} from {data.n} episodes")
if result.improvement:
    print(f"cost below that of LQR by at least {-result.improvement.value:.6g}")

code = result.controller.to_c("cart")
for name in ("cart.h", "cart.c", "cart_test.c"):
    print(f"{name}: {code[name].count(chr(10))} lines")

#!/usr/bin/python3
"""A drive that follows a ramp, with a PI controller today: writes problem.toml, integral.toml and
logs.csv.

    make_data.py [FOLDER]

State: angle [rad] and speed [rad/s] of the shaft; input: torque [N m]; 20 steps a second. The load
is different in each episode and hardly changes within one. integral.toml is the same drive with
the integral of the angle's error as a third state. The log is under the PI controller, and has the
integral in a column of its own.
"""

import pathlib
import sys

import numpy as np

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))
from linear import hold, rounded, toml_matrix, write_csv  # noqa

INERTIA, FRICTION, PERIOD = 0.02, 0.05, 0.05  # kg m^2, N m s/rad, s
T, RAMP, LEVEL = 24, 12, 1.0  # steps; until the setpoint stands; rad
START = np.array([0.02, 0.05])  # rad and rad/s
LOAD, MEMORY = 0.15, 0.98  # rad/s a step; how much of a load is left at the next step
P_ANGLE, P_SPEED, I = 2.0, 0.3, 1.0  # of the PI controller: N m/rad, N m s/rad, N m/(rad s)
N, SEED = 60, 2603
A, B = (rounded(M) for M in hold(np.array([[0, 1], [0, -FRICTION / INERTIA]]),
                                 np.array([[0], [1 / INERTIA]]), PERIOD))


def reference():
    """Of the angle, at steps 0 to T."""
    return LEVEL * np.minimum(1, np.arange(T + 1) / RAMP)


def covariance(states):
    """Of x_0, w_0, ..., w_{T-1}: the load acts on the speed."""
    lag = np.abs(np.subtract.outer(np.arange(T), np.arange(T)))
    sigma = np.zeros((states * (T + 1), states * (T + 1)))
    sigma[:2, :2] = np.diag(START**2)
    sigma[states + 1::states, states + 1::states] = LOAD**2 * MEMORY**lag
    return sigma


def setpoint():
    """Of the PI controller: the speed of the ramp, too."""
    speed = np.where(np.arange(T) < RAMP, LEVEL / RAMP / PERIOD, 0)
    return rounded(np.column_stack([reference()[:-1], speed]), 6)


def episode(draw, root, r):
    """Angle, speed and integral at every step, and the torques, as they are logged."""
    wanted, load = setpoint(), root @ draw.normal(size=T)
    x, u, sum_of_errors = np.zeros((T + 1, 3)), np.zeros(T), 0.0
    x[0, :2] = START * draw.normal(size=2)
    for t in range(T):
        e = wanted[t] - x[t, :2]
        sum_of_errors += PERIOD * e[0]
        u[t] = P_ANGLE * e[0] + P_SPEED * e[1] + I * sum_of_errors
        x[t + 1, :2] = A @ x[t, :2] + B[:, 0] * u[t] + [0, load[t]]
        x[t + 1, 2] = x[t, 2] + PERIOD * (x[t, 0] - r[t])
    return x, u


PROBLEM = """\
# A drive that follows a ramp of {level:g} rad in {seconds} s. Written by make_data.py.
name    = "{name}"
horizon = {T}

[system]
A = {A}
B = {B}
{offset}
[cost]            # 40 (angle - reference)^2 + torque^2{more}
Q = {Q}
R = [1]
P = "riccati"     # the last step is like all others: its gains may be held
{reference}
[baseline]        # the PI controller that runs today, on the angle, with a tachometer
{baseline}

[learning]
method = "auto"

[disturbance]     # the law that drew the log: a load that lasts. Learning is not told
covariance = {covariance}

[data]
layout  = "long"
episode = "run"
step    = "k"
states  = {states}
inputs  = ["torque [N m]"]
"""


def main():
    folder = pathlib.Path(sys.argv[1]) if len(sys.argv) > 1 else HERE
    r = rounded(reference()[:, None], 6)[:, 0]
    draw, root, rows = np.random.RandomState(SEED), None, []
    root = np.linalg.cholesky(covariance(2)[3::2, 3::2])
    for run in range(1, N + 1):
        x, u = episode(draw, root, r)
        for k in range(T + 1):
            torque = f"{u[k]:.17g}" if k < T else ""
            rows.append([str(run), str(k), *(f"{value:.17g}" for value in x[k]), torque])
    names = ["angle [rad]", "speed [rad/s]", "integral [rad s]"]
    write_csv(folder / "logs.csv", ["run", "k", *names, "torque [N m]"], rows, 17)

    both = np.column_stack([r, np.zeros(T + 1)])
    today = (f"pid = {{{{ p = [[{P_ANGLE:g}, {P_SPEED:g}{{0}}]], i = [[{I:g}, 0{{0}}]], "
             f"dt = {PERIOD:g} }}}}\nsetpoint = {{1}}")
    common = {"level": LEVEL, "seconds": f"{RAMP * PERIOD:.2g}", "T": T}
    (folder / "problem.toml").write_text(PROBLEM.format(
        name="drive with a ramp", A=toml_matrix(A), B=toml_matrix(B), offset="", more="",
        Q="[40, 0.01]", reference=f"reference = {toml_matrix(both, 6)}\n",
        baseline=today.format("", toml_matrix(setpoint(), 6)), states=str(names[:2]).replace("'", '"'),
        covariance=toml_matrix(covariance(2), 6), **common), encoding="ascii")
    # z_{t+1} = z_t + 0.05 (angle_t - r_t)
    larger = np.zeros((3, 3))
    larger[:2, :2] = A
    larger[2] = [PERIOD, 0, 1]
    offset = np.column_stack([np.zeros(T), np.zeros(T), -PERIOD * r[:-1]])
    three = np.column_stack([both, np.zeros(T + 1)])
    (folder / "integral.toml").write_text(PROBLEM.format(
        name="drive with a ramp and an integral", A=toml_matrix(larger),
        B=toml_matrix(np.vstack([B, [[0]]])), offset=f"d = {toml_matrix(offset, 9)}\n",
        more=" + 100 integral^2", Q="[40, 0.01, 100]",
        reference=f"reference = {toml_matrix(three, 6)}\n",
        baseline=today.format(", 0", toml_matrix(np.column_stack([setpoint(), np.zeros(T)]), 6)),
        states=str(names).replace("'", '"'), covariance=toml_matrix(covariance(3), 6), **common),
        encoding="ascii")


if __name__ == "__main__":
    main()

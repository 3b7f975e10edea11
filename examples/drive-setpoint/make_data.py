#!/usr/bin/python3
"""A drive that follows a ramp, with a PI controller today: writes problem.toml and integral.toml.

    make_data.py [FOLDER]

State: angle [rad] and speed [rad/s] of the shaft; input: torque [N m]; 20 steps a second. The load
is different in each episode and hardly changes within one. integral.toml is the same drive with
the integral of the angle's error as a third state.
"""

import pathlib
import sys

import numpy as np

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))
from linear import hold, toml_matrix  # noqa

INERTIA, FRICTION, PERIOD = 0.02, 0.05, 0.05  # kg m^2, N m s/rad, s
T, RAMP, LEVEL = 24, 12, 1.0  # steps; until the setpoint stands; rad
START = np.array([0.02, 0.05])  # rad and rad/s
LOAD, MEMORY = 0.15, 0.98  # rad/s a step; how much of a load is left at the next step


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
{reference}
[baseline]        # the PI controller that runs today, on the angle, with a tachometer
{baseline}

[learning]
method = "auto"

[disturbance]     # the law that --sample draws from: a load that lasts. Learning is not told
covariance = {covariance}
"""


def main():
    folder = pathlib.Path(sys.argv[1]) if len(sys.argv) > 1 else HERE
    A, B = hold(np.array([[0, 1], [0, -FRICTION / INERTIA]]), np.array([[0], [1 / INERTIA]]), PERIOD)
    r = reference()
    both = np.column_stack([r, np.zeros(T + 1)])
    rows = toml_matrix(both, 6)
    speed = np.where(np.arange(T) < RAMP, LEVEL / RAMP / PERIOD, 0)  # today's wants the ramp's, too
    wanted = np.column_stack([r[:-1], speed])
    today = ("pid = {{ p = [[2.0, 0.3{0}]], i = [[1.0, 0{0}]], dt = 0.05 }}\n"
             "setpoint = {1}")
    common = {"level": LEVEL, "seconds": f"{RAMP * PERIOD:.2g}", "T": T}
    (folder / "problem.toml").write_text(PROBLEM.format(
        name="drive with a ramp", A=toml_matrix(A), B=toml_matrix(B), offset="", more="",
        Q="[40, 0.01]", reference=f"reference = {rows}\n",
        baseline=today.format("", toml_matrix(wanted, 6)),
        covariance=toml_matrix(covariance(2), 6), **common), encoding="ascii")
    # z_{t+1} = z_t + 0.05 (angle_t - r_t)
    larger = np.zeros((3, 3))
    larger[:2, :2] = A
    larger[2] = [PERIOD, 0, 1]
    offset = np.column_stack([np.zeros(T), np.zeros(T), -PERIOD * r[:-1]])
    three = np.column_stack([both, np.zeros(T + 1)])
    (folder / "integral.toml").write_text(PROBLEM.format(
        name="drive with a ramp and an integral", A=toml_matrix(larger),
        B=toml_matrix(np.vstack([B, [[0]]])), offset=f"d = {toml_matrix(offset, 6)}\n",
        more=" + 100 integral^2", Q="[40, 0.01, 100]",
        reference=f"reference = {toml_matrix(three, 6)}\n",
        baseline=today.format(", 0", toml_matrix(np.column_stack([wanted, np.zeros(T)]), 6)),
        covariance=toml_matrix(covariance(3), 6), **common), encoding="ascii")


if __name__ == "__main__":
    main()

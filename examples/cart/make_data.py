"""Logs of a cart on a rail, pushed by a belt that drags: monday.csv and tuesday.mat.

    python3 make_data.py [FOLDER]

Position and speed are measured ten times a second, the force is held in between. The drag of the
belt changes slowly (a first-order Markov process) and is not measured: it is the disturbance. The
cart was driven by a cautious state feedback with some dither, thirty-two steps to an episode on
Monday and twenty on Tuesday.
"""

import pathlib
import sys

import numpy as np
import scipy.io

PERIOD, MASS = 0.1, 2.0
A = np.array([[1.0, PERIOD], [0.0, 1.0]])
B = np.array([[PERIOD**2 / 2], [PERIOD]]) / MASS
CAUTIOUS = np.array([-3.0, -5.0])
KEEP, SIZE = 0.92, 1.2  # of the drag: correlation over one step, standard deviation in newton


def episodes(draw, count, steps):
    """States count x (steps+1) x 2 and forces count x steps."""
    x, u = np.zeros((count, steps + 1, 2)), np.zeros((count, steps))
    x[:, 0] = draw.normal(size=(count, 2)) * [0.10, 0.10]
    drag = SIZE * draw.normal(size=count)
    for t in range(steps):
        u[:, t] = x[:, t] @ CAUTIOUS + 0.2 * draw.normal(size=count)
        noise = draw.normal(size=(count, 2)) * [0.0005, 0.004]
        x[:, t + 1] = x[:, t] @ A.T + (u[:, t] + drag)[:, None] * B[:, 0] + noise
        drag = KEEP * drag + SIZE * np.sqrt(1 - KEEP**2) * draw.normal(size=count)
    return x, u


def write_csv(path, x, u):
    lines = ["run,t [s],position [m],speed [m/s],force [N],operator"]
    for i, (states, forces) in enumerate(zip(x, u), start=1):
        for t, (position, speed) in enumerate(states):
            force = f"{forces[t]:.6f}" if t < len(forces) else ""
            lines.append(f"run-{i:02d},{PERIOD * t:.1f},{position:.7f},{speed:.7f},{force},AK")
    path.write_text("\n".join(lines) + "\n")


def main():
    folder = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else pathlib.Path(__file__).parent)
    draw = np.random.RandomState(20260302)  # this generator's numbers are frozen
    x, u = episodes(draw, 40, 32)
    write_csv(folder / "monday.csv", x, u)
    x, u = episodes(draw, 80, 20)
    # As MATLAB users keep logs: one page per episode, a column per sample.
    scipy.io.savemat(folder / "tuesday.mat", {"states": x.transpose(2, 1, 0),
                                              "forces": u[:, None, :].transpose(1, 2, 0)})


if __name__ == "__main__":
    main()

#!/usr/bin/python3
"""The pictures of docs/examples/cart-encoder.md, heat-exchanger.md and drive-setpoint.md.

    outputs_figures.py [cart-encoder | heat-exchanger | drive-setpoint ...]

Learns from the example's logs, runs the new controller and today's on 400 other episodes of its
law, and writes docs/figures/example-NAME.svg. LOOPCERT names the program (default: loopcert). Needs
numpy.
"""

import os
import pathlib
import subprocess
import sys
import tempfile

import numpy as np

from panels import BLUE, INK, ORANGE, Panel, boxes, picture

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
PROGRAM = os.environ.get("LOOPCERT", "loopcert")
WAYS = (("baseline", ORANGE, "Today's controller"), ("controller", BLUE, "Learned from its logs"))


def loopcert(*words):
    subprocess.run([PROGRAM, *map(str, words)], check=True, stdout=subprocess.DEVNULL)


def episodes(name, law, n, n_u):
    """What is measured (n, T+1, n) and inputs, of today's controller and of the new one."""
    folder, found = ROOT / "examples" / name, []
    with tempfile.TemporaryDirectory() as place:
        out = pathlib.Path(place)
        loopcert("learn", folder / "problem.toml", "--rollouts", folder / "logs.csv", "--out", out,
                 "--quiet")
        for file, _, _ in WAYS:
            loopcert("simulate", folder / law, "--controller", out / f"{file}.json", "--sample", 400,
                     "--seed", 1, "--paths", out / "paths.npy")
            rows = np.load(out / "paths.npy")
            T = (rows.shape[1] - n) // (n + n_u)
            found.append((rows[:, :(T + 1) * n].reshape(-1, T + 1, n),
                          rows[:, (T + 1) * n:].reshape(-1, T, n_u)))
    return found


def fan(panel, times, curves, colour):
    for share in (0.9, 0.5):
        panel.band(times, *np.quantile(curves, [(1 - share) / 2, (1 + share) / 2], axis=0), colour)
    panel.curve(times, np.median(curves, axis=0), colour)


def draw(name, law, n, period, unit, signal, low_high, title, words, reference=None):
    panels = []
    found = episodes(name, law, n, 1)
    for box, (y, _), (_, colour, label) in zip(boxes(900, 340, 2, 1), found, WAYS):
        times = period * np.arange(y.shape[1])
        panel = Panel(box, label, (0, times[-1]), low_high, f"time [{unit}]", signal)
        if reference is not None:
            panel.curve(times, reference, INK, 1.6, "6 4")
        fan(panel, times, y[:, :, 0], colour)
        panels.append(panel)
    picture(ROOT / f"docs/figures/example-{name}.svg", 900, 340, title, words, panels)


def cart_encoder():
    draw("cart-encoder", "truth.toml", 1, 0.05, "s", "position [mm]", (-60, 60),
         "A cart with an encoder", "The position comes to rest a little sooner, and stays closer to "
         "zero, under the learned controller.")


def heat_exchanger():
    draw("heat-exchanger", "truth.toml", 1, 10 / 60, "min", "outlet [K]", (-2.5, 2.5),
         "A heat exchanger", "After the dead time the outlet is closer to its set-point under the "
         "learned controller than under the PI controller.")


def drive_setpoint():
    draw("drive-setpoint", "problem.toml", 2, 0.05, "s", "angle [rad]", (-0.2, 1.4),
         "A drive that follows a ramp", "Today's controller lags and overshoots, the learned one "
         "knows the ramp beforehand.", np.minimum(1, np.arange(25) / 12))


if __name__ == "__main__":
    all_of_them = {"cart-encoder": cart_encoder, "heat-exchanger": heat_exchanger,
                   "drive-setpoint": drive_setpoint}
    for asked in sys.argv[1:] or all_of_them:
        all_of_them[asked]()

#!/usr/bin/python3
"""The pictures of docs/examples/drive-torque.md and quadrotor-limits.md.

    limits_figures.py [drive-torque | quadrotor ...]

Learns, simulates and writes docs/figures/example-drive-torque.svg and example-quadrotor-limits.svg.
LOOPCERT names the program (default: loopcert). Needs numpy.
"""

import json
import os
import pathlib
import subprocess
import sys
import tempfile

import numpy as np

from panels import BLUE, GREEN, INK, ORANGE, Panel, boxes, picture

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
PROGRAM = os.environ.get("LOOPCERT", "loopcert")


def loopcert(*words):
    subprocess.run([PROGRAM, *map(str, words)], check=True, stdout=subprocess.DEVNULL)


def paths(learn, problem, draw, n_x, n_u):
    """States (n, T+1, n_x) and inputs (n, T, n_u) on other trajectories, and what run.json says."""
    with tempfile.TemporaryDirectory() as name:
        out = pathlib.Path(name)
        loopcert("learn", *learn, "--out", out, "--quiet")
        loopcert("simulate", problem, "--controller", out / "controller.json", *draw, "--paths",
                 out / "paths.npy")
        rows, run = np.load(out / "paths.npy"), json.loads((out / "run.json").read_text())
    T = (rows.shape[1] - n_x) // (n_x + n_u)
    states = rows[:, :(T + 1) * n_x].reshape(-1, T + 1, n_x)
    return states, rows[:, (T + 1) * n_x:].reshape(-1, T, n_u), run


def fan(panel, times, curves, limit, colour, most):
    """Where half, 90 % and 99 % of the curves are, and some of those that leave the limits."""
    for share in (0.99, 0.9, 0.5):
        panel.band(times, *np.quantile(curves, [(1 - share) / 2, (1 + share) / 2], axis=0), colour)
    panel.curve(times, np.median(curves, axis=0), colour)
    for curve in curves[np.abs(curves).max(1) > limit][:most]:
        panel.curve(times, curve, colour, 1.0, opacity=0.55)
    for end in (-limit, limit):
        panel.level(end, INK)


def drive_torque():
    problem = ROOT / "examples/drive-torque/problem.toml"
    panels = []
    for box, method, colour, title in zip(boxes(900, 340, 2, 1), ("lqr", "auto"), (ORANGE, BLUE),
                                          ("LQR", "Learned with the limit")):
        learn = [problem, "--sample", 200, "--seed", 1, "--method", method]
        _, u, run = paths(learn, problem, ["--sample", 2000, "--seed", 1], 2, 1)
        limit = run["limits"]["rows"][0]["high"]
        share = 100 * (np.abs(u[:, :, 0]).max(1) > limit).mean()
        panel = Panel(box, title, (0, 0.5), (-1, 1), "time [s]", "torque [N m]")
        times = 0.05 * np.arange(11)
        fan(panel, times, u[:, :11, 0], limit, colour, 12)
        panel.label(0.49, 0.86, f"{share:.2g} % of 2000 episodes leave the limits", colour, "end")
        panel.label(0.49, limit + 0.03, "limit", INK, "end")
        panels.append(panel)
    picture(ROOT / "docs/figures/example-drive-torque.svg", 900, 340, "A drive with a torque limit",
            "Torques of LQR leave the limits in the first steps of many episodes; those of the "
            "learned controller stay within them.", panels)


def quadrotor():
    folder = ROOT / "examples/quadrotor"
    limits, plain = folder / "limits.toml", folder / "problem.toml"
    flights = folder / "learn.npy"
    ways = (("LQR", [plain, "--data", flights, "--method", "lqr"], ORANGE),
            ("Learned without limits", [plain, "--data", flights], GREEN),
            ("Learned with limits", [limits, "--data", flights], BLUE))
    panels = []
    for box, (title, learn, colour) in zip(boxes(900, 340, 3, 1), ways):
        x, _, _ = paths(learn, limits, ["--data", folder / "test.npy"], 12, 4)
        tilt = np.concatenate([x[:, 1:, 6], x[:, 1:, 7]])
        share = 100 * (np.abs(x[:, 1:, 6:8]).max((1, 2)) > 0.2).mean()
        panel = Panel(box, title, (0, 2), (-0.32, 0.32), "time [s]", "roll and pitch [rad]",
                      y_marks=[(k / 10, f"{k / 10:g}") for k in range(-3, 4)])
        fan(panel, 0.1 * np.arange(1, 21), tilt, 0.2, colour, 20)
        panel.label(1.98, 0.285, f"{share:.2g} % of flights", colour, "end")
        panels.append(panel)
    picture(ROOT / "docs/figures/example-quadrotor-limits.svg", 900, 340, "A quadrotor with limits",
            "The controller learned without limits leans into the gusts and leaves the limits of "
            "roll and pitch; the one learned with them does not.", panels)


ALL = {"drive-torque": drive_torque, "quadrotor": quadrotor}

if __name__ == "__main__":
    for wanted in sys.argv[1:] or ALL:
        ALL[wanted]()

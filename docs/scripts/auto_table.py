#!/usr/bin/python3
"""The table "What auto deploys" of docs/theory/shrinkage.md.

    docs/scripts/auto_table.py [--write] [n ...]

Seven laws of disturbances for the double integrator of the examples, of variance 0.1 on average;
LQR, shrinkage, identified and auto on the same trajectories, certificate best. Means over seeds 0 to
19 of what the deployed controller costs (exact, under the law) and of its certificate. LOOPCERT names
the program (default build/bin/loopcert). Half a minute.
"""

import collections
import csv
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile

import numpy as np

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
PROGRAM = os.environ.get("LOOPCERT", str(ROOT / "build/bin/loopcert"))
PAGE = ROOT / "docs/theory/shrinkage.md"
SIZES = (10, 20, 40, 100, 400)
SEEDS = 20
T = 10
METHODS = ("lqr", "shrinkage", "identified", "auto")


def filtered(taps, echoes, length):
    """Rows: what white noise becomes after v + taps v_{t-1}, ... = w - echoes w_{t-1} - ...; the first
    50 steps are left out, so that a stable colour is stationary."""
    steps = length + 50
    rows = np.zeros((steps, steps))
    for t in range(steps):
        rows[t, t] = 1
        for k, tap in enumerate(taps, 1):
            if t >= k:
                rows[t, t - k] += tap
        for k, echo in enumerate(echoes, 1):
            if t >= k:
                rows[t] += echo * rows[t - k]
    return rows[50:]


COLOURS = {  # rows of w_0 ... w_{T-1}; lags of an autoregression that it is, or is close to
    "white": (np.eye(T), 1),
    "AR(1) 0.5": (filtered((), (0.5,), T), 1),
    "AR(1) 0.8": (filtered((), (0.8,), T), 1),
    "AR(1) 0.95": (filtered((), (0.95,), T), 1),
    "AR(2), a wave of 12 steps": (filtered((), (2 * 0.9 * np.cos(np.pi / 6), -0.81), T), 2),
    "gust (Dryden)": (filtered((-0.5,), (1.4, -0.49), T), 2),
    "random walk": (np.tril(np.ones((T, T))), 1),
}


def covariance(rows):
    """x_0 and two independent entries of w, of variance 0.1 on average over the steps."""
    root = rows * np.sqrt(0.1 / np.mean(np.sum(rows**2, 1)))
    sigma = np.zeros((2 * T + 2, 2 * T + 2))
    sigma[:2, :2] = 0.1 * np.eye(2)
    sigma[2:, 2:] = np.kron(root @ root.T, np.eye(2))
    return sigma


def problem(name, rows, lags):
    granted = {"autoregressive": lags} if lags else {}
    return {"name": name, "horizon": T, "system": {"A": [[1, 1], [0, 1]], "B": [[0.5], [1]]},
            "cost": {"Q": [1, 0.1], "R": [0.5], "P": [2, 0.2]},
            "disturbance": {"covariance": covariance(rows).tolist(), **granted}}


def results(granted, sizes, folder):
    """{(law, n, method): mean cost and certificate}"""
    plan = {"name": "auto", "n": list(sizes), "methods": list(METHODS), "certificates": ["best"],
            "seeds": SEEDS, "test": 2,
            "problems": [problem(f"p{k}", rows, lags if granted else 0)
                         for k, (rows, lags) in enumerate(COLOURS.values())]}
    (folder / "plan.json").write_text(json.dumps(plan))
    subprocess.run([PROGRAM, "sweep", folder / "plan.json", "--out", folder / "out", "--jobs", "2",
                    "--quiet"], check=True, capture_output=True)
    found, names = collections.defaultdict(list), list(COLOURS)
    with open(folder / "out/results.csv", newline="") as file:
        for row in csv.DictReader(file):
            cell = names[int(row["problem"][1:])], int(row["n"]), row["method"]
            found[cell].append((float(row["population_cost"]), float(row["certificate"])))
    return {cell: np.mean(pairs, axis=0) for cell, pairs in found.items()}


def loss(means, law, n):
    """Of auto, in percent of the cost of the best of the others."""
    best = min(means[law, n, method][0] for method in METHODS if method != "auto")
    return 100 * (means[law, n, "auto"][0] / best - 1)


def percent(value):
    return f"{round(value, 1) + 0.0:.1f} %"


def tables(sizes):
    lines = []
    for granted in (False, True):
        with tempfile.TemporaryDirectory() as name:
            means = results(granted, sizes, pathlib.Path(name))
        what = "`autoregressive` stated" if granted else "only a Gaussian law of mean zero stated"
        lines += ["", f"| {what} | n | " + " | ".join(f"`{m}`" for m in METHODS) + " | above the best |",
                  "|---" * (len(METHODS) + 3) + "|"]
        for law in COLOURS:
            for n in sizes:
                cells = ["{:.3f}, {:.3f}".format(*means[law, n, method]) for method in METHODS]
                lines.append(f"| {law} | {n} | " + " | ".join(cells) + f" | {percent(loss(means, law, n))} |")
        for n in sizes:
            mean = np.mean([loss(means, law, n) for law in COLOURS])
            lines.append(f"| mean of the laws | {n} | " + "| " * len(METHODS) + f"| {percent(mean)} |")
    return lines[1:]


def main():
    sizes = [int(word) for word in sys.argv[1:] if word.isdigit()] or SIZES
    text = "\n".join(tables(sizes))
    print(text)
    if "--write" in sys.argv:
        mark = re.compile(r"(<!-- auto -->\n).*?(<!-- end -->)", re.S)
        PAGE.write_text(mark.sub(lambda m: f"{m[1]}{text}\n{m[2]}", PAGE.read_text()))


if __name__ == "__main__":
    main()

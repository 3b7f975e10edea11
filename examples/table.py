#!/usr/bin/python3
"""What is certified from how many trajectories, as a Markdown table.

    table.py FOLDER N ...

Learns with method auto and certificate best from the first N trajectories of an example, and runs
the result on its held-out set. LOOPCERT names the program (default: loopcert).
"""

import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile

import numpy as np

from compare import costs, mean_and_error, read_problem, read_trajectories

PROGRAM = os.environ.get("LOOPCERT", "loopcert")


def read_drives(problem, paths):
    """Trajectories (x_0, w_0, ...) from logs of one row per step: run, t, states, inputs."""
    T, A, B, d, *_ = problem
    n_x, rows = len(A), []
    for path in paths:
        log = np.genfromtxt(path, delimiter=",", skip_header=1)
        for run in np.unique(log[:, 0]):
            x, u = np.split(log[log[:, 0] == run][:, 2:], [n_x], axis=1)
            rows.append(np.concatenate([x[:1], x[1:] - x[:-1] @ A.T - u[:-1] @ B.T - d]).ravel())
    return np.array(rows)


def learning_set(folder):
    for name in ("learn.npy", "learn.csv"):
        if (folder / name).exists():
            return read_trajectories(folder / name)
    return read_drives(read_problem(folder / "problem.toml"), sorted(folder.glob("drive-*.csv")))


def learn(folder, n, method, out, options=("--certificate", "best")):
    """A run on the first n trajectories; [data] only says how the logs are laid out."""
    text = (folder / "problem.toml").read_text()
    text = re.sub(r"^\[data\].*?(?=^\[|\Z)", "", text, flags=re.M | re.S)
    (out / "problem.toml").write_text(text)
    np.save(out / "w.npy", learning_set(folder)[:n])
    done = subprocess.run([PROGRAM, "learn", out / "problem.toml", "--data", out / "w.npy",
                           "--method", method, *options, "--out", out / method, "--json"],
                          capture_output=True, text=True, check=True)
    return json.loads(done.stdout)


def rows(folder, numbers):
    """Per n: the runs of lqr and auto, held-out cost of auto, and its difference to LQR."""
    problem = read_problem(folder / "problem.toml")
    test = read_trajectories(folder / "test.npy")
    result = []
    for n in numbers:
        with tempfile.TemporaryDirectory() as name:
            out = pathlib.Path(name)
            lqr, auto = learn(folder, n, "lqr", out), learn(folder, n, "auto", out)
            costs_lqr = costs(problem, out / "lqr/controller.json", test)
            costs_auto = costs(problem, out / "auto/controller.json", test)
        result.append((n, lqr, auto, mean_and_error(costs_auto),
                       mean_and_error(costs_auto - costs_lqr), mean_and_error(costs_lqr)))
    return result


def cell(pair):
    return f"{pair[0]:#.4g} ± {pair[1]:#.2g}"


def lines(found):
    yield "| n | LQR certified | auto certified | change certified | auto, held out | minus LQR |"
    yield "|---|---|---|---|---|---|"
    for n, lqr, auto, cost, difference, _ in found:
        change = auto["improvement"]
        deployed = "LQR deployed" if change is None else f"{change['value']:#.4g}"
        certified = [run["certificate"]["value"] for run in (lqr, auto)]
        yield (f"| {n} | {certified[0]:#.4g} | {certified[1]:#.4g} | {deployed} | "
               f"{cell(cost)} | {cell(difference)} |")


if __name__ == "__main__":
    print("\n".join(lines(rows(pathlib.Path(sys.argv[1]), map(int, sys.argv[2:])))))

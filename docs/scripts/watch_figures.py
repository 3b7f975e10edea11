#!/usr/bin/python3
"""The pictures of docs/examples/pendulum.md and fleet.md.

    PYTHONPATH=build/python LOOPCERT=build/bin/loopcert docs/scripts/watch_figures.py

Runs the commands of both examples in a copy of their folders.
"""

import math
import pathlib
import shlex
import shutil
import subprocess
import sys
import tempfile

import loopcert as lc
import numpy as np

from panels import BLUE, GREEN, INK, ORANGE, Panel, boxes, picture

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "examples"))
import record  # noqa: E402

PROGRAM = str(pathlib.Path(record.PROGRAM).absolute())


def run_example(name, folder):
    copy = folder / name
    shutil.copytree(ROOT / "examples" / name, copy)
    for line in (copy / "commands.sh").read_text().splitlines():
        if line.startswith("#"):
            continue
        words = shlex.split(line, comments=True)
        words[:1] = {"loopcert": [PROGRAM], "python3": [sys.executable, "-B"]}[words[0]]
        subprocess.run(words, cwd=copy, capture_output=True, env=record.environment())
    return copy


def evidence(watch, costs):
    """log10 of it after each cost, also after an alarm."""
    found = []
    for cost in costs:
        watch.update(cost)
        found.append(math.log10(max(watch.evidence, 1e-3)))
    return found


def powers(low, high, step=1):
    return [(k, f"10{str(k).translate(str.maketrans('-0123456789', '⁻⁰¹²³⁴⁵⁶⁷⁸⁹'))}" if k else "1")
            for k in range(low, high + 1, step)]


def fleet(folder):
    copy = run_example("fleet", folder)
    with open(copy / "costs.csv", encoding="ascii") as file:
        file.readline()
        costs = np.loadtxt(file, delimiter=",")
    top = 5
    panel = Panel((0, 0, 900, 420), "Evidence against the certificate, twenty drives", (0, 600),
                  (-3, top), "episode", "evidence", y_marks=powers(-3, top))
    for drive, column in enumerate(costs.T):
        worn = drive == 12
        values = evidence(lc.Watch(copy / "out/certificate.json", alpha=0.0005), column)
        shown = next((i for i, value in enumerate(values) if value > top), len(values))
        panel.curve(range(1, shown + 1), values[:shown], ORANGE if worn else BLUE, 2.4 if worn else 1.1,
                    opacity=1 if worn else 0.6)
    panel.level(math.log10(2000), GREEN)
    panel.label(8, math.log10(2000) + 0.15, "2000: alarm (0.01 / 20 for each drive)", GREEN)
    panel.curve([200, 200], [-3, top], INK, 1.2, "3 4")
    panel.label(206, -2.75, "the gear of drive 13 begins to wear", INK)
    picture(ROOT / "docs/figures/example-fleet.svg", 900, 420, "Evidence of twenty drives over time",
            "One curve for each drive on a logarithmic scale; that of drive 13 rises after episode "
            "200 and crosses the level of the alarm, the others stay below.", [panel])


def costs_of(path):
    return np.loadtxt(path, skiprows=1)


def pendulum(folder):
    copy = run_example("pendulum", folder)
    claim = lc.Watch(copy / "out/measured/certificate.json").claim
    first, second = boxes(1000, 400, 2, 1)
    edges = np.linspace(0, 60, 31)
    left = Panel(first, "Cost of an episode", (0, 60), (0, 0.3), "cost", "share of episodes")
    for name, colour in (("later", BLUE), ("worn", ORANGE)):
        share = np.histogram(costs_of(copy / f"out/{name}.csv"), edges)[0]
        share = share / share.sum()
        left.curve(np.repeat(edges, 2)[1:-1], np.repeat(share, 2), colour)
    left.curve([claim, claim], [0, 0.3], GREEN, 1.8, "6 4")
    left.label(claim + 1, 0.27, f"certified mean {claim:.2f}", GREEN)
    left.label(30, 0.15, "as certified", BLUE)
    left.label(30, 0.12, "dry bearing", ORANGE)
    right = Panel(second, "Evidence against the certificate", (0, 500), (-3, 3), "episode", "evidence",
                  y_marks=powers(-3, 3))
    for name, colour in (("later", BLUE), ("worn", ORANGE)):
        values = evidence(lc.Watch(claim), costs_of(copy / f"out/{name}.csv")[:500])
        shown = next((i + 1 for i, value in enumerate(values) if value > 3), len(values))
        right.curve(range(1, shown + 1), values[:shown], colour)
    right.level(2, GREEN)
    right.label(300, 2.15, "100: alarm", GREEN)
    picture(ROOT / "docs/figures/example-pendulum.svg", 1000, 400, "The pendulum, certified and watched",
            "Left: histograms of costs with the certified mean. Right: evidence over episodes, which "
            "crosses 100 for the worn pendulum.", [left, right])


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as name:
        for script in ("linear.py",):
            shutil.copy(ROOT / "examples" / script, name)
        fleet(pathlib.Path(name))
        pendulum(pathlib.Path(name))

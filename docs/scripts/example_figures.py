#!/usr/bin/python3
"""The pictures of docs/examples: runs the examples and writes docs/figures/example-*.svg.

    example_figures.py [NAME ...]

LOOPCERT names the program (default: loopcert). Needs numpy.
"""

import functools
import json
import pathlib
import sys
import tempfile

import numpy as np

import example_laws
from example_laws import ROOT, script
from panels import BLUE, GREEN, INK, ORANGE, PINK, YELLOW, Panel, boxes, picture

sys.path.insert(0, str(ROOT / "examples"))
import persist  # noqa: E402
from compare import mean_and_error, read_problem, read_trajectories, rollout  # noqa: E402
from table import learn, learning_set, rows  # noqa: E402

FIGURES = ROOT / "docs/figures"
LQR, AUTO = ORANGE, BLUE
HOURS = [(hour, f"{hour}:00") for hour in (6, 9, 12, 15, 18)]
COLOURS = {"lqr": LQR, "auto": AUTO, "ridge": GREEN, "erm": PINK, "pac-bayes": INK,
           "persist": YELLOW}


def folder(name):
    return ROOT / "examples" / name


def options(name, method):
    """As in commands.sh: the double integrators certify what they deploy, the others everything."""
    gamma = ["--gamma", "cv"] if method == "ridge" else []
    kind = ["--certificate", "best"] if method == "auto" or "double" not in name else []
    return gamma + kind


@functools.lru_cache(maxsize=None)
def held_out(name, method):
    """States, inputs and costs on the held-out set, learned from the whole learning set."""
    problem = read_problem(folder(name) / "problem.toml")
    if method == "persist":
        controller = persist.controller(problem)
    else:
        with tempfile.TemporaryDirectory() as out:
            learn(folder(name), None, method, pathlib.Path(out), options(name, method))
            controller = json.loads((pathlib.Path(out) / method / "controller.json").read_text())
    return rollout(problem, controller, read_trajectories(folder(name) / "test.npy"))


def bars(box, name, methods, title="Held-out cost", top=None):
    pairs = [mean_and_error(held_out(name, method)[2]) for method in methods]
    top = top or 1.2 * max(mean + 2 * error for mean, error in pairs)
    panel = Panel(box, title, (-0.6, len(methods) - 0.4), (0, top),
                  "whiskers: two standard errors", "cost", x_marks=list(enumerate(methods)))
    panel.bars(methods, pairs, [COLOURS[method] for method in methods])
    return panel


def certificates(box, name, numbers, top, title="Certified cost, confidence 0.95"):
    """Certified against held-out cost (dashed), over the number of trajectories."""
    found = rows(folder(name), numbers)
    at = range(len(numbers))
    panel = Panel(box, title, (-0.3, len(numbers) - 0.7), (0, top),
                  "trajectories n", "cost", x_marks=[(i, str(n)) for i, n in enumerate(numbers)])
    panel.curve(at, [run["certificate"]["value"] for _, run, *_ in found], LQR, dots=True)
    panel.curve(at, [run["certificate"]["value"] for _, _, run, *_ in found], AUTO, dots=True)
    panel.curve(at, [row[5][0] for row in found], LQR, 1.8, "5 4")
    panel.curve(at, [row[3][0] for row in found], AUTO, 1.8, "5 4")
    return panel


def rms(values):
    return np.sqrt((values**2).mean(0))


def double_integrator():
    methods = ["lqr", "persist", "auto", "pac-bayes", "ridge", "erm"]
    area = boxes(900, 660, 2, 2)
    panels = [bars(area[0], "double-integrator", methods, "White noise: held-out cost, n = 100"),
              bars(area[1], "double-integrator-coloured", methods,
                   "Coloured noise: held-out cost, n = 100")]
    w = [learning_set(folder(name))[:3, 3::2] for name in ("double-integrator",
                                                           "double-integrator-coloured")]
    sample = Panel(area[2], "Disturbance of the speed, one run each", (0, 9), (-1, 1), "step",
                   "w", y_marks=[(value, f"{value:g}") for value in (-1, -0.5, 0, 0.5, 1)])
    sample.curve(range(10), w[0][0], INK, dots=True)
    sample.curve(range(10), w[1][0], GREEN, dots=True)
    sample.label(0.2, 0.86, "white", INK)
    sample.label(0.2, 0.72, "coloured", GREEN)
    n = [20, 40, 100]
    panels += [sample, certificates(area[3], "double-integrator-coloured", n, 15,
                                    "Coloured: certified cost, confidence 0.95")]
    panels[-1].label(0.95, 11.2, "auto, certified", AUTO)
    panels[-1].label(0.0, 7.3, "LQR, certified", LQR)
    panels[-1].label(1.1, 4.9, "LQR, held out", LQR)
    panels[-1].label(1.1, 1.9, "auto, held out", AUTO)
    picture(FIGURES / "example-double-integrator.svg", 900, 660, "The double integrator",
            "With white noise LQR is cheapest; with coloured noise the learned controllers are.",
            panels)


def quadrotor():
    quad, name = script("quadrotor"), "quadrotor"
    area = boxes(900, 660, 2, 2)
    A, G, C, _ = quad.dryden()
    F, V = quad.noise_step(A, G, quad.PERIOD)
    random, g = np.random.RandomState(1), np.zeros(5)
    gusts = []
    for _ in range(600):
        g = F @ g + quad.factor(V) @ random.standard_normal(5)
        gusts.append(C @ g)
    gusts, t = np.array(gusts)[-301:], quad.PERIOD * np.arange(301)
    wind = Panel(area[0], "Gusts, half a minute", (0, 30), (-4, 4), "time [s]", "gust [m/s]")
    for i, colour in enumerate((BLUE, GREEN, PINK)):
        wind.curve(t, gusts[:, i], colour, 1.6)
    for i, (words, colour) in enumerate((("along", BLUE), ("across", GREEN), ("upwards", PINK))):
        wind.label(0.6 + 4.5 * i, -3.6, words, colour)

    where = Panel(area[1], "Distance from the hover point, held out", (0, 2), (0, 0.5),
                  "time since take-over [s]", "rms distance [m]")
    for method, colour, x, y in (("lqr", LQR, 1.0, 0.28), ("auto", AUTO, 0.5, 0.04)):
        distance = np.linalg.norm(held_out(name, method)[0][:, :, :3], axis=2)
        where.curve(quad.PERIOD * np.arange(quad.T + 1), rms(distance), colour)
        where.label(x, y, {"lqr": "LQR", "auto": "auto, learned from 200 flights"}[method], colour)
    panels = [wind, where, bars(area[2], name, ["lqr", "persist", "auto", "ridge", "erm"],
                                "Held-out cost, n = 200"),
              certificates(area[3], name, [25, 50, 100, 200], 18)]
    panels[-1].label(1.6, 11.6, "LQR, certified", LQR)
    panels[-1].label(0.2, 16.2, "auto, certified", AUTO)
    panels[-1].label(-0.2, 7.8, "LQR, held out", LQR)
    panels[-1].label(-0.2, 2.4, "auto, held out", AUTO)
    picture(FIGURES / "example-quadrotor.svg", 900, 660, "A quadrotor in turbulence",
            "Gusts last for seconds; the learned controller stays nearer to the hover point than "
            "LQR and costs half as much.", panels)


def quarter_car():
    car, name = script("quarter-car"), "quarter-car"
    area = boxes(900, 660, 2, 2)
    A, G, _, _ = car.road()
    F, V = car.noise_step(A, G, car.PERIOD)
    random, r, heights = np.random.RandomState(1), np.zeros(3), []
    for _ in range(4001):
        heights.append(r)
        r = F @ r + car.factor(V) @ random.standard_normal(3)
    heights = np.array(heights)[3000:] * 100
    metres = car.SPEED * car.PERIOD * np.arange(len(heights))
    few = metres <= 5.001
    low, high = heights[few].min() - 0.2, heights[few].max() + 0.7
    road = Panel(area[0], "Five metres of road", (0, 5), (low, high), "distance [m]", "height [cm]")
    road.curve(metres[few], heights[few, 0], INK, 1.2)
    road.curve(metres[few], heights[few, 2], AUTO, 2.2)
    road.label(0.1, high - 0.06 * (high - low), "under a point", INK)
    road.label(0.1, high - 0.13 * (high - low), "under the tyre, 0.2 m long (and 0.1 m later)",
               AUTO)

    gain = Panel(area[1], "What any controller could gain over LQR", (0, 20), (0, 40),
                 "speed [m/s]", "smaller cost [%]")
    speeds = [2.5, 3.5, 5, 7, 10, 14, 20]
    for patch, colour in ((car.PATCH, AUTO), (0.0, INK)):
        costs = [example_laws.quarter_car(speed, patch) for speed in speeds]
        gain.curve(speeds, [100 * (1 - best / lqr) for lqr, best in costs], colour, dots=True)
    gain.label(4.2, 22, "tyre touches 0.2 m of road", AUTO)
    gain.label(8.2, 7, "point contact: white noise", INK)

    t = car.PERIOD * np.arange(car.T + 1)
    tyre = Panel(area[2], "Tyre deflection, 400 held-out runs", (0, 0.25), (0, 0.16),
                 "time since take-over [s]", "rms deflection [cm]")
    for method, colour, y in (("lqr", LQR, 0.122), ("auto", AUTO, 0.08)):
        tyre.curve(t, rms(held_out(name, method)[0][:, :, 2]), colour)
        words = {"lqr": "LQR", "auto": "auto, learned from 400 runs"}[method]
        tyre.label(0.1, y, words, colour)
    panels = [road, gain, tyre, bars(area[3], name, ["lqr", "persist", "auto", "ridge", "erm"],
                                     "Held-out cost, n = 400")]
    picture(FIGURES / "example-quarter-car.svg", 900, 660, "An active suspension on a rough road",
            "A tyre averages the road along its contact patch, so slow cars meet correlated "
            "disturbances, and there learning can beat LQR.", panels)


def building():
    office, name = script("building"), "building"
    area = boxes(900, 660, 2, 2)
    hours = np.concatenate([[6], office.HOUR + 0.25])
    w = learning_set(folder(name))[:, 3::3]
    load = Panel(area[0], "Unforeseen warming of the air, 12 of 120 days", (6, 18), (-0.5, 1),
                 "hour of the day", "kelvin per half hour", HOURS)
    for day in w[:12]:
        load.curve(office.HOUR, day, INK, 1.1, opacity=0.6)
    load.curve(office.HOUR, w.mean(0), AUTO, 2.6)
    load.label(6.3, 0.9, "mean of all days", AUTO)

    air = Panel(area[1], "Room air, 400 held-out days", (6, 18), (-2, 2), "hour of the day",
                "above set-point [K]", HOURS)
    for method, colour, y in (("lqr", LQR, 1.1), ("auto", AUTO, -0.45)):
        x = held_out(name, method)[0][:, :, 0]
        air.band(hours, x.mean(0) - x.std(0), x.mean(0) + x.std(0), colour)
        air.curve(hours, x.mean(0), colour)
        words = {"lqr": "LQR: mean and standard deviation", "auto": "auto, learned from 120 days"}
        air.label(8.6, y, words[method], colour)
    panels = [load, air, bars(area[2], name, ["lqr", "persist", "auto", "ridge", "erm"],
                              "Held-out cost, n = 120"),
              certificates(area[3], name, [15, 30, 60, 120], 25)]
    panels[-1].label(0.9, 19.5, "LQR, certified", LQR)
    panels[-1].label(0.66, 13.0, "auto, certified", AUTO)
    panels[-1].label(2.2, 8.4, "LQR, held out", LQR)
    panels[-1].label(-0.2, 3.1, "auto, held out", AUTO)
    picture(FIGURES / "example-building.svg", 900, 660, "An office in winter",
            "The learned controller foresees the usual loads and keeps the set-point; LQR is too "
            "warm all day.", panels)


ALL = {"double-integrator": double_integrator, "quadrotor": quadrotor, "quarter-car": quarter_car,
       "building": building}

if __name__ == "__main__":
    for wanted in sys.argv[1:] or ALL:
        ALL[wanted]()

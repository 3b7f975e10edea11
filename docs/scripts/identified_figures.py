#!/usr/bin/python3
"""The tables and the pictures of docs/examples/drive.md and process.md.

    identified_figures.py [drive] [process]

Learns from logs that the examples' make_data.py draws, seeds 0 to 19, prints medians and writes
docs/figures/example-drive.svg and example-process.svg. LOOPCERT names the program (default:
loopcert). Needs numpy.
"""

import importlib.util
import json
import math
import os
import pathlib
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor

import numpy as np

from panels import BLUE, GREEN, INK, ORANGE, Panel, picture, text

ROOT = pathlib.Path(__file__).resolve().parents[2]
PROGRAM = os.environ.get("LOOPCERT", "loopcert")
SEEDS = 20
EPISODES, SAMPLES = (10, 20, 40, 80, 160), (500, 1000, 2000, 4000, 8000)


def script(name):
    """examples/NAME/make_data.py as a module."""
    spec = importlib.util.spec_from_file_location(name, ROOT / "examples" / name / "make_data.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def learn(name, rows, header):
    """run.json and the controller from a .csv log."""
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        lines = [",".join(header)] + [",".join(row) for row in rows]
        (folder / "log.csv").write_text("\n".join(lines) + "\n")
        done = subprocess.run([PROGRAM, "learn", ROOT / "examples" / name / "problem.toml",
                               "--rollouts", folder / "log.csv", "--out", folder / "out", "--json"],
                              capture_output=True, text=True, check=True)
        controller = json.loads((folder / "out/controller.json").read_text())
        return json.loads(done.stdout), controller


def medians(work, sizes, seeds=SEEDS):
    """Medians over the seeds of the tuples that work(size, seed) returns, one for each size."""
    with ThreadPoolExecutor(2) as pool:
        return [np.median(list(pool.map(lambda seed, n=n: work(n, seed), range(seeds))), axis=0)
                for n in sizes]


def table(head, sizes, rows):
    print(f"| {head} |", " | ".join(f"{size:,}" for size in sizes), "|")
    print("|---" * (len(sizes) + 1) + "|")
    for name, cells in rows.items():
        print(f"| {name} |", " | ".join(cells), "|")


def logarithms(values):
    return [math.log10(value) for value in values]


def marks(values):
    return [(math.log10(value), f"{value:g}") for value in values]


def legend(panel, names, row=0):
    for name, colour in names:
        panel.parts.append(text(panel.right - 4, panel.top + 14 + 17 * row, name, "end", colour))
        row += 1


# --- the drive ----------------------------------------------------------------------------------

DRIVE = script("drive")
DRIVE_HEADER = ["run", "k", "position [rad]", "speed [rad/s]", "torque [Nm]"]


def drive_gains(controller):
    K = np.array(controller["K"])
    return [K[t:t + 1, 2 * t:2 * t + 2] for t in range(DRIVE.T)]


def drive(n, seed):
    """Cost on the true plant, certificate; stiffness and friction with their radii."""
    run, controller = learn("drive", DRIVE.rows(*DRIVE.logs(n, seed)), DRIVE_HEADER)
    (_, row), (_, radius) = run["estimate"]["A"], run["estimate"]["A_radius"]
    nominal = run["certificate"]["terms"][0]["value"]
    return (DRIVE.cost(drive_gains(controller)), run["certificate"]["value"], nominal,
            -row[0] / DRIVE.RATE, radius[0] / DRIVE.RATE, (1 - row[1]) / DRIVE.RATE,
            radius[1] / DRIVE.RATE)


def drive_episode(gains, excited=False):
    """One episode from (0.2 rad, 0), the same pushes for everyone."""
    draw = np.random.RandomState(5)
    x, path = np.array([0.2, 0.0]), []
    for t in range(DRIVE.T):
        path.append(x[0])
        push, white = draw.normal(size=2)
        u = gains[t] @ x + (DRIVE.EXCITATION * white if excited else 0)
        x = DRIVE.A @ x + DRIVE.B @ u + np.array([0, DRIVE.PUSH * push])
    return path + [x[0]]


def draw_drive():
    found = medians(drive, EPISODES)
    cost, value, nominal, k, k_radius, f, f_radius = np.array(found).T
    table("episodes", EPISODES, {
        "cost of the deployed controller": [f"{c:.3f}" for c in cost],
        "certificate": [f"{v:.2f}" for v in value],
        "of it the estimate, noise and start enlarged": [f"{v:.2f}" for v in nominal],
        "stiffness [N m/rad], true 0.3": [f"{a:.3f} ± {b:.3f}" for a, b in zip(k, k_radius)],
        "friction [N m s/rad], true 0.05": [f"{a:.3f} ± {b:.3f}" for a, b in zip(f, f_radius)]})
    best = DRIVE.cost(DRIVE.optimum())
    old = DRIVE.cost([np.array([[DRIVE.OLD_GAIN, 0]])] * DRIVE.T)
    print(f"optimum {best:.4f}, old controller {old:.3f}")
    x, ends = logarithms(EPISODES), (math.log10(8.5), math.log10(190))
    costs = Panel((0, 0, 450, 310), "Cost of an episode", ends, logarithms((2.8, 40)), "episodes",
                  "", marks(EPISODES), marks((3, 5, 10, 20, 40)))
    costs.curve(x, logarithms(value), ORANGE, dots=True)
    costs.curve(x, logarithms(cost), BLUE, dots=True)
    costs.level(math.log10(old), GREEN)
    legend(costs, [("certificate", ORANGE), ("on the true drive", BLUE), ("old controller", GREEN)])
    episode = Panel((450, 0, 450, 310), "Position from 0.2 rad at rest", (0, DRIVE.T * DRIVE.PERIOD),
                    (-0.15, 0.29), "seconds", "rad")
    times = [DRIVE.PERIOD * t for t in range(DRIVE.T + 1)]
    _, controller = learn("drive", DRIVE.rows(*DRIVE.logs(DRIVE.EPISODES, DRIVE.SEED)),
                          DRIVE_HEADER)
    episode.curve(times, drive_episode([np.array([[DRIVE.OLD_GAIN, 0]])] * DRIVE.T), GREEN)
    episode.curve(times, drive_episode(drive_gains(controller)), BLUE)
    legend(episode, [("old controller", GREEN), ("learned", BLUE)])
    panels = [costs, episode]
    for place, (title, middle, radius, truth, span, unit) in enumerate((
            ("Stiffness", k, k_radius, DRIVE.STIFFNESS, (0, 0.6), "N m/rad"),
            ("Friction", f, f_radius, DRIVE.FRICTION, (0, 0.1), "N m s/rad"))):
        panel = Panel((450 * place, 310, 450, 310), f"{title}, interval at confidence 0.95", ends,
                      span, "episodes", unit, marks(EPISODES))
        panel.band(x, np.maximum(middle - radius, span[0]), np.minimum(middle + radius, span[1]),
                   BLUE)
        panel.curve(x, middle, BLUE, dots=True)
        panel.level(truth, INK)
        panels.append(panel)
    picture(ROOT / "docs/figures/example-drive.svg", 900, 620, "A drive that nobody knows",
            "Certificates and intervals against the number of episodes", panels)


# --- the process --------------------------------------------------------------------------------

PROCESS = script("process")


def process_rows(y, u):
    return [[str(t), f"{value:.3f}", f"{u[t]:.3f}" if t < len(u) else ""]
            for t, value in enumerate(y)]


def learn_process(y, u):
    return learn("process", process_rows(y, u), ["k", "outlet [K]", "valve [%]"])


def process_gain(controller):
    return np.array([[*np.ravel(controller["K"]), *np.ravel(controller["L"])]]), controller["k"][0]


def process(N, seed):
    run, controller = learn_process(*PROCESS.log(N, seed))
    return (PROCESS.cost(*process_gain(controller)), run["certificate"]["value"],
            run["certificate"]["terms"][0]["value"])


def predictions(run, y, u):
    """One step ahead, from t = 2 on."""
    row, (b,), (c,) = run["estimate"]["A"][0], run["estimate"]["B"][0], run["estimate"]["offset"][:1]
    return [row[0] * y[t] + row[1] * y[t - 1] + row[2] * u[t - 1] + b * u[t] + c
            for t in range(1, len(u))]


def closed_loop(K, k, steps):
    """The true process from 2 K above the set-point, the same noise for everyone."""
    draw = np.random.RandomState(6)
    state, path = np.array([2.0, 2.0, 0.0]), []
    for _ in range(steps):
        path.append(state[0])
        u = (K @ state)[0] + k
        state = (PROCESS.F @ state + PROCESS.G[:, 0] * u
                 + (PROCESS.OFFSET + PROCESS.NOISE * draw.normal()) * PROCESS.FIRST)
    return path


def draw_process():
    found = medians(process, SAMPLES)
    cost, value, nominal = np.array(found).T
    table("samples", SAMPLES, {"cost of the deployed controller": [f"{c:.4f}" for c in cost],
                               "certificate": [f"{v:.4f}" for v in value],
                               "of it the estimate, noise enlarged": [f"{v:.4f}" for v in nominal]})
    best = PROCESS.cost(*PROCESS.optimum())
    old = PROCESS.cost(np.array([[PROCESS.OLD_GAIN, 0, 0]]), 0.0)
    print(f"optimum {best:.4f}, old controller {old:.3f}")
    y, u = PROCESS.log(PROCESS.N, PROCESS.SEED)
    run, controller = learn_process(y, u)
    first, last = 300, 420
    minutes = [t / 6 for t in range(first, last)]
    log = Panel((0, 0, 900, 260), "Log: outlet, and its prediction one sample ahead",
                (first / 6, last / 6), (-1, 6), "minutes", "K")
    log.curve(minutes, y[first:last], INK, 3.5, opacity=0.5)
    log.curve(minutes, predictions(run, y, u)[first - 2:last - 2], ORANGE, 1.4)
    legend(log, [("measured", INK), ("predicted", ORANGE)])
    valve = Panel((0, 260, 900, 180), "Log: valve", (first / 6, last / 6), (-4, 4), "minutes", "%")
    valve.curve(minutes, u[first:last], BLUE, 1.6)
    costs = Panel((0, 440, 450, 310), "Average cost of a step", logarithms((430, 9300)),
                  (0, 0.4), "samples in the log", "", marks(SAMPLES))
    costs.curve(logarithms(SAMPLES), value, ORANGE, dots=True)
    costs.curve(logarithms(SAMPLES), cost, BLUE, dots=True)
    legend(costs, [("certificate", ORANGE), ("on the true process", BLUE)])
    steps = 120
    loop = Panel((450, 440, 450, 310), "After deployment", (0, steps / 6), (-0.6, 3), "minutes",
                 "K above the set-point")
    times = [t / 6 for t in range(steps)]
    loop.curve(times, closed_loop(np.array([[PROCESS.OLD_GAIN, 0, 0]]), 0.0, steps), GREEN)
    loop.curve(times, closed_loop(*process_gain(controller), steps), BLUE)
    legend(loop, [("old controller", GREEN), ("learned", BLUE)])
    picture(ROOT / "docs/figures/example-process.svg", 900, 750, "A process from one log",
            "The log, its predictions, certificates and the loop that came out",
            [log, valve, costs, loop])


if __name__ == "__main__":
    chosen = sys.argv[1:] or ["drive", "process"]
    if "drive" in chosen:
        draw_drive()
    if "process" in chosen:
        draw_process()

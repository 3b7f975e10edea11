#!/usr/bin/python3
"""The figures of docs/reproduction.md.

    build/bin/loopcert reproduce --out reproduce
    PYTHONPATH=build/python docs/scripts/reproduction_figures.py reproduce/tables.json

Writes paper-figure-1.svg and paper-figure-2.svg from the tables, with the paper's numbers as rings
over our curves, and posterior-spread.svg from the posterior of `loopcert learn
examples/double-integrator/problem.toml --method pac-bayes --sample 40 --seed 1`.
"""

import json
import math
import pathlib
import sys

import numpy as np

import loopcert as lc
from panels import BLUE, GREEN, INK, ORANGE, PINK, Panel, picture, text

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
FIGURES = ROOT / "docs" / "figures"
COLOURS = {"raw ERM": BLUE, "ridge ERM": ORANGE, "data PB": GREEN, "oracle PB": PINK,
           "held-out cost": GREEN, "data certificate": BLUE, "prescient certificate": ORANGE}


def log_marks(values):
    return [(math.log10(v), f"{v:g}" if v < 1e4 else f"1e{round(math.log10(v))}") for v in values]


def ring(panel, x, y, colour):
    panel.parts.append(f'<circle cx="{panel.x(x):.1f}" cy="{panel.y(y):.1f}" r="6" fill="none" '
                       f'stroke="{colour}" stroke-width="1.7"/>')


def legend(panel, names):
    """Inside of the axes, at the top right; the ring says what rings are."""
    for i, name in enumerate(names + ["ring: the paper"]):
        colour = COLOURS.get(name, INK)
        panel.parts.append(text(panel.right - 4, panel.top + 14 + 17 * i, name, "end", colour))


def curves(box, title, columns, y_values, y_range, axis, legend_here=True):
    """Both axes logarithmic: a line through our means, a ring at each of the paper's."""
    sizes = [cell["n"] for cell in columns[0]["cells"]]
    panel = Panel(box, title, (math.log10(8.5), math.log10(470)), tuple(map(math.log10, y_range)),
                  "trajectories n", axis, log_marks(sizes), log_marks(y_values))
    for column in columns:
        cells, colour = column["cells"], COLOURS[column["name"]]
        at = [math.log10(cell["n"]) for cell in cells]
        panel.curve(at, [math.log10(cell["mean"]) for cell in cells], colour, dots=True)
        for x, cell in zip(at, cells):
            ring(panel, x, math.log10(cell["published_mean"]), colour)
    if legend_here:
        legend(panel, [column["name"] for column in columns])
    return panel


def paper_figures(tables):
    def published(table):
        return [c for c in table["columns"] if c["cells"][0]["published_mean"] is not None]

    cost, sensitivity, tightness = (published(table) for table in tables[:3])
    picture(FIGURES / "paper-figure-1.svg", 980, 780, "Figure 1 of the paper, recomputed",
            "Held-out test cost and deployed sensitivity of four methods against n", [
                curves((0, 0, 490, 390), "Figure 1, left: held-out test cost", cost,
                       (3, 10, 30, 100, 300), (2.7, 1000), "cost"),
                curves((490, 0, 490, 390), "Figure 1, right: deployed sensitivity C", sensitivity,
                       (1, 100, 1e4, 1e6), (0.5, 2e7), "C"),
                curves((0, 390, 490, 390), "Left, without raw ERM", cost[1:],
                       (3, 3.5, 4, 4.5, 5), (3, 5.2), "cost"),
                curves((490, 390, 490, 390), "Right, without raw ERM", sensitivity[1:],
                       (1, 2, 3, 4), (0.75, 4.6), "C")])
    picture(FIGURES / "paper-figure-2.svg", 640, 440, "Figure 2 of the paper, recomputed",
            "Held-out cost, data certificate and prescient certificate against n",
            [curves((0, 0, 640, 440), "Figure 2: certificate tightness", tightness[:3],
                    (3, 5, 10, 20, 50, 100), (2.7, 120), "cost")])


def spread_figure():
    problem = lc.Problem.read(ROOT / "examples/double-integrator/problem.toml")
    data = problem.sample(40, seed=1)
    result = lc.learn(problem, data, method="pac-bayes", certificate="data-driven")
    space = problem.space()
    free, P = space.free, space.P
    rows, cols = np.nonzero(free)
    sigma = np.sqrt(result.posterior.variance[free])
    size = np.sqrt(P[rows, rows])
    second = np.mean(np.asarray(data.w) ** 2, axis=0)
    curvature = size**2 * second[cols]

    def panel(box, title, x, marks, name):
        x, y = np.log10(x), np.log10(sigma)
        room = 0.06 * (x.max() - x.min()), 0.06 * (y.max() - y.min())
        drawn = Panel(box, title, (x.min() - room[0], x.max() + room[0]),
                      (y.min() - room[1], y.max() + room[1]), name, "sigma_k", log_marks(marks),
                      log_marks((0.18, 0.2, 0.22, 0.24, 0.26)))
        drawn.parts += [f'<circle cx="{drawn.x(a):.1f}" cy="{drawn.y(b):.1f}" r="3.2" '
                        f'fill="{BLUE}" opacity="0.55"/>' for a, b in zip(x, y)]
        return drawn

    picture(FIGURES / "posterior-spread.svg", 980, 390, "Where the posterior stays spread",
            "Posterior standard deviations against size and curvature of the directions", [
                panel((0, 0, 490, 390), "Against the size of direction k", size,
                      (0.75, 0.8, 0.85, 0.9), "||M_k||_F"),
                panel((490, 0, 490, 390), "Against its curvature on the data", curvature,
                      (0.04, 0.06, 0.08, 0.1), "(G_hat)_kk")])
    ranks = np.argsort(np.argsort(np.column_stack([sigma, size, curvature]), axis=0), axis=0)
    print("rank correlations of sigma with size and curvature:",
          np.round(np.corrcoef(ranks.T)[0, 1:], 2))
    print(f"sigma from {sigma.min():.3f} to {sigma.max():.3f}")


if __name__ == "__main__":
    paper_figures(json.loads(pathlib.Path(sys.argv[1]).read_text())["tables"])
    spread_figure()

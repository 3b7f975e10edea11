#!/usr/bin/python3
"""The table and the figure of docs/examples/colour.md.

    docs/scripts/colour_figure.py [build/bin/loopcert]

Learns from samples of examples/assumptions/unknown-colour.toml, seeds 0 to 19, prints medians and
writes docs/figures/colour.svg.
"""

import json
import math
import pathlib
import statistics
import subprocess
import sys

from panels import BLUE, GREEN, INK, ORANGE, PINK, Panel, picture, text

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
PROGRAM = sys.argv[1] if len(sys.argv) > 1 else ROOT / "build/bin/loopcert"
COLOURED = ROOT / "examples/assumptions/coloured.toml"
UNKNOWN = ROOT / "examples/assumptions/unknown-colour.toml"
SIZES = (20, 50, 100, 200, 400)
WAYS = {  # problem, method, certificate
    "shrinkage, colour not granted": (COLOURED, "shrinkage", "best", PINK),
    "identified, best": (UNKNOWN, "identified", "best", BLUE),
    "identified, cross-identified": (UNKNOWN, "identified", "cross-identified", GREEN),
    "identified, identified": (UNKNOWN, "identified", "identified", ORANGE),
}


def medians(problem, method, kind, n):
    runs = []
    for seed in range(20):
        done = subprocess.run([PROGRAM, "learn", problem, "--sample", str(n), "--seed", str(seed),
                               "--method", method, "--certificate", kind, "--json"],
                              capture_output=True, text=True, check=True)
        run = json.loads(done.stdout)
        runs.append((run["population_cost"], run["certificate"]["value"]))
    return [statistics.median(column) for column in zip(*runs)]


def marks(values):
    return [(math.log10(v), f"{v:g}") for v in values]


def main():
    found = {name: [medians(*way[:3], n) for n in SIZES] for name, way in WAYS.items()}
    for name, rows in found.items():
        print(f"| {name} |", " | ".join(f"{cost:.3f}, {value:.3f}" for cost, value in rows), "|")
    panels = []
    for place, (title, column, low, high, y) in enumerate((
            ("cost of what is deployed", 0, 2.6, 3.6, (2.6, 2.8, 3, 3.2, 3.5)),
            ("certificate", 1, 2.6, 30, (3, 4, 5, 7, 10, 20)))):
        panel = Panel((450 * place, 0, 450, 330), title, (math.log10(17), math.log10(470)),
                      (math.log10(low), math.log10(high)), "trajectories n", "", marks(SIZES),
                      marks(y))
        for row, (name, values) in enumerate(found.items()):
            colour = WAYS[name][3]
            panel.curve([math.log10(n) for n in SIZES],
                        [math.log10(min(v[column], high)) for v in values], colour, dots=True)
            if place == 1:
                panel.parts.append(text(panel.right - 4, panel.top + 14 + 17 * row, name, "end",
                                        colour))
        panel.level(math.log10(2.65867), INK)  # the optimum
        panels.append(panel)
    picture(ROOT / "docs/figures/colour.svg", 900, 330, "An unknown colour",
            "Costs and certificates against the number of trajectories", panels)


if __name__ == "__main__":
    main()

#!/usr/bin/python3
"""The figure of docs/benchmarks.md, from what bench/run wrote:

    docs/scripts/scaling_figure.py [build/bench]

Writes docs/figures/scaling.svg: CPU time against the number of parameters p. Needs evaluation.json,
learning.json and reference_controllers.json.
"""

import json
import math
import pathlib
import sys

from panels import BLUE, GREEN, ORANGE, PINK, YELLOW, Panel, line, picture, text

ROOT = pathlib.Path(__file__).resolve().parents[2]
WIDTH, HEIGHT, ROOM_FOR_NAMES = 900, 560, 190
GAP = 19  # between two names
CURVES = [  # name, file, method, colour
    ("learning", "learning", "learning", BLUE),
    ("ridge", "reference_controllers", "ridge", GREEN),
    ("ERM", "reference_controllers", "erm", PINK),
    ("value + gradient", "evaluation", "evaluation", ORANGE),
    ("LQR", "reference_controllers", "lqr", YELLOW),
]
TIMES = ["1 µs", "10 µs", "0.1 ms", "1 ms", "10 ms", "0.1 s", "1 s", "10 s", "100 s", "1000 s"]


def read_growth(folder, name, method):
    path = folder / f"{name}.json"
    if not path.is_file():
        sys.exit(f"scaling_figure: {path} is not there; run bench/run")
    return json.loads(path.read_text())["growth"][method]["p"]


def logs(points):
    return [[math.log10(value) for value in column] for column in zip(*points)]


def spread(heights):
    """The heights, ascending, moved apart to a distance of GAP around where they were."""
    groups = []
    for height in heights:
        groups.append([height])
        while len(groups) > 1 and top(groups[-1]) - bottom(groups[-2]) < GAP:
            groups[-2:] = [groups[-2] + groups[-1]]
    return [top(group) + i * GAP for group in groups for i in range(len(group))]


def top(group):
    return sum(group) / len(group) - GAP * (len(group) - 1) / 2


def bottom(group):
    return top(group) + GAP * (len(group) - 1)


def name_and_exponent(x, y, name, exponent, colour):
    power = f'<tspan dy="-5" font-size="11">{exponent:.2f}</tspan>'
    return text(x, y, f"{name} ~ <tspan font-style=\"italic\">p</tspan>{power}", colour=colour, size=14)


def guide(panel, x_range, x, y, exponent=1.5):
    """A dashed line of the slope that the matrix products have, through (x, y)."""
    ends = [(value, y + exponent * (value - x)) for value in x_range]
    (x1, y1), (x2, y2) = [(panel.x(a), panel.y(b)) for a, b in ends]
    panel.parts.append(line(x1, y1, x2, y2, width=1.4, more=' stroke-dasharray="5 5"'))
    panel.parts.append(text(x2 + 6, y2 + 4, 'slope of <tspan font-style="italic">p</tspan>'
                            '<tspan dy="-5" font-size="10">3/2</tspan>'))


def main():
    folder = pathlib.Path(sys.argv[1]) if len(sys.argv) > 1 else ROOT / "build/bench"
    curves = [(name, read_growth(folder, file, method), colour)
              for name, file, method, colour in CURVES]
    xs = [x for _, growth, _ in curves for x in logs(growth["points"])[0]]
    ys = [y for _, growth, _ in curves for y in logs(growth["points"])[1]]
    x_range = (min(xs) - 0.12, max(xs) + 0.12)
    y_range = (math.floor(min(ys)), math.ceil(max(ys)))
    x_marks = [(k, f"{10**k:,}") for k in range(math.ceil(x_range[0]), math.floor(x_range[1]) + 1)]
    y_marks = [(k, TIMES[k + 6]) for k in range(y_range[0], y_range[1] + 1)]
    panel = Panel((8, 0, WIDTH - ROOM_FOR_NAMES, HEIGHT),
                  "CPU time; exponents over the three largest sizes", x_range, y_range,
                  "parameters p", "", x_marks, y_marks)
    guide(panel, (3.0, 4.0), 3.0, y_range[0] + 0.25)
    ends = []
    for name, growth, colour in curves:
        x, y = logs(growth["points"])
        panel.curve(x, y, colour, 2.4, dots=True)
        ends.append((panel.y(y[-1]), name, growth["last_three"], colour))
    ends.sort()
    for (_, name, exponent, colour), y in zip(ends, spread([end[0] for end in ends])):
        panel.parts.append(name_and_exponent(panel.right + 10, y + 5, name, exponent, colour))
    picture(ROOT / "docs/figures/scaling.svg", WIDTH, HEIGHT, "Time against the number of parameters",
            "CPU seconds of one value with gradient, of learning, ERM, ridge and LQR from p = 110 to "
            "two million, in logarithmic scales: nearly straight lines, of a slope near three halves.", [panel])


if __name__ == "__main__":
    main()

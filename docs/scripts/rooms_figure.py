#!/usr/bin/python3
"""docs/figures/rooms.svg: the rooms of cmake/rooms.txt and the way of the data through them.

    rooms_figure.py [PATH]
"""

import pathlib
import re
import sys

from panels import BLUE, GREEN, INK, ORANGE, line, picture, text

ROOT = pathlib.Path(__file__).resolve().parents[2]
# A run of learn, in the order in which workflow calls them (tools/trace_rooms).
RUN = [("problem", "the problem file"), ("system", "plant, cost"), ("data", "logs, trajectories"),
       ("response", "closed loops"), ("learning", "methods"), ("certificate", "bounds, records"),
       ("controller", "gains, C code"), ("risk", "costs"), ("inspection", "warnings")]
# Each uses workflow or what is below it.
BESIDE = [("model", "unknown plants"), ("simulation", "step by step"), ("measurement", "costs alone"), ("verification", "recheck"), ("watch", "deployed loops"), ("planning", "how many?"),
          ("calibration", "how often?"), ("sweeps", "many runs")]
EDGE = [("report", "pages"), ("delivery", "files, words, the door")]
BASE = [("core", "matrices, errors, random streams, threads, products"), ("device", "a plugin's GPU, if there is one")]
ORDER = [("workflow", "learn, certify: the order of the steps")]
WIDTH, HEIGHT, GAP = 1080, 330, 12


class Boxes:
    def __init__(self):
        self.parts = ['<defs><marker id="tip" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7" markerHeight="7" '
                      f'orient="auto"><path d="M0 0L8 4L0 8z" fill="{INK}"/></marker></defs>']

    def box(self, x, y, width, height, name, about, colour):
        self.parts.append(f'<rect x="{x:.1f}" y="{y:.1f}" width="{width:.1f}" height="{height:.1f}" rx="6" '
                          f'fill="none" stroke="{colour}" stroke-width="1.8"/>')
        self.parts.append(text(x + width / 2, y + height / 2 - 3, name, "middle", colour, 15, ' font-weight="600"'))
        self.parts.append(text(x + width / 2, y + height / 2 + 15, about, "middle", INK, 11.5))

    def row(self, y, height, rooms, colour, left=0.0, right=WIDTH, arrows=False):
        width = (right - left - GAP * (len(rooms) - 1)) / len(rooms)
        for i, (name, about) in enumerate(rooms):
            x = left + i * (width + GAP)
            self.box(x + 1, y, width - 2, height, name, about, colour)
            if arrows and i > 0:
                self.parts.append(line(x - GAP, y + height / 2, x, y + height / 2, INK, 1.6,
                                       ' marker-end="url(#tip)"'))


def draw(path):
    rooms = re.findall(r"^(\w+):", (ROOT / "cmake/rooms.txt").read_text(), re.M)
    drawn = [name for row in (RUN, BESIDE, EDGE, BASE, ORDER) for name, _ in row]
    if sorted(rooms) != sorted(drawn):
        raise SystemExit(f"drawn are {sorted(drawn)}, cmake/rooms.txt has {sorted(rooms)}")
    boxes = Boxes()
    boxes.row(2, 50, EDGE, GREEN, WIDTH * 0.55)
    boxes.row(2, 50, [("program, Python", "parse, call, print")], GREEN, 0, WIDTH * 0.55 - GAP)
    boxes.row(70, 50, BESIDE, ORANGE)
    boxes.row(138, 50, ORDER, BLUE)
    for i in range(len(RUN)):
        x = (i + 0.5) * (WIDTH + GAP) / len(RUN) - GAP / 2
        boxes.parts.append(line(x, 188, x, 208, INK, 1.2, ' marker-end="url(#tip)"'))
    boxes.row(210, 54, RUN, BLUE, arrows=True)
    boxes.row(278, 50, BASE, INK)
    picture(path, WIDTH, HEIGHT, "The rooms of loopcert",
            "workflow calls the nine rooms of a run one after the other; other rooms use it; core and device are below.",
            [boxes])


if __name__ == "__main__":
    draw(pathlib.Path(sys.argv[1]) if len(sys.argv) > 1 else ROOT / "docs/figures/rooms.svg")

#!/usr/bin/python3
"""Runs examples again: expected.txt, and the tables of their pages in docs/examples.

    refresh.py NAME ...
    PYTHONPATH=build/python refresh.py --programs     expected-program.txt of all, by their main.py

What is said in prose is left to a person: git diff shows what changed. LOOPCERT names the program.
"""

import pathlib
import re
import subprocess
import sys

import record
import table

ROOT = pathlib.Path(__file__).resolve().parent
PAGES = ROOT.parent / "docs/examples"
# Those whose page compares methods: trajectories of its table, and what is above it where a page has two.
COMPARED = {"building": ((15, 30, 60, 120), ""), "quadrotor": ((25, 50, 100, 200), ""),
            "quarter-car": ((100, 200, 400), ""),
            "double-integrator": ((20, 40, 100), "White noise, confidence 0.95:\n"),
            "double-integrator-coloured": ((20, 40, 100), "Coloured noise:\n")}


def cells(line):
    return [cell.strip() for cell in line.strip("|").split("|")]


def certified(lines):
    """{method: value of certificate}, by the commands; persist.py is certified by itself"""
    found, command = {}, ""
    for line in lines:
        if line.startswith("$ "):
            command = line
        value = re.match(r"certificate +(\S+) .* controller\)", line)
        if value and " learn " in command:
            method = re.search(r"--method ([\w-]+)", command)
            found[method[1] if method else "auto"] = float(value[1])
        elif value and "out/persist" in command:
            found["persist"] = float(value[1])
    return found


def compared(lines):
    """{controller: (cost, error[, change, error])} of the first comparison"""
    found = {}
    for line in lines:
        words = line.split()
        if re.match(r"[a-z-]+ +[-\d.]+ +[\d.]+", line) and words[0] not in found:
            found[words[0]] = words[1:]
    return found


def pair(mean, error):
    return f"{mean} ± {float(error):#.2g}"


def renewed(text, name, lines, numbers, above):
    values, costs = certified(lines), compared(lines)
    names = {"LQR": "lqr", "`persist.py`": "persist", "ridge, `cv`": "ridge"}
    by_n = {}
    for line in table.lines(table.rows(ROOT / name, numbers)):
        by_n[cells(line)[0]] = line
    before, above, text = text.rpartition(above) if above else ("", "", text)
    text, end, after = text.partition("\n(") if above else (text, "", "")
    found = []
    for line in text.splitlines():
        row = cells(line) if line.startswith("|") else [""]
        method = names.get(row[0], row[0].strip("`"))
        if row[0] in by_n and len(row) == 6 and row[0] != "n":
            line = by_n[row[0]]
        elif not above and method in costs and len(row) == 4:
            numbers_of = costs[method]
            change = pair(*numbers_of[2:4]) if method != "lqr" and len(numbers_of) == 4 else ""
            line = f"| {row[0]} | {values[method]:#.4g} | {pair(*numbers_of[:2])} | {change} |".replace("|  |", "| |")
        found.append(line)
    return before + above + "\n".join(found) + "\n" + end + after


def programs():
    sys.path.insert(0, str(ROOT.parent / "tools"))
    from same_output import differences
    for path in sorted(ROOT.glob("*/expected-program.txt")):
        done = subprocess.run([sys.executable, "-B", path.with_name("main.py"), path.parent],
                              capture_output=True, text=True, check=True)
        if differences(path.read_text(), done.stdout):
            path.write_text(done.stdout)
            print(path.parent.name, flush=True)


def main():
    if sys.argv[1:] == ["--programs"]:
        return programs()
    for name in sys.argv[1:]:
        steps = record.transcript(ROOT / name)
        lines = [line for command, output in steps for line in (f"$ {command}", *output)]
        (ROOT / name / "expected.txt").write_text("\n".join(lines) + "\n")
        if name in COMPARED:
            page = PAGES / f"{name.removesuffix('-coloured')}.md"
            page.write_text(renewed(page.read_text(), name, lines, *COMPARED[name]))
        print(name, flush=True)


if __name__ == "__main__":
    main()

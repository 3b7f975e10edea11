#!/usr/bin/python3
"""The table "best and the right name" of docs/certificates.md: LQR on the double integrator, kind
best beside each kind that is granted, asked for by name; medians of 20 seeds:

    docs/scripts/best_table.py
"""

import collections
import csv
import os
import pathlib
import statistics
import subprocess
import tempfile

LOOPCERT = os.environ.get("LOOPCERT", "loopcert")
FOLDER = pathlib.Path(__file__).resolve().parents[2] / "examples/assumptions"
SIZES = (10, 20, 40, 100, 400)
D_W = 22
GAUSSIAN = ("hold-out-frobenius", "hold-out-chi-square", "hold-out-relative")
GRANTED = {
    "exact-scale": ("hold-out", *GAUSSIAN),
    "loose-scale": ("hold-out", *GAUSSIAN),
    "no-scale": GAUSSIAN,
    "white": ("hold-out-white", *GAUSSIAN),
    "mean": ("hold-out-scale-free",),
    "uniform": ("hold-out-bounded", "hold-out-fourth-moment"),
}


def grants(kind, n):
    if kind == "hold-out-fourth-moment":  # kl(0, 1/3) n > log(20)
        return n > 7
    return kind != "hold-out-relative" or n > D_W


def rows_of(name, n, kinds, folder):
    plan = folder / "plan.toml"
    quoted = ", ".join(f'"{kind}"' for kind in ("best", *kinds))
    plan.write_text(f'name = "{name}"\nproblems = ["{FOLDER / name}.toml"]\nn = [{n}]\nseeds = 20\n'
                    f'methods = ["lqr"]\ncertificates = [{quoted}]\ntest = 2\n')
    out = folder / f"{name}-{n}"
    subprocess.run([LOOPCERT, "sweep", plan, "--out", out, "--jobs", "2"], check=True,
                   capture_output=True)
    with open(out / "results.csv", newline="") as file:
        return list(csv.DictReader(file))


def cell(rows):
    values = collections.defaultdict(list)
    for row in rows:
        values[row["certificate_kind"]].append(float(row["certificate"]))
    medians = {kind: statistics.median(found) for kind, found in values.items()}
    best = medians.pop("best")
    name = min(medians, key=medians.get)
    return f"{best:.4g}, {medians[name]:.4g} ({name.removeprefix('hold-out-')})"


def main():
    print("| granted | " + " | ".join(f"n = {n}" for n in SIZES) + " |")
    print("|---" * (len(SIZES) + 1) + "|")
    with tempfile.TemporaryDirectory() as folder:
        for name, kinds in GRANTED.items():
            cells = [cell(rows_of(name, n, [k for k in kinds if grants(k, n)], pathlib.Path(folder)))
                     for n in SIZES]
            print(f"| {name.replace('-', ' ')} | " + " | ".join(cells) + " |", flush=True)


if __name__ == "__main__":
    main()

#!/usr/bin/python3
"""The tables "What auto certifies" of docs/certificates.md, from results.csv of
examples/sweeps/tight.toml:

    loopcert sweep examples/sweeps/tight.toml --out tight
    docs/scripts/tight_tables.py tight/results.csv
"""

import collections
import csv
import sys

SIZES = (10, 20, 40, 50, 100, 200, 400)


def mean(rows, key):
    return sum(float(row[key]) for row in rows) / len(rows)


def violations(rows):
    return sum(float(r["certificate"]) < float(r["population_cost"]) * (1 - 1e-9) for r in rows)


def table(cells, cell, names):
    lines = ["| n | " + " | ".join(map(str, SIZES)) + " |", "|---" * (len(SIZES) + 1) + "|"]
    for name, key in names:
        lines.append(f"| {name} | " + " | ".join(cell(cells[*key, n]) for n in SIZES) + " |")
    return lines


def improvement(rows):
    found = [row for row in rows if row["improvement"]]
    if not found:
        return "-"
    below = sum(float(row["improvement"]) < 0 for row in found)
    return f"{mean(found, 'improvement'):.2f} ({below}/{len(found)})"


def main():
    with open(sys.argv[1], newline="") as file:
        rows = list(csv.DictReader(file))
    cells = collections.defaultdict(list)
    for row in rows:
        cells[row["problem"], row["label"], int(row["n"])].append(row)
    problems = list(dict.fromkeys(row["problem"] for row in rows))
    labels = list(dict.fromkeys(row["label"] for row in rows))
    both = [(f"{p}, {label}", (p, label)) for p in problems for label in labels]
    auto = [(p, (p, "auto")) for p in problems]
    print("Certified cost:\n")
    print("\n".join(table(cells, lambda rows: f"{mean(rows, 'certificate'):.4g}", both)))
    print("\nTrue cost of the deployed controller:\n")
    print("\n".join(table(cells, lambda rows: f"{mean(rows, 'population_cost'):.4g}", both)))
    print("\nThe most frequent kind of the certificate of `auto`:\n")
    chosen = lambda rows: "`" + collections.Counter(
        row["certificate_chosen"] for row in rows).most_common(1)[0][0] + "`"
    print("\n".join(table(cells, chosen, auto)))
    print("\nCertified difference of `auto` from LQR (mean; negative ones / runs that did not "
          "deploy LQR):\n")
    print("\n".join(table(cells, improvement, auto)))
    print(f"\n{sum(violations(c) for c in cells.values())} of {len(rows)} certificates are below the "
          "true cost.")


if __name__ == "__main__":
    main()

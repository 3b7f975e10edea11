#!/usr/bin/python3
"""Every kind of certificate, before and after: the tables "Before and after" of docs/certificates.md.

    docs/scripts/kinds_table.py                 prints the tables, before from kinds_before.json
    docs/scripts/kinds_table.py --write         writes them into the page
    docs/scripts/kinds_table.py --store SOURCE  keeps what this program gives as "before"

Medians of seeds 0 to 19. LOOPCERT names the program (default build/bin/loopcert). The kinds are
those that its help lists. About two minutes.
"""

import functools
import json
import os
import pathlib
import re
import statistics
import subprocess
import sys
import tempfile
import threading
from concurrent.futures import ThreadPoolExecutor

import numpy as np
from chain_table import logs

ROOT = pathlib.Path(__file__).resolve().parents[2]
PROGRAM = os.environ.get("LOOPCERT", str(ROOT / "build/bin/loopcert"))
BEFORE = pathlib.Path(__file__).with_name("kinds_before.json")
PAGE = ROOT / "docs/certificates.md"
SIZES = (10, 20, 40, 100, 400)
SEEDS = range(20)
LOCK = threading.Lock()
PLANT = (ROOT / "examples/double-integrator/problem.toml").read_text()
ORACLE = ("oracle", "oracle-randomized", "posterior-localized")
# What the example does not grant and a kind needs.
BOUNDED = 'model = "bounded"\nradius = 3.0\n#'
GRANTED = {
    "bounded": BOUNDED, "bounded-self": BOUNDED, "hold-out-bounded": BOUNDED, "cross-bounded": BOUNDED,
    "hold-out-fourth-moment": "kurtosis = 3\n", "cross-fourth-moment": "kurtosis = 3\n",
    "data-driven-given-radius": "covariance_radius = 0.2\ncovariance_radius_delta = 0.01\n",
    **dict.fromkeys(("white", "hold-out-white", "cross-white", "limits-envelope"),
                    "white = true\nstationary = true\n"),
    **dict.fromkeys(("identified", "hold-out-identified", "cross-identified"), "autoregressive = 1\n"),
    **dict.fromkeys(("known-covariance", "hold-out-known", "cross-known", "assumed-covariance"),
                    "covariance_bound = 0.1\n"),
}
LIMITS = """
[limits]
u = [-1.5, 1.5]
probability = 0.05
kind = "KIND"
"""
CHAIN = """horizon = HORIZON
[system]
identify = true
states   = 3
inputs   = 3
[cost]
Q = [0.001, 0.001, 0.001]
R = [1, 1, 1]
[data]
axes = ["episode", "step", "component"]
"""


def one_file(path, text):
    """Written once, whichever thread comes first."""
    with LOCK:
        if not path.exists():
            path.write_text(text)
    return path


def call(*words):
    """What it prints as JSON; nothing where the kind does not apply."""
    done = subprocess.run([PROGRAM, *map(str, words), "--json"], capture_output=True, text=True)
    if done.returncode == 3:
        return None
    if done.returncode != 0:
        raise RuntimeError(f"{words}: {done.stderr}")
    return json.loads(done.stdout)


@functools.cache
def offered(command):
    """The kinds that --certificate of a command may name."""
    text = subprocess.run([PROGRAM, command, "--help"], capture_output=True, text=True, check=True).stdout
    words = re.search(r"\n +--certificate KIND\n((?: {15}.*\n)*)", text)[1]
    if command == "measure":
        words = words.partition("assumed):")[2]
    return [kind.strip() for kind in " ".join(words.split()).partition(" (")[0].split("|")]


def learned(method, kind, n, seed, folder):
    path = one_file(folder / f"{kind}.toml",
                    PLANT.replace("scale_bound", GRANTED.get(kind, "") + "scale_bound"))
    found = call("learn", path, "--sample", n, "--seed", seed, "--method", method, "--certificate", kind)
    if found and found["certificate"]["kind"] != kind:
        raise RuntimeError(f"{kind}: the certificate is {found['certificate']['kind']}")
    return found and found["certificate"]["value"]


def by_prior(kind, n, seed, folder):
    return learned("oracle-pac-bayes" if kind in ORACLE else "pac-bayes", kind, n, seed, folder)


def of_lqr(kind, n, seed, folder):
    return learned("lqr", kind, n, seed, folder)


def by_folds(kind, n, seed, folder):
    return learned("shrinkage", kind, n, seed, folder)


def optimum(folder):
    text = (ROOT / "examples/assumptions/coloured.toml").read_text()
    text = text.replace("covariance =", "scale_bound = 0.7\ncovariance =")
    problem = one_file(folder / "coloured.toml", text.replace('"auto"', '"optimum"'))
    controller = folder / "optimum/controller.json"
    with LOCK:
        if not controller.exists():
            call("learn", problem, "--out", folder / "optimum")
    return problem, controller


def improved(kind, n, seed, folder):
    problem, controller = optimum(folder)
    found = call("certify", problem, "--controller", controller, "--sample", n,
                 "--seed", seed, "--certificate", kind, "--baseline", "lqr")
    return found and found["value"]


def measured(kind, n, seed, folder):
    """Costs of two loops whose disturbances have six directions, equally large."""
    draw = np.random.RandomState(seed)
    costs = [mean * draw.chisquare(6, n) / 6 for mean in (3, 4)]
    capped = kind.removeprefix("measured-") in ("bounded", "difference", "paired")
    words = ["--largest", 20] if capped else []
    names = [folder / f"{kind}-{n}-{seed}-{k}.npy" for k in range(2)]
    for name, cost in zip(names, costs):
        np.save(name, np.minimum(cost, 20) if capped else cost)
    if kind.removeprefix("measured-") in ("ratio", "ratio-any-mean", "difference", "paired"):
        words += ["--against", names[1]] + (["--paired"] if kind.endswith("paired") else [])
    if kind == "measured-fourth-moment":
        words += ["--kurtosis", 3]
    found = call("measure", names[0], *words, "--certificate", kind)
    return found and found.get("certificate", found)["value"]


def limited(kind, n, seed, folder):
    path = one_file(folder / f"{kind}.toml", PLANT.replace(
        "scale_bound", GRANTED.get(kind, "") + "scale_bound") + LIMITS.replace("KIND", kind))
    found = call("learn", path, "--sample", n, "--seed", seed, "--method", "lqr", "--certificate",
                 "hold-out")
    return found and 100 * found["limits"]["value"]


def of_chain(kind, n, seed, folder):
    horizon = '"infinite"' if kind == "identified-average" else "10"
    path = one_file(folder / f"chain-{kind}.toml", CHAIN.replace("HORIZON", horizon))
    data = folder / f"chain-{kind}-{n}-{seed}.npz"
    x, u = logs(n, seed)
    steps = x.shape[1] - 1 if kind == "identified-average" else 10
    np.savez(data, x=x[:, :steps + 1], u=u[:, :steps])
    found = call("learn", path, "--rollouts", data, "--method", "guaranteed")
    data.unlink()
    record = found and found["improvement" if "improvement" in kind else "certificate"]
    return record and record["value"]  # a difference above the cost itself is not shown


def groups():
    """(title, how one is made, kinds): all that the program offers, but for the portfolios."""
    learn, certify = offered("learn"), offered("certify")
    cross = [kind for kind in learn if kind.startswith("cross")]
    fixed = [kind for kind in certify if kind != "best" and not kind.startswith("improvement")]
    prior = [kind for kind in learn if kind not in (*cross, *fixed, "best", "identified-average")]
    return [
        ("LQR", of_lqr, fixed),
        ("Learned by `shrinkage` in two folds", by_folds, cross),
        ("Minimized by method `pac-bayes`", by_prior, prior),
        ("The optimum under AR(1) noise minus LQR", improved,
         [kind for kind in certify if kind.startswith("improvement")]),
        ("Measured costs", measured, [kind for kind in offered("measure") if kind != "measured-best"]),
        ("LQR and an input limit of 1.5, in percent", limited,
         ["limits-tolerance", "limits-count", "limits-envelope", "limits-assumed"]),
        ("The chain of three states, identified", of_chain,
         ["identified", "identified-improvement", "identified-average"]),
    ]


def median(make, kind, n, folder):
    """Of twenty seeds; nothing where the kind refuses half of them."""
    with ThreadPoolExecutor(2) as pool:
        found = list(pool.map(lambda seed: make(kind, n, seed, folder), SEEDS))
    found = [float("inf") if value is None else value for value in found]
    value = statistics.median(found)
    return value if np.isfinite(value) else None


def shown(value):
    return "-" if value is None else f"{value:.4g}"


def cell(before, now):
    if shown(before) == shown(now):
        return shown(now)
    return f"{shown(before)} → {shown(now)}"


def all_medians(sizes=SIZES, only=None):
    """{group: {kind: [median for each n]}}"""
    found = {}
    with tempfile.TemporaryDirectory() as name:
        for title, make, kinds in groups():
            folder = pathlib.Path(name) / str(len(found))
            folder.mkdir()
            found[title] = {kind: [median(make, kind, n, folder) for n in sizes]
                            for kind in kinds if only is None or kind in only}
    return found


def tables(now, before, sizes=SIZES):
    lines = []
    for title, rows in now.items():
        lines += ["", "| " + " | ".join([title, *(f"n = {n}" for n in sizes)]) + " |",
                  "|---" * (len(sizes) + 1) + "|"]
        old = before["medians"].get(title, {})
        for kind, values in rows.items():
            was = [old[kind][SIZES.index(n)] if kind in old else None for n in sizes]
            lines.append(f"| `{kind}` | " + " | ".join(map(cell, was, values)) + " |")
    return lines[1:]


def main():
    found = all_medians()
    if "--store" in sys.argv:
        source = sys.argv[sys.argv.index("--store") + 1]
        version = subprocess.run([PROGRAM, "--version"], capture_output=True, text=True,
                                 check=True).stdout.split("\n")[0]
        BEFORE.write_text(json.dumps({"made by": "docs/scripts/kinds_table.py --store", "source": source,
                                      "program": version, "sizes": SIZES, "seeds": len(SEEDS),
                                      "medians": found}, indent=1) + "\n")
        return
    text = "\n".join(tables(found, json.loads(BEFORE.read_text())))
    print(text)
    if "--write" in sys.argv:
        mark = re.compile(r"(<!-- kinds -->\n).*?(<!-- end -->)", re.S)
        PAGE.write_text(mark.sub(lambda m: f"{m[1]}{text}\n{m[2]}", PAGE.read_text()))


if __name__ == "__main__":
    main()

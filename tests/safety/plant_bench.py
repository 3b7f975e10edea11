"""Asks loopcert-verify about changed runs of plants that are identified, over both horizons.

An answer VERIFIED is right if the change touched nothing that the bound rests on and the value did not
fall, or if `loopcert recheck`, which shares no code with the checker, computes no more than the stated
value from the changed files.
"""

import copy
import json
import pathlib
import random
import re
import shutil
import subprocess

import numpy as np

from honest_runs import dump, sha256
from tampering import leaves, other, put
from unknown_plants import PLANTS, hash_of

# Entries of a record that no bound rests on.
FREE = [("inputs", "problem", "name"), ("inputs", "problem", "learning"), ("inputs", "problem", "response"),
        ("inputs", "problem", "data"), ("inputs", "identified", "design"), ("format",), ("loopcert",), ("solver",),
        ("inputs", "problem", "certificate", "fraction"), ("inputs", "problem", "certificate", "folds")]


class PlantRun:
    def __init__(self, folder, x, u):
        self.certificate = json.loads((folder / "certificate.json").read_text())
        self.controller = json.loads((folder / "controller.json").read_text())
        self.x, self.u = x, u

    def write(self, folder):
        (folder / "certificate.json").write_text(json.dumps(self.certificate))
        (folder / "controller.json").write_text(json.dumps(self.controller))
        np.savez(folder / "logs.npz", x=self.x, u=self.u)


def change_leaf(run, rng, *start):
    tree = run.certificate
    for key in start:
        tree = tree[key]
    path, value = rng.choice(list(leaves(tree)))
    put(tree, path, other(value, rng))


def change_problem(run, rng):
    change_leaf(run, rng, "inputs", "problem")
    run.certificate["inputs"]["problem_sha256"] = sha256(dump(run.certificate["inputs"]["problem"]).encode())


def change_pair(run, rng):
    """A gain in both files."""
    gains = run.certificate["inputs"]["identified"]["gains"]
    at, i = rng.randrange(len(gains)), 0
    first = len(gains[0][0]) - run.x.shape[-1] if len(gains) > 1 else 0
    gains[at][i][first] = other(float(gains[at][i][first]), rng)
    if len(gains) > 1:
        run.controller["K"][at * len(gains[0]) + i][at * run.x.shape[-1]] = gains[at][i][first]


def change_controller(run, rng):
    path, value = rng.choice([leaf for leaf in leaves(run.controller) if leaf[0][0] in ("K", "k", "L")])
    put(run.controller, path, other(float(value), rng))


def change_logs(run, rng, repaired=False):
    array = rng.choice((run.x, run.u))
    place = tuple(rng.randrange(size) for size in array.shape)
    array[place] = other(float(array[place]), rng)
    if repaired:
        run.certificate["inputs"]["logs_sha256"] = hash_of(run.x, run.u)


def remove_key(run, rng):
    tree = run.certificate
    while True:
        key = rng.choice(sorted(tree))
        if not isinstance(tree[key], dict) or not tree[key] or rng.random() < 0.3:
            del tree[key]
            return
        tree = tree[key]


CHANGES = {
    "any entry": change_leaf,
    "inputs": lambda run, rng: change_leaf(run, rng, "inputs", "identified"),
    "events": lambda run, rng: change_leaf(run, rng, "events"),
    "value and terms": lambda run, rng: rng.choice((
        lambda: run.certificate.update(value=other(run.certificate["value"], rng)),
        lambda: change_leaf(run, rng, "terms")))(),
    "problem": lambda run, rng: change_leaf(run, rng, "inputs", "problem"),
    "problem, repaired": change_problem,
    "key removed": remove_key,
    "controller": change_controller,
    "gain, in both files": change_pair,
    "logs": change_logs,
    "logs, repaired": lambda run, rng: change_logs(run, rng, True),
}


class PlantBench:
    def __init__(self, program, checker, folder, only=None):
        self.program, self.checker, self.folder = program, checker, pathlib.Path(folder)
        self.runs, self.ends = {}, {}
        for name, (tree, draw) in PLANTS.items():
            if only and name not in only:
                continue
            x, u = draw()
            (self.folder / "problem.json").write_text(json.dumps(tree))
            np.savez(self.folder / "logs.npz", x=x, u=u)
            subprocess.run([program, "learn", "problem.json", "--rollouts", "logs.npz", "--out", "run"],
                           cwd=self.folder, check=True, capture_output=True)
            run = PlantRun(self.folder / "run", x, u)
            status, text = self.ask(run)
            if status != 0:
                raise AssertionError(f"honest {name}: {text}")
            self.runs[name], self.ends[name] = run, float(text.split(": ")[1].split()[0])

    def ask(self, run):
        folder = self.folder / "changed"
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir()
        run.write(folder)
        done = subprocess.run([self.checker, folder, "--rollouts", folder / "logs.npz"], capture_output=True,
                              text=True, timeout=600)
        return done.returncode, (done.stdout + done.stderr).split("\n")[0]

    def holds(self, name, run, text):
        honest = self.runs[name].certificate
        printed = float(text.split(": ")[1].split()[0])
        if run.certificate["confidence"] > honest["confidence"] + 1e-12:
            return False
        before, after = dict(leaves(honest)), dict(leaves(run.certificate))
        moved = [path for path in {*before, *after} if before.get(path) != after.get(path)
                 and path[-1] != "problem_sha256"]
        bound = [path for path in moved if not any(path[:len(start)] == start for start in FREE)]
        same_files = np.array_equal(run.x, self.runs[name].x) and np.array_equal(run.u, self.runs[name].u) and (
            run.controller == self.runs[name].controller)
        if same_files and all(path[0] in ("value", "terms", "events", "assumptions", "confidence") for path in bound):
            return min(printed, run.certificate["value"]) >= self.ends[name] * (1 - 1e-9)
        value = self.recomputed(run)
        return value is not None and value <= min(printed, run.certificate["value"]) * (1 + 3e-9)

    def recomputed(self, run):
        """The value that loopcert itself computes from the changed files, None if it refuses them."""
        run = copy.deepcopy(run)
        terms = run.certificate["terms"]
        for term in terms:
            term["value"] = 0.0
        for _ in range(len(terms) + 1):  # recheck names one term at a time
            run.certificate["value"] = sum(term["value"] for term in terms)
            run.write(self.folder / "changed")
            done = subprocess.run([self.program, "recheck", "changed/certificate.json", "--rollouts",
                                   "changed/logs.npz"], cwd=self.folder, capture_output=True, text=True)
            # What it compares after the terms; they agree.
            if done.returncode == 0 or re.search(": (event .*|value: .*)$", done.stderr):
                return run.certificate["value"]
            found = re.search(r"term '(.*)': (\S+) recorded, (\S+) recomputed", done.stderr)
            for term in terms:
                if found and term["id"] == found[1]:
                    term["value"] = float(found[3])
        return None

    def try_one(self, seed):
        """(name of the change, plant, outcome, answer), as Bench.try_one."""
        rng = random.Random(seed)
        name = list(CHANGES)[seed % len(CHANGES)]
        plant = rng.choice(list(self.runs))
        run = copy.deepcopy(self.runs[plant])
        CHANGES[name](run, rng)
        status, text = self.ask(run)
        if status == 0:
            outcome = "holds" if self.holds(plant, run, text) else "WRONG"
        else:
            outcome = {1: text.split(" ")[0], 3: "bad input"}.get(status, "CRASH")
        return name, plant, outcome, text

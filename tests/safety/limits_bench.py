"""Asks loopcert-verify about changed certificates that limits hold.

An answer VERIFIED is right if no words and no file were changed behind its hash, and if NumPy
(support/limits_records.py, which shares no code with the checker) computes from the changed files no
more than is stated.
"""

import copy
import pathlib
import random
import shutil
import subprocess

import numpy as np

import limits_records as records
from limits_runs import honest
from tampering import leaves, other, put

# Entries that no bound rests on.
FREE = [("inputs", "problem", "name"), ("inputs", "problem", "learning"), ("inputs", "problem", "response"),
        ("inputs", "problem", "cost"), ("inputs", "problem", "certificate", "kind"),
        ("inputs", "problem", "certificate", "delta"), ("format",), ("loopcert",), ("solver",), ("all",),
        ("inputs", "deployment", "method")]
HASHES = ("problem", "data", "controller", "responses")


def is_free(path):
    return any(path[:len(start)] == start for start in FREE) or (
        path[:3] == ("inputs", "problem", "limits") and path[-1] == "name")


def change_leaf(run, rng, *start):
    tree = run.certificate
    for key in start:
        tree = tree[key]
    found = list(leaves(tree))
    if not found:
        return
    path, value = rng.choice(found)
    put(tree, path, other(value, rng))


def change_data(run, rng):
    place = rng.randrange(run.data.shape[0]), rng.randrange(run.data.shape[1])
    run.data[place] = other(float(run.data[place]), rng)


def drop_trajectories(run, rng):
    keep = [i for i in range(len(run.data)) if rng.random() < 0.9]
    run.data = run.data[keep]


def change_response(run, rng):
    if not run.arrays:
        return change_gain(run, rng)
    part = run.arrays["responses"]
    array = part[rng.choice(sorted(part))]
    place = tuple(rng.randrange(size) for size in array.shape)
    array[place] = other(float(array[place]), rng)


def change_gain(run, rng):
    path, value = rng.choice([leaf for leaf in leaves(run.controller) if leaf[0][0] in ("K", "k")])
    put(run.controller, path, other(float(value), rng))


def remove_key(run, rng):
    tree = run.certificate
    while True:
        key = rng.choice(sorted(tree))
        if not isinstance(tree[key], dict) or not tree[key] or rng.random() < 0.3:
            del tree[key]
            return
        tree = tree[key]


def both(change):
    """Changed behind the hashes, and with hashes that fit."""
    def repaired(run, rng):
        change(run, rng)
        run.rehash()
    return change, repaired


def on(*start):
    return lambda run, rng: change_leaf(run, rng, *start)


def value_and_term(run, rng):
    value = other(run.certificate["value"], rng)
    run.certificate["value"] = run.certificate["terms"][0]["value"] = value


CHANGES = {"any entry": change_leaf, "value": on("terms"), "value and term": value_and_term,
           "events": on("events"), "assumptions": on("assumptions"), "inputs": on("inputs"),
           "key removed": remove_key}
for name, change in {"problem": on("inputs", "problem"), "limits": on("inputs", "problem", "limits"),
                     "disturbance": on("inputs", "problem", "disturbance"), "data": change_data,
                     "fewer trajectories": drop_trajectories, "response": change_response,
                     "gain": change_gain}.items():
    CHANGES[name], CHANGES[f"{name}, repaired"] = both(change)


def says(run):
    """(value, confidence) by NumPy from the files alone."""
    inputs = run.certificate["inputs"]
    problem, data = inputs["problem"], run.data
    limits, way = problem["limits"], inputs.get("deployment", {}).get("way", "")
    kind, delta = limits["kind"], limits["delta"]

    def one(loop, fresh):
        if kind == "limits-best":
            chosen, found, events = records.best(problem, loop, fresh, data, way)
            return found.value, 1 - sum(event["delta"] for event in events)
        found = records.one(kind, problem, loop, fresh, data, delta)
        return found.value, 1 - sum(event["delta"] for event in found.events)

    def response(name):
        part = run.arrays["responses"]
        return records.Loop(problem, np.hstack([part[f"phi_u_{name}"], part[f"Phi_u_{name}"]]))

    if way == "hold-out":
        fresh = data[int(np.floor(problem["certificate"]["fraction"] * len(data))):]
        path, target = inputs["limits_path"], limits.get("each", limits.get("probability"))
        values = [one(response(f"path_{i}"), fresh) for i in range(1, path["place"] + 1)]
        if max(value for value, _ in values) <= target:
            return target, values[0][1]
        return values[0] if path["place"] == 1 else (1.0, 1.0)
    if way == "cross":
        loops = [response(str(k)) for k in range(problem["certificate"]["folds"])]
        found = (records.folds(problem, loops, data) if kind == "limits-tolerance" else
                 records.one(kind, problem, records.mean_loop(problem, loops), data, data, delta))
        return found.value, 1 - sum(event["delta"] for event in found.events)
    loop = records.Loop.of_gains(problem, np.array(run.controller["K"]), np.array(run.controller["k"]))
    return one(loop, data)


class LimitsBench:
    def __init__(self, _, checker, folder, groups=("given", "fixed", "cross", "path")):
        self.checker, self.folder, self.runs = checker, pathlib.Path(folder), {}
        for label, run in honest(1, groups):
            run.rehash()
            status, text = self.ask(run)
            if status != 0:
                raise AssertionError(f"honest {label}: {text}")
            self.runs[label] = run

    def ask(self, run):
        folder = self.folder / "changed"
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir()
        run.write(folder)
        (folder / "certificate.json").rename(folder / "limits.json")
        done = subprocess.run([self.checker, folder / "limits.json", "--data", folder / "data.npy"],
                              capture_output=True, text=True, timeout=600)
        return done.returncode, (done.stdout + done.stderr).split("\n")[0]

    def stale(self, run):
        """Whether a file was changed whose hash is still the old one."""
        fresh = run.copy()
        fresh.rehash()
        before, after = run.certificate["inputs"], fresh.certificate["inputs"]
        return any(before.get(f"{name}_sha256") != after.get(f"{name}_sha256") for name in HASHES)

    def holds(self, label, run, text):
        honest_tree, changed = self.runs[label].certificate, run.certificate
        before, after = dict(leaves(honest_tree)), dict(leaves(changed))
        moved = [path for path in {*before, *after} if before.get(path) != after.get(path)
                 and not str(path[-1]).endswith("sha256") and not is_free(path)
                 ] if not self.stale(run) else [("stale",)]
        if ("stale",) in moved or any(path[0] in ("assumptions", "functional", "subject", "oracle")
                                      for path in moved):
            return False
        printed = float(text.split(": ")[1].split()[0])
        value, confidence = says(run)
        return min(printed, changed["value"]) >= value * (1 - 1e-7) - 1e-12 and (
            changed["confidence"] <= confidence + 1e-12)

    def try_one(self, seed):
        """(name of the change, run, outcome, answer), as Bench.try_one."""
        rng = random.Random(seed)
        name = list(CHANGES)[seed % len(CHANGES)]
        label = rng.choice(list(self.runs))
        run = copy.deepcopy(self.runs[label])
        CHANGES[name](run, rng)
        status, text = self.ask(run)
        if status == 0:
            outcome = "holds" if self.holds(label, run, text) else "WRONG"
        else:
            outcome = {1: text.split(" ")[0], 3: "bad input"}.get(status, "CRASH")
        return name, label, outcome, text

"""Changes single fields of a run's files and asks loopcert-verify about each.

An answer VERIFIED to a changed run is right only if the bound still holds for what was changed:
`Bench.holds` decides that without the checker, from the kind of the change or with loopcert itself.
"""

import hashlib
import io
import json
import pathlib
import random
import re
import shutil
import subprocess

import numpy as np

from dense import DenseProblem

KINDS = ("data-driven", "data-driven-randomized", "data-driven-rank-aware", "data-driven-mean",
         "scale", "relative", "one-sided", "white", "known-covariance")
ORACLE_KINDS = ("oracle", "oracle-randomized", "posterior-localized")
BOUNDED_KINDS = ("bounded", "bounded-self")
DIFFERENCE_KINDS = ("improvement", "improvement-mean", "improvement-scale")
FIXED_KINDS = ("hold-out", "hold-out-relative", "hold-out-white", "hold-out-known",
               "hold-out-scale-free", "hold-out-chi-square", "assumed-scale", "assumed-covariance")
CROSS_KINDS = ("cross", "cross-relative", "cross-white", "cross-known", "cross-scale-free",
               "cross-chi-square")
ANY_LAW_KINDS = ("hold-out-bounded", "hold-out-fourth-moment", "cross-bounded",
                 "cross-fourth-moment")
ALL_KINDS = (KINDS + ORACLE_KINDS + BOUNDED_KINDS + DIFFERENCE_KINDS + FIXED_KINDS + CROSS_KINDS +
             ANY_LAW_KINDS)
PROBLEM = {
    "name": "small",
    "horizon": 3,
    "system": {"A": [[1, 1], [0, 1]], "B": [[0.5], [1]]},
    "cost": {"Q": [1, 0.1], "R": [0.5], "P": [2, 0.2]},
    "disturbance": {"scale_bound": 0.2, "covariance_bound": 0.2, "white": True, "stationary": True,
                    "covariance": 0.1},
}
ANY_LAW = {**PROBLEM, "disturbance": {"model": "bounded", "radius": 3.0, "kurtosis": 3.0}}
SPLIT = {**PROBLEM, "learning": {"prior": {"center": "split", "fraction": 0.25}}}


def honest_runs():
    """(label, problem, kind, method) of every certificate that learn makes."""
    for kind in KINDS:
        yield kind, "problem.json", kind, "pac-bayes"
    for kind in ORACLE_KINDS:
        yield kind, "problem.json", kind, "oracle-pac-bayes"
    yield "split", "split.json", "data-driven", "pac-bayes"
    for kind in BOUNDED_KINDS:
        yield kind, "any.json", kind, "pac-bayes"
    for kind in FIXED_KINDS + CROSS_KINDS:
        yield kind, "problem.json", kind, "lqr" if "assumed" in kind else "shrinkage"
    for kind in ANY_LAW_KINDS:
        yield kind, "any.json", kind, "ridge"
    yield "best", "problem.json", "best", "auto"
    yield "best-lqr", "problem.json", "best", "lqr"
    yield "best-any", "any.json", "best", "shrinkage"


def dump(tree):
    """As loopcert writes JSON that it hashes."""
    return json.dumps(tree, separators=(",", ":"), sort_keys=True, ensure_ascii=False)


def sha256(content):
    return hashlib.sha256(content).hexdigest()


def leaves(tree, path=()):
    """(path, value) of everything in a JSON tree that is no object and no list."""
    items = tree.items() if isinstance(tree, dict) else enumerate(tree)
    for key, value in items:
        if isinstance(value, (dict, list)):
            yield from leaves(value, (*path, key))
        else:
            yield (*path, key), value


def rests_on(kind, path):
    """Whether the bound of a kind depends on this entry of the problem."""
    unused = [("name",), ("learning", "gamma"), ("learning", "method"),
              ("learning", "prior", "method")]
    if kind != "split":
        unused += [("learning", "prior", "fraction")]
    if kind not in ORACLE_KINDS:
        unused += [("disturbance", "covariance")]
    if kind not in KINDS + ORACLE_KINDS + BOUNDED_KINDS + ("split",):
        unused += [("learning",), ("response",)]
    if "known" not in kind and not kind.startswith(("best", "assumed-covariance")):
        unused += [("disturbance", "covariance_bound")]
    if not kind.startswith(("cross", "best", "difference")):
        unused += [("certificate", "folds")]
    if not kind.startswith(("hold-out", "difference")):
        unused += [("certificate", "fraction")]
    return not any(path[:len(start)] == start for start in unused)


def put(tree, path, value):
    for key in path[:-1]:
        tree = tree[key]
    tree[path[-1]] = value


def other(value, rng):
    """Another value of the same type."""
    if isinstance(value, bool):
        return not value
    if isinstance(value, int):
        return value + rng.choice((-1, 1, 7))
    if isinstance(value, float):
        factor = 1 + rng.choice((-1, 1)) * 10.0 ** rng.uniform(-8, 0.5)
        return value * factor if value else rng.choice((-1, 1)) * 10.0 ** rng.uniform(-6, 1)
    if isinstance(value, str):
        at = rng.randrange(len(value) + 1)
        new = value[:at] + rng.choice("aelx017. ") + value[at + rng.randrange(2):]
        return new if new != value else value + "x"
    return rng.choice((0.5, "x", True))


class Run:
    """The files of one run in memory."""

    def __init__(self, folder, data, name="certificate.json"):
        self.certificate = json.loads((folder / name).read_text())
        self.controller = json.loads((folder / "controller.json").read_text())
        self.arrays = {}
        for name in ("posterior", "responses"):
            if (folder / f"{name}.npz").exists():
                self.arrays[name] = dict(np.load(folder / f"{name}.npz"))
        self.data = np.load(data)

    def copy(self):
        twin = object.__new__(Run)
        twin.certificate = json.loads(json.dumps(self.certificate))
        twin.controller = json.loads(json.dumps(self.controller))
        twin.arrays = {name: {key: value.copy() for key, value in part.items()}
                       for name, part in self.arrays.items()}
        twin.data = self.data.copy()
        return twin

    def write(self, folder):
        for name, part in self.arrays.items():
            (folder / f"{name}.npz").write_bytes(self.npz(name))
        (folder / "controller.json").write_bytes(self.controller_bytes())
        (folder / "certificate.json").write_text(json.dumps(self.certificate))
        np.save(folder / "data.npy", self.data)

    def npz(self, name):
        out = io.BytesIO()
        np.savez(out, **self.arrays[name])
        return out.getvalue()

    def controller_bytes(self):
        return json.dumps(self.controller).encode()

    def rehash(self):
        """The hashes that an honest program would have written for these files."""
        inputs = self.certificate["inputs"]
        inputs["problem_sha256"] = sha256(dump(inputs["problem"]).encode())
        inputs["data_sha256"] = sha256(np.ascontiguousarray(self.data).astype("<f8").tobytes())
        for name in self.arrays:
            inputs[f"{name}_sha256"] = sha256(self.npz(name))
        if "controller" in inputs:
            inputs["controller_sha256"] = sha256(self.controller_bytes())


# Each takes a run and a random stream, changes one thing, and may return what `holds` needs.

def change_value(run, rng):
    run.certificate["value"] = other(run.certificate["value"], rng)


def change_confidence(run, rng):
    run.certificate["confidence"] = 1 - other(1 - run.certificate["confidence"], rng)


def change_term(run, rng):
    term = rng.choice(run.certificate["terms"])
    term["value"] = other(term["value"], rng)


def change_lambda(run, rng):
    if "lambdas" in run.certificate:
        each = run.certificate["lambdas"]
        place = rng.randrange(len(each))
        each[place] = other(each[place], rng)
    else:
        run.certificate["lambda"] = other(run.certificate["lambda"] or 1.0, rng)


def change_delta(run, rng):
    if not run.certificate["events"]:
        change_confidence(run, rng)
        return
    event = rng.choice(run.certificate["events"])
    event["delta"] = other(event["delta"], rng)


def change_kind(run, rng):
    kinds = [kind for kind in ALL_KINDS if kind != run.certificate["kind"]]
    run.certificate["kind"] = rng.choice(kinds)


def remove_assumption(run, rng):
    sentences = run.certificate["assumptions"]
    sentences.pop(rng.randrange(len(sentences)))


def change_words(run, rng):
    places = [(path, value) for path, value in leaves(run.certificate)
              if path[0] in ("assumptions", "subject", "format") or path[-1] in ("statement", "name")
              and path[0] in ("events", "terms")]
    path, value = rng.choice(places)
    put(run.certificate, path, other(value, rng))


def remove_key(run, rng):
    tree = run.certificate
    while True:
        key = rng.choice(sorted(tree))
        inner = tree[key]
        if not isinstance(inner, dict) or not inner or rng.random() < 0.3:
            del tree[key]
            return
        tree = inner


def change_hash(run, rng):
    inputs = run.certificate["inputs"]
    key = rng.choice([key for key in inputs if key.endswith("sha256")])
    inputs[key] = sha256(rng.randbytes(8))


def change_prior(run, rng):
    prior = run.certificate["inputs"].get("prior") or run.certificate["inputs"].setdefault(
        "deployment", {"way": "fixed", "method": "lqr"})
    key = rng.choice(sorted(prior))
    prior[key] = other(prior[key], rng)


def change_problem(run, rng):
    path, value = rng.choice(list(leaves(run.certificate["inputs"]["problem"])))
    put(run.certificate["inputs"]["problem"], path, other(value, rng))


def change_array(run, rng):
    name = rng.choice(sorted(run.arrays)) if run.arrays else None
    if not name:
        change_gain(run, rng)
        return
    part = run.arrays[name]
    array = part[rng.choice(sorted(part))]
    place = tuple(rng.randrange(size) for size in array.shape)
    array[place] = other(float(array[place]), rng)


def change_gain(run, rng):
    key = rng.choice(("K", "K", "K", "k"))
    row = rng.randrange(len(run.controller[key]))
    if key == "k":
        run.controller["k"][row] = other(run.controller["k"][row], rng)
        return
    column = rng.randrange(len(run.controller["K"][row]))
    run.controller["K"][row][column] = other(float(run.controller["K"][row][column]), rng)


def change_data(run, rng):
    way = rng.randrange(4)
    row = rng.randrange(len(run.data))
    if way == 0:
        run.data = np.delete(run.data, row, axis=0)
    elif way == 1:
        run.data[row] = run.data[rng.randrange(len(run.data))]
    else:
        column = rng.randrange(run.data.shape[1])
        run.data[row, column] = other(float(run.data[row, column]), rng)


def swap_rows(run, rng):
    a, b = rng.sample(range(len(run.data)), 2)
    run.data[[a, b]] = run.data[[b, a]]


def then_rehash(change):
    """The same change by someone who also repairs the hashes."""
    def both(run, rng):
        change(run, rng)
        run.rehash()
    return both


CHANGES = {
    "value": change_value,
    "confidence": change_confidence,
    "term": change_term,
    "lambda": change_lambda,
    "delta of an event": change_delta,
    "kind": change_kind,
    "assumption removed": remove_assumption,
    "words": change_words,
    "key removed": remove_key,
    "hash": change_hash,
    "prior or deployment": change_prior,
    "problem": change_problem,
    "problem, hashes repaired": then_rehash(change_problem),
    "posterior or responses": change_array,
    "posterior or responses, hashes repaired": then_rehash(change_array),
    "gain of the controller": change_gain,
    "data": change_data,
    "data, hashes repaired": then_rehash(change_data),
    "rows exchanged, hashes repaired": then_rehash(swap_rows),
}


class Bench:
    """Honest runs of every kind, and answers to changed ones."""

    def __init__(self, program, checker, folder, n=40, only=None):
        self.program, self.checker, self.folder = program, checker, pathlib.Path(folder)
        self.runs, self.ends = {}, {}
        for name, problem in (("problem", PROBLEM), ("any", ANY_LAW), ("split", SPLIT)):
            (self.folder / f"{name}.json").write_text(json.dumps(problem))
        self.loopcert("sample", "problem.json", "-n", n, "--seed", 4, "--out", "w.npy")
        self.loopcert("sample", "problem.json", "-n", n, "--seed", 5, "--out", "fresh.npy")
        for label, problem, kind, method in honest_runs():
            if only and label not in only:
                continue
            self.loopcert("learn", problem, "--data", "w.npy", "--certificate", kind, "--method",
                          method, "--out", label)
            self.add(label, Run(self.folder / label, self.folder / "w.npy"))
        if only and "improvement" not in only:
            return
        for way in ("hold-out", "cross"):  # the difference to LQR, which learn certifies beside it
            label = f"difference-{way}"
            self.loopcert("learn", "problem.json", "--data", "w.npy", "--certificate", way,
                          "--method", "erm", "--out", label)
            self.add(label, Run(self.folder / label, self.folder / "w.npy", "improvement.json"))
        for kind in DIFFERENCE_KINDS:
            self.loopcert("certify", "problem.json", "--controller", "difference-hold-out/controller.json",
                          "--data", "fresh.npy", "--certificate", kind, "--out", kind)
            self.add(kind, Run(self.folder / kind, self.folder / "fresh.npy"))

    def loopcert(self, *arguments):
        return subprocess.run([self.program, *map(str, arguments)], cwd=self.folder, check=True,
                              capture_output=True, text=True).stdout

    def add(self, kind, run):
        """An honest run, written again by NumPy: verified before anything is changed."""
        run.rehash()
        status, text = self.ask(run)
        if status != 0:
            raise AssertionError(f"honest {kind}: {text}")
        self.runs[kind], self.ends[kind] = run, float(text.split(": ")[1].split()[0])

    def ask(self, run):
        """(exit status, first line) of the checker."""
        folder = self.folder / "changed"
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir()
        run.write(folder)
        done = subprocess.run([self.checker, folder], capture_output=True, text=True, timeout=600)
        return done.returncode, (done.stdout + done.stderr).split("\n")[0]

    def holds(self, kind, name, run, text):
        """Whether a changed run that was accepted states something true."""
        honest, end = self.runs[kind].certificate, self.ends[kind]
        changed = run.certificate
        if changed["confidence"] > honest["confidence"] + 1e-12:
            return False
        if name == "gain of the controller":  # another controller, so nothing carries over
            gap = np.abs(self.inputs(run) - self.inputs(self.runs[kind])).max()
            if gap == 0 or len(run.arrays.get("responses", {})) > 2:
                # The mean of the folds up to what may be rounding, which the answer includes.
                printed = float(text.split(": ")[1].split()[0])
                return gap <= 1e-5 and printed >= end * (1 - 1e-12) + 0.1 * gap**2
            value = self.recomputed(run)
            return value is not None and value <= changed["value"] + 3e-9 * self.size(changed)
        before, after = (dict(leaves(tree["inputs"]["problem"])) for tree in (honest, changed))
        moved = [path for path in before if before[path] != after.get(path)]
        if "repaired" not in name or moved and not any(rests_on(kind, path) for path in moved):
            # All that the bound rests on is as it was, so the honest one says the same or more.
            return changed["value"] >= end - 2e-9 * self.size(changed)
        if kind == "split":
            if name.startswith("rows"):  # which rows taught the prior is taken on trust
                return changed["value"] >= float(text.split(": ")[1].split()[0]) * (1 - 2e-9)
            for key in ("fraction", "method"):  # words beside those of the problem, which count
                changed["inputs"]["prior"][key] = changed["inputs"]["problem"]["learning"]["prior"][key]
        value = self.recomputed(run)  # 1e-9 of it may be what loopcert adds to stay on the safe side
        return value is not None and value <= changed["value"] + 3e-9 * self.size(changed)

    @staticmethod
    def size(certificate):
        """Of what its rounding errors are a part: terms of a difference may cancel, and so may the
        two costs, which are of size 1 here."""
        difference = certificate["subject"].endswith("baseline")
        return sum(abs(term["value"]) for term in certificate["terms"]) + (1 if difference else 0)

    def recomputed(self, run):
        """The value that loopcert itself computes for the changed run, None if it refuses."""
        run = run.copy()
        if "posterior" in run.arrays:  # at the controller's own response, as the checker does
            problem = run.certificate["inputs"]["problem"]
            system, cost = problem["system"], problem["cost"]
            dense = DenseProblem(problem["horizon"], system["A"], system["B"], cost["Q"], cost["R"],
                                 cost["P"])
            Z = np.linalg.solve(dense.T_u, self.inputs(run)[:, 1:] - dense.Phi_u0)
            run.arrays["posterior"]["mean"] = np.where(dense.free, Z, 0)
        elif len(run.arrays.get("responses", {})) == 2:
            U = self.inputs(run)
            run.arrays["responses"] = {"Phi_u_0": U[:, 1:], "phi_u_0": U[:, :1]}
        run.rehash()
        terms = run.certificate["terms"]
        for _ in range(len(terms) + 1):  # verify names one term at a time
            run.write(self.folder / "changed")
            done = subprocess.run([self.program, "verify", "changed/certificate.json", "--data",
                                   "changed/data.npy"], cwd=self.folder, capture_output=True,
                                  text=True)
            # What it compares after the terms; they agree.
            if done.returncode == 0 or re.search(": (kl|lambdas?|event .*|all: .*|value: .*)$",
                                                 done.stderr):
                return sum(term["value"] for term in terms)
            found = re.search(r"term '(.*)': (\S+) recorded, (\S+) recomputed", done.stderr)
            for term in terms:
                if found and term["name"] == found[1]:
                    term["value"] = float(found[3])
            run.certificate["value"] = sum(term["value"] for term in terms)
        return None

    @staticmethod
    def inputs(run):
        """Inputs of the closed loop for every unit disturbance and the offset."""
        problem = run.certificate["inputs"]["problem"]
        A, B = (np.array(problem["system"][key]) for key in "AB")
        K, k = np.array(run.controller["K"]), np.array(run.controller["k"])
        n_x, n_u, T = len(A), B.shape[1], problem["horizon"]
        w = np.hstack([np.zeros(((T + 1) * n_x, 1)), np.eye((T + 1) * n_x)])
        one = np.zeros(w.shape[1])
        one[0] = 1
        X, U = np.zeros_like(w), np.zeros((T * n_u, w.shape[1]))
        X[:n_x] = w[:n_x]
        for t in range(T):
            now, rows = slice(t * n_x, (t + 1) * n_x), slice(t * n_u, (t + 1) * n_u)
            U[rows] = K[rows, :(t + 1) * n_x] @ X[:(t + 1) * n_x] + np.outer(k[rows], one)
            X[now.stop:now.stop + n_x] = A @ X[now] + B @ U[rows] + w[now.stop:now.stop + n_x]
        return U

    def try_one(self, seed):
        """(name of the change, kind, outcome, answer): outcome is refused or a kind of accepted."""
        rng = random.Random(seed)
        name = list(CHANGES)[seed % len(CHANGES)]
        kind = rng.choice(list(self.runs))
        run = self.runs[kind].copy()
        CHANGES[name](run, rng)
        status, text = self.ask(run)
        if status == 0:
            outcome = "holds" if self.holds(kind, name, run, text) else "WRONG"
        else:
            outcome = {1: text.split(" ")[0], 3: "bad input"}.get(status, "CRASH")
        return name, kind, outcome, text

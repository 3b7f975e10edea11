"""Asks loopcert-verify about changed runs.

An answer VERIFIED is right only if the bound still holds for what was changed: `Bench.holds` decides
that without the checker, from the kind of the change or with loopcert itself.
"""

import json
import pathlib
import random
import re
import shutil
import subprocess

import numpy as np

from dense import DenseProblem, per_step
from honest_runs import (BOUNDED_KINDS, CERTIFY_KINDS, DIFFERENCE_KINDS, KINDS, ORACLE_KINDS,
                         PROBLEMS, Run, honest_runs, size_of)
from tampering import CHANGES, leaves
from wild_plants import lqr_gains


def is_posterior_kind(kind):
    return kind in KINDS + ORACLE_KINDS + BOUNDED_KINDS


def rests_on(label, certificate, path):
    """Whether the bound of an honest run depends on this entry of the problem."""
    kind = certificate["chosen"] if certificate["kind"] == "best" else certificate["kind"]
    posterior = is_posterior_kind(kind)
    unused = [("name",), ("learning", "gamma"), ("learning", "method"),
              ("learning", "prior", "method")]
    if label != "split":
        unused += [("learning", "prior", "fraction")]
    if kind not in ORACLE_KINDS:
        unused += [("disturbance", "covariance")]
    if not posterior:
        unused += [("response",)]
    if not posterior or "deployment" in certificate["inputs"]:  # then its prior is around LQR
        unused += [("learning",)]
    if "known" not in kind and not kind.startswith("assumed-covariance"):
        unused += [("disturbance", "covariance_bound")]
    if "identified" not in kind:
        unused += [("disturbance", "autoregressive")]
    if not kind.startswith("cross") and label != "difference-cross":
        unused += [("certificate", "folds")]
    if not kind.startswith("hold-out") and label != "difference-hold-out":
        unused += [("certificate", "fraction")]
    return not any(path[:len(start)] == start for start in unused)


class Bench:
    """Honest runs of every kind, and answers to changed ones."""

    def __init__(self, program, checker, folder, n=40, only=None):
        self.program, self.checker, self.folder = program, checker, pathlib.Path(folder)
        self.runs, self.ends = {}, {}
        for name, problem in PROBLEMS.items():
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
        for kind in CERTIFY_KINDS + ("hold-out-identified",):
            label = kind if kind in DIFFERENCE_KINDS else f"certify-{kind}"
            problem = "coloured.json" if "identified" in kind else "problem.json"
            self.loopcert("certify", problem, "--controller", "difference-hold-out/controller.json",
                          "--data", "fresh.npy", "--certificate", kind, "--out", label)
            self.add(label, Run(self.folder / label, self.folder / "fresh.npy"))

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
        changed, size = run.certificate, size_of(run.certificate)
        stated, printed = changed["value"], float(text.split(": ")[1].split()[0])
        if changed["confidence"] > honest["confidence"] + 1e-12 or self.stale(kind, run):
            return False
        if name == "gain of the controller":  # another controller, so nothing carries over
            moved = self.inputs(run) - self.inputs(self.runs[kind])
            gaps = np.abs(moved)
            if not gaps.any() or self.averages(run):
                # The mean of the folds up to what may be rounding, which the answer includes.
                return gaps.max() <= 1e-5 and printed >= end * (1 - 1e-12) + 0.1 * gaps.max()**2
            if not gaps[:, 1:].any() and "posterior" in run.arrays and not (
                    changed["inputs"]["problem"]["response"]["affine"]):
                # An offset that no response has: by Cauchy and Schwarz it costs so much at most.
                extra = self.offset_cost(run, moved[:, 0])
                return printed >= end + 2 * np.sqrt(end * extra) + extra - 1e-9 * size
            if self.owes_nothing(run):
                return self.near(self.runs[kind], run, stated, printed, size)
            value = self.recomputed(run)
            return value is not None and value <= min(stated, printed) + 3e-9 * size
        before, after = (dict(leaves(tree["inputs"]["problem"])) for tree in (honest, changed))
        moved = [path for path in before if before[path] != after.get(path)]
        if "repaired" not in name or moved and not any(rests_on(kind, honest, path) for path in moved):
            # All that the bound rests on is as it was, so the honest one says the same or more; but
            # its lambda is the best one only to some digits.
            return stated >= end - 2e-9 * size and printed >= end - 1e-6 * size
        if kind == "split":
            if name.startswith("rows"):  # which rows taught the prior is taken on trust
                return stated >= printed * (1 - 2e-9)
            for key in ("fraction", "method"):  # words beside those of the problem, which count
                changed["inputs"]["prior"][key] = changed["inputs"]["problem"]["learning"]["prior"][key]
        value = self.recomputed(run)  # 1e-9 of it may be what loopcert adds to stay on the safe side
        if value is None and self.averages(run):  # the controller is not quite the folds' mean
            mean = run.copy()
            if changed["functional"]["id"] == "cost-difference":  # loopcert takes none with an offset, which
                for name, part in mean.arrays["responses"].items():  # costs more in any case
                    part *= name.startswith("Phi")
            mean.controller = self.mean_of_folds(mean)
            return self.near(mean, run, stated, printed, size)
        if value is None and self.owes_nothing(run):
            exact = run.copy()
            exact.controller = {**run.controller, "k": [0.0] * len(run.controller["k"]),
                                "K": lqr_gains(changed["inputs"]["problem"]).astype(float).tolist()}
            return self.near(exact, run, stated, printed, size)
        return value is not None and value <= min(stated, printed) + 3e-9 * size

    @staticmethod
    def owes_nothing(run):
        """Whether LQR itself is certified, and the controller is LQR up to rounding, which is paid."""
        deployment = run.certificate["inputs"].get("deployment", {})
        return deployment.get("way") == "fixed" and deployment.get("colour", 0) == 0 and (
            deployment["method"] in ("lqr", "auto"))

    def near(self, exact, run, stated, printed, size):
        """Whether the bound holds for a controller that is close to the one that is certified."""
        gap = np.abs(self.inputs(exact) - self.inputs(run)).max()
        value = self.recomputed(exact)
        return value is not None and gap <= 1e-5 and (
            value <= min(stated, printed - 0.1 * gap**2) + 3e-9 * size)

    def stale(self, kind, run):
        """Whether something changed whose recorded hash did not."""
        honest = self.runs[kind]
        before, after = honest.certificate["inputs"], run.certificate["inputs"]
        changed = {"problem": before["problem"] != after["problem"],
                   "data": honest.data.tobytes() != run.data.tobytes(),
                   "controller": honest.controller != run.controller}
        for name in run.arrays:
            changed[name] = honest.npz(name) != run.npz(name)
        return any(changed[name] and before[f"{name}_sha256"] == after.get(f"{name}_sha256")
                   for name in changed if f"{name}_sha256" in before)

    def recomputed(self, run):
        """The value that loopcert itself computes for the changed run, None if it refuses."""
        run = run.copy()
        U = self.inputs(run)  # at the controller's own response, as the checker does
        if "posterior" in run.arrays:
            run.arrays["posterior"]["mean"] = self.coordinates(run, U)
        elif not self.averages(run):
            for name in run.arrays.get("responses", {}):
                run.arrays["responses"][name] = U[:, 1:] if name.startswith("Phi") else U[:, :1]
        run.rehash()
        terms = run.certificate["terms"]
        for term in terms:  # a recorded one may be too large, and nobody would say so
            term["value"] = 0.0
        run.certificate["value"] = 0.0
        for _ in range(len(terms) + 1):  # verify names one term at a time
            run.write(self.folder / "changed")
            done = subprocess.run([self.program, "verify", "changed/certificate.json", "--data",
                                   "changed/data.npy"], cwd=self.folder, capture_output=True,
                                  text=True)
            # What it compares after the terms; they agree.
            if done.returncode == 0 or re.search(": (kl(: .*)?|lambdas?|event .*|all: .*|value: .*)$",
                                                 done.stderr):
                return sum(term["value"] for term in terms) + self.other_center(run, done.stderr)
            found = re.search(r"term '(.*)': (\S+) recorded, (\S+) recomputed", done.stderr)
            for term in terms:
                if found and term["id"] == found[1]:
                    term["value"] = float(found[3])
            run.certificate["value"] = sum(term["value"] for term in terms)
        return None

    @staticmethod
    def other_center(run, text):
        """What the terms change by when the prior is around the recorded center: loopcert learns it
        again, the checker takes it on trust."""
        found = re.search(r": kl: (\S+) recorded, (\S+) recomputed", text)
        if "center" not in run.arrays.get("posterior", {}):
            return 0.0
        learned = float(found[2]) if found else run.certificate["kl"]
        part, scale = run.arrays["posterior"], run.certificate["inputs"]["prior"]["scale"]
        free, ratio = part["variance"] > 0, part["variance"] / scale**2
        kl = 0.5 * (ratio - 1 - np.log(np.where(free, ratio, 1.0)) +
                    ((part["mean"] - part["center"]) / scale)**2)[free].sum()
        return (kl - learned) / (run.certificate["n"] - 1) / run.certificate["lambda"]

    @staticmethod
    def offset_cost(run, u):
        """Of these inputs alone, from zero."""
        problem = run.certificate["inputs"]["problem"]
        T = problem["horizon"]
        A, B = (per_step(problem["system"][key], T) for key in "AB")
        Q, R = (per_step(problem["cost"][key], T) for key in "QR")
        x, total = np.zeros(A.shape[1]), 0.0
        for t, now in enumerate(u.reshape(T, -1)):
            total += x @ Q[t] @ x + now @ R[t] @ now
            x = A[t] @ x + B[t] @ now
        return total + x @ np.array(problem["cost"]["P"]) @ x

    @staticmethod
    def mean_of_folds(run):
        """The controller of the mean of the responses: K = Phi_u Phi_x^-1."""
        problem, parts = run.certificate["inputs"]["problem"], run.arrays["responses"]
        T = problem["horizon"]
        A, B = (per_step(problem["system"][key], T) for key in "AB")
        n_x, n_u = B.shape[1:]
        U = np.hstack([np.mean([parts[key] for key in parts if key.startswith(name)], axis=0)
                       for name in ("phi_u", "Phi_u")])
        X = np.zeros(((T + 1) * n_x, U.shape[1]))
        X[:, 1:] = np.eye(len(X))
        X[n_x:, 0] = np.ravel(problem["system"].get("d", np.zeros((T, n_x))))
        for t in range(T):
            now = slice(t * n_x, (t + 1) * n_x)
            X[now.stop:now.stop + n_x] += A[t] @ X[now] + B[t] @ U[t * n_u:(t + 1) * n_u]
        K = np.linalg.solve(X[:, 1:].T, U[:, 1:].T).T
        return {**run.controller, "K": K.tolist(), "k": (U[:, 0] - K @ X[:, 0]).tolist()}

    @staticmethod
    def averages(run):
        """Whether each fold certifies a response of its own."""
        certificate = run.certificate
        kind = certificate["chosen"] if certificate["kind"] == "best" else certificate["kind"]
        return len(run.arrays.get("responses", {})) > 2 and not is_posterior_kind(kind)

    @staticmethod
    def coordinates(run, U):
        """Of the response with these inputs; a fixed offset has none."""
        problem = run.certificate["inputs"]["problem"]
        system, cost, response = problem["system"], problem["cost"], problem["response"]
        affine = response["affine"]
        dense = DenseProblem(problem["horizon"], system["A"], system["B"], cost["Q"], cost["R"],
                             cost["P"], affine, system.get("d"), response["start"], response["basis"])
        Z = np.linalg.solve(dense.T_u, U[:, not affine:] - dense.Phi_u0)
        Z = np.where(dense.free, Z, 0)
        return np.hstack([np.zeros((len(Z), 1)), Z]) if "d" in system and not affine else Z

    @staticmethod
    def inputs(run):
        """Inputs of the closed loop for every unit disturbance and the offset."""
        problem = run.certificate["inputs"]["problem"]
        T = problem["horizon"]
        A, B = (per_step(problem["system"][key], T) for key in "AB")
        K, k = np.array(run.controller["K"]), np.array(run.controller["k"])
        n_x, n_u = B.shape[1:]
        w = np.hstack([np.zeros(((T + 1) * n_x, 1)), np.eye((T + 1) * n_x)])
        w[n_x:, 0] = np.ravel(problem["system"].get("d", np.zeros((T, n_x))))
        one = np.zeros(w.shape[1])
        one[0] = 1
        X, U = np.zeros_like(w), np.zeros((T * n_u, w.shape[1]))
        X[:n_x] = w[:n_x]
        for t in range(T):
            now, rows = slice(t * n_x, (t + 1) * n_x), slice(t * n_u, (t + 1) * n_u)
            U[rows] = K[rows, :(t + 1) * n_x] @ X[:(t + 1) * n_x] + np.outer(k[rows], one)
            X[now.stop:now.stop + n_x] = A[t] @ X[now] + B[t] @ U[rows] + w[now.stop:now.stop + n_x]
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

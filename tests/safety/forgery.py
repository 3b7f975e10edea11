"""Certificates as an attacker writes them, who repairs every hash and every number, and the truth.

The records start from an honest one of the same kind and shape. Truth is computed in fractions: no
rounding, whatever the units.
"""

import re
from fractions import Fraction

import numpy as np

from honest_runs import Run

SAYS = re.compile(r"REFUTED (?:term '(.*)'|(kl)|(value)): the record says (\S+), it is at least (\S+)")


def canonical(problem):
    """What loopcert records of a problem of matrices, without the options that it does not name."""
    tree = {"name": "forged", "certificate": {}, "learning": {}, "response": {}, "disturbance": {}}
    tree = {**tree, **problem}
    tree["response"] = {"affine": False, "start": "min-norm", "basis": "orthonormal",
                        **tree["response"]}
    tree["disturbance"] = {"model": "gaussian", "white": False, "stationary": False,
                           "zero_mean": True, **tree["disturbance"]}
    if "covariance" in tree["disturbance"]:
        tree["disturbance"].setdefault("mean", 0.0)
    tree["learning"] = {"method": "pac-bayes", "gamma": "cv", **tree["learning"]}
    tree["learning"]["prior"] = {"center": "start", "scale": 1.0, "fraction": 0.5, "method": "ridge",
                                 **tree["learning"].get("prior", {})}
    tree["certificate"] = {"kind": "data-driven", "fraction": 0.5, "folds": 2, **tree["certificate"]}
    return tree


def repair(ask, run, tries=12):
    """Writes what the checker asks for into the record, until it has nothing more to say.

    (exit status, everything that it says)"""
    for _ in range(tries):
        run.rehash()
        status, text = ask(run)
        found = SAYS.match(text)
        if not found:
            break
        least = float(found[5])
        least += 2e-9 * abs(least) + 1e-300
        if found[1] is not None:
            next(term for term in run.certificate["terms"] if term["id"] == found[1])["value"] = least
        elif found[2]:
            run.certificate["kl"] = least
        run.certificate["value"] = sum(term["value"] for term in run.certificate["terms"])
    return status, text


def printed(text):
    return float(text.split(": ")[1].split()[0])


def fractions(values):
    return np.vectorize(Fraction, otypes=[object])(np.array(values, dtype=object))


def responses(problem, K, k):
    """(X, U) of z = (1, w) in fractions; K, k as the file of the controller has them."""
    T = problem["horizon"]
    A, B = fractions(problem["system"]["A"]), fractions(problem["system"]["B"])
    d = fractions(problem["system"].get("d", np.zeros((T, len(A))).tolist()))
    n_x, n_u = B.shape
    width = 1 + (T + 1) * n_x
    K, k = fractions(K), fractions(k)
    X, U = (fractions(np.zeros((rows, width)).tolist()) for rows in (width - 1, T * n_u))
    for i in range(n_x):
        X[i, 1 + i] = Fraction(1)
    for t in range(T):
        now, rows = slice(t * n_x, (t + 1) * n_x), slice(t * n_u, (t + 1) * n_u)
        U[rows] = K[rows, :now.stop] @ X[:now.stop]
        U[rows, 0] += k[rows]
        X[now.stop:now.stop + n_x] = A @ X[now] + B @ U[rows]
        for i in range(n_x):
            X[now.stop + i, 0] += d[t, i]
            X[now.stop + i, 1 + now.stop + i] += 1
    return X, U


def cost_matrix(problem, X, U):
    T, n_x = problem["horizon"], len(problem["system"]["A"])
    n_u = len(problem["cost"]["R"])
    Q, R, P = (fractions(problem["cost"][key]) for key in "QRP")
    G = sum(X[t * n_x:(t + 1) * n_x].T @ (Q if t < T else P) @ X[t * n_x:(t + 1) * n_x]
            for t in range(T + 1))
    return G + sum(U[t * n_u:(t + 1) * n_u].T @ R @ U[t * n_u:(t + 1) * n_u] for t in range(T))


def expected_cost(problem, K, k, covariance):
    """Of these gains under a law with mean zero."""
    G = cost_matrix(problem, *responses(problem, K, k))
    S = fractions(np.array(covariance, dtype=object))
    if S.ndim == 1:
        return G[0, 0] + sum(G[1 + i, 1 + i] * S[i] for i in range(len(S)))
    return G[0, 0] + np.trace(G[1:, 1:] @ S)


class Forger:
    """Records of `certify`, for problems that loopcert itself may refuse."""

    def __init__(self, loopcert, folder):
        self.loopcert, self.folder, self.known = loopcert, folder, {}

    def template(self, kind, n_x, n_u, T, write):
        key = (kind, n_x, n_u, T)
        if key not in self.known:
            bounded = "bounded" in kind or "fourth" in kind
            law = {"model": "bounded", "radius": 100.0, "kurtosis": 3.0} if bounded else {
                "scale_bound": 0.5, "covariance_bound": 0.5, "white": True}
            tame = {"name": "tame", "horizon": T, "disturbance": {"covariance": 0.1, **law},
                    "system": {"A": np.eye(n_x).tolist(), "B": np.ones((n_x, n_u)).tolist()},
                    "cost": {"Q": [1.0] * n_x, "R": [1.0] * n_u}}
            write("tame.json", tame)
            self.loopcert("sample", "tame.json", "-n", 30, "--seed", 8, "--out", "tame.npy")
            self.loopcert("learn", "tame.json", "--method", "lqr", "--certificate", "assumed-scale"
                          if not bounded else "hold-out-bounded", "--data", "tame.npy", "--out", "tame")
            self.loopcert("sample", "tame.json", "-n", 30, "--seed", 9, "--out", "tame2.npy")
            self.loopcert("certify", "tame.json", "--controller", "tame/controller.json", "--data",
                          "tame2.npy", "--certificate", kind, "--out", f"tame-{kind}")
            self.known[key] = Run(self.folder / f"tame-{kind}", self.folder / "tame2.npy")
        return self.known[key].copy()

    def forge(self, problem, kind, K, k, data, write, delta=0.05):
        """The record that says `kind` of these gains; its numbers are still to be repaired."""
        problem = canonical(problem)
        n_x, n_u, T = len(problem["system"]["A"]), len(problem["cost"]["R"]), problem["horizon"]
        run = self.template(kind, n_x, n_u, T, write)
        problem["certificate"].update(kind=kind, delta=delta)
        law = problem["disturbance"]
        for name, key in (("scale", "scale_bound"), ("radius", "radius"), ("kurtosis", "kurtosis")):
            for statement in run.certificate["assumptions"]:
                if name in statement["parameters"] and key in law:
                    statement["parameters"][name] = law[key]
        run.certificate["inputs"]["problem"] = problem
        run.controller.update(K=K, k=k)
        run.controller.pop("learned_from", None)
        run.data = np.array(data, dtype=float)
        run.certificate["n"] = len(run.data)
        for event in run.certificate["events"]:
            event["delta"] = delta / len(run.certificate["events"])
        run.certificate["confidence"] = 1 - delta if run.certificate["events"] else 1.0
        for term in run.certificate["terms"]:
            term["value"] = 0.0
        run.certificate["value"] = 0.0
        return run

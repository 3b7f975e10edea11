"""Certificates of every kind that tests and tools/tamper start from, and their files in memory."""

import hashlib
import io
import json

import numpy as np

KINDS = ("data-driven", "data-driven-randomized", "data-driven-rank-aware", "data-driven-mean",
         "data-driven-effective-rank", "data-driven-given-radius", "scale", "relative", "one-sided",
         "white", "known-covariance")
ORACLE_KINDS = ("oracle", "oracle-randomized", "posterior-localized")
BOUNDED_KINDS = ("bounded", "bounded-self")
DIFFERENCE_KINDS = ("improvement", "improvement-mean", "improvement-scale")
CERTIFY_KINDS = DIFFERENCE_KINDS + ("hold-out-white", "hold-out-scale-free", "best")
FIXED_KINDS = ("hold-out", "hold-out-relative", "hold-out-white", "hold-out-known",
               "hold-out-scale-free", "hold-out-chi-square", "hold-out-frobenius",
               "assumed-scale", "assumed-covariance")
CROSS_KINDS = ("cross", "cross-relative", "cross-white", "cross-known", "cross-scale-free",
               "cross-chi-square", "cross-frobenius")
ANY_LAW_KINDS = ("hold-out-bounded", "hold-out-fourth-moment", "cross-bounded",
                 "cross-fourth-moment")
IDENTIFIED_KINDS = ("identified", "hold-out-identified", "cross-identified")
ALL_KINDS = (IDENTIFIED_KINDS + KINDS + ORACLE_KINDS + BOUNDED_KINDS + DIFFERENCE_KINDS + FIXED_KINDS + CROSS_KINDS +
             ANY_LAW_KINDS)
PROBLEM = {
    "name": "small",
    "horizon": 3,
    "system": {"A": [[1, 1], [0, 1]], "B": [[0.5], [1]]},
    "cost": {"Q": [1, 0.1], "R": [0.5], "P": [2, 0.2]},
    "disturbance": {"scale_bound": 0.2, "covariance_bound": 0.2, "white": True, "stationary": True,
                    "covariance": 0.1, "covariance_radius": 0.5, "covariance_radius_delta": 0.01},
}
ANY_LAW = {**PROBLEM, "disturbance": {"model": "bounded", "radius": 3.0, "kurtosis": 3.0}}
SPLIT = {**PROBLEM, "learning": {"prior": {"center": "split", "fraction": 0.25}}}
AFFINE = {**PROBLEM, "response": {"affine": True}}
OFFSET = {**PROBLEM, "system": {**PROBLEM["system"], "d": [[0.1, 0.0], [0.0, 0.1], [-0.1, 0.0]]}}
# White disturbances follow from those before them, too: with coefficients of zero.
COLOURED = {**PROBLEM, "disturbance": {"autoregressive": 1, "covariance": 0.1}}
# Folds of two trajectories say little, so that kind best takes the one for all posteriors and any mean.
FOLDED = {**PROBLEM, "certificate": {"folds": 20},
          "disturbance": {"zero_mean": False, "scale_bound": 0.3, "covariance": 0.1}}
# Everything else that a problem may have: another system in each step, an offset, a mean.
VARIED = {
    **PROBLEM,
    "system": {"A": [[[1, 1], [0, 1]], [[1, 0.5], [0.1, 1]], [[0.9, 1], [0, 0.8]]],
               "B": [[[0.5], [1]], [[0.2], [1]], [[0.5], [0.7]]], "d": OFFSET["system"]["d"]},
    "cost": {"Q": [[[1, 0], [0, 0.1]], [[1, 0.1], [0.1, 0.2]], [[2, 0], [0, 0.1]]],
             "R": [[[0.5]], [[0.4]], [[0.6]]], "P": [2, 0.2]},
    "response": {"affine": True, "start": "lqr", "basis": "input"},
    "disturbance": {"zero_mean": False, "mean": [0.1, 0, 0, 0.1, 0, 0, -0.1, 0], "scale_bound": 0.2,
                    "covariance": (0.1 * np.eye(8) + 0.01).tolist()},
    "learning": {"prior": {"center": "lqr", "scale": "grid"}},
    "certificate": {"delta": {"pac_bayes": 0.02, "covariance": 0.02, "mean": 0.01}},
}
PROBLEMS = {"problem": PROBLEM, "any": ANY_LAW, "split": SPLIT, "affine": AFFINE, "offset": OFFSET,
            "folded": FOLDED, "varied": VARIED, "coloured": COLOURED}


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
    for kind in IDENTIFIED_KINDS + ("best",):
        yield kind if kind != "best" else "best-coloured", "coloured.json", kind, "identified"
    yield "best", "problem.json", "best", "auto"
    yield "best-lqr", "problem.json", "best", "lqr"
    yield "best-any", "any.json", "best", "shrinkage"
    yield "best-posterior", "folded.json", "best", "shrinkage"
    yield "best-pac-bayes", "folded.json", "best", "pac-bayes"
    yield "oracle-varied", "varied.json", "oracle", "oracle-pac-bayes"
    yield "posterior-localized-varied", "varied.json", "posterior-localized", "oracle-pac-bayes"
    yield "data-driven-mean-varied", "varied.json", "data-driven-mean", "pac-bayes"
    yield "hold-out-scale-free-varied", "varied.json", "hold-out-scale-free", "shrinkage"
    for name in ("affine", "offset"):
        yield f"data-driven-mean-{name}", f"{name}.json", "data-driven-mean", "pac-bayes"
        yield f"white-{name}", f"{name}.json", "white", "pac-bayes"
        yield f"hold-out-scale-free-{name}", f"{name}.json", "hold-out-scale-free", "shrinkage"
        yield f"cross-scale-free-{name}", f"{name}.json", "cross-scale-free", "shrinkage"


def dump(tree):
    """As loopcert writes JSON that it hashes."""
    return json.dumps(tree, separators=(",", ":"), sort_keys=True, ensure_ascii=False)


def sha256(content):
    return hashlib.sha256(content).hexdigest()


def size_of(certificate):
    """Of what its rounding errors are a part: terms of a difference may cancel, and so may the two
    costs, which are of size 1 here."""
    difference = certificate["functional"]["id"] == "cost-difference"
    return sum(abs(term["value"]) for term in certificate["terms"]) + (1 if difference else 0)


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

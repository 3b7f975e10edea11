"""loopcert-verify: posteriors and priors whose entries are correlated. Records are made from honest
ones, their numbers recomputed in dense NumPy (tests/support/dense_bound.py)."""

import unittest

import numpy as np

import dense
import dense_bound
import honest_runs
from checker import CheckerTest

TREE = {
    "name": "families",
    "horizon": 5,
    "system": {"A": [[1, 1], [0, 1]], "B": [[0.5], [1]]},
    "cost": {"Q": [1, 0.1], "R": [0.5], "P": [2, 0.2]},
    "disturbance": {"scale_bound": 0.1, "covariance_bound": 0.1, "covariance": 0.1},
}
KINDS = ("data-driven", "data-driven-randomized", "data-driven-rank-aware", "scale",
         "known-covariance", "oracle", "oracle-randomized")
# What a problem calls the arrays of a prior.
IN_PROBLEM = {"prior_deviation": "deviation", "prior_rows": "rows", "prior_columns": "columns",
              "prior_full": "full", "center": "mean"}
DELTA = 0.05
SCALE = 0.1


class FamilyTest(CheckerTest):
    def start(self, kind="data-driven", tree=TREE, n=40):
        """An honest run, and its problem in dense matrices."""
        oracle = kind.startswith(("oracle", "posterior-localized"))
        run = self.learned(tree, kind, "oracle-pac-bayes" if oracle else "pac-bayes", n=n)
        problem = run.certificate["inputs"]["problem"]
        self.dense = dense.DenseProblem(
            problem["horizon"], problem["system"]["A"], problem["system"]["B"],
            problem["cost"]["Q"], problem["cost"]["R"], problem["cost"]["P"])
        self.free, self.M = self.dense.free, dense_bound.stack(self.dense)
        rows, columns = self.free.shape
        entry = {place: k for k, place in
                 enumerate(zip(*(dense_bound.pack(self.free, index)
                                 for index in np.indices(self.free.shape))))}
        S = np.array([self.M[entry[i, 0]][:, 0] for i in range(rows)]).T
        self.P = S.T @ S
        self.random = np.random.default_rng(5)
        return run

    def bounded(self, kind):
        """A run for a law that is only known to be bounded."""
        law = self.write("law.json", honest_runs.PROBLEM)
        problem = self.write("problem.json", honest_runs.ANY_LAW)
        self.ok("sample", law, "-n", 40, "--seed", 4, "--out", "w.npy")
        self.ok("learn", problem, "--data", "w.npy", "--certificate", kind, "--out", "run")
        return honest_runs.Run(self.folder / "run", self.folder / "w.npy")

    def frames(self):
        """Arrays that make a posterior's entries correlated, each another way."""
        rows, columns = self.free.shape
        p = self.free.sum()
        normal = self.random.normal
        turn = {"turn": np.eye(rows)[None].repeat(3, 0).reshape(-1, rows) + 0.2 * normal(
                    size=(3 * rows, rows)),
                "turn_of": np.arange(columns)[None] % 3.0}
        mix = {"mix": np.eye(columns) + 0.2 * np.tril(normal(size=(columns, columns)))}
        return {"turn": turn, "mix": mix, "both": {**turn, **mix},
                "full": {"full": np.eye(p) + 0.1 * normal(size=(p, p))}}

    def priors(self):
        """The same of a prior, by its covariance."""
        rows, columns = self.free.shape
        p = self.free.sum()
        random = self.random
        return {
            "cost": {},
            "diagonal": {"prior_deviation": self.free * random.uniform(0.5, 2, self.free.shape)},
            "kronecker": {
                "prior_rows": 1.3 * np.eye(rows) + 0.2 * np.tril(random.normal(size=(rows, rows))),
                "prior_columns": np.eye(columns) + 0.1 * np.tril(
                    random.normal(size=(columns, columns)))},
            "full": {"prior_full": np.eye(p) + 0.1 * random.normal(size=(p, p))}}

    def bound(self, run, kind, frame, scale=1.0, covariance="isotropic"):
        given = run.certificate["inputs"]["problem"]["learning"]["prior"]
        arrays = dict(run.arrays["posterior"], **{
            name: np.array(given[key]) for name, key in IN_PROBLEM.items() if key in given})
        w = run.data
        mean = dense_bound.pack(self.free, arrays["mean"])
        center = dense_bound.pack(self.free, arrays.get("center", np.zeros(self.free.shape)))
        cov = dense_bound.covariance(self.free, arrays["variance"], **frame)
        prior = dense_bound.prior_covariance(self.free, scale, covariance, self.P, arrays)
        place = (self.dense.M_0, self.M, w, mean, cov, mean - center, prior)
        if kind.startswith("data-driven"):
            return dense_bound.data_driven(
                *place, SCALE, {"pac_bayes": DELTA / 2, "covariance": DELTA / 2},
                randomized=kind.endswith("randomized"), rank_aware=kind.endswith("rank-aware"))
        Sigma = SCALE * np.eye(w.shape[1])
        if kind.startswith("oracle"):
            return dense_bound.oracle(*place, Sigma, DELTA, randomized=kind.endswith("randomized"))
        return dense_bound.mean_deployment(*place, Sigma, DELTA)

    def forge(self, run, kind="data-driven", frame=None, scale=1.0, covariance=None, arrays=None,
              center=None):
        """The record of a posterior and a prior like these, as an honest program would write it."""
        frame = frame or {}
        inputs, prior = run.certificate["inputs"], {"center": "start", "scale": scale}
        if covariance:
            prior["covariance"] = covariance
        run.arrays["posterior"].update(frame)
        given = {IN_PROBLEM[name]: value.tolist() for name, value in (arrays or {}).items()}
        if center is not None:
            prior["center"] = "given"
            given["mean"] = center.tolist()
        inputs["prior"] = prior
        inputs["problem"]["learning"]["prior"].update(prior, **given)
        if center is not None or (covariance or "cost") != "cost":
            place = [s["id"] for s in run.certificate["assumptions"]].index("model")
            run.certificate["assumptions"].insert(place, {"id": "prior-given", "parameters": {}})
        found = self.bound(run, kind, frame, scale, covariance or "isotropic")
        run.certificate.update(value=found["value"], kl=found["kl"])
        run.certificate["lambda"] = found["lambda"]
        for term, value in zip(run.certificate["terms"], found["terms"]):
            term["value"] = value
        return run

    def verified(self, run, what):
        status, text = self.ask_run(run)
        self.assertEqual(status, 0, f"{what}: {text}")
        value = float(text.split(": ")[1].split()[0])
        size = honest_runs.size_of(run.certificate)
        self.assertLessEqual(abs(value - run.certificate["value"]), 1e-8 * size, what)
        return text

    def refused(self, run, says, what=""):
        status, text = self.ask_run(run)
        self.assertIn(status, (1, 3), f"{what}: {text}")
        self.assertNotIn("VERIFIED", text, what)
        self.assertIn(says, text, what)


class Honest(FamilyTest):
    def test_what_the_program_learns(self):
        """Every family and shape of a prior as the program itself writes them."""
        rows, columns = 5, 12
        lower = [[0.5 * (i == j) + 0.1 * (i > j) for j in range(rows)] for i in range(rows)]
        free = [[float(j < 2 * (i + 1)) for j in range(columns)] for i in range(rows)]
        shapes = [{}, {"covariance": "cost", "center": "lqr", "scale": "grid"},
                  {"covariance": "diagonal", "deviation": free},
                  {"covariance": "kronecker", "rows": lower},
                  {"covariance": "full", "full": (0.3 * np.eye(30)).tolist()},
                  {"center": "given", "mean": (0.1 * np.array(free)).tolist()}]
        for family in ("rotated", "block", "kronecker", "full"):
            for kind in ("data-driven", "scale", "best"):
                tree = dict(TREE, learning={"posterior": family})
                self.verified(self.learned(tree, kind, "pac-bayes"), f"{family} {kind}")
        for prior in shapes:
            tree = dict(TREE, learning={"prior": prior, "posterior": "block"})
            self.verified(self.learned(tree, "data-driven-randomized", "pac-bayes"), str(prior)[:60])
        given = dict(TREE, response={"basis": "given", "basis_matrix": lower})
        self.verified(self.learned(given, "data-driven", "pac-bayes"), "basis")

    def test_the_same_posterior_in_other_words(self):
        run = self.start()
        rows, columns = self.free.shape
        value = run.certificate["value"]
        variance = run.arrays["posterior"]["variance"]
        same = {
            "turn": {"turn": np.eye(rows), "turn_of": np.zeros((1, columns))},
            "mix": {"mix": np.eye(columns)},
            "full": {"full": np.eye(self.free.sum())},
            "twice": {"turn": 2 * np.eye(rows), "turn_of": np.zeros((1, columns)),
                      "variance": variance / 4},
            "half": {"mix": 0.5 * np.eye(columns), "variance": 4 * variance},
            "thrice": {"full": -3 * np.eye(self.free.sum()), "variance": variance / 9},
        }
        for what, arrays in same.items():
            other = run.copy()
            other.arrays["posterior"].update(arrays)
            self.verified(other, what)
            self.assertEqual(other.certificate["value"], value)

    def test_every_family_under_every_kind(self):
        for kind in KINDS:
            run = self.start(kind)
            for what, frame in self.frames().items():
                self.verified(self.forge(run.copy(), kind, frame), f"{kind}, {what}")

    def test_every_prior_with_every_family(self):
        run = self.start()
        for covariance, arrays in self.priors().items():
            for what, frame in {"none": {}, **self.frames()}.items():
                forged = self.forge(run.copy(), "data-driven", frame, 0.7, covariance, arrays)
                self.verified(forged, f"{covariance}, {what}")

    def test_a_given_center(self):
        run = self.start()
        center = 0.1 * self.free * self.random.normal(size=self.free.shape)
        text = self.verified(self.forge(run, center=center), "center")
        self.assertIn("given by the user", text)

    def test_turns_where_a_constant_is_free_or_the_mean_unknown(self):
        for label in ("affine", "offset"):
            tree = honest_runs.PROBLEMS[label]
            for kind in ("white", "data-driven-mean"):
                run = self.start(kind, tree)
                rows, columns = run.arrays["posterior"]["mean"].shape
                variance = run.arrays["posterior"]["variance"]
                run.arrays["posterior"].update(
                    turn=2 * np.eye(rows), turn_of=np.zeros((1, columns)), variance=variance / 4)
                self.verified(run, f"{label} {kind}")

    def test_a_bounded_law(self):
        for kind in honest_runs.BOUNDED_KINDS:
            run = self.bounded(kind)
            rows, columns = run.arrays["posterior"]["mean"].shape
            run.arrays["posterior"].update(turn=-np.eye(rows), turn_of=np.zeros((1, columns)))
            self.verified(run, kind)


class Forged(FamilyTest):
    def test_a_value_that_is_too_small(self):
        run = self.start()
        for what, frame in self.frames().items():
            small = self.forge(run.copy(), frame=frame)
            small.certificate["value"] *= 0.99
            self.refused(small, "value", what)
            small = self.forge(run.copy(), frame=frame)
            for term in small.certificate["terms"]:
                term["value"] *= 0.99
            small.certificate["value"] *= 0.99
            self.refused(small, "term", what)
            small = self.forge(run.copy(), frame=frame)
            small.certificate["kl"] *= 0.99
            self.refused(small, "kl", what)

    def test_arrays_that_describe_nothing(self):
        run = self.start()
        rows, columns = self.free.shape
        p = self.free.sum()
        zero = np.zeros((1, columns))
        upper, nan, flat = np.eye(columns), np.eye(rows), np.eye(rows)
        upper[0, 1], nan[0, 0], flat[-1, -1] = 1e-300, np.nan, 0
        negative = np.eye(columns)
        negative[1, 1] = -1
        bad = {
            "too wide": {"turn": flat, "turn_of": zero},
            "turn is not finite": {"turn": nan, "turn_of": zero},
            "turn: found no array of this size": {"turn": np.eye(rows + 1), "turn_of": zero},
            "turn_of: found no array": {"turn": np.eye(rows)},
            "turn_of names": {"turn": np.eye(rows), "turn_of": zero + 1},
            "mix is not lower triangular": {"mix": upper},
            "mix is not lower": {"mix": negative},
            "mix: found no array": {"mix": np.eye(columns + 1)},
            "full: found no array": {"full": np.eye(p - 1)},
            "full is not alone": {"full": np.eye(p), "mix": np.eye(columns)},
            "a linear system": {"full": np.zeros((p, p))},
        }
        for says, arrays in bad.items():
            other = run.copy()
            other.arrays["posterior"].update(arrays)
            self.refused(other, "" if says in ("too wide", "a linear system") else says, says)
        for turn_of in (-1.0, 0.5, np.nan, 1e300):
            other = run.copy()
            other.arrays["posterior"].update(turn=np.eye(rows), turn_of=zero + turn_of)
            self.refused(other, "turn_of", str(turn_of))

    def test_priors_that_the_problem_does_not_name(self):
        run = self.start()
        priors = self.priors()
        for covariance, arrays in priors.items():
            other = self.forge(run.copy(), "data-driven", None, 0.7, covariance, arrays)
            other.certificate["inputs"]["problem"]["learning"]["prior"].pop("covariance")
            self.refused(other, "prior: its center or covariance", covariance)
            other = self.forge(run.copy(), "data-driven", None, 0.7, covariance, arrays)
            other.certificate["inputs"]["prior"].pop("covariance")
            self.refused(other, "prior: its center or covariance", covariance)
            if covariance != "cost":  # nor without the assumption that it was given
                other = self.forge(run.copy(), "data-driven", None, 0.7, covariance, arrays)
                del other.certificate["assumptions"][-2]
                self.refused(other, "assumptions", covariance)
                other = self.forge(run.copy(), "data-driven", None, 0.7, covariance, arrays)
                for name in arrays:
                    del other.certificate["inputs"]["problem"]["learning"]["prior"][
                        IN_PROBLEM[name]]
                other.arrays["posterior"].update(arrays)  # not the file says what was given
                self.refused(other, "no array", covariance)
        other = self.forge(run.copy(), "data-driven", None, 0.7, "cost")
        for part in (other.certificate["inputs"]["prior"],
                     other.certificate["inputs"]["problem"]["learning"]["prior"]):
            part["covariance"] = "best"
        self.refused(other, "unknown")

    def test_priors_that_are_none(self):
        run = self.start()
        priors = self.priors()
        for name in ("prior_deviation", "prior_rows", "prior_columns", "prior_full"):
            covariance = next(key for key in priors if name in priors[key])
            for entry in (0, -1, np.nan):
                arrays = {key: value.copy() for key, value in priors[covariance].items()}
                other = self.forge(run.copy(), "data-driven", None, 0.7, covariance, arrays)
                changed = arrays[name].copy()
                changed[-1] = entry
                prior = other.certificate["inputs"]["problem"]["learning"]["prior"]
                prior[IN_PROBLEM[name]] = changed.tolist()
                self.refused(other, "", f"{name} {entry}")

    def test_columns_are_mixed_only_where_that_is_proved(self):
        runs = [(kind, self.learned(honest_runs.PROBLEMS[label], kind, "pac-bayes"))
                for label in ("affine", "offset") for kind in ("white", "data-driven-mean")]
        runs += [(kind, self.bounded(kind)) for kind in honest_runs.BOUNDED_KINDS]
        runs.append(("data-driven-mean",
                     self.learned(honest_runs.PROBLEM, "data-driven-mean", "pac-bayes")))
        for kind, run in runs:
            columns = run.arrays["posterior"]["mean"].shape[1]
            free = np.count_nonzero(run.arrays["posterior"]["variance"])
            for name, size in (("mix", columns), ("full", free)):
                other = run.copy()
                other.arrays["posterior"][name] = np.eye(size)
                self.refused(other, "its columns are correlated", f"{kind} {name}")

    def test_the_localized_kind_has_no_families(self):
        run = self.start("posterior-localized")
        for what, frame in self.frames().items():
            other = run.copy()
            other.arrays["posterior"].update(frame)
            self.refused(other, "UNDECIDED", what)


if __name__ == "__main__":
    unittest.main()

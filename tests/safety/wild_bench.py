"""Asks loopcert-verify about forgeries over plants that are not tame, and judges its answers.

The forger repairs every hash and every number that the checker asks for. Delta is so small that an honest
bound never fails; the truth is computed in fractions.
"""

import json
import random
import shutil
import subprocess
from fractions import Fraction

import numpy as np

from forgery import Forger, cost_matrix, expected_cost, fractions, printed, repair, responses
from honest_runs import Run
from program import INSTRUMENTED
from wild_plants import DIFFERENCES, FAKE, ONE_KINDS, Wild, lqr_gains

WAYS = ("as_is", "along_the_null_direction", "skew_weights", "posterior", "whole_numbers",
        "a_bound_below_the_law", "linked_steps", "copies", "another_law", "dispatch", "texts",
        "beginnings", "references", "other_statements", "bombs")


def nudged(number):
    """Another one, however large it is."""
    return number + max(abs(number), 1.0) * 2.0**-10


class WildBench:
    """Asks about one forgery for each seed."""

    def __init__(self, program, checker, folder):
        self.program, self.checker, self.folder = program, checker, folder
        self.forger, self.posterior, self.learned = Forger(self.loopcert, folder), None, {}
        self.oracle = None

    def loopcert(self, *arguments):
        subprocess.run([self.program, *map(str, arguments)], cwd=self.folder, check=True,
                       capture_output=True)

    def write(self, name, tree):
        (self.folder / name).write_text(json.dumps(tree))

    def ask(self, run):
        folder = self.folder / "wild"
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir()
        run.write(folder)
        done = subprocess.run([self.checker, folder], capture_output=True, text=True, timeout=600)
        return done.returncode, done.stdout + done.stderr

    def truth(self, wild, problem):
        cost = expected_cost(problem, wild.K, wild.k, wild.covariance)
        if wild.kind not in DIFFERENCES:
            return cost
        gains = lqr_gains(problem)
        G = cost_matrix(problem, *responses(problem, gains, wild.k))
        S = fractions(np.array(wild.covariance, dtype=object))
        return cost - (sum(G[1 + i, 1 + i] * S[i] for i in range(len(S))) if S.ndim == 1
                       else np.trace(G[1:, 1:] @ S))

    def try_posterior(self, seed):
        """Inputs whose weight shows what is too small to be told from the controller's."""
        rng = random.Random(seed)
        kind = "data-driven-randomized"
        if self.posterior is None:
            tree = {"horizon": 2, "system": {"A": [[1, 1], [0, 1]], "B": [[0.5, 0.0], [1, 1e-9]]},
                    "cost": {"Q": [1, 0.1], "R": [0.5, 1.0]},
                    "response": {"basis": "input", "start": "zero-input"},
                    "disturbance": {"scale_bound": 0.2, "covariance": 0.1},
                    "certificate": {"delta": 1e-7}}
            self.write("posterior.json", tree)
            self.loopcert("sample", "posterior.json", "-n", 40, "--seed", 4, "--out", "posterior.npy")
            self.loopcert("learn", "posterior.json", "--data", "posterior.npy", "--certificate", kind,
                          "--out", "posterior")
            self.posterior = Run(self.folder / "posterior", self.folder / "posterior.npy")
        run = self.posterior.copy()
        mean, variance = (run.arrays["posterior"][key] for key in ("mean", "variance"))
        price = 10.0**rng.uniform(0, 20)
        run.certificate["inputs"]["problem"]["cost"]["R"] = [[0.5, 0.0], [0.0, price]]
        mean[1, :2] = 10.0**rng.uniform(-12, -5)
        variance[1::2][variance[1::2] > 0] = 10.0**rng.uniform(-26, -20)
        least = 0.1 * price * (mean[1::2]**2 + variance[1::2]).sum()  # of the second input alone
        status, text = repair(self.ask, run)
        outcome = {1: text.split(" ")[0], 3: "bad input"}.get(status, "CRASH")
        if status == 0:
            outcome = "holds" if printed(text) >= least else "WRONG"
        return "posterior", kind, outcome, text.split("\n")[0]

    def learn(self, unit):
        """(problem, units, rows that taught, {steps: controller}) in one of ten sets of units."""
        if unit not in self.learned:
            x, u = 10.0 ** np.array([unit - 4, 5 - unit]), 10.0 ** (unit % 3)
            problem = {"horizon": 4, "system": {"A": [[1, 0.1 * x[0] / x[1]], [0, 1]],
                                                "B": [[0.0], [x[1] / u]]},
                       "cost": {"Q": np.diag(1 / x**2).tolist(), "R": [[0.1 / u**2]],
                                "P": np.diag(1 / x**2).tolist()},
                       "disturbance": {"model": "gaussian"}, "learning": {"method": "ridge"}}
            rows = np.random.RandomState(unit).normal(size=(40, 10)) * np.tile(x, 5)
            self.write("taught.json", problem)
            np.save(self.folder / "taught.npy", rows)
            self.loopcert("learn", "taught.json", "--data", "taught.npy", "--certificate",
                          "hold-out-scale-free", "--out", "taught")
            cut = {}
            for steps in (1, 2, 3, 4, 6):
                self.loopcert("export", "taught/controller.json", "--format", "json", "--steps", steps,
                              "--after", "hold", "--out", "cut.json")
                cut[steps] = json.loads((self.folder / "cut.json").read_text())
            self.learned[unit] = problem, x, rows, cut
        return self.learned[unit]

    def try_beginnings(self, seed):
        """A controller cut or extended, certified on the beginnings of what it was learned from."""
        rng, normal = random.Random(seed), np.random.RandomState(seed % 2**32).normal
        problem, x, taught, cut = self.learn(rng.randrange(10))
        steps, kind = rng.choice(list(cut)), rng.choice(("hold-out-scale-free", "hold-out-chi-square"))
        data = normal(size=(30, 2 * (steps + 1))) * np.tile(x, steps + 1)  # fresh
        known = rng.choice((0, 1, 5, 30))
        common = min(data.shape[1], taught.shape[1])
        rows = taught[rng.sample(range(len(taught)), known), :common]
        rounding = rng.choice(("exact", "twelve", "single"))
        if rounding == "single":
            rows = rows.astype(np.float32).astype(float)
        elif rounding == "twelve" and known:
            rows = np.vectorize(lambda value: float(f"{value:.12g}"))(rows)
        data[rng.sample(range(30), known), :common] = rows
        run = self.forger.forge({**problem, "horizon": steps}, kind, cut[steps]["K"], cut[steps]["k"],
                                data, self.write)
        run.controller = {**cut[steps], "learned_from": []}
        status, text = repair(self.ask, run)
        outcome = {1: text.split(" ")[0], 3: "bad input"}.get(status, "CRASH")
        if status == 0:
            outcome = "WRONG" if known else "holds"
        elif not known:
            outcome = "CRASH"  # fresh ones must be accepted, or this way shows nothing
        return "beginnings", kind, outcome, text.split("\n")[0]

    def try_references(self, seed):
        """A reference beside another law than that of its data, smaller or larger."""
        rng, kind = random.Random(seed), "oracle"
        if self.oracle is None:
            self.write("oracle.json", {
                "horizon": 2, "system": {"A": [[1, 1], [0, 1]], "B": [[0.5], [1]]},
                "cost": {"Q": [1, 0.1], "R": [0.5]}, "certificate": {"delta": 1e-7},
                "disturbance": {"covariance": 0.1}})
            self.loopcert("sample", "oracle.json", "-n", 400, "--seed", 4, "--out", "oracle.npy")
            self.loopcert("learn", "oracle.json", "--data", "oracle.npy", "--method",
                          "oracle-pac-bayes", "--certificate", kind, "--out", "oracle")
            self.oracle = Run(self.folder / "oracle", self.folder / "oracle.npy")
        run, factor = self.oracle.copy(), 10.0**rng.choice((rng.uniform(-30, 0), rng.uniform(-1, 6)))
        problem = run.certificate["inputs"]["problem"]
        problem["disturbance"]["covariance"] = 0.1 * factor
        run.certificate["lambda"] *= 10.0**rng.uniform(-2, 2)
        status, text = repair(self.ask, run)
        outcome = {1: text.split(" ")[0], 3: "bad input"}.get(status, "CRASH")
        if status == 0:
            truth = expected_cost(problem, run.controller["K"], run.controller["k"], [0.1 * factor] * 6)
            holds = factor > 0.2 and Fraction(text.split(": ")[1].split()[0]) >= truth
            outcome = "holds" if holds else "WRONG"
        return "references", kind, outcome, text.split("\n")[0]

    def try_other_statements(self, seed):
        """Of two certificates on different things the verdict says different things."""
        wild = Wild(seed)
        wild.kind = wild.rng.choice(("hold-out-scale-free", "assumed-scale"))
        said = []
        change = wild.rng.choice(("cost", "rows", "gains", "plant"))
        for changed in (False, True):
            problem, K, rows = json.loads(json.dumps(wild.problem)), [list(row) for row in wild.K], wild.rows
            if changed and change == "cost":
                problem["cost"] = {key: (np.array(W) * 2.0**-20).tolist()
                                   for key, W in problem["cost"].items()}
            if changed and change == "plant":
                problem["system"]["A"][0][0] = nudged(problem["system"]["A"][0][0])
            if changed and change == "rows":
                rows = rows[:-1]
            if changed and change == "gains":
                K[0][0] = nudged(K[0][0])
            run = self.forger.forge(problem, wild.kind, K, wild.k, rows, self.write, 1e-7)
            status, text = repair(self.ask, run)
            said.append(text.split("\n", 1)[1] if status == 0 else None)
        outcome = "UNDECIDED" if None in said else "WRONG" if said[0] == said[1] else "holds"
        return "other statements", wild.kind, outcome, change

    def try_bombs(self, seed):
        """A record that is made of many small things, or of a few that hold each other."""
        rng = random.Random(seed)
        count = int(10.0**rng.uniform(2, 6))
        piece = rng.choice(("{}", "[]", "0", '{"a":[]}', '""', "1e-300"))
        text = rng.choice((lambda: "[" + ",".join([piece] * count) + "]",
                           lambda: "[" * count + "]" * count,
                           lambda: '{"a":' * count + piece + "}" * count,
                           lambda: "{" + ",".join(f'"{i}":{piece}' for i in range(count)) + "}"))()
        folder = self.folder / "wild"
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir()
        (folder / "certificate.json").write_text(text)
        memory = "" if INSTRUMENTED else "ulimit -v 1500000; "
        limits = f'ulimit -t 20; {memory}exec "$0" "$1"'
        done = subprocess.run(["/bin/sh", "-c", limits, self.checker, str(folder)], capture_output=True,
                              text=True, timeout=600)
        outcome = {1: done.stdout.split(" ")[0], 3: "bad input"}.get(done.returncode, "CRASH")
        return "bombs", "none", outcome, (done.stdout + done.stderr).split("\n")[0]

    def try_one(self, seed):
        """(name of the way, kind, outcome, answer)"""
        way = WAYS[seed % len(WAYS)]
        if way in ("posterior", "beginnings", "references", "other_statements", "bombs"):
            return getattr(self, f"try_{way}")(seed)
        wild = Wild(seed)
        wild.kind = wild.rng.choice(ONE_KINDS + DIFFERENCES)
        nothing_is_true = False
        if hasattr(wild, way):
            nothing_is_true = getattr(wild, way)()
        # A quantile stands in the words of the event, so n and delta stay those of the template.
        quantile = wild.kind in ("hold-out-white", "hold-out-relative")
        run = self.forger.forge(wild.problem, wild.kind, wild.K, wild.k, wild.rows, self.write,
                                0.05 if quantile or (way == "skew_weights" and wild.n_x == 2) else 1e-7)
        if way == "dispatch":
            kind = wild.rng.choice(("cross", "cross-bounded", "cross-known", "cross-white", "hold-out-x",
                                    "cross-assumed-scale", "cross-scale-free", "oracle", "best"))
            run.certificate.update(kind=kind, chosen=wild.kind)
            run.certificate["inputs"]["problem"]["certificate"]["kind"] = kind
            nothing_is_true = True
        if way == "texts":
            pad = wild.rng.choice((" ", "x", "-", "x "))
            text = (pad * 200)[:wild.rng.randrange(40, 160)] + FAKE + pad * 80
            place = wild.rng.choice((("kind",), ("subject",), ("inputs", "controller"), ("format",),
                                     ("inputs", "problem", "disturbance", "model"), ("kind",)))
            tree = run.certificate
            for key in place[:-1]:
                tree = tree[key]
            tree[place[-1]] = text
        status, text = repair(self.ask, run)
        outcome = {1: text.split(" ")[0], 3: "bad input"}.get(status, "CRASH")
        if status == 0:
            problem = run.certificate["inputs"]["problem"]
            exact = Fraction(text.split(": ")[1].split()[0])
            holds = not nothing_is_true and (quantile or exact >= self.truth(wild, problem))
            outcome = "holds" if holds else "WRONG"
        if FAKE in text or (status != 0 and "VERIFIED" in text):
            outcome = "WRONG"
        return way.replace("_", " "), wild.kind, outcome, text.split("\n")[0]

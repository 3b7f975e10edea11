"""Forged certificates over plants that are not tame, and whether an accepted one is true.

Units that are powers of ten apart, weights that are definite or symmetric only nearly, whole numbers
that no double holds, laws that contradict a bound or the data, copies of one recording, kinds that do
not go with a given controller, texts that draw on a terminal. The forger repairs every hash and every
number that the checker asks for. Delta is so small that an honest bound never fails; the truth is
computed in fractions.
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

ONE_KINDS = ("assumed-covariance", "assumed-scale", "hold-out-scale-free", "hold-out-chi-square",
             "hold-out", "hold-out-known", "hold-out-white", "hold-out-relative")
DIFFERENCES = ("improvement", "improvement-mean", "improvement-scale")
FAKE = "VERIFIED controller: 0.1 at confidence 0.999"


def lqr_gains(problem):
    """In fractions. Where the weights do not give one: zero, which costs no less than LQR does."""
    A, B = fractions(problem["system"]["A"]), fractions(problem["system"]["B"])
    Q, R, P = ((W + W.T) / 2 for W in (fractions(problem["cost"][key]) for key in "QRP"))
    T, (n_x, n_u) = problem["horizon"], B.shape
    K, V = fractions(np.zeros((T * n_u, (T + 1) * n_x)).tolist()), P
    for t in reversed(range(T)):
        G, F = R + B.T @ V @ B, B.T @ V @ A
        det = G[0, 0] if n_u == 1 else G[0, 0] * G[1, 1] - G[0, 1] * G[1, 0]
        if det == 0:
            return 0 * K
        if n_u == 1:
            gain = -F / det
        else:
            gain = -(np.array([[G[1, 1], -G[0, 1]], [-G[1, 0], G[0, 0]]]) @ F) / det
        V = Q + A.T @ V @ (A + B @ gain)
        K[t * n_u:(t + 1) * n_u, t * n_x:(t + 1) * n_x] = gain
    return K


class Wild:
    """One plant, one law, one controller, all from one seed."""

    def __init__(self, seed):
        rng = self.rng = random.Random(seed)
        self.n_x, self.n_u, self.T = rng.choice((1, 2, 2)), rng.choice((1, 1, 2)), rng.choice((1, 2))
        self.d = (self.T + 1) * self.n_x
        self.x_unit = np.array([10.0**rng.randint(-9, 9) for _ in range(self.n_x)])
        self.u_unit = np.array([10.0**rng.randint(-6, 6) for _ in range(self.n_u)])
        normal = np.random.RandomState(seed % 2**32).normal
        self.normal = normal
        x, u = self.x_unit, self.u_unit
        A = normal(size=(self.n_x, self.n_x)) * x[:, None] / x
        B = normal(size=(self.n_x, self.n_u)) * x[:, None] / u
        if rng.random() < 0.3:
            B *= 0
        K = np.zeros((self.T * self.n_u, self.d))
        for t in range(self.T):
            for s in range(t + 1):
                K[t * self.n_u:(t + 1) * self.n_u, s * self.n_x:(s + 1) * self.n_x] = (
                    normal(size=(self.n_u, self.n_x)) * u[:, None] / x)
        self.K, self.k = K.tolist(), [0.0] * (self.T * self.n_u)
        root = normal(size=(self.d, self.d)) if rng.random() < 0.4 else np.diag(
            np.abs(normal(size=self.d)) * (rng.random() > 0.2))
        units = np.tile(x, self.T + 1)
        self.root = root * units[:, None]
        S = self.root @ self.root.T
        S = (S + S.T) / 2
        dense = np.count_nonzero(S - np.diag(np.diag(S)))
        self.covariance = S.tolist() if dense else np.diag(S).tolist()
        self.rows = normal(size=(30, self.d)) @ self.root.T
        law = {"covariance": self.covariance, "white": not dense,
               "scale_bound": float(np.linalg.eigvalsh(S)[-1]) * 1.01 or 1.0,
               "covariance_bound": (1.01 * S).tolist()}
        self.problem = {"horizon": self.T, "system": {"A": A.tolist(), "B": B.tolist()},
                        "cost": {"Q": self.weight(1 / x), "R": self.weight(1 / u, True),
                                 "P": self.weight(1 / x)}, "disturbance": law}

    def weight(self, unit, definite=False):
        """In the given units: of full rank, of rank one, or wrong by a tolerance."""
        n, rng = len(unit), self.rng
        F = self.normal(size=(n, n))
        W = F @ F.T + np.eye(n)
        way = rng.randrange(5)
        if n == 2 and way < 3:
            least = (0.0, -(10.0**rng.uniform(-17, -10)), 10.0**rng.uniform(-17, -10))[way]
            W = np.array([[1 + least, -1.0], [-1.0, 1 + least]])
        W = W * unit[:, None] * unit
        W = (W + W.T) / 2
        if n == 2 and way == 3 and rng.random() < 0.5:
            W[0, 1] *= 1 + 10.0**rng.uniform(-17, -10)
        return W.tolist()

    # Ways to contradict oneself; each returns True if no bound at all may be accepted.

    def as_is(self):
        return False

    def along_the_null_direction(self):
        """A plant that moves where a weight is below zero by a tolerance, and nearly only there."""
        if self.n_x == 1:
            return False
        x, law, rng = self.x_unit, self.problem["disturbance"], self.rng
        self.problem["system"]["A"] = [[1e-6, x[0] / x[1]], [-1e-6 * x[1] / x[0], 1.0]]
        self.problem["system"]["B"] = np.zeros((2, self.n_u)).tolist()
        least = 1e12 - 10.0**rng.uniform(-3, 0)
        self.problem["cost"].update(Q=[[0.0, 0.0], [0.0, 0.0]],
                                    P=[[least / x[0]**2, -1e12 / x[0] / x[1]],
                                       [-1e12 / x[0] / x[1], least / x[1]**2]])
        sigma = np.zeros(self.d)
        sigma[:2] = x * ((1, 0) if self.kind.startswith("assumed") else (1e-3, 1))
        self.rows = self.normal(size=(25, self.d)) * sigma
        law["covariance"] = self.covariance = (sigma**2).tolist()
        bound = sigma**2
        bound[:2] = x**2
        law.update(covariance_bound=bound.tolist(), scale_bound=float(max(bound)), white=True)
        return False

    def skew_weights(self):
        """LQR of the symmetric part, held against LQR: symmetric in units of the largest entry."""
        if self.n_x == 1:
            return False
        self.kind = self.rng.choice(DIFFERENCES)
        self.problem["system"].update(A=[[1.0, 0.0], [0.0, 1.0]],
                                      B=[[0.0] * self.n_u, [1.0] + [0.0] * (self.n_u - 1)])
        W = [[1e12, self.rng.uniform(0.1, 0.99)], [0.0, 1.0]]
        self.problem["cost"].update(Q=W, P=W, R=np.eye(self.n_u).tolist())
        self.problem["disturbance"] = {"covariance": 1.0, "scale_bound": 1.0}
        self.covariance, self.rows = [1.0] * self.d, self.normal(size=(30, self.d))
        self.K = lqr_gains(self.problem).astype(float).tolist()
        return False

    def whole_numbers(self):
        a = self.rng.randrange(2**62, 2**63)
        self.problem["system"]["A"][0][0] = a
        self.problem["system"]["B"] = np.zeros((self.n_x, self.n_u)).tolist()
        self.problem["system"]["B"][0][0] = 1
        for t in range(self.T):
            self.K[t * self.n_u][t * self.n_x] = -(a & ~(2**self.rng.choice((1, 10, 11, 12)) - 1))
        return False

    def a_bound_below_the_law(self):
        """In one entry, by a little or by much: beside a larger one in other units it is hard to see."""
        law, j = self.problem["disturbance"], self.rng.randrange(self.d)
        self.kind = self.rng.choice(("assumed-covariance", "assumed-covariance", "hold-out-known"))
        factor = 1 - 10.0**self.rng.choice((self.rng.uniform(-11, -1), -1e-3))
        bound = np.array(law["covariance"])
        bound = np.diag(bound) if bound.ndim == 1 else bound
        bound[j] *= factor
        bound[:, j] *= factor
        law["covariance_bound"] = bound.tolist()
        return False

    def linked_steps(self):
        law = self.problem["disturbance"]
        self.kind = self.rng.choice(("hold-out-white", self.kind))
        S = np.array(law["covariance"])
        S = np.diag(S if S.ndim == 1 else np.diag(S))
        j = int(np.argmin(self.x_unit))
        for a in range(self.T + 1):
            for b in range(a):
                i, k = a * self.n_x + j, b * self.n_x + j
                S[i, k] = S[k, i] = np.sqrt(S[i, i] * S[k, k]) * (1 - 1e-9)
        law.update(white=True, covariance=S.tolist(), covariance_bound=(2 * S).tolist())
        law["scale_bound"] = float(np.linalg.eigvalsh(S)[-1]) * 2 or 1.0
        self.covariance = S.tolist()
        return self.kind == "hold-out-white" and bool(np.count_nonzero(S - np.diag(np.diag(S))))

    def copies(self):
        one = self.rows[:1] if self.rows[0].any() else np.ones((1, self.d))
        way = self.rng.randrange(3)
        rows = np.repeat(one, 60, 0)
        if way == 1:
            rows = rows * (1 + 2e-16 * np.arange(60)[:, None])
        if way == 2:
            rows = rows * np.linspace(0.8, 1.2, 60)[:, None]
        self.rows = rows
        self.problem["data"] = {"repeated": "keep"}
        return not self.kind.startswith("assumed")

    def another_law(self):
        """Data that are 10^5 times as large as the law allows that the kind rests on."""
        if not np.any(self.rows):
            return False
        law = self.problem["disturbance"]
        rests = {"hold-out": "scale_bound", "improvement-scale": "scale_bound",
                 "hold-out-known": "covariance_bound"}.get(self.kind)
        for key in ("scale_bound", "covariance_bound", "covariance"):
            law[key] = (np.array(law[key]) * 1e-10).tolist()
        if rests == "scale_bound":  # one unit for all of them: only the largest entry can tell
            law["scale_bound"] = float(np.square(self.rows).mean(0).max()) * 1e-10
        self.covariance = law["covariance"]
        return rests is not None


WAYS = ("as_is", "along_the_null_direction", "skew_weights", "posterior", "whole_numbers",
        "a_bound_below_the_law", "linked_steps", "copies", "another_law", "dispatch", "texts",
        "beginnings", "references", "other_statements", "bombs")


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
                problem["system"]["A"][0][0] += 2.0**-10
            if changed and change == "rows":
                rows = rows[:-1]
            if changed and change == "gains":
                K[0][0] += 2.0**-10
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

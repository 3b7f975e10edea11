"""loopcert-verify against statements that are false: each of these was VERIFIED once.

The attacker writes every file, and repairs every hash and every number that the checker asks for.
"""

import json
import pathlib
import resource
import subprocess
import tempfile
import unittest

import numpy as np

import wild_bench
from attack import AttackTest
from checker import CHECKER
from forgery import expected_cost, printed
from honest_runs import PROBLEM, Run
from program import INSTRUMENTED, PROGRAM


def no_input(T, n_x, n_u=1):
    return np.zeros((T * n_u, (T + 1) * n_x)).tolist(), [0.0] * (T * n_u)


class Weights(AttackTest):
    """1, 2: weights that are definite, or symmetric, only up to a tolerance."""

    PLANT = {"horizon": 1, "system": {"A": [[1e-6, 1.0], [-1e-6, 1.0]], "B": [[0.0], [0.0]]},
             "cost": {"Q": [[0.0, 0.0], [0.0, 0.0]], "R": [[1.0]],
                      "P": [[999999999999.1, -1e12], [-1e12, 999999999999.1]]},
             "disturbance": {"covariance": [1.0, 0.0, 0.0, 0.0],
                             "covariance_bound": [1.0, 1.0, 0.0, 0.0], "scale_bound": 1.0}}

    def test_an_indefinite_weight_lowers_no_bound(self):
        K, k = no_input(1, 2)
        truth = expected_cost(self.PLANT, K, k, self.PLANT["disturbance"]["covariance"])
        self.assertAlmostEqual(float(truth), 4, 6)
        rows = np.random.RandomState(1).normal(size=(20, 4)) * [1, 0, 0, 0]
        for kind in ("assumed-covariance", "assumed-scale"):
            self.never_below(truth, self.forge(self.PLANT, kind, K, k, rows))

    def test_nor_a_bound_from_data(self):
        """x_0 = (a, b) with a b > 0 in the data costs less than nothing."""
        K, k = no_input(1, 2)
        truth = expected_cost(self.PLANT, K, k, [1, 1, 0, 0])
        rows = np.random.RandomState(2).normal(size=(30, 4)) * [1e-3, 1, 0, 0]
        plant = {**self.PLANT, "disturbance": {"covariance": [1e-6, 1.0, 0.0, 0.0]}}
        for kind in ("hold-out-chi-square", "hold-out-scale-free"):
            status, text = self.attack(self.forge(plant, kind, K, k, rows))
            if status == 0:
                self.assertGreater(printed(text), 0, text)
        self.assertGreater(float(truth), 0)

    def test_the_library_evaluates_with_the_matrix_that_is_definite(self):
        self.write("problem.json", self.PLANT)
        self.ok("sample", "problem.json", "-n", 20, "--seed", 1, "--out", "w.npy")
        self.ok("learn", "problem.json", "--data", "w.npy", "--method", "lqr", "--certificate",
                "assumed-covariance", "--out", "run")
        record = json.loads((self.folder / "run/certificate.json").read_text())
        self.assertGreaterEqual(record["value"], 4 * (1 - 1e-9))
        P = np.array(record["inputs"]["problem"]["cost"]["P"])
        self.assertTrue((P == P.T).all() and P[0, 0] > 999999999999.1)
        status, text = self.ask("run", "--data", "w.npy")  # so large beside the cost: doubles lose it
        if status == 0:
            self.assertGreaterEqual(printed(text), 4)

    def test_singular_weights_are_ordinary(self):
        c = np.array([[1.0, 1 / 3]])
        for Q in ([[0.0, 0.0], [0.0, 0.0]], [[1.0, 0.0], [0.0, 0.0]], [[1.0, 1.0], [1.0, 1.0]],
                  (c.T @ c).tolist(), (1e12 * c.T @ c).tolist(),
                  [[1e12, -1e3 / 3], [-1e3 / 3, 1e-6 / 9]]):
            tree = {**PROBLEM, "cost": {**PROBLEM["cost"], "Q": Q}}
            for kind, method in (("hold-out-scale-free", "lqr"), ("data-driven", "pac-bayes"),
                                 ("cross-chi-square", "shrinkage")):
                status, text = self.ask_run(self.learned(tree, kind, method))
                self.assertEqual(status, 0, f"{Q}, {kind}: {text}")

    def test_another_lqr(self):
        """Costs would use the symmetric part of a weight, LQR the whole of it."""
        plant = {**PROBLEM, "cost": {"Q": [[1e12, 0.9], [0.0, 1.0]], "R": [[1.0]],
                                     "P": [[1e12, 0.9], [0.0, 1.0]]},
                 "system": {"A": [[1e-6, 1e-6], [0.0, 1.0]], "B": [[0.0], [1.0]]},
                 "disturbance": {"covariance": 0.1}}
        rows = np.random.RandomState(3).normal(size=(40, 8))
        status, text = self.attack(self.forge(plant, "improvement-mean", *no_input(3, 2), rows))
        self.assertEqual(status, 3, text)
        self.assertIn("a symmetric one", text)

    def test_the_library_makes_weights_symmetric(self):
        tree = {**PROBLEM, "cost": {**PROBLEM["cost"], "Q": [[1.0, 0.1], [0.1 + 1e-16, 1.0]],
                                    "P": [[1.0, 0.3], [0.30000000000000004, 1.0]]}}
        run = self.learned(tree, "hold-out", "erm")
        P = np.array(run.certificate["inputs"]["problem"]["cost"]["P"])
        self.assertEqual(P[0, 1], P[1, 0])
        self.assertEqual(self.ask_run(run)[0], 0)
        bad = {**PROBLEM, "cost": {**PROBLEM["cost"], "P": [[1e12, 0.9], [0.0, 1.0]]}}
        self.write("bad.json", bad)
        self.fails(3, "learn", "bad.json", "--data", "w.npy", "--out", "bad", says="a symmetric matrix")


class Objects(AttackTest):
    """3, 7: what is certified is what is named."""

    def test_the_average_of_another_posterior(self):
        """A second input so dear that its mean cannot be told from zero in absolute terms."""
        two = {**PROBLEM, "system": {"A": [[1, 1], [0, 1]], "B": [[0.5, 0.0], [1, 1e-9]]},
               "cost": {**PROBLEM["cost"], "R": [0.5, 1.0]}}
        for kind in ("data-driven-randomized", "oracle-randomized"):
            method = "oracle-pac-bayes" if "oracle" in kind else "pac-bayes"
            run = self.learned({**two, "response": {"basis": "input", "start": "zero-input"}}, kind,
                               method)
            self.assertEqual(self.ask_run(run)[0], 0)
            run.certificate["inputs"]["problem"]["cost"]["R"] = [[0.5, 0], [0, 1e18]]
            run.arrays["posterior"]["mean"][1, :2] = 4e-7
            run.arrays["posterior"]["variance"][1::2][run.arrays["posterior"]["variance"][1::2] > 0] = 1e-24
            least = 1e18 * 4e-7**2 * np.mean(run.data[:, :2].sum(1)**2)  # of the mean alone
            status, text = self.attack(run)
            self.assertGreater(least, 1e4)
            if status == 0:
                self.assertGreater(printed(text), least, text)

    def test_digits_of_lqr_that_know_the_data(self):
        """An input in small units: anything is within 1e-9 of the largest one."""
        two = {**PROBLEM, "system": {"A": [[1, 1], [0, 1]], "B": [[0.5, 0.0], [1, 1]]},
               "cost": {**PROBLEM["cost"], "R": [0.5, 0.5]}}
        run = self.learned(two, "hold-out-scale-free", "lqr")
        unit = 2.0**60
        problem = run.certificate["inputs"]["problem"]
        problem["system"]["B"] = [[0.5, 0.0], [1.0, unit]]
        problem["cost"]["R"] = [[0.5, 0.0], [0.0, 0.5 * unit**2]]
        K = np.array(run.controller["K"])
        K[1::2] /= unit
        run.controller["K"] = K.tolist()
        for array in run.arrays["responses"].values():
            array[1::2] /= unit
        status, text = self.ask_run(run)
        self.assertEqual(status, 0, text)
        run.controller["K"][1][0] += 1 / unit  # as much as the whole gain
        status, text = self.attack(run)
        self.assertEqual(status, 1, text)

    def test_folds_of_a_given_controller(self):
        run = self.learned(PROBLEM, "hold-out", "erm")
        self.ok("sample", "problem.json", "-n", 40, "--seed", 5, "--out", "fresh.npy")
        self.ok("certify", "problem.json", "--controller", "run/controller.json", "--data",
                "fresh.npy", "--certificate", "hold-out-scale-free", "--out", "given")
        honest = Run(self.folder / "given", self.folder / "fresh.npy")
        for kind in ("cross-bounded", "cross-known", "cross", "cross-white", "cross-scale-free",
                     "cross-assumed-scale", "hold-out-", "cross-fourth-moment"):
            run = honest.copy()
            run.certificate["kind"] = kind
            run.certificate["inputs"]["problem"]["certificate"]["kind"] = kind
            status, text = self.attack(run)
            self.assertEqual(status, 1, text)
            self.assertRegex(text, "kind")


class Laws(AttackTest):
    """4, 6, 11: laws that the data or the problem itself contradict."""

    def test_an_oracle_says_which_law(self):
        honest = self.learned(PROBLEM, "oracle", "oracle-pac-bayes")
        status, text = self.ask_run(honest)
        self.assertEqual(status, 0, text)
        self.assertIn("that law has variances 0.1 and means 0, as the problem states", text)
        run = honest.copy()
        run.certificate["inputs"]["problem"]["disturbance"]["covariance"] = 1e-30
        self.assertIn("REFUTED data: they contradict the law", self.attack(run)[1])
        run = honest.copy()
        run.certificate["inputs"]["problem"]["learning"]["method"] = "pac-bayes"
        run.certificate["inputs"]["problem"]["certificate"]["kind"] = "data-driven"
        self.assertIn("REFUTED kind: not the one", self.attack(run)[1])

    def test_a_scale_that_the_data_contradict(self):
        for kind, method in (("hold-out", "lqr"), ("scale", "pac-bayes"), ("data-driven", "pac-bayes"),
                             ("known-covariance", "pac-bayes")):
            run = self.learned(PROBLEM, kind, method)
            law = run.certificate["inputs"]["problem"]["disturbance"]
            del law["covariance"], law["mean"]
            law.update(scale_bound=1e-30, covariance_bound=1e-30)
            for statement in run.certificate["assumptions"]:
                if statement["id"] == "scale-bound":
                    statement["parameters"]["scale"] = 1e-30
            self.assertIn("REFUTED data: they contradict the law", self.attack(run)[1])

    BOUND = [1e12, 1e-6, 1e-6, 1e-6]

    def test_a_covariance_above_its_bound_in_small_units(self):
        plant = {"horizon": 1, "system": {"A": [[1, 0], [0, 1]], "B": [[0], [1]]},
                 "cost": {"Q": [[1e-12, 0], [0, 1]], "R": [[1]], "P": [[1e-12, 0], [0, 1]]},
                 "disturbance": {"covariance": [1e9, 900.0, 1e-6, 1e-6], "covariance_bound": self.BOUND}}
        K, k = no_input(1, 2)
        truth = expected_cost(plant, K, k, plant["disturbance"]["covariance"])
        rows = np.random.RandomState(1).normal(size=(20, 4))
        status, text = self.never_below(truth, self.forge(plant, "assumed-covariance", K, k, rows))
        self.assertIn("REFUTED assumptions: disturbance.covariance exceeds", text)
        self.write("problem.json", plant)
        self.fails(3, "learn", "problem.json", "--sample", "20", "--seed", "1", "--method", "lqr",
                   "--certificate", "assumed-covariance", "--out", "out", says="covariance_bound")

    def test_links_between_white_steps_in_small_units(self):
        S = np.diag([1e9, 1e-6] * 4)
        S[1::2, 1::2] = 1e-6
        run = self.learned(PROBLEM, "white", "pac-bayes")
        run.certificate["inputs"]["problem"]["disturbance"].update(covariance=S.tolist(), scale_bound=1e10)
        self.assertIn("REFUTED assumptions: kind white needs", self.attack(run)[1])
        tree = {**PROBLEM, "disturbance": {"white": True, "covariance": S.tolist()}}
        self.write("problem.json", tree)
        self.fails(3, "learn", "problem.json", "--sample", "20", "--seed", "1", "--certificate", "white",
                   "--out", "out", says="disturbance.white")

    def test_a_law_beyond_the_radius(self):
        run = self.learned({**PROBLEM, "disturbance": {"model": "bounded", "radius": 3.0,
                                                       "covariance": 0.1}}, "hold-out-bounded", "lqr")
        self.assertEqual(self.ask_run(run)[0], 0)
        run.certificate["inputs"]["problem"]["disturbance"]["covariance"] = 10.0
        self.assertIn("REFUTED assumptions: disturbance.covariance exceeds disturbance.radius",
                      self.attack(run)[1])

    def test_one_row_many_times(self):
        run = self.learned(PROBLEM, "hold-out-scale-free", "lqr")
        status, text = self.ask_run(run)
        self.assertIn("40 trajectories in 40 directions, 40 certify", text)
        one, rng = run.data[:1].copy(), np.random.RandomState(1)
        run.certificate["inputs"]["problem"]["data"] = {"repeated": "keep"}
        for rows in (np.repeat(one, 1000, 0), one * (1 + 1e-15 * rng.randint(0, 20, (1000, 8))),
                     one * rng.uniform(0.9, 1.1, (1000, 1)), -one * rng.uniform(1, 1.9, (1000, 1)),
                     np.vstack([run.data, 2 * run.data[7:8]])):
            forged = run.copy()
            forged.data, forged.certificate["n"] = rows, len(rows)
            self.assertRegex(self.attack(forged)[1], r"\AREFUTED data: \d+ trajectories have only \d+ dir")

    def test_a_copy_of_what_taught_does_not_certify(self):
        """Row 26 certifies what row 4 taught, but for a factor that no fingerprint sees."""
        for kind in ("hold-out", "cross-chi-square"):
            run = self.learned(PROBLEM, kind, "erm")
            self.assertEqual(self.ask_run(run)[0], 0)
            run.data[25] = run.data[4] * 1.0000001
            self.assertIn("REFUTED data: 40 trajectories have only 39 directions", self.attack(run)[1])

    def test_a_law_on_one_line_is_a_law(self):
        """A load that is constant over the trajectory: one direction, 40 lengths."""
        b = np.ones((8, 8)) * 0.1
        b[:2] = b[:, :2] = 0
        run = self.learned({**PROBLEM, "disturbance": {"covariance": b.tolist()}},
                           "hold-out-chi-square", "lqr")
        run.data = np.outer(np.random.RandomState(4).normal(size=40), np.sqrt(np.diag(b)))
        status, text = self.attack(run)
        self.assertEqual(status, 0, text)
        self.assertIn("40 trajectories in 1 directions", text)


class Numbers(AttackTest):
    """5: numbers that no double holds, and decimals that round the wrong way."""

    BIG = {"horizon": 1, "system": {"A": [[9223372036854775295]], "B": [[1]]},
           "cost": {"Q": [[0.0]], "R": [[1e-30]], "P": [[1.0]]},
           "disturbance": {"covariance": [1.0, 0.0], "covariance_bound": [1.0, 0.0]}}

    def test_whole_numbers_without_a_double(self):
        K, k = [[-9223372036854774784, 0]], [0]
        truth = expected_cost(self.BIG, K, k, [1, 0])
        self.assertGreater(truth, 511**2)
        status, text = self.attack(self.forge(self.BIG, "assumed-covariance", K, k, [[1.0, 0.0]]))
        self.assertEqual(status, 3, text)
        self.assertIn("number: found '9223372036854775295', expected one as a double is written", text)
        self.write("problem.json", self.BIG)
        self.fails(3, "learn", "problem.json", "--sample", "4", "--seed", "1", "--method", "lqr",
                   "--certificate", "assumed-covariance", "--out", "out", says="a number that a double can represent")
        toml = "horizon = 1\n[system]\nA = [[9223372036854775295]]\nB = [[1]]\n[cost]\nQ = [1]\nR = [1]\n"
        self.write("problem.toml", toml)
        self.fails(3, "learn", "problem.toml", "--sample", "4", "--seed", "1", "--out", "out",
                   says="a number that a double can represent")

    def test_decimals_that_say_more_than_a_double(self):
        run = self.learned(PROBLEM, "hold-out-scale-free", "lqr")
        run.rehash()
        run.write(self.folder / "run")
        text = (self.folder / "run/controller.json").read_text()
        entry = repr(run.controller["K"][0][0])
        for more, status in (("", 0), ("000", 0), ("1", 3), ("0001", 3), ("e0", 0), ("e400", 3)):
            self.write("run/controller.json", text.replace(entry, entry + more, 1))
            self.assertEqual(self.ask("run")[0], status, more)
        for whole in ("18446744073709551617", "123456789012345678901234567890", "-9223372036854775809"):
            self.write("run/controller.json", text.replace(entry, whole, 1))
            self.assertEqual(self.ask("run")[0], 3, whole)

    def test_what_is_printed_is_not_below(self):
        from fractions import Fraction
        for seed in range(6):
            tree = {**PROBLEM, "cost": {**PROBLEM["cost"], "R": [0.5 + seed / 7]}}
            run = self.learned(tree, "assumed-scale", "lqr")
            status, text = self.ask_run(run)
            exact = expected_cost(run.certificate["inputs"]["problem"], run.controller["K"],
                                  run.controller["k"], np.full(8, Fraction(0.2)))
            self.assertGreaterEqual(Fraction(text.split(": ")[1].split()[0]), exact)


class Words(AttackTest):
    """8, 9: the verdict is the checker's own, and says what it is about."""

    def test_the_whole_statement(self):
        run = self.learned(PROBLEM, "hold-out", "erm")
        text = self.ask_run(run)[1]
        problem = run.certificate["inputs"]["problem_sha256"][:16]
        self.assertIn(f"problem: SHA-256 {problem}, horizon 3, n_x 2, n_u 1\n", text)
        self.assertIn("cost: traces of the weights Q 1.1, R 0.5, P 2.2\n", text)
        self.assertRegex(text, r"controller: SHA-256 [0-9a-f]{16}\n")
        self.assertIn("40 trajectories in 40 directions, 20 certify", text)
        for key in "QRP":
            weight = run.certificate["inputs"]["problem"]["cost"][key]
            weight[:] = (np.array(weight) / 1e6).tolist()
        run.certificate["value"] = run.certificate["value"] / 1e6
        for term in run.certificate["terms"]:
            term["value"] /= 1e6
        run.certificate["lambda"] *= 1e6
        status, other = self.ask_run(run)
        self.assertEqual(status, 0, other)
        self.assertIn("cost: traces of the weights Q 1.1e-06, R 5e-07, P 2.2e-06\n", other)
        self.learned(PROBLEM, "hold-out", "erm")
        text = self.check("run/improvement.json", "--data", "w.npy").stdout
        self.assertIn("baseline: LQR of this problem\n", text)

    def test_the_reviewers_own_problem(self):
        self.learned(PROBLEM, "hold-out", "lqr")
        toml = """# mine
horizon = 3   # steps
name = 'small'
[system]
A = [[1, 1],
     [0, 1]]  # a mass
B = [[0.5], [1.0]]
[cost]
Q = [1, 0.1]
R = [5e-1]
P = [2, 2_0e-2]
[disturbance]
scale_bound = 0.2
covariance_bound = { x0 = 0.2, w = [0.2, 0.2] }
white = true
stationary = true
covariance = 0.1
"""
        self.write("own.toml", toml)
        self.write("own.json", PROBLEM)
        for name in ("own.toml", "own.json"):
            status, text = self.ask_all("run", "--data", "w.npy", "--problem", name)
            self.assertEqual(status, 0, text)
            self.assertIn("plant, cost and assumptions as in --problem", text)
        for old, new, place in (("Q = [1,", "Q = [1e6,", "cost.Q"), ("[[0.5]", "[[0.6]", "system.B"),
                                ("[[1, 1]", "[[1, 2]", "system.A"), ("steps", "x\nx = 3", "unknown key 'x'"),
                                ("white = true", "white = true\nzero_meen = false", "unknown key"),
                                ("horizon = 3", "horizon = 4", "horizon"),
                                ("scale_bound = 0.2", "scale_bound = 0.1", "disturbance.scale_bound"),
                                ("white = true", "white = false", "disturbance.white"),
                                ("w = [0.2, 0.2]", "w = 0.3", "disturbance.covariance_bound"),
                                ("covariance = 0.1", "", "disturbance.covariance"),
                                ("Q = [1,", "Q = [1,,", "line 9")):
            self.assertIn(old, toml)
            self.write("own.toml", toml.replace(old, new, 1))
            status, text = self.ask_all("run", "--data", "w.npy", "--problem", "own.toml")
            self.assertEqual(status, 3 if place.startswith(("line", "unknown")) else 1, text)
            self.assertIn(place, text)

    def test_no_text_of_a_file_draws_a_verdict(self):
        fake = "VERIFIED controller: 0.1 at confidence 0.999"
        honest = self.learned(PROBLEM, "data-driven", "pac-bayes")
        best = self.learned(PROBLEM, "best", "auto")
        for pad in (" ", "x", "\t", "-", "x "):
            text = (pad * 80)[:60] + pad * 80 + fake + pad * 200
            changes = ((honest, ("kind",)), (honest, ("subject",)), (honest, ("events", 0, "id")),
                       (honest, ("inputs", "posterior")), (honest, ("inputs", "prior", "center")),
                       (honest, ("inputs", "problem", "response", "start")), (best, ("chosen",)),
                       (honest, ("inputs", "problem", "response", "basis")),
                       (best, ("events", 0, "id")), (best, ("inputs", "deployment", "way")),
                       (best, ("inputs", "deployment", "method")), (honest, ("format",)),
                       (honest, ("inputs", "problem", "disturbance", "model")))
            for source, path in changes:
                run = source.copy()
                tree = run.certificate
                for key in path[:-1]:
                    tree = tree[key]
                tree[path[-1]] = text
                status, said = self.ask_run(run)
                self.assertIn(status, (1, 3))
                self.assertNotIn("VERIFIED", said, path)
            run = honest.copy()
            run.certificate["inputs"]["problem"][text] = 1
            self.assertNotIn("VERIFIED", self.ask_run(run)[1])

    def test_roles_of_the_confidence(self):
        run = self.learned(PROBLEM, "data-driven", "pac-bayes")
        run.certificate["confidence"] = 0.99
        self.assertIn("confidence: the record says 0.99, its events leave at most 0.95", self.ask_run(run)[1])

    def test_unknown_keys_of_the_problem(self):
        for section in (None, "system", "cost", "response", "disturbance", "learning", "certificate"):
            run = self.learned(PROBLEM, "data-driven", "pac-bayes") if section is None else run.copy()
            tree = run.certificate["inputs"]["problem"]
            changed = run.copy()
            tree = changed.certificate["inputs"]["problem"]
            (tree[section] if section else tree)["noise_cap"] = 1.0
            status, text = self.ask_run(changed)
            self.assertEqual(status, 3)
            self.assertIn("found the unknown key 'noise_cap'", text)


class Forgeries(unittest.TestCase):
    def test_wild_plants(self):
        """Some of what tools/tamper --wild tries."""
        if not pathlib.Path(CHECKER).exists():
            self.skipTest("loopcert-verify was not built")
        with tempfile.TemporaryDirectory() as folder:
            bench = wild_bench.WildBench(PROGRAM, CHECKER, pathlib.Path(folder))
            for seed in range(10 * len(wild_bench.WAYS)):
                way, kind, outcome, text = bench.try_one(seed)
                self.assertNotIn(outcome, ("WRONG", "CRASH"), f"seed {seed}, {kind}, {way}: {text}")


class Resources(AttackTest):
    """10: files made to take time or memory."""

    def limited(self, *arguments, seconds=60, megabytes=1500):
        def limits():
            resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds))
            resource.setrlimit(resource.RLIMIT_AS, (megabytes << 20,) * 2)
        return subprocess.run([CHECKER, *map(str, arguments)], cwd=self.folder, capture_output=True,
                              text=True, preexec_fn=limits if not INSTRUMENTED else None)

    def test_many_tables(self):
        """Quadratic time would take an hour here."""
        self.learned(PROBLEM, "data-driven", "pac-bayes")
        self.write("run/certificate.json", "[" + "{}," * 900000 + "{}]")
        done = self.limited("run", "--data", "w.npy", seconds=40)
        self.assertEqual(done.returncode, 3, done.stdout + done.stderr)
        self.write("many.json", "[" + "{}," * 900000 + "{}]")
        self.fails(3, "learn", "many.json", "--sample", "4", "--out", "out", says="problem")

    def test_many_lists(self):
        self.learned(PROBLEM, "data-driven", "pac-bayes")
        for text in ("[]," * 20_000_000, "0," * 6_000_000):
            self.write("run/certificate.json", "[" + text + "0]")
            done = self.limited("run", "--data", "w.npy")
            self.assertEqual((done.returncode, done.stdout[:15]), (1, "UNDECIDED JSON:"), done.stderr)
        self.write("many.json", "[" + "[]," * 5_000_000 + "[]]")
        self.fails(3, "learn", "many.json", "--sample", "4", "--out", "out", says="lists and tables")

    def test_files_without_an_end(self):
        self.learned(PROBLEM, "data-driven", "pac-bayes")
        (self.folder / "endless.npy").symlink_to("/proc/self/mem")
        (self.folder / "kmsg.npy").symlink_to("/proc/kmsg")
        (self.folder / "zero.npy").symlink_to("/dev/zero")
        for name in ("endless.npy", "kmsg.npy", "zero.npy"):
            self.assertEqual(self.limited("run", "--data", name).returncode, 3)
            self.fails(3, "learn", "problem.json", "--data", name, "--out", "out", says=name)

    def test_seconds_of_the_processor(self):
        run = self.learned({**PROBLEM, "horizon": 400}, "hold-out-scale-free", "lqr", n=3)
        run.rehash()
        run.write(self.folder / "run")
        done = self.limited("run", "--seconds", 1)
        self.assertEqual((done.returncode, done.stdout[:15]), (1, "UNDECIDED time:"), done.stdout)
        for words in (("--seconds",), ("--seconds", "0"), ("--seconds", "x"), ("--seconds", "1x")):
            self.assertEqual(self.check("run", *words).returncode, 2)


if __name__ == "__main__":
    unittest.main()

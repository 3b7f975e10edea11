"""Certificates do not depend on units: small states and inputs count as any others, and where rounding
leaves no digits there is no certificate.

LOOPCERT_UNIT_PLANTS=2000 test_units.py Answers.test_random_plants draws more plants in other units than
the suite does, LOOPCERT_UNIT_SEED=7 others."""

import json
import os
import shutil
import unittest

import numpy as np

from checker import CheckerTest
from honest_runs import PROBLEM
from other_units import SCALED_KINDS, Plant
from other_units import Units as UnitsOf

Q = np.array([[1, 0.3, 0.2], [0.3, 2, 0.1], [0.2, 0.1, 0.5]])


def scaled(units, n=20, **more):
    """The same plant, law and trajectories, with states in the given units."""
    D = np.array(units)
    A, B = np.array([[1, 1], [0, 1]]), np.array([[0.5], [1]])
    steps = np.tile(D, 4)
    root = 0.2 * np.eye(8) + 0.05
    tree = {"name": "units", "horizon": 3,
            "system": {"A": (D[:, None] * A / D).tolist(), "B": (D[:, None] * B).tolist()},
            "cost": {"Q": (np.diag([1, 0.1]) / np.outer(D, D)).tolist(), "R": [0.5],
                     "P": (np.array([[2, 0.1], [0.1, 0.2]]) / np.outer(D, D)).tolist()},
            "disturbance": {"covariance_bound": (steps[:, None] * (root @ root.T) * steps).tolist()},
            **more}
    w = np.random.default_rng(3).normal(size=(n, 8)) @ root
    return tree, w * steps


class Units(CheckerTest):
    def value(self, units, *kind_and_method, **more):
        tree, w = scaled(units, **more)
        np.save(self.folder / "w.npy", w)
        kind, method = kind_and_method
        self.ok("learn", self.write("p.json", tree), "--data", "w.npy", "--certificate", kind,
                "--method", method, "--out", "run")
        self.ok("verify", "run/certificate.json", "--data", "w.npy")
        status, text = self.ask("run", "--data", "w.npy")
        self.assertEqual(status, 0, text)
        return json.loads((self.folder / "run/certificate.json").read_text())["value"]

    def test_a_state_in_small_units(self):
        for kind in ("hold-out-known", "hold-out-relative", "hold-out-chi-square",
                     "assumed-covariance"):
            honest = self.value((1, 1), kind, "lqr")
            for unit in (1e-9, 1e7):
                self.assertAlmostEqual(self.value((1, unit), kind, "lqr") / honest, 1, delta=1e-7)

    def test_a_dense_weight_in_mixed_units(self):
        values = []
        for units in ((1, 1, 1), (1, 1e-5, 1e-10)):
            D = np.array(units)
            tree = {"name": "dense", "horizon": 2,
                    "system": {"A": (D[:, None] * (0.5 * np.eye(3) + 0.1) / D).tolist(),
                               "B": (D[:, None] * np.ones((3, 1))).tolist()},
                    "cost": {"Q": (Q / np.outer(D, D)).tolist(), "R": [1.0],
                             "P": (Q / np.outer(D, D)).tolist()},
                    "disturbance": {"covariance_bound": np.tile(D**2, 3).tolist()}}
            self.write("K.json", {"format": "loopcert controller 1", "horizon": 2, "n_x": 3, "n_u": 1,
                                  "K": np.zeros((2, 9)).tolist(), "k": [0.0, 0.0]})
            self.ok("certify", self.write("p.json", tree), "--controller", "K.json", "--certificate",
                    "assumed-covariance", "--out", "run")
            values.append(json.loads((self.folder / "run/certificate.json").read_text())["value"])
        self.assertAlmostEqual(values[1] / values[0], 1, delta=1e-9)

    def test_a_difference_in_small_units(self):
        """It is the same, or there is none."""
        tree, w = scaled((1, 1e-9))
        np.save(self.folder / "w.npy", w)
        problem = self.write("p.json", tree)
        self.ok("learn", problem, "--data", "w.npy", "--certificate", "hold-out-chi-square",
                "--method", "lqr", "--out", "lqr")
        controller = json.loads((self.folder / "lqr/controller.json").read_text())
        controller["K"] = (0.9 * np.array(controller["K"])).tolist()
        controller["learned_from"] = []
        self.write("K.json", controller)
        done = self.run_program("certify", problem, "--controller", "K.json", "--data", "w.npy",
                                "--certificate", "improvement", "--out", "run")
        if done.returncode == 0:
            self.assertEqual(self.ask("run", "--data", "w.npy")[0], 0)
        else:
            self.assertEqual(done.returncode, 1)
            self.assertIn("lost in rounding", done.stderr)

    def test_another_controller_with_small_gains(self):
        tree = {**PROBLEM, "system": {"A": [[1, 1], [0, 1]], "B": [[0.5e9], [1e9]]},
                "cost": {**PROBLEM["cost"], "R": [0.5e18]}}
        for kind, method in (("hold-out-chi-square", "shrinkage"), ("white", "pac-bayes")):
            run = self.learned(tree, kind, method)
            self.ok("verify", "run/certificate.json", "--data", "w.npy")
            run.controller["K"] = (-np.array(run.controller["K"])).tolist()
            self.assertIn("REFUTED controller", self.ask_run(run)[1])
            self.fails(4, "verify", "run/certificate.json", "--data", "w.npy",
                       says="a different controller")
            self.fails(3, "export", "run/controller.json", "--format", "c", "--out", "c",
                       "--certificate", "run/certificate.json", says="a different controller")

    def test_small_costs_are_compared_as_large_ones(self):
        run = self.learned({**PROBLEM, "cost": {"Q": [1e-10, 1e-11], "R": [5e-11], "P": [2e-10, 2e-11]}},
                           "hold-out-chi-square", "lqr")
        run.certificate["value"] *= 0.999
        for term in run.certificate["terms"]:
            term["value"] *= 0.999
        run.rehash()
        run.write(self.folder / "run")
        self.fails(4, "verify", "run/certificate.json", "--data", "w.npy", says="term")


class NoDigits(CheckerTest):
    def test_a_start_that_costs_far_more(self):
        tree = {"name": "unstable", "horizon": 28, "system": {"A": [[2]], "B": [[1]]},
                "cost": {"Q": [1], "R": [1], "P": [1]},
                "response": {"start": "zero-input"},
                "learning": {"prior": {"center": "lqr", "scale": 0.01}},
                "disturbance": {"scale_bound": 1.0, "covariance": 1.0}}
        problem = self.write("p.json", tree)
        self.fails(1, "learn", problem, "--sample", 60, "--certificate", "scale", "--method",
                   "pac-bayes", "--out", "run", says="lost in rounding")

    def test_a_plant_that_grows(self):
        """1.5^34 = 1e6: the square of that leaves four digits beside one."""
        tree = {"name": "unstable", "horizon": 34, "system": {"A": [[1.5]], "B": [[1]]},
                "cost": {"Q": [1], "R": [1], "P": [1]}, "response": {"start": "lqr"},
                "learning": {"prior": {"center": "lqr", "scale": 0.1}},
                "disturbance": {"scale_bound": 1.0, "covariance": 1.0}}
        self.learned(tree, "scale", "pac-bayes", n=60)
        status, text = self.ask("run", "--data", "w.npy")
        self.assertEqual(status, 0, text)

    def test_inputs_of_too_large_an_effect(self):
        """Two inputs that do the same 7e7-fold: nothing tells them apart in I + S_x'S_x."""
        tree = {"name": "strong", "horizon": 3, "system": {"A": [[0.8]], "B": [[7e7, -4.9e7]]},
                "cost": {"Q": [1], "R": [4.9e15, 2.45e15], "P": [1]},
                "disturbance": {"scale_bound": 1.0, "covariance": 1.0}}
        done = self.run_program("learn", self.write("p.json", tree), "--sample", 40, "--certificate",
                                "scale", "--method", "pac-bayes", "--out", "run")
        self.assertEqual(done.returncode, 1)  # rounding decides whether the factor exists at all
        self.assertRegex(done.stderr, "response.basis|too far apart for double precision")
        tree["response"] = {"basis": "input", "start": "lqr"}
        self.learned(tree, "scale", "pac-bayes")
        status, text = self.ask("run", "--data", "w.npy")
        self.assertEqual(status, 0, text)

    def test_squares_that_vanish(self):
        np.save(self.folder / "w.npy", 1e-165 * np.random.default_rng(1).normal(size=(20, 8)))
        self.fails(3, "learn", self.write("p.json", PROBLEM), "--data", "w.npy", "--method", "lqr",
                   "--certificate", "hold-out-chi-square", "--out", "run", says="no entry larger")

    def test_a_weight_that_is_negative_in_its_own_units(self):
        for key in ("Q", "P"):
            tree = {**PROBLEM, "cost": {**PROBLEM["cost"], key: [1e12, -0.9]}}
            self.fails(3, "learn", self.write("p.json", tree), "--sample", 40, "--method", "lqr",
                       "--certificate", "hold-out-chi-square", "--out", "run", says=f"cost.{key}")


class Repeated(CheckerTest):
    def test_what_taught_does_not_certify(self):
        tree = {**PROBLEM, "data": {"repeated": "keep"}}
        problem = self.write("p.json", tree)
        self.ok("sample", problem, "-n", 10, "--seed", 1, "--out", "w.npy")
        w = np.load(self.folder / "w.npy")
        np.save(self.folder / "twice.npy", np.vstack([w, w]))
        np.save(self.folder / "pairs.npy", np.repeat(w, 2, axis=0))
        learn = ("learn", problem, "--method", "erm", "--out", "run", "--certificate")
        self.fails(3, *learn, "hold-out-chi-square", "--data", "twice.npy", says="in one part only")
        self.fails(3, *learn, "cross-chi-square", "--data", "pairs.npy", says="in one part only")
        split = self.write("s.json", {**tree, "learning": {"prior": {"center": "split"}}})
        self.fails(3, "learn", split, "--data", "twice.npy", "--method", "pac-bayes", "--out", "run",
                   says="in one part only")
        self.ok(*learn, "hold-out-chi-square", "--data", "pairs.npy")  # each pair in one part
        self.assertIn("20 trajectories have only 10 directions", self.ask("run", "--data", "pairs.npy")[1])

    def test_the_checker_sees_it_too(self):
        """Under a Gaussian law it sees any copy; under others one that both taught and certifies."""
        law = {"model": "bounded", "radius": 9.0, "covariance": 0.1}
        split = {"learning": {"prior": {"center": "split", "fraction": 0.5}}}
        any_law = {**PROBLEM, "disturbance": law}
        for kind, method, tree in (
                ("hold-out-chi-square", "erm", PROBLEM), ("cross-chi-square", "erm", PROBLEM),
                ("data-driven", "pac-bayes", {**PROBLEM, **split}),
                ("hold-out-bounded", "erm", any_law), ("cross-bounded", "erm", any_law),
                ("bounded", "pac-bayes", {**any_law, **split})):
            run = self.learned(tree, kind, method)
            run.certificate["inputs"]["problem"]["data"] = {"repeated": "keep"}
            run.data[21] = run.data[0]
            says = "have only 39 directions" if kind == "cross-chi-square" else "for training and"
            self.assertIn(says, self.ask_run(run)[1])


class Answers(CheckerTest):
    """What is chosen for the user does not depend on units."""

    def answer(self, units, inputs, cost, *command):
        tree, w = scaled(units, n=60)
        tree["system"]["B"] = (np.array(tree["system"]["B"]) / inputs).tolist()
        tree["cost"] = {key: (cost * np.array(value)).tolist() for key, value in tree["cost"].items()}
        tree["cost"]["R"] = (np.array(tree["cost"]["R"]) / inputs**2).tolist()
        tree["disturbance"] = {}
        np.save(self.folder / "w.npy", w)
        return self.ok_json(*command[:1], self.write("p.json", tree), "--data", "w.npy", *command[1:])

    def test_plan(self):
        found = []
        for units, inputs, cost in (((1, 1), 1, 1), ((1e-5, 3e4), 1e3, 7e-4)):
            plan = self.answer(units, inputs, cost, "plan", "--method", "auto", "--certificate", "best",
                               "--target", 3.2 * cost, "--trials", 6, "--max-n", 300)
            found.append((plan["enough"], plan["optimal_cost"] / cost, plan["points"][0]["median"] / cost))
        self.assertEqual(found[0][0], found[1][0])
        for one, other in zip(found[0][1:], found[1][1:]):
            self.assertAlmostEqual(other / one, 1, delta=1e-6)

    # One of these beside auto with best, plant by plant.
    OTHERS = (("lqr", "best"), ("shrinkage", "best"), ("shrinkage", "cross-chi-square"),
              ("shrinkage", "cross-scale-free"), ("lqr", "hold-out-chi-square"),
              ("lqr", "hold-out-scale-free"), ("shrinkage", "hold-out-chi-square"),
              ("lqr", "hold-out-relative"), ("shrinkage", "cross-relative"),
              ("lqr", "hold-out-white"), ("shrinkage", "hold-out-white"), ("lqr", "hold-out-known"),
              ("shrinkage", "hold-out-known"), ("lqr", "assumed-covariance"), ("auto", "cross-known"))

    def files_in(self, plant, units):
        np.save(self.folder / "w.npy", plant.trajectories(units))
        return self.write("p.json", plant.tree(units)), "--data", "w.npy"

    def learned_in(self, plant, units, method, kind):
        """What learn says, in the units of the plant; or why it says nothing."""
        out = self.folder / "run"
        shutil.rmtree(out, ignore_errors=True)
        done = self.run_program("learn", *self.files_in(plant, units), "--method", method,
                                "--certificate", kind, "--out", out)
        if done.returncode != 0:
            self.assertIn(done.returncode, (1, 3), done.stderr)
            return {"refused": done.returncode}
        K = np.array(json.loads((out / "controller.json").read_text())["K"])
        found = {"K": K * np.tile(units.x, plant.T + 1) / np.tile(units.u, plant.T)[:, None]}
        run = json.loads((out / "run.json").read_text())
        found["deployed"] = [run["details"].get(key) for key in ("deployed", "colour", "way")]
        found["warnings"] = [warning["id"] for warning in run["warnings"]
                             if units.one or "scale" not in warning["id"]]
        for key in ("empirical_cost", "lqr_empirical_cost", "population_cost", "optimal_cost"):
            found[key] = run[key] and run[key] / units.cost
        for name in ("certificate", "improvement"):
            path = out / f"{name}.json"
            if not path.exists():
                continue
            record = json.loads(path.read_text())
            rows = record.get("all") or [{**record, "status": "computed", "delta": 0.05}]
            for row in rows:
                if row["kind"] not in SCALED_KINDS or units.one:
                    found[name, row["kind"]] = (row["status"], row["delta"],
                                                row["value"] and row["value"] / units.cost)
        return found

    def test_random_plants(self):
        count, first = (int(os.environ.get(f"LOOPCERT_UNIT_{name}", usual))
                        for name, usual in (("PLANTS", 120), ("SEED", 0)))
        for i in range(count):
            seed = 1000000 * first + i
            plant = Plant(seed)
            one = plant.bounds["scale_bound"] and i % 2 == 0
            other = UnitsOf(plant, np.random.default_rng([seed, 1]), one)
            for method, kind in (("auto", "best"), self.OTHERS[i % len(self.OTHERS)]):
                with self.subTest(seed=seed, method=method, kind=kind):
                    found = [self.learned_in(plant, units, method, kind)
                             for units in (UnitsOf(plant, one=one), other)]
                    self.same(*found)

    def test_plans_of_random_plants(self):
        for seed in range(2000, 2020):
            plant = Plant(seed)
            one = plant.bounds["scale_bound"]
            found = []
            for units in (UnitsOf(plant, one=one), UnitsOf(plant, np.random.default_rng(seed), one)):
                command = "plan", *self.files_in(plant, units), "--trials", 3, "--max-n", 60, \
                    "--method", "auto", "--certificate", "best"
                # Twice the smallest cost is somewhere between out of reach and at once.
                least = self.ok_json(*command, "--target", 1e-9 * units.cost)["optimal_cost"]
                plan = self.ok_json(*command, "--target", 2 * least)
                found.append([plan["enough"], plan["optimal_cost"] / units.cost] +
                             [(point["n"], point["share_below"], point["median"] / units.cost)
                              for point in plan["points"]])
            with self.subTest(seed=seed):
                self.assertEqual(len(found[0]), len(found[1]))
                self.assertEqual(found[0][0], found[1][0])
                for a, b in zip(np.hstack(found[0][1:]), np.hstack(found[1][1:])):
                    self.assertAlmostEqual(b, a, delta=1e-6 * abs(a))

    def same(self, one, other):
        self.assertEqual(one.keys(), other.keys())
        for key, value in one.items():
            if key == "K":
                self.assertLess(np.max(np.abs(other[key] - value), initial=0),
                                1e-6 * np.max(np.abs(value), initial=1e-300))
            elif isinstance(value, tuple):
                self.assertEqual(value[0], other[key][0], key)
                # A difference of nothing is rounding.
                least = 1e-9 * one["lqr_empirical_cost"] if "improvement" in key[0] else 0
                for a, b in zip(value[1:], other[key][1:]):
                    self.assertTrue(a == b or abs(a - b) <= max(1e-6 * abs(a), least),
                                    (key, value, other[key]))
            elif isinstance(value, float):
                self.assertAlmostEqual(other[key] / value, 1, delta=1e-6, msg=key)
            else:
                self.assertEqual(value, other[key], key)

    def test_an_offset_without_an_affine_response(self):
        tree, w = scaled((1, 1), n=60)
        tree["system"]["d"] = [0.1, 0.2]
        tree["disturbance"] = {}
        np.save(self.folder / "w.npy", w)
        for method in ("auto", "ridge", "erm", "lqr"):
            self.ok("learn", self.write("p.json", tree), "--data", "w.npy", "--method", method,
                    "--certificate", "best", "--out", method)
            status, text = self.ask(method, "--data", "w.npy")
            self.assertEqual(status, 0, text)


if __name__ == "__main__":
    unittest.main()

"""loopcert-verify: certificates that limits hold. Honest ones, derived a second time by NumPy
(support/limits_records.py) or written by loopcert, are verified; every forged change is refused."""

import copy
import unittest
import unittest.mock

import numpy as np

import honest_runs
import limits_records as records
from checker import CheckerTest
from limits_runs import BOX, WHITE, honest


class LimitsTest(CheckerTest):
    def setUp(self):
        super().setUp()
        (self.folder / "run").mkdir()

    def asked(self, run, *arguments, hashes=True):
        if hashes:
            run.rehash()
        run.write(self.folder / "run")
        return self.ask_all("run", *arguments)

    def verified(self, run, what, *arguments):
        status, text = self.asked(run, *arguments)
        self.assertEqual(status, 0, f"{what}: {text}")
        value, stated = float(text.split(": ")[1].split()[0]), run.certificate["value"]
        self.assertLessEqual(abs(value - stated), 1e-8 * stated + 2e-12, what)
        return text

    def refused(self, run, what, *arguments, says="", hashes=True):
        status, text = self.asked(run, *arguments, hashes=hashes)
        self.assertIn(status, (1, 3), f"{what}: {text}")
        self.assertNotIn("VERIFIED", text, what)
        self.assertIn(says, text, what)

    def forge(self, run, what, change, *arguments, says="", hashes=True):
        other = run.copy()
        change(other)
        self.refused(other, what, *arguments, says=says, hashes=hashes)


def set_value(run, value):
    run.certificate["value"] = value
    run.certificate["terms"][0]["value"] = value


def scaled_rows(run, factor):
    for row in run.certificate["inputs"]["problem"]["limits"]["rows"]:
        for key in ("min", "max"):
            if key in row:
                row[key] *= factor


class Honest(LimitsTest):
    def all_verified(self, group):
        for seed in (1, 2):
            for label, run in honest(seed, [group]):
                with self.subTest(label, seed=seed):
                    text = self.verified(run, label)
                    self.assertIn("limits: ", text)
                    self.assertEqual(text.count("assuming: ") >= len(run.certificate["assumptions"]), True)

    def test_given_controllers(self):
        self.all_verified("given")

    def test_what_owes_nothing_to_data(self):
        self.all_verified("fixed")

    def test_folds(self):
        self.all_verified("cross")

    def test_paths(self):
        self.all_verified("path")

    def test_more_is_still_true(self):
        for label, run in honest(3, ["given"]):
            if run.certificate["value"] < 0.9:
                set_value(run, run.certificate["value"] + 0.01)
                status, text = self.asked(run)
                self.assertEqual(status, 0, f"{label}: {text}")

    def test_the_problem_may_be_compared(self):
        """In the short forms of a problem file, too."""
        random = np.random.default_rng(5)
        problem = records.problem_of(random, kind="limits-tolerance")
        run = records.given(random, problem, records.data_of(random, problem, 40))
        own = copy.deepcopy(problem)
        one_side = own["limits"]["rows"][-1]
        one_side.pop("steps")
        one_side["steps"] = [1, 3]
        own["limits"] = {"u": [-3, 3], "x": [[-6, 7], [-6, 7]], "rows": [one_side], "probability": 0.05}
        self.verified(run, "short forms", "--problem", self.write("own.json", own))
        for change in (lambda l: l.update(u=[-3, 4]), lambda l: l.pop("x"), lambda l: l.pop("rows"),
                       lambda l: l.update(probability=0.1), lambda l: l["rows"][0].update(steps=[1, 2]),
                       lambda l: (l.pop("probability"), l.update(each=0.05)),
                       lambda l: (l.pop("probability"), l.update(robust=True, box=1.0))):
            other = copy.deepcopy(own)
            change(other["limits"])
            self.refused(run, "own limits", "--problem", self.write("own.json", other), says="limits")
        del own["limits"]
        self.refused(run, "no limits", "--problem", self.write("own.json", own), says="limits")

    def test_the_cost_of_a_path(self):
        random = np.random.default_rng(4)
        problem = records.problem_of(random)
        run = records.cost_of_path(random, problem, records.data_of(random, problem, 10))
        status, text = self.asked(run)
        self.assertEqual(status, 0, text)
        for what, change in {
                "fewer choices": lambda r: r.certificate["events"][0].update(choices=1),
                "a shorter path": lambda r: r.certificate["inputs"]["limits_path"].update(length=3),
                "no more than its place": lambda r: r.certificate["inputs"]["limits_path"].update(length=1),
                "without a path": lambda r: r.certificate["inputs"]["problem"].pop("limits"),
                "one controller": lambda r: r.certificate["assumptions"][0].update(id="controller-fixed"),
                "less": lambda r: (r.certificate.update(value=0.99 * r.certificate["value"]),
                                   r.certificate["terms"][1].update(value=0.98 * r.certificate["terms"][1]["value"])),
                "n": lambda r: r.certificate.update(n=8)}.items():
            self.forge(run, what, change)


class Forged(LimitsTest):
    def forge_numbers(self, run, label):
        value = run.certificate["value"]
        for factor in (0.999, 0.5, 0):
            if value > 1e-9:
                self.forge(run, f"{label}: {factor} of its value",
                           lambda r, f=factor: set_value(r, f * value))
        if value > 1e-9:
            self.forge(run, f"{label}: a term",
                       lambda r: r.certificate["terms"][0].update(value=0.9 * value))
        for number in (float("nan"), float("inf"), -1, "0", None):
            if number is None or isinstance(number, str) or value > 1e-9 or number != number:
                self.forge(run, f"{label}: {number}", lambda r, v=number: set_value(r, v))
        for key, other in {"functional": {"id": "cost", "parameters": {}}, "subject": "mean-response",
                           "oracle": True, "terms": [], "kl": 1.0, "confidence": 0.9999999,
                           "format": "loopcert certificate 1"}.items():
            if not (key == "confidence" and not run.certificate["events"]):
                self.forge(run, f"{label}: {key}", lambda r, k=key, v=other: r.certificate.update({k: v}))
        for more in (1, -1):
            self.forge(run, f"{label}: n", lambda r, m=more: r.certificate.update(n=r.certificate["n"] + m))

    def forge_statements(self, run, label):
        for i, event in enumerate(run.certificate["events"]):
            what = f"{label}: event {i}"
            chosen = event["kind"] in (None, run.certificate["chosen"])
            self.forge(run, f"{what} dropped", lambda r: r.certificate["events"].pop(i))
            for key, other in {"id": "mean", "choices": event["choices"] + 1,
                               "fold": 7, "kind": "limits-robust"}.items():
                if chosen or key == "kind":
                    self.forge(run, f"{what}: {key}",
                               lambda r, k=key, v=other: r.certificate["events"][i].update({k: v}))
            for factor in (0.99, 1.01, 0):
                def delta(r, f=factor):
                    r.certificate["events"][i]["delta"] *= f
                    r.certificate["confidence"] = 1 - sum(e["delta"] for e in r.certificate["events"])
                self.forge(run, f"{what}: delta", delta)
            for name in event["statement"]["parameters"] if chosen else ():
                for factor, more in ((1.001, 0), (1, 1), (0, -1)):
                    def change(r, n=name, f=factor, m=more):
                        parameters = r.certificate["events"][i]["statement"]["parameters"]
                        parameters[n] = f * parameters[n] + m
                    if factor != 1.001 or event["statement"]["parameters"][name] != 0:
                        self.forge(run, f"{what}: {name}", change)
        for i in range(len(run.certificate["assumptions"])):
            self.forge(run, f"{label}: assumption {i}", lambda r: r.certificate["assumptions"].pop(i))
            self.forge(run, f"{label}: assumption {i}",
                       lambda r: r.certificate["assumptions"][i].update(id="same-plant"))
            self.forge(run, f"{label}: assumption {i}",
                       lambda r: r.certificate["assumptions"][i]["parameters"].update(scale=0.5))

    def forge_files(self, run, label):
        problem, limits = run.certificate["inputs"]["problem"], run.certificate["inputs"]["problem"]["limits"]
        own = self.write("own.json", problem)
        sure = run.certificate["value"] < 0.9
        if sure:
            self.forge(run, f"{label}: narrow limits", lambda r: scaled_rows(r, 1e-4))
        for what, change in {"wide limits": lambda r: scaled_rows(r, 1.5),
                             "a row less": lambda r: r.certificate["inputs"]["problem"]["limits"]["rows"].pop(0),
                             "fewer steps": lambda r: r.certificate["inputs"]["problem"]["limits"]["rows"][0].update(steps=[0, 0]),
                             "no limits": lambda r: r.certificate["inputs"]["problem"].pop("limits"),
                             "another delta": lambda r: r.certificate["inputs"]["problem"]["limits"].update(delta=0.1)}.items():
            if limits["rows"][0]["steps"] == [0, 0] and what == "fewer steps":
                continue
            readable = what != "no limits" and (what != "a row less" or len(limits["rows"]) > 1)
            self.forge(run, f"{label}: {what}, old hash", change, says="SHA-256" if readable else "",
                       hashes=False)
            if what != "another delta":
                self.forge(run, f"{label}: {what}, new hash", change, "--problem", own)
        if run.certificate["events"]:
            self.forge(run, f"{label}: more delta",
                       lambda r: r.certificate["inputs"]["problem"]["limits"].update(delta=0.1))
        self.forge(run, f"{label}: kind", lambda r: r.certificate["inputs"]["problem"]["limits"].update(
            kind="limits-count" if limits["kind"] != "limits-count" else "limits-tolerance"))
        for name in ("limits-tolerance", "limits-count", "limits-envelope", "limits-assumed", "limits-robust",
                     "limits-best", "best", "hold-out"):
            if name != run.certificate["kind"]:
                self.forge(run, f"{label}: kind {name}", lambda r: r.certificate.update(kind=name))
            if run.certificate["chosen"] not in (None, name):
                self.forge(run, f"{label}: chosen {name}", lambda r: r.certificate.update(chosen=name))
        def data(r):
            r.data[0, 0] *= 1.5
        self.forge(run, f"{label}: data, old hash", data, hashes=False, says="SHA-256")
        def twice(r):
            r.data[-1] = r.data[0]
        if len(run.data) > 1:
            self.forge(run, f"{label}: a trajectory twice", twice)
        def gains(r):
            r.controller["K"] = (1.01 * np.array(r.controller["K"])).tolist()
        if np.any(run.controller["K"]):
            self.forge(run, f"{label}: gains", gains, hashes=False)

    def all_forged(self, group):
        for label, run in honest(1, [group]):
            with self.subTest(label):
                self.verified(run, label)
                self.forge_numbers(run, label)
                self.forge_statements(run, label)
                self.forge_files(run, label)
                if "limits_path" in run.certificate["inputs"]:
                    self.forge_path(run, label)

    def forge_path(self, run, label):
        path = run.certificate["inputs"]["limits_path"]
        place, size = path["place"], run.arrays["responses"][f"Phi_u_path_{path['place']}"].shape
        for what, change in {"place": {"place": place + 1}, "a shorter one": {"length": place - 1},
                             "passed": {"passed": not path["passed"]}, "a word": {"passed": "yes"},
                             "more": {"more": 1}}.items():
            self.forge(run, f"{label}: {what}", lambda r, c=change: r.certificate["inputs"]["limits_path"].update(c))
        if place > 1:
            self.forge(run, f"{label}: first place",
                       lambda r: r.certificate["inputs"]["limits_path"].update(place=1))
            self.forge(run, f"{label}: none before",
                       lambda r: (r.arrays["responses"].pop("Phi_u_path_1"), r.arrays["responses"].pop("phi_u_path_1")))
        self.forge(run, f"{label}: none", lambda r: r.certificate["inputs"].pop("limits_path"))
        def way(r):
            r.certificate["inputs"]["deployment"]["way"] = "fixed"
        self.forge(run, f"{label}: fixed", way)
        if path["passed"]:
            target = run.certificate["value"]
            for value in (0.9 * target, 1.1 * target, np.nextafter(target, 1)):
                self.forge(run, f"{label}: not the target", lambda r, v=float(value): set_value(r, v))
            def lower(r):
                limits = r.certificate["inputs"]["problem"]["limits"]
                limits["each" if "each" in limits else "probability"] = 1e-9
                set_value(r, 1e-9)
            self.forge(run, f"{label}: a lower target", lower)
        for i in range(1, place):
            def wild(r, i=i):
                r.arrays["responses"][f"Phi_u_path_{i}"] *= 100
            self.forge(run, f"{label}: {i} is wild", wild, says=f"controller {i} does not pass")
        def last(r):
            r.arrays["responses"][f"Phi_u_path_{place}"] *= 1.001
        self.forge(run, f"{label}: another last", last)
        def late(r):
            r.arrays["responses"]["Phi_u_path_1"][0, size[1] - 1] = 1e-300
        self.forge(run, f"{label}: not causal", late, says="not causal")
        def nan(r):
            r.arrays["responses"]["Phi_u_path_1"][0, 0] = np.nan
        self.forge(run, f"{label}: not a number", nan)
        def constant(r):
            r.arrays["responses"]["phi_u_path_1"][0] = 1e-9
        self.forge(run, f"{label}: a constant", constant)

    def test_given_controllers(self):
        self.all_forged("given")

    def test_what_owes_nothing_to_data(self):
        self.all_forged("fixed")

    def test_folds(self):
        self.all_forged("cross")

    def test_paths(self):
        self.all_forged("path")

    def test_data_outside_of_the_set(self):
        random = np.random.default_rng(2)
        for options in (BOX, {"robust": True, "step_radius": 0.45}):
            problem = records.problem_of(random, kind="limits-robust", limits=options)
            data = records.data_of(random, problem, 20)
            data[3, 2] = 0.5
            self.refused(records.given(random, problem, data), "outside", says="outside of the set")


class Counterexamples(LimitsTest):
    """Records that say what holds for one row, or for one side of it."""

    def test_episodes_with_any_violation_count(self):
        random = np.random.default_rng(6)
        problem = records.problem_of(random, kind="limits-count")
        run = records.given(random, problem, records.data_of(random, problem, 60))
        for _ in range(40):  # narrower, until different episodes break different rows
            scaled_rows(run, 0.8)
            loop = records.Loop.of_gains(problem, np.array(run.controller["K"]), np.array(run.controller["k"]))
            rows = records.Rows(run.certificate["inputs"]["problem"], loop)
            values = rows.m + run.data @ rows.a.T
            out = (values < rows.low) | (values > rows.high)
            most, any_row = int(out.sum(axis=0).max()), int(out.any(axis=1).sum())
            if 0 < most < any_row < 60:
                break
        for count, true in ((any_row, True), (most, False)):
            run.certificate["events"][0]["statement"]["parameters"]["violations"] = count
            set_value(run, records.count_above(count, 60, problem["limits"]["delta"]) + 1e-12)
            (self.verified if true else self.refused)(run, f"{count} violations")

    def test_who_learned_from_all_data_has_none_left(self):
        for kind in ("limits-tolerance", "limits-count"):
            random = np.random.default_rng(8)
            problem = records.problem_of(random, kind=kind, method="shrinkage")
            run = records.fixed(problem, records.data_of(random, problem, 60))
            run.certificate["inputs"]["deployment"] = {"method": "shrinkage", "way": "whole"}
            self.refused(run, f"{kind}, learned from all", says="trajectories of its own")

    def test_a_path_passes_at_its_target(self):
        random = np.random.default_rng(9)
        problem = records.problem_of(random, kind="limits-tolerance", method="shrinkage")
        data = records.data_of(random, problem, 300)
        run = records.path(random, problem, data, 1)
        inputs, part = run.certificate["inputs"], run.arrays["responses"]
        loop = records.Loop(inputs["problem"], np.hstack([part["phi_u_path_1"], part["Phi_u_path_1"]]))
        bound = records.one("limits-tolerance", inputs["problem"], loop, data[150:], data, problem["limits"]["delta"])
        for target, passes in ((1.01 * bound.value, True), (bound.value / 1.1, False)):
            inputs["problem"]["limits"]["probability"] = target
            set_value(run, target)
            (self.verified if passes else self.refused)(run, f"target {target}")

    def test_what_comes_after_a_failure_is_not_deployed(self):
        random = np.random.default_rng(10)
        problem = records.problem_of(random, kind="limits-tolerance", method="shrinkage")
        run = records.path(random, problem, records.data_of(random, problem, 300), 0)
        self.verified(run, "the first, which fails")
        part = run.arrays["responses"]
        part["Phi_u_path_2"], part["phi_u_path_2"] = part["Phi_u_path_1"], part["phi_u_path_1"]
        run.certificate["inputs"]["limits_path"]["place"] = 2
        self.refused(run, "the second, after a failure", says="not deployed")

    def test_every_fold_has_its_response(self):
        random = np.random.default_rng(11)
        problem = records.problem_of(random, kind="limits-tolerance", method="shrinkage")
        run = records.cross(random, problem, records.data_of(random, problem, 90))
        self.verified(run, "three folds")
        for folds in (2, 4):
            run.certificate["inputs"]["problem"]["certificate"]["folds"] = folds
            self.refused(run, f"{folds} folds, three responses")

    def test_robust_rows_reach_as_far_as_the_set_pushes(self):
        random = np.random.default_rng(7)
        for limits in (BOX, {"robust": True, "step_radius": 0.45}):
            problem = records.problem_of(random, kind="limits-robust", limits=limits)
            run = records.given(random, problem, records.data_of(random, problem, 20))
            row = run.certificate["inputs"]["problem"]["limits"]["rows"]
            del row[1:]
            row[0]["steps"] = [2, 2]
            loop = records.Loop.of_gains(problem, np.array(run.controller["K"]), np.array(run.controller["k"]))
            steps = records.Rows(run.certificate["inputs"]["problem"], loop).a.reshape(-1, 2)
            reach = (0.3 * np.abs(steps).sum() if "box" in limits else
                     0.45 * np.linalg.norm(steps, axis=1).sum())
            for side, sign in (("min", -1), ("max", 1)):
                for share in (0.97, 1.03):
                    row[0].update({"min": -1e3, "max": 1e3} | {side: sign * share * reach})
                    set_value(run, 1 if share < 1 else 0)
                    self.verified(run, f"{side} {share}")
                    if share < 1:
                        set_value(run, 0)
                        self.refused(run, f"{side} {share}")

    def test_a_row_whose_mean_is_outside(self):
        random = np.random.default_rng(12)
        problem = records.problem_of(random, kind="limits-tolerance", offset=True)
        row = problem["limits"]["rows"]
        del row[:1], row[1:]
        row[0]["steps"] = [2, 2]
        data = records.data_of(random, problem, 60)
        run = records.given(random, problem, data)
        loop = records.Loop.of_gains(problem, np.array(run.controller["K"]), np.array(run.controller["k"]))
        mean = float(records.Rows(problem, loop).m[0])
        row = run.certificate["inputs"]["problem"]["limits"]["rows"]
        row[0].update(min=mean - 1e3, max=mean - 1)
        set_value(run, 1)
        self.verified(run, "always")
        set_value(run, 1e-6)
        self.refused(run, "never")

    def test_a_path_has_the_length_of_the_rule(self):
        random = np.random.default_rng(4)
        problem = records.problem_of(random)
        with unittest.mock.patch.object(records, "LENGTH", 7):
            run = records.cost_of_path(random, problem, records.data_of(random, problem, 10))
        run.certificate["inputs"]["limits_path"]["length"] = 7
        self.refused(run, "seven", says="not that of the rule")


class OfTheLibrary(LimitsTest):
    """The same questions about what learn writes."""

    def test_learned(self):
        tree = records.problem_of(np.random.default_rng(1), law=WHITE)
        for key in ("learning", "certificate", "response"):
            del tree[key]
        tree["disturbance"]["covariance"] = 0.1
        problem = self.write("problem.json", tree)
        self.ok("sample", problem, "-n", 200, "--seed", 3, "--out", "w.npy")
        for method in ("shrinkage", "lqr"):
            self.ok("learn", problem, "--data", "w.npy", "--method", method, "--certificate", "best", "--out",
                    "learned")
            run = honest_runs.Run(self.folder / "learned", self.folder / "w.npy", "limits.json")
            label = f"learned, {method}"
            self.verified(run, label)
            Forged.forge_numbers(self, run, label)
            Forged.forge_statements(self, run, label)
            self.assertEqual(self.ask("learned", "--data", "w.npy")[0], 0)


if __name__ == "__main__":
    unittest.main()

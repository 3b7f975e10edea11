"""loopcert-verify: kinds identified, hold-out-identified and cross-identified, alone and in best, for
known plants under disturbances whose colour the trajectories tell."""

import copy
import unittest

import numpy as np

import coloured
import honest_runs
from checker import CheckerTest

KINDS = {"identified": ("identified", "auto", "lqr", "shrinkage"),
         "cross-identified": ("identified", "shrinkage"),
         "hold-out-identified": ("identified", "lqr"),
         "best": ("identified", "auto", "lqr")}
OFFSET = [[0.1 * (-1)**t] for t in range(20)]  # of the plant `long`


class IdentifiedTest(CheckerTest):
    def run_of(self, name, kind, method, seed=1, offset=None, **law):
        """An honest run of learn, as folder `run`."""
        problem = copy.deepcopy(coloured.PLANTS[name][0])
        problem["disturbance"].update(law)
        if offset:
            problem["system"]["d"] = offset
        np.save(self.folder / "w.npy", coloured.draw(name, seed))
        self.ok("learn", self.write("problem.json", problem), "--data", "w.npy", "--certificate",
                kind, "--method", method, "--out", "run")
        return honest_runs.Run(self.folder / "run", self.folder / "w.npy")

    def certified(self, name, kind, seed=1):
        """The controller of `run_of`, certified on fresh trajectories, as folder `run`."""
        self.run_of(name, "identified", "identified", seed)
        np.save(self.folder / "fresh.npy", coloured.draw(name, seed + 1000))
        self.ok("certify", "problem.json", "--controller", "run/controller.json", "--data",
                "fresh.npy", "--certificate", kind, "--out", "certified")
        (self.folder / "run").rename(self.folder / "before")
        (self.folder / "certified").rename(self.folder / "run")
        run = honest_runs.Run(self.folder / "run", self.folder / "fresh.npy")
        for path in (self.folder / "before").iterdir():
            path.unlink()
        (self.folder / "before").rmdir()
        return run

    def verified(self, run, what):
        status, text = self.ask_run(run)
        self.assertEqual(status, 0, f"{what}: {text}")
        value, stated = float(text.split(": ")[1].split()[0]), run.certificate["value"]
        self.assertLessEqual(abs(value - stated), 1e-5 * stated, what)
        return text

    def refused(self, run, says="", what=""):
        status, text = self.ask_run(run)
        self.assertIn(status, (1, 3), f"{what}: {text}")
        self.assertNotIn("VERIFIED", text, what)
        self.assertIn(says, text, what)


class Honest(IdentifiedTest):
    def check_plant(self, name):
        chosen = set()
        for kind, methods in KINDS.items():
            for method in methods:
                run = self.run_of(name, kind, method)
                what = f"{name}, {kind}, {method}"
                text = self.verified(run, what)
                found = run.certificate["chosen"] or kind
                chosen.add(found)
                self.assertEqual("identified" in found, "= Phi_1 w_{t-1}" in text, what)
        for kind in ("hold-out-identified", "identified", "best"):
            self.verified(self.certified(name, kind), f"{name}, certify {kind}")
        return chosen

    def test_plants(self):
        for name in coloured.PLANTS:
            with self.subTest(name):
                self.check_plant(name)

    def test_best_takes_each_of_them(self):
        """With an offset only the kind that holds for all responses is left of the small ones."""
        self.assertEqual(self.run_of("long", "best", "identified").certificate["chosen"],
                         "cross-frobenius")
        run = self.run_of("long", "best", "auto")
        self.assertEqual(run.certificate["chosen"], "hold-out-frobenius")
        choices = {kind: [e["choices"] for e in run.certificate["events"] if e["kind"] == kind]
                   for kind in ("hold-out-all", "hold-out-frobenius", "hold-out-identified")}
        self.assertEqual(choices, {"hold-out-all": [3], "hold-out-frobenius": [3],
                                   "hold-out-identified": [1, 1, 1]})
        run = self.run_of("long", "best", "identified", offset=OFFSET)
        self.assertEqual(run.certificate["chosen"], "identified")

    def test_offsets(self):
        """Only what holds for all responses allows one."""
        problem = copy.deepcopy(coloured.PLANTS["long"][0])
        problem["system"]["d"] = OFFSET
        np.save(self.folder / "w.npy", coloured.draw("long", 1))
        for response in ({}, {"affine": True}):
            self.write("problem.json", dict(problem, response=response))
            for kind, method in (("identified", "identified"), ("identified", "lqr"),
                                 ("best", "identified"), ("best", "lqr")):
                self.ok("learn", "problem.json", "--data", "w.npy", "--certificate", kind,
                        "--method", method, "--out", "run")
                run = honest_runs.Run(self.folder / "run", self.folder / "w.npy")
                self.verified(run, f"{response} {kind} {method}")
                if method == "identified":
                    self.assertEqual(run.certificate["chosen"] or kind, "identified")
                    other = run.copy()
                    scale_terms(other, 0.99)
                    self.refused(other, "the record says", "an offset, less")

    def test_the_problem_may_be_compared(self):
        self.run_of("two states", "identified", "identified")
        own = copy.deepcopy(coloured.PLANTS["two states"][0])
        self.assertEqual(self.ask("run", "--data", "w.npy", "--problem", "problem.json")[0], 0)
        own["disturbance"]["autoregressive"] = 2
        status, text = self.ask("run", "--data", "w.npy", "--problem", self.write("own.json", own))
        self.assertEqual((status, "disturbance.autoregressive is not that of --problem" in text),
                         (1, True), text)

    def test_certify_shares_delta_as_learn_does(self):
        learned = self.run_of("two states", "hold-out-identified", "lqr").certificate["events"]
        certified = self.certified("two states", "hold-out-identified")
        parts = {event["id"]: event["delta"] for event in certified.certificate["events"]}
        self.assertEqual(parts, {event["id"]: event["delta"] for event in learned})
        self.assertAlmostEqual(parts["chernoff"], 27 * parts["model"])
        self.verified(certified, "certify")
        for event in certified.certificate["events"]:
            event["delta"] = 0.0125
        self.refused(certified, "delta")

    def test_a_stated_covariance_of_another_colour(self):
        """As with white: the file must not contradict itself."""
        tree = copy.deepcopy(coloured.PLANTS["one state"][0])
        T, d = tree["horizon"], 1
        np.save(self.folder / "w.npy", coloured.draw("one state", 1))
        lagged = np.abs(np.subtract.outer(np.arange(T), np.arange(T)))
        two_steps = np.where(lagged % 2 == 0, 0.8 ** (lagged / 2), 0)  # every other step
        growing = np.diag(1.0 + np.arange(T))  # white, but of another size in each step
        linked = 0.8 ** lagged
        for what, w, cross, lags, allowed in (
                ("AR(1)", linked, 0, 1, True), ("AR(1)", linked, 0, 2, True), ("white", np.eye(T), 0, 1, True),
                ("every other", two_steps, 0, 1, False), ("every other", two_steps, 0, 2, True),
                ("growing", growing, 0, 1, False), ("with the start", linked, 0.1, 1, False)):
            covariance = np.eye(T + d)
            covariance[d:, d:] = w
            covariance[0, T] = covariance[T, 0] = cross
            tree["disturbance"] = {"autoregressive": lags, "covariance": covariance.tolist()}
            problem = self.write("problem.json", tree)
            for command in (["learn", "--method", "lqr", "--certificate", "best"],
                            ["certify", "--controller", "run/controller.json", "--certificate", "identified"]):
                name, *options = command
                done = self.run_program(name, problem, "--data", "w.npy", *options, "--out", "run")
                with self.subTest(f"{what}, {lags} lags, {name}"):
                    self.assertEqual(done.returncode == 0, allowed, done.stderr)
                    if not allowed:
                        self.assertEqual(done.returncode, 3)
                        self.assertIn("disturbance.autoregressive: found", done.stderr)
                        self.assertEqual(len(done.stderr.strip().split("\n")), 1, done.stderr)

    def test_training_data_may_certify_what_holds_for_all(self):
        """For a controller from elsewhere: not where it must have been fixed before."""
        run = self.certified("one state", "identified")
        hashes = [honest_runs.sha256(row.astype("<f8").tobytes())[:16] for row in run.data]
        run.controller["learned_from"] = hashes
        self.verified(run, "identified")
        run = self.certified("one state", "hold-out-identified")
        run.controller["learned_from"] = hashes
        self.refused(run, "was learned from trajectory 1")


def drop_event(run, name):
    run.certificate["events"] = [e for e in run.certificate["events"] if e["id"] != name]
    run.certificate["confidence"] = 1 - sum(e["delta"] for e in run.certificate["events"])


def scale_terms(run, factor):
    run.certificate["value"] *= factor
    for term in run.certificate["terms"]:
        term["value"] *= factor


def move_delta(run, giver, taker):
    events = {e["id"]: e for e in run.certificate["events"]}
    moved = events[giver]["delta"] / 2
    events[giver]["delta"] -= moved
    events[taker]["delta"] += moved


class Forged(IdentifiedTest):
    def forge(self, run, what, change, says=""):
        other = run.copy()
        change(other)
        self.refused(other, says, what)

    def forge_statements(self, run, label):
        """Changes that no kind allows."""
        tree = run.certificate

        def parameter(place, i, name, value):
            def change(other):
                part = other.certificate[place][i]
                part.get("statement", part)["parameters"][name] = value
            return change

        chosen = tree["chosen"]  # of the others only the shares count
        for i, event in enumerate(tree["events"]):
            if event["kind"] != chosen:
                continue
            for name, value in event["statement"]["parameters"].items():
                self.forge(run, f"{label} {event['id']} {name}",
                           parameter("events", i, name, value * 1.001), "its statement is another")
            if event["id"] in ("model", "noise", "start"):
                def fold(other, i=i):
                    other.certificate["events"][i]["fold"] = 1
                self.forge(run, f"{label} fold of {event['id']}", fold)
                self.forge(run, f"{label} without {event['id']}",
                           lambda other, name=event["id"]: drop_event(other, name))
        for i, stated in enumerate(tree["assumptions"]):
            for name, value in stated["parameters"].items():
                self.forge(run, f"{label} {stated['id']} {name}",
                           parameter("assumptions", i, name, value + 1), "")

            def without(other, i=i):
                del other.certificate["assumptions"][i]
            self.forge(run, f"{label} without {stated['id']}", without)

        def more_lags(other):
            other.certificate["inputs"]["problem"]["disturbance"]["autoregressive"] = 2

        def no_lags(other):
            del other.certificate["inputs"]["problem"]["disturbance"]["autoregressive"]

        def not_centred(other):
            other.certificate["inputs"]["problem"]["disturbance"]["zero_mean"] = False

        for change in (more_lags, no_lags, not_centred):
            self.forge(run, f"{label} {change.__name__}", change)

    def test_records(self):
        runs = {kind: self.run_of("two states", kind, "identified")
                for kind in ("identified", "cross-identified", "hold-out-identified")}
        runs["certify"] = self.certified("two states", "hold-out-identified")
        for label, run in runs.items():
            with self.subTest(label):
                self.verified(run.copy(), label)
                # A lambda is the best one, so that less is less than any gives.
                self.forge(run, f"{label} value", lambda other: scale_terms(other, 0.99),
                           "the record says")
                self.forge_statements(run, label)
                for giver, taker in (("start", "model"), ("noise", "start")):
                    self.forge(run, f"{label} delta of {giver} to {taker}",
                               lambda other, g=giver, t=taker: move_delta(other, g, t), "its delta")

                def other_data(other):
                    other.data = coloured.draw("two states", 77)
                    if label == "certify":
                        other.data = other.data[:len(run.data)]

                def fewer(other):
                    other.data = other.data[:-5]
                    other.certificate["n"] -= 5

                self.forge(run, f"{label} data", other_data)
                self.forge(run, f"{label} fewer data", fewer)

                def support(other):
                    place = [s["id"] for s in other.certificate["assumptions"]].index("model")
                    other.certificate["assumptions"].insert(
                        place, {"id": "support", "parameters": {"directions": 1, "states": 2}})

                self.forge(run, f"{label} support", support, "more directions than support says")
                kinds = {"identified", "hold-out-identified", "cross-identified", "hold-out"}
                for kind in kinds - {run.certificate["kind"]}:
                    def rename(other, kind=kind):
                        other.certificate["kind"] = kind
                        other.certificate["chosen"] = None
                        other.certificate["inputs"]["problem"]["certificate"]["kind"] = kind

                    self.forge(run, f"{label} as {kind}", rename)

    def test_portfolios(self):
        for method, offset in (("identified", None), ("auto", None), ("identified", OFFSET)):
            run = self.run_of("long", "best", method, offset=offset)
            self.verified(run.copy(), method)
            self.forge(run, "value", lambda other: scale_terms(other, 0.99), "the record says")
            if offset:  # what another kind rests on is no matter of the value
                self.forge_statements(run, f"best, {method}")
            events = run.certificate["events"]
            for i, event in enumerate(events):
                def more(other, i=i):  # and as much less for another kind
                    part = other.certificate["events"]
                    j = next(j for j, e in enumerate(part) if e["kind"] != part[i]["kind"])
                    moved = part[j]["delta"] / 2
                    part[i]["delta"] += moved
                    part[j]["delta"] -= moved

                def without(other, i=i):
                    kind = events[i]["kind"]
                    other.certificate["events"] = [e for e in events if e["kind"] != kind]
                    other.certificate["confidence"] = 1 - sum(
                        e["delta"] for e in other.certificate["events"])

                self.forge(run, f"{event['kind']} {event['id']}: more", more, "its delta")
                self.forge(run, f"without {event['kind']}", without)

    def test_multipliers(self):
        """Below the largest eigenvalue a multiplier proves nothing; another one proves less."""
        run = self.run_of("two states", "identified", "identified")
        for factor in (1e-3, 0.3, 3, 1e3):
            def change(other, factor=factor):
                other.certificate["lambda"] *= factor
            self.forge(run, f"nu times {factor}", change, "the record says")
        for value in (0, -1.0):
            def change(other, value=value):
                other.certificate["lambda"] = value
            self.forge(run, f"nu {value}", change)

    def test_responses(self):
        """Another response with the value of this one."""
        for kind in ("identified", "cross-identified"):
            lqr = self.run_of("two states", kind, "shrinkage" if kind != "identified" else "lqr")
            run = self.run_of("two states", kind, "identified")

            def change(other):
                other.controller["K"] = (0.8 * np.array(other.controller["K"])).tolist()
            self.forge(run, f"{kind} gains", change, "its response is not that of")
            better, worse = sorted((lqr, run), key=lambda r: r.certificate["value"])

            def exchange(other):
                other.arrays, other.controller = worse.copy().arrays, worse.copy().controller
            self.forge(better, f"{kind} exchanged", exchange)

    def test_supports(self):
        """Fewer directions, more of them, or none said."""
        run = self.run_of("two directions", "identified", "identified")
        place = [s["id"] for s in run.certificate["assumptions"]].index("support")
        self.verified(run.copy(), "two directions")
        for count in (0, 1, 1.5, 3, -1):
            def change(other, count=count):
                other.certificate["assumptions"][place]["parameters"]["directions"] = count
            self.forge(run, f"{count} directions", change)

        def noisy(other):
            other.data = other.data + 1e-5 * np.random.default_rng(3).normal(size=other.data.shape)

        self.forge(run, "noise", noisy, "more directions than support says")


if __name__ == "__main__":
    unittest.main()

"""loopcert-verify: certificates of plants that nobody knows, from their logs."""

import copy
import json
import unittest

import numpy as np

import honest_runs
from checker import CheckerTest
from unknown_plants import A_2, B_2, FINITE, IMPROVED, PLANTS, arx, hash_of, simulate


class PlantTest(CheckerTest):
    def learned(self, name, method="identified"):
        """An honest run of learn: its record, as `run`."""
        tree, draw = PLANTS[name]
        self.x, self.u = draw()
        self.save(self.x, self.u)
        self.ok("learn", self.write("problem.json", tree), "--rollouts", "logs.npz", "--method",
                method, "--out", "run")
        self.controller = json.loads((self.folder / "run/controller.json").read_text())
        return json.loads((self.folder / "run/certificate.json").read_text())

    def save(self, x, u, name="logs.npz"):
        np.savez(self.folder / name, x=x, u=u)

    def ask_about(self, record, *more):
        inputs = record["inputs"]
        inputs["problem_sha256"] = honest_runs.sha256(honest_runs.dump(inputs["problem"]).encode())
        (self.folder / "run/certificate.json").write_text(json.dumps(record))
        return self.ask_all("run", "--rollouts", "logs.npz", *more)

    def verified(self, record, what, *more):
        status, text = self.ask_about(record, *more)
        self.assertEqual(status, 0, f"{what}: {text}")
        value = float(text.split(": ")[1].split()[0])
        self.assertLessEqual(abs(value - record["value"]), 1e-7 * record["value"], what)
        return text

    def refused(self, record, what, says="", *more):
        status, text = self.ask_about(record, *more)
        self.assertIn(status, (1, 3), f"{what}: {text}")
        self.assertNotIn("VERIFIED", text, what)
        self.assertEqual(len(text.strip().split("\n")), 1, text)
        self.assertIn(says, text, what)


class Honest(PlantTest):
    def test_plants(self):
        bounds = set()
        for name in PLANTS:
            for method in ("identified", "guaranteed", "auto"):
                with self.subTest(name, method=method):
                    record = self.learned(name, method)
                    bounds.add((record["inputs"]["identified"]["bound"], name in FINITE))
                    text = self.verified(record, name)
                    self.assertEqual("is stable" in text, name not in FINITE)
                    self.assertEqual("known rows" in text or "not identified" in text,
                                     name.startswith("chosen"))
        self.assertEqual(bounds, {("riccati", True), ("expansion", True), ("riccati", False),
                                  ("expansion", False)})

    def test_parts_of_delta_and_best(self):
        tree = copy.deepcopy(PLANTS["two states"][0])
        self.save(*PLANTS["two states"][1]())
        for certificate in ({"delta": {"model": 0.01, "noise": 0.02, "start": 0.005}},
                            {"kind": "best", "delta": 0.1}):
            self.ok("learn", self.write("problem.json", {**tree, "certificate": certificate}),
                    "--rollouts", "logs.npz", "--out", "run")
            record = json.loads((self.folder / "run/certificate.json").read_text())
            self.verified(record, certificate)

    def test_several_files_and_axes(self):
        x, u = simulate(A_2, B_2, 2, 900, 5)
        tree = {**PLANTS["for ever"][0], "data": {"axes": ["episode", "step", "component"]}}
        self.save(x, u)
        self.ok("learn", self.write("problem.json", tree), "--rollouts", "logs.npz", "--out", "run")
        record = json.loads((self.folder / "run/certificate.json").read_text())
        self.verified(record, "three axes")
        self.save(x[1:], u[1:], "second.npz")
        self.save(x[:1], u[:1])
        self.verified(record, "two files", "--rollouts", "second.npz")
        record["inputs"]["episodes"] = [899, 901]
        self.refused(record, "cut elsewhere", "lengths", "--rollouts", "second.npz")

    def test_the_order_of_files(self):
        """Episodes in any files, in any order: the same bytes. Only equal starts keep theirs."""
        x, u = simulate(A_2, B_2, 80, 6, 1)
        files = {"a.npz": slice(0, 11), "b.npz": slice(11, 50), "c.npz": slice(50, 80)}
        for name, part in files.items():
            self.save(x[part], u[part], name)
        self.save(x, u)
        self.write("problem.json", PLANTS["two states"][0])
        certificates = set()
        for names in (["logs.npz"], ["a.npz", "b.npz", "c.npz"], ["c.npz", "a.npz", "b.npz"]):
            self.ok("learn", "problem.json", "--rollouts", *names, "--out", "run")
            certificates.add((self.folder / "run/certificate.json").read_bytes())
            self.ok("recheck", "run/certificate.json", "--rollouts", *reversed(names))
            self.assertEqual(self.ask("run", "--rollouts", *reversed(names))[0], 0)
        self.assertEqual(len(certificates), 1)
        # The noise chooses nothing: with other noise the pilot are the episodes of the same starts.
        x[:, 0], u[:, 0] = 0.4, 0.1  # equal starts keep the order of the files
        for t in range(6):
            x[:, t + 1] = x[:, t] @ np.array(A_2).T + u[:, t] @ np.array(B_2).T
            x[:, t + 1] += 0.3 * np.random.RandomState(t).normal(size=(80, 2))
        hashes = []
        for order in (slice(None), slice(None, None, -1)):
            self.save(x[order], u[order])
            self.ok("learn", "problem.json", "--rollouts", "logs.npz", "--out", "run")
            record = json.loads((self.folder / "run/certificate.json").read_text())
            self.assertIn("mean", self.ask("run", "--rollouts", "logs.npz")[1])  # they have one
            hashes.append(record["inputs"]["logs_sha256"])
        self.assertNotEqual(*hashes)

    def test_the_problem_may_be_compared(self):
        for name in ("two states", "chosen rows with an offset", "outputs, offset"):
            record = self.learned(name)
            self.assertIn("as in --problem", self.verified(record, name, "--problem", "problem.json"))
            tree = PLANTS[name][0]
            for place, change in (
                    ("cost.Q", lambda t: t["cost"]["Q"].__setitem__(0, 0.9)),
                    ("horizon", lambda t: t.update(horizon=7)),
                    ("system.identify", lambda t: t["system"].update(identify=[1])),
                    ("system.identify", lambda t: t["system"].update(offset=True, lags=3)),
                    ("disturbance.zero_mean", lambda t: t.update(disturbance={"zero_mean": False}))):
                other = copy.deepcopy(tree)
                change(other)
                self.write("other.json", other)
                self.refused(record, f"{name} {place}", place, "--problem", "other.json")

    def test_a_larger_value_is_true(self):
        record = self.learned("two states")
        record["value"] *= 1.01
        self.assertEqual(self.ask_about(record)[0], 0)


class Files(PlantTest):
    """Logs in every form that learn reads them in: one certificate."""

    def learn_and_ask(self, data, *names, status=0, tree=None):
        tree = {**(tree or PLANTS["two states"][0]), "data": data}
        self.ok("learn", self.write("problem.json", tree), "--rollouts", *names, "--out", "run")
        found, text = self.ask("run", "--rollouts", *names)
        self.assertEqual(found, status, f"{data}: {text}")
        return json.loads((self.folder / "run/certificate.json").read_text())

    def lines(self, name, rows, end="\n"):
        (self.folder / name).write_bytes("".join(row + end for row in rows).encode())
        return name

    def test_arrays(self):
        x, u = simulate(A_2, B_2, 80, 6, 1)
        self.save(x, u)
        values = {self.learn_and_ask({}, "logs.npz")["value"]}
        np.save(self.folder / "x.npy", x)
        np.save(self.folder / "u.npy", u)
        values.add(self.learn_and_ask({}, "x.npy", "u.npy")["value"])
        np.save(self.folder / "x.npy", x.reshape(80, -1))
        values.add(self.learn_and_ask({}, "x.npy", "u.npy")["value"])
        np.savez(self.folder / "named.npz", s=x, f=u)
        values.add(self.learn_and_ask({"variables": {"x": "s", "u": "f"}}, "named.npz")["value"])
        for axes in (["step", "component", "episode"], ["component", "episode", "step"],
                     ["component", "step", "episode"]):
            order = [["episode", "step", "component"].index(axis) for axis in axes]
            # By rows, and as a view whose numbers stay where they are: by columns.
            for turned in (np.ascontiguousarray, np.asfortranarray):
                np.savez(self.folder / "turned.npz", x=turned(x.transpose(order)),
                         u=turned(u.transpose(order)))
                values.add(self.learn_and_ask({"axes": axes}, "turned.npz")["value"])
        merged = ["step", "component", "episode"]
        self.save(x.transpose(1, 2, 0).reshape(-1, 80), u.transpose(1, 2, 0).reshape(-1, 80))
        values.add(self.learn_and_ask({"axes": merged}, "logs.npz")["value"])
        more = np.concatenate([u, np.zeros((80, 1, 1))], axis=1)
        self.save(x, more)
        values.add(self.learn_and_ask({"last_input": True}, "logs.npz")["value"])
        self.assertEqual(len(values), 1)

    def test_one_log(self):
        (x, u), tree = PLANTS["for ever"][1](), PLANTS["for ever"][0]
        self.save(x, u)
        values = {self.learn_and_ask({}, "logs.npz", tree=tree)["value"]}
        self.save(x.T, u.T)
        values.add(self.learn_and_ask({"axes": ["component", "step"]}, "logs.npz", tree=tree)["value"])
        rows = ["k,x0,x1,u0"]
        rows += [f"{t},{float(a)!r},{float(b)!r},{float(u[t, 0])!r}" if t < len(u) else
                 f"{t},{float(a)!r},{float(b)!r}," for t, (a, b) in enumerate(x)]
        self.lines("log.csv", rows)
        values.add(self.learn_and_ask({"layout": "long", "step": "k"}, "log.csv", tree=tree)["value"])
        self.assertEqual(len(values), 1)
        y, v = arx(3000, 5, 0)  # one entry: an array of one axis
        self.save(y, v)
        self.learn_and_ask({}, "logs.npz", tree=PLANTS["outputs"][0])

    def test_tables(self):
        x, u = simulate(A_2, B_2, 80, 6, 1)
        self.save(x, u)
        values = {self.learn_and_ask({}, "logs.npz")["value"]}
        number = lambda value: repr(float(value))  # noqa: E731
        wide = [",".join([*(f"x{t}_{i}" for t in range(7) for i in range(2)),
                          *(f"u{t}_0" for t in range(6))])]
        wide += [",".join(map(number, [*a.ravel(), *b.ravel()])) for a, b in zip(x, u)]
        values.add(self.learn_and_ask({}, self.lines("wide.csv", wide, "\r\n"))["value"])
        head = ["p [m]", "force", "v"]
        named = [",".join(f'"t{t}: {name}"' for name in head for t in range(7 if name != "force" else 6))]
        named += [",".join(map(number, [*a[:, 0], *b[:, 0], *a[:, 1]])) for a, b in zip(x, u)]
        data = {"states": ["p [m]", "v"], "inputs": ["force"], "pattern": "t{step}: {name}"}
        values.add(self.learn_and_ask(data, self.lines("named.csv", named))["value"])
        long = ["run;t [s];v;other;p [mm];force"]
        for i, (a, b) in enumerate(zip(x, u)):
            for t in range(7):
                force = number(b[t, 0]) if t < 6 else ""
                long.append(f"run {i};{t / 10};{number(a[t, 1])};?;{number(a[t, 0])};{force}".replace(".", ","))
        data = {"layout": "long", "episode": "run", "time": "t", "period": 0.1,
                "states": ["p", "v"], "inputs": ["force"]}
        values.add(self.learn_and_ask(data, self.lines("long.csv", long))["value"])
        self.assertEqual(len(values), 1)
        data["states"] = [{"column": "p [mm]", "factor": 0.001}, "v"]
        for inputs in (["force"], [{"column": "force", "zero": 0.25}]):
            value = self.learn_and_ask({**data, "inputs": inputs}, "long.csv")["value"]
            self.assertNotIn(value, values)
            values.add(value)

    def test_longer_logs(self):
        x, u = simulate(A_2, B_2, 80, 9, 1)
        self.save(x, u)
        axes = {"axes": ["episode", "step", "component"]}
        self.learn_and_ask({**axes, "longer": "first"}, "logs.npz")
        x, u = simulate(A_2, B_2, 80, 21, 1)
        self.save(x, u)
        record = self.learn_and_ask({**axes, "longer": "windows", "gap": 1}, "logs.npz")
        self.assertEqual(record["n"], 3 * 80)

    def test_what_cannot_be_read(self):
        x, u = simulate(A_2, B_2, 80, 6, 1)
        self.save(x, u)
        self.learn_and_ask({}, "logs.npz")
        np.save(self.folder / "x.npy", x)
        np.save(self.folder / "u.npy", u)
        np.savez_compressed(self.folder / "packed.npz", x=x, u=u)
        self.save(x, u[:-1], "fewer.npz")
        for rows, name in ((["x0_0,x0_1", "1,2", "3"], "short.csv"), (["a,b", "1,?"], "words.csv"),
                           ([], "empty.csv"), (["x0_0,x0_0"], "twice.csv"), (["x0_0,u0_0", "1,2"], "few.csv")):
            self.lines(name, rows)
        (self.folder / "logs.mat").write_bytes(b"MATLAB")
        for files, says in ((["x.npy"], "inputs after them"), (["u.npy"], "shape"),
                            (["x.npy", "x.npy"], "shape"), (["logs.npz", "x.npy"], "inputs"),
                            (["packed.npz"], "stored"), (["fewer.npz"], "episodes"),
                            (["short.csv"], "fields"), (["words.csv"], ""), (["empty.csv"], ""),
                            (["twice.csv"], "twice"), (["few.csv"], ""), (["logs.mat"], ".csv")):
            status, text = self.ask("run", "--rollouts", *files)
            self.assertEqual(status, 3, f"{files}: {text}")
            self.assertEqual(len(text.strip().split("\n")), 1, text)
            self.assertIn(says, text, files)


class Difference(PlantTest):
    """improvement.json: the controller minus no input."""

    def improvement(self, name, method="identified"):
        self.learned(name, method)
        return json.loads((self.folder / "run/improvement.json").read_text())

    def ask_about(self, record, *more):
        inputs = record["inputs"]
        inputs["problem_sha256"] = honest_runs.sha256(honest_runs.dump(inputs["problem"]).encode())
        (self.folder / "run/improvement.json").write_text(json.dumps(record))
        return self.ask_all("run/improvement.json", "--rollouts", "logs.npz", *more)

    def test_honest(self):
        for name in IMPROVED:
            with self.subTest(name):
                record = self.improvement(name)
                self.assertLess(record["value"], 0)
                status, text = self.ask_about(record)
                self.assertEqual(status, 0, text)
                self.assertIn("minus baseline", text)
                self.assertIn("no input", text)
                value = float(text.split(": ")[1].split()[0])
                self.assertLessEqual(abs(value - record["value"]), 1e-7 * abs(record["value"]))
                self.ok("recheck", "run/improvement.json", "--rollouts", "logs.npz")

    def test_forged(self):
        for name in IMPROVED:
            record = self.improvement(name)
            numbers = record["inputs"]["identified"]

            def change(**changed):
                forged = copy.deepcopy(record)
                forged["inputs"]["identified"].update(changed)
                return forged

            def lower(by):
                forged = copy.deepcopy(record)
                forged["terms"][1]["value"] -= by
                forged["value"] -= by
                return forged

            other, certificate = copy.deepcopy(record), copy.deepcopy(record)
            other["events"].pop()
            certificate.update(kind="identified", functional={"id": "cost"})
            wrong_q = copy.deepcopy(record)
            wrong_q["events"][3]["statement"]["parameters"]["q"] = 1.0
            for what, forged in (
                    ("lower", lower(1e-3 * abs(record["value"]))), ("a little", lower(1e-6)),
                    ("multipliers", change(below=[1.5 * tau for tau in numbers["below"]])),
                    ("negative", change(below=[-tau for tau in numbers["below"]])),
                    ("too few", change(below=numbers["below"][1:])),
                    ("tau", change(tau=1.5 * numbers["tau"])), ("baseline", change(baseline="lqr")),
                    ("bound", change(bound="riccati")), ("an event less", other),
                    ("of another kind", certificate), ("ceiling", wrong_q)):
                with self.subTest(f"{name}, {what}"):
                    self.refused(forged, what)


def lower_value(record, by=0.99):
    record["terms"][1]["value"] -= (1 - by) * record["value"]
    record["value"] *= by


def set_in(*path):
    def change(record, value):
        for key in path[:-1]:
            record = record[key]
        old = record[path[-1]]
        record[path[-1]] = value(old) if callable(value) else value
    return change


def last(x):
    """One at the last number, zero elsewhere."""
    return np.where(np.arange(x.size).reshape(x.shape) == x.size - 1, 1.0, 0.0)


IDENTIFIED = ("inputs", "identified")
# What every record is refused with; the last are words of the message.
FORGED = [
    ("value", lambda r: lower_value(r), "the record says"),
    ("value by a little", lambda r: lower_value(r, 1 - 1e-6), "the record says"),
    ("value alone", lambda r: set_in("value")(r, lambda v: 0.99 * v), "value"),
    ("nominal", lambda r: (r["terms"][0].update(value=0.9 * r["terms"][0]["value"]),
                           r["terms"][1].update(value=r["value"] - r["terms"][0]["value"])),
     "nominal"),
    ("confidence", lambda r: r.update(confidence=0.99), "confidence"),
    ("delta", lambda r: r["events"][0].update(delta=0.01), "delta"),
    ("all deltas", lambda r: [e.update(delta=e["delta"] / 2) for e in r["events"]], "delta"),
    ("event", lambda r: r["events"].pop(), ""),
    ("first event", lambda r: r["events"].pop(0), ""),
    ("beta", lambda r: r["events"][0]["statement"]["parameters"].update(beta=1.0), "event model"),
    ("q", lambda r: r["events"][1]["statement"]["parameters"].update(q=1.0), "event noise"),
    ("unknown event", lambda r: r["events"][0].update(id="luck"), "luck"),
    ("unknown statement", lambda r: r["events"][0]["statement"].update(id="luck"), "event model"),
    ("assumption", lambda r: r["assumptions"].pop(), "assumptions"),
    ("first assumption", lambda r: r["assumptions"].pop(0), "assumptions"),
    ("unknown assumption", lambda r: r["assumptions"][0].update(id="luck"), "assumptions"),
    ("functional", lambda r: r["functional"].update(id="cost-difference"), "functional"),
    ("subject", lambda r: r.update(subject="mean-response"), "subject"),
    ("n", lambda r: r.update(n=r["n"] + 1), "n:"),
    ("lambda", lambda r: r.update({"lambda": 1.0}), "lambda"),
    ("oracle", lambda r: r.update(oracle=True), "oracle"),
    ("kind", lambda r: r.update(kind="hold-out"), "kind"),
    ("unknown kind", lambda r: r.update(kind="luck"), "kind"),
    ("other horizon's kind",
     lambda r: r.update(kind="identified" if r["kind"] != "identified" else "identified-average"),
     "kind"),
    ("best", lambda r: r.update(kind="best", chosen=r["kind"]), "kind"),
    ("difference", lambda r: r.update(kind="improvement"), "kind"),
    ("pilot", lambda r: set_in(*IDENTIFIED, "pilot")(r, lambda v: v + 1), "pilot"),
    ("transitions", lambda r: set_in(*IDENTIFIED, "transitions")(r, lambda v: v + 1), "pilot"),
    ("gain", lambda r: set_in(*IDENTIFIED, "gains", 0, 0, 0)(r, lambda v: v + 1e-9), "gains"),
    ("gains of another size", lambda r: r["inputs"]["identified"]["gains"][0][0].pop(), "gains"),
    ("no gains", lambda r: r["inputs"]["identified"]["gains"].clear(), "gains"),
    ("unknown bound", lambda r: set_in(*IDENTIFIED, "bound")(r, "luck"), "luck"),
    ("unknown design", lambda r: set_in(*IDENTIFIED, "design")(r, "luck"), "luck"),
    ("multiplier of zero",
     lambda r: r["inputs"]["identified"].update(tau=0.0, nu=0.0), "tau or nu"),
    ("negative multiplier",
     lambda r: r["inputs"]["identified"].update(tau=-r["inputs"]["identified"]["tau"],
                                                nu=-r["inputs"]["identified"]["nu"]), "tau or nu"),
    ("both multipliers", lambda r: r["inputs"]["identified"].update(tau=9.0, nu=9.0), "tau or nu"),
    ("other inputs", lambda r: r["inputs"].update(deployment={"way": "fixed"}), "deployment"),
    ("unknown number", lambda r: r["inputs"]["identified"].update(luck=1), "luck"),
    ("episodes", lambda r: r["inputs"]["episodes"].pop(), "lengths"),
    ("logs' hash", lambda r: r["inputs"].update(logs_sha256="0" * 64), "logs"),
    ("cheaper cost", lambda r: set_in("inputs", "problem", "cost", "Q", 0, 0)(r, 2.0), ""),
    ("a mean", lambda r: r["inputs"]["problem"]["disturbance"].update(zero_mean=False), "zero mean"),
    ("another model", lambda r: r["inputs"]["problem"]["disturbance"].update(model="any"), "Gaussian"),
    ("coloured", lambda r: r["inputs"]["problem"]["disturbance"].update(autoregressive=1),
     "autoregressive"),
    ("another model's offset",
     lambda r: r["inputs"]["problem"]["system"].update(
         offset=not r["inputs"]["problem"]["system"].get("offset", False)), ""),
]


class Forged(PlantTest):
    def test_records(self):
        for name in ("two states", "chosen rows", "offset", "for ever", "outputs, offset"):
            for method in ("identified", "guaranteed") if name == "two states" else ("auto",):
                record = self.learned(name, method)
                for what, change, says in FORGED:
                    with self.subTest(f"{name}, {what}"):
                        forged = copy.deepcopy(record)
                        change(forged)
                        self.refused(forged, what, says)

    def test_multipliers(self):
        """Any multiplier that proves something is valid, and what it proves is more."""
        for name in PLANTS:
            record = self.learned(name)
            numbers = record["inputs"]["identified"]
            key = "tau" if numbers["bound"] == "riccati" else "nu"
            for factor in (0.01, 0.8, 1.3, 100):
                forged = copy.deepcopy(record)
                forged["inputs"]["identified"][key] *= factor
                with self.subTest(name, factor=factor):
                    self.refused(forged, name)
            if numbers["bound"] == "expansion":  # and the multiplier of another
                forged = copy.deepcopy(record)
                forged["inputs"]["identified"].update(bound="riccati", tau=numbers["nu"], nu=0.0)
                self.refused(forged, name)

    def test_adversaries(self):
        """What someone would try who knows the format; all of it is consistent with itself."""
        record = self.learned("two states")
        gains = record["inputs"]["identified"]["gains"]
        problem_of = lambda r: r["inputs"]["problem"]  # noqa: E731

        def shorter(r):
            problem_of(r)["horizon"] = 5
            r["inputs"]["identified"]["gains"].pop()
            r["inputs"]["episodes"] = [5] * 80

        def known(r, row):
            problem_of(r)["system"] = {"identify": [row], "A": A_2, "B": B_2}

        def parts(r, *deltas):
            for event, delta in zip(r["events"], deltas):
                event["delta"] = delta

        total = sum(event["delta"] for event in record["events"])
        for what, change, says in (
                ("a shorter horizon", shorter, ""),
                ("a longer one", lambda r: problem_of(r).update(horizon=7), ""),
                ("for ever", lambda r: problem_of(r).update(horizon="infinite"), ""),
                ("a row that is known", lambda r: known(r, 1), ""),
                ("the other row", lambda r: known(r, 2), ""),
                ("two lags", lambda r: problem_of(r)["system"].update(lags=2), "lags"),
                ("no lag", lambda r: problem_of(r)["system"].update(lags=0), "lags"),
                ("an offset", lambda r: problem_of(r)["system"].update(offset=True), ""),
                ("more weight", lambda r: problem_of(r)["cost"]["Q"][0].__setitem__(0, 1.1), "the record"),
                ("a last weight", lambda r: problem_of(r)["cost"].update(P=[[9, 0], [0, 9]]), "the record"),
                ("a negative weight", lambda r: problem_of(r)["cost"].update(Q=[[1, 2], [2, 1]]), "weight"),
                ("gains in another order",
                 lambda r: r["inputs"]["identified"].update(gains=gains[::-1]), "gains"),
                ("parts of the same sum", lambda r: parts(r, 0.8 * total, 0.1 * total, 0.1 * total), "delta"),
                ("a part of zero", lambda r: parts(r, total, 0, 0), "delta"),
                ("a negative part", lambda r: parts(r, total + 0.01, total, -0.01 - total), "delta"),
                ("an event twice", lambda r: r["events"].append(r["events"][0]), ""),
                ("more episodes", lambda r: (r.update(n=81), r["inputs"]["episodes"].append(6)), ""),
                ("more transitions",
                 lambda r: r["inputs"]["identified"].update(transitions=10**6), "transitions"),
                ("no pilot", lambda r: r["inputs"]["identified"].update(
                    pilot=0, transitions=480), "pilot"),
                ("more transitions in the event",
                 lambda r: r["events"][1]["statement"]["parameters"].update(transitions=10**6), "noise"),
                ("a better start", lambda r: r["events"][2]["statement"]["parameters"].update(q=0.99), "start"),
                ("apart", lambda r: r["assumptions"].__delitem__(-2), "assumptions")):
            with self.subTest(what):
                forged = copy.deepcopy(record)
                change(forged)
                self.refused(forged, what, says)
        text = json.dumps(record)
        for value in ("NaN", "Infinity", "-Infinity", "1e999", "-1e999", "null", '"1"', "[]", "true"):
            for key in ('"tau": ', '"value": ', '"delta": ', '"beta": '):
                at = text.index(key) + len(key)
                end = min(text.index(stop, at) for stop in ",}" if stop in text[at:])
                (self.folder / "run/certificate.json").write_text(text[:at] + value + text[end:])
                status, said = self.ask("run", "--rollouts", "logs.npz")
                self.assertIn(status, (1, 3), f"{key}{value}: {said}")
                self.assertEqual(len(said.strip().split("\n")), 1, said)

    def test_gains_of_other_steps(self):
        """Gains swapped in the controller too: another controller, and another bound."""
        record = self.learned("two states")
        gains, K = record["inputs"]["identified"]["gains"], self.controller["K"]
        other, forged = copy.deepcopy(self.controller), copy.deepcopy(record)
        forged["inputs"]["identified"]["gains"][0], forged["inputs"]["identified"]["gains"][5] = gains[5], gains[0]
        other["K"][0][0:2], other["K"][5][10:12] = K[5][10:12], K[0][0:2]
        (self.folder / "run/controller.json").write_text(json.dumps(other))
        self.refused(forged, "swapped", "the record says")

    def test_a_record_of_another_run(self):
        """Problem, logs or controller of one run with the record of another."""
        records = {name: self.learned(name) for name in ("few logs", "chosen rows", "two states")}
        for name in ("few logs", "chosen rows"):
            self.refused(records[name], name)
            forged = copy.deepcopy(records["two states"])
            forged["inputs"]["problem"] = records[name]["inputs"]["problem"]
            self.refused(forged, name)
            forged["inputs"]["logs_sha256"] = records[name]["inputs"]["logs_sha256"]
            self.refused(forged, name)
        forged = copy.deepcopy(records["two states"])
        forged["inputs"]["problem_sha256"] = records["few logs"]["inputs"]["problem_sha256"]
        (self.folder / "run/certificate.json").write_text(json.dumps(forged))
        self.assertEqual(self.ask("run", "--rollouts", "logs.npz")[0], 1)

    def test_other_lags(self):
        """The order of a model is part of what is claimed: another one has other sizes."""
        record = self.learned("outputs, offset")
        for lags in (1, 3):
            forged = copy.deepcopy(record)
            forged["inputs"]["problem"]["system"]["lags"] = lags
            self.refused(forged, lags)
            forged["assumptions"][0]["parameters"]["lags"] = lags
            self.refused(forged, lags)

    def test_hardly_indefinite(self):
        """The proof is strict: a P or an inequality that is semidefinite proves nothing."""
        record = self.learned("for ever, few steps")
        P = np.array(record["inputs"]["identified"]["P"])
        values, vectors = np.linalg.eigh(P)
        direction = np.outer(vectors[:, 0], vectors[:, 0])
        for share in (1, 1 + 1e-14, 1 + 1e-9, 0.1, 1e-3):
            forged = copy.deepcopy(record)
            forged["inputs"]["identified"]["P"] = (P - share * values[0] * direction).tolist()
            self.refused(forged, share)

    def test_average_by_riccati(self):
        for name in ("for ever, few steps", "for ever, few steps, offset"):
            record = self.learned(name)
            self.assertEqual(record["inputs"]["identified"]["bound"], "riccati")
            P = np.array(record["inputs"]["identified"]["P"])
            rise = record["inputs"]["identified"]["rise"]
            first = 1 if "offset" in name else 0
            odd, negative = P.copy(), P.copy()
            odd[first, first - 1] += 1e-6
            negative[-1, -1] = -1
            for what, changed in (
                    ("smaller", {"P": 0.99 * P}), ("much smaller", {"P": 0.1 * P}),
                    ("zero", {"P": 0 * P}), ("negative", {"P": -P}), ("indefinite", {"P": negative}),
                    ("a little smaller", {"P": (1 - 1e-6) * P}), ("larger", {"P": 1.01 * P}),
                    ("not symmetric", {"P": odd} if len(P) > 1 else {"P": 0 * P}),
                    ("rise", {"rise": 0.9 * rise - 0.01}), ("more rise", {"rise": 1.1 * rise + 0.01}),
                    ("smaller both", {"P": 0.99 * P, "rise": 0.99 * rise})):
                with self.subTest(f"{name}, {what}"):
                    forged = copy.deepcopy(record)
                    for key, value in changed.items():
                        forged["inputs"]["identified"][key] = np.array(value).tolist()
                    self.refused(forged, what)
            for key in ("P", "rise"):
                forged = copy.deepcopy(record)
                del forged["inputs"]["identified"][key]
                self.refused(forged, key)
            forged = copy.deepcopy(record)
            forged["inputs"]["identified"].update(bound="expansion", tau=0.0, nu=1.0)
            self.refused(forged, "expansion", "horizon")
            forged = copy.deepcopy(record)
            forged["inputs"]["identified"].update(reply_gain=1.0)
            self.refused(forged, "a gain too many", "horizon")

    def test_average_by_expansion(self):
        for name in ("for ever", "for ever, offset", "for ever, three states", "outputs, offset"):
            record = self.learned(name)
            numbers = record["inputs"]["identified"]
            self.assertEqual(numbers["bound"], "expansion")
            for part in ("reply", "cost"):
                P, gain = np.array(numbers[f"{part}_P"]), numbers[f"{part}_gain"]
                odd, negative = P.copy(), P.copy()
                odd[0, -1] += 1e-6 * np.abs(P).max()
                negative[-1, -1] = -1
                for what, changed in (
                        ("smaller", {"P": 0.99 * P}), ("zero", {"P": 0 * P}), ("negative", {"P": -P}),
                        ("indefinite", {"P": negative}), ("larger", {"P": 1.01 * P}),
                        ("not symmetric", {"P": odd}), ("smaller gain", {"gain": 0.99 * gain}),
                        ("a little smaller", {"gain": (1 - 1e-4) * gain}),
                        ("larger gain", {"gain": 1.01 * gain}), ("negative gain", {"gain": -gain}),
                        ("of no size", {"P": np.zeros((0, 0))}), ("of another size", {"P": np.eye(9)}),
                        ("smaller both", {"P": 0.99 * P, "gain": 0.995 * gain})):
                    with self.subTest(f"{name}, {part}, {what}"):
                        forged = copy.deepcopy(record)
                        for key, value in changed.items():
                            forged["inputs"]["identified"][f"{part}_{key}"] = np.array(value).tolist()
                        self.refused(forged, what)
                for key in (f"{part}_P", f"{part}_gain"):
                    forged = copy.deepcopy(record)
                    del forged["inputs"]["identified"][key]
                    self.refused(forged, key)
            forged = copy.deepcopy(record)
            forged["inputs"]["identified"].update(reply_gain=numbers["cost_gain"],
                                                  reply_P=numbers["cost_P"])
            self.refused(forged, "one proof for the other")
            forged = copy.deepcopy(record)
            forged["inputs"]["identified"].update(bound="riccati", tau=1.0, nu=0.0)
            self.refused(forged, "riccati", "horizon")
            forged = copy.deepcopy(record)
            forged["inputs"]["identified"].update(P=numbers["reply_P"], rise=0.0)
            self.refused(forged, "a P too many", "horizon")

    def test_controllers(self):
        for name in ("two states", "offset", "for ever", "outputs, offset"):
            record = self.learned(name)
            path = self.folder / "run/controller.json"
            changes = [lambda c: c["K"][0].__setitem__(0, c["K"][0][0] + 1e-12),
                       lambda c: c["k"].__setitem__(0, c["k"][0] + 1e-12),
                       lambda c: c.update(horizon=7), lambda c: c.update(n_x=9),
                       lambda c: c.update(format="loopcert controller 2")]
            if name in FINITE:
                changes.append(lambda c: c["K"][1].__setitem__(0, 1e-9))
            else:
                changes.append(lambda c: c["memory"].update(outputs=3))
            if name.startswith("outputs"):
                changes.append(lambda c: c["L"][0].__setitem__(0, 0.0))
            for i, change in enumerate(changes):
                other = copy.deepcopy(self.controller)
                change(other)
                path.write_text(json.dumps(other))
                self.refused(record, f"{name}, controller {i}")
            # In the record, too: another controller has another bound.
            other, forged = copy.deepcopy(self.controller), copy.deepcopy(record)
            first = 1 if name in ("offset", "outputs, offset") else 0
            other["K"][0][0] += 0.05
            forged["inputs"]["identified"]["gains"][0][0][first] = other["K"][0][0]
            path.write_text(json.dumps(other))
            self.refused(forged, f"{name}, both")
            path.write_text(json.dumps(self.controller))
            self.verified(record, name)

    def test_logs(self):
        for name in PLANTS:
            record = self.learned(name)

            def saved(x, u, hashed):
                self.save(x, u)
                changed = copy.deepcopy(record)
                if hashed:
                    changed["inputs"]["logs_sha256"] = hash_of(x, u)
                return changed

            for what, x in {"more noise": 1.01 * self.x, "one number": self.x + 0.3 * last(self.x)}.items():
                self.refused(saved(x, self.u, False), what, "SHA-256")
            # Logs of which the bound is larger: not what the record says.
            self.refused(saved(1.01 * self.x, self.u, True), name)
            self.refused(saved(self.x[:-1], self.u[:-1], True), name)
            self.save(self.x, self.u)
            self.verified(record, name)

    def test_copies(self):
        record = self.learned("two states")
        x, u = self.x.copy(), self.u.copy()
        for factor, says in ((1, "repeats"), (-1, "directions"), (1 + 1e-14, "directions")):
            x[40], u[40] = factor * x[3], factor * u[3]
            self.save(x, u)
            forged = copy.deepcopy(record)
            forged["inputs"]["logs_sha256"] = hash_of(x, u)
            self.refused(forged, factor, says)

    def test_starts_with_a_mean(self):
        tree, draw = PLANTS["two states"]
        x, u = draw()
        x, u = simulate(A_2, B_2, 80, 6, 1)
        x[:, 0] += 3
        for t in range(6):
            x[:, t + 1] += 3 * np.linalg.matrix_power(np.array(A_2), t + 1).sum(1)
        self.save(x, u)
        self.ok("learn", self.write("problem.json", tree), "--rollouts", "logs.npz", "--out", "run")
        self.refused(json.loads((self.folder / "run/certificate.json").read_text()), "starts", "mean")

    def test_known_rows_that_do_not_hold(self):
        record = self.learned("chosen rows")
        x = self.x.copy()
        x[7, 3, 0] += 1e-4
        self.save(x, self.u)
        record["inputs"]["logs_sha256"] = hash_of(x, self.u)
        self.refused(record, "known rows", "episode 8")

    def test_files(self):
        record = self.learned("two states")
        for x, u in ((self.x[:, :-1], self.u), (self.x, self.u[:, :-1]), (self.x[:0], self.u[:0]),
                     (self.x[..., :1], self.u), (np.where(self.x == self.x[3, 2, 1], np.nan, self.x), self.u)):
            self.save(x, u)
            self.refused(record, "shape")
        np.savez(self.folder / "logs.npz", y=self.x, u=self.u)
        self.refused(record, "names", "states")
        np.savez(self.folder / "logs.npz", y=self.x, v=self.u)
        self.refused(record, "names", "x and u")
        self.save(self.x, self.u)
        self.assertEqual(self.ask("run")[0], 3)
        self.assertEqual(self.ask("run", "--data", "logs.npz", "--rollouts", "logs.npz")[0], 3)
        self.assertEqual(self.ask("run", "--rollouts")[0], 2)
        self.assertEqual(self.ask("run", "--rollouts", "none.npz")[0], 3)
        self.assertEqual(self.ask("run", "--rollouts", "problem.json")[0], 3)


if __name__ == "__main__":
    unittest.main()

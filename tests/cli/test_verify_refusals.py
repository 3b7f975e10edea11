"""loopcert-verify refuses: each thing that it checks, broken alone, with what it says."""

import io
import json
import os
import pathlib
import shutil
import subprocess
import tempfile
import unittest
import warnings
import zipfile

import numpy as np

import honest_runs
import tampering
import tampering_bench
from program import PROGRAM, ProgramTest

CHECKER = os.environ.get("LOOPCERT_VERIFY", str(pathlib.Path(PROGRAM).with_name("loopcert-verify")))
RUNS = ("data-driven", "data-driven-mean", "white", "relative", "known-covariance", "hold-out",
        "hold-out-chi-square", "cross", "assumed-scale", "best", "bounded", "bounded-self",
        "hold-out-fourth-moment", "oracle", "split", "best-lqr", "best-any", "posterior-localized",
        "improvement")


def put(*path):
    """Sets the entry of the certificate at path[:-1] to path[-1]."""
    return lambda run: tampering.put(run.certificate, path[:-1], path[-1])


def problem(*path):
    return put("inputs", "problem", *path)


def drop(*path):
    def change(run):
        tree = run.certificate
        for key in path[:-1]:
            tree = tree[key]
        del tree[path[-1]]
    return change


def all_of(*changes):
    def change(run):
        for one in changes:
            one(run)
    return change


def law(**entries):
    return lambda run: run.certificate["inputs"]["problem"]["disturbance"].update(entries)


# Steps that go together; eigenvalues from 0.1 to 0.18.
LINKED = (0.1 * np.eye(8) + 0.01 * np.ones((8, 8))).tolist()


def forget(key):
    return drop("inputs", "problem", "disturbance", key)


def array(name, key, value):
    def change(run):
        run.arrays[name][key] = value(run.arrays[name][key])
    return change


def without(name, key):
    return lambda run: run.arrays[name].pop(key)


def rows(count):
    def change(run):
        run.data = run.data[:count]
        run.certificate["n"] = count
    return change


def gain(key, value):
    return lambda run: run.controller.update({key: value})


def repeat_row(run):
    run.data[1] = run.data[0]


def shift_delta(run):
    """From one event of a kind to the other."""
    one, two = [event for event in run.certificate["events"] if event["name"].startswith("white: ")]
    one["delta"] *= 1.5
    two["delta"] *= 0.5


def rename_chosen(run):
    for event in run.certificate["events"]:
        if event["name"].startswith(run.certificate["chosen"] + ": "):
            event["name"] = run.certificate["chosen"]


def one_fold(run):
    """A controller that pretends to be the mean of one response, certified by all data."""
    run.certificate.update(kind="cross", n=len(run.data))
    run.certificate["events"][0]["name"] = "chernoff of fold 1"
    run.certificate["inputs"]["problem"]["certificate"].update(kind="cross", folds=1)
    run.certificate["inputs"]["deployment"]["way"] = "cross"


def three_events(run):
    run.certificate["inputs"]["problem"]["certificate"]["delta"] = {
        "pac_bayes": 0.025, "covariance": 0.025, "mean": 0.01}
    run.certificate["events"].append({"name": "mean", "statement": "", "delta": 0.01})
    run.certificate["confidence"] = 0.94


def ninety_percent(run):
    run.certificate["inputs"]["problem"]["certificate"]["delta"] = 0.9
    run.certificate["events"][0]["delta"] = 0.9
    run.certificate["confidence"] = 0.1


def narrow(run):
    run.data = run.data[:, :7].copy()


def nudge_gain(run):
    run.controller["K"][1][0] += 1.5e-6


# (run, change, what the one line says): the hashes fit, so nothing else is wrong.
CHANGED = [
    ("data-driven", put("subject", "controller"), "REFUTED subject"),
    ("data-driven", put("oracle", True), "REFUTED oracle"),
    ("hold-out", put("oracle", True), "REFUTED oracle"),
    ("data-driven", put("kl", None), "REFUTED kl"),
    ("hold-out", put("kl", 1.0), "REFUTED kl"),
    ("data-driven", put("lambda", -1.0), "REFUTED lambda"),
    ("data-driven", put("lambda", None), "REFUTED lambda"),
    ("hold-out", put("lambda", 0.0), "REFUTED lambda"),
    ("cross", drop("lambdas"), "REFUTED lambda"),
    ("cross", put("lambdas", [1.0]), "REFUTED lambda"),
    ("data-driven", put("n", -1), "found -1, expected a whole number"),
    ("data-driven", put("n", 2.5), "found 2.5, expected a whole number"),
    ("data-driven", put("n", 10**10), "expected a whole number"),
    ("data-driven", put("n", 39), "REFUTED n"),
    ("data-driven", put("format", "loopcert certificate 2"), "format"),
    ("data-driven", lambda run: run.certificate["events"].pop(), "REFUTED event"),
    ("data-driven", lambda run: run.certificate["events"].append(
        {"name": "more", "statement": "", "delta": 1e-9}), "REFUTED event"),
    ("data-driven", put("events", 0, "name", "covariance"), "REFUTED event"),
    ("data-driven", put("events", 0, "statement", "the"), "REFUTED event"),
    ("data-driven", put("events", 1, "statement",
                        "||Sigma_hat - Sigma_w|| <= eps_Sigma = x"), "REFUTED event"),
    ("data-driven", put("events", 1, "statement",
                        "||Sigma_hat - Sigma_w|| <= eps_Sigma = 99"), "REFUTED event"),
    ("data-driven", put("events", 0, "delta", -0.025), "REFUTED event"),
    ("data-driven", put("events", 0, "delta", 1.5), "REFUTED event"),
    ("data-driven", lambda run: run.certificate["terms"].pop(), "REFUTED terms"),
    ("data-driven", put("terms", 0, "name", "cost"), "REFUTED terms"),
    ("data-driven", lambda run: run.certificate["assumptions"].pop(), "REFUTED assumptions"),
    ("data-driven", all_of(put("kind", "oracle"), put("oracle", True)), "REFUTED"),
    # the inputs
    ("data-driven", put("inputs", "posterior", "../posterior.npz"), "the name of a file beside it"),
    ("data-driven", put("inputs", "posterior", ".."), "the name of a file beside it"),
    ("data-driven", put("inputs", "posterior", "."), "the name of a file beside it"),
    ("data-driven", put("inputs", "posterior", ""), "the name of a file beside it"),
    ("data-driven", put("inputs", "posterior", "none.npz"), "expected a file"),
    ("data-driven", drop("inputs", "posterior"), "REFUTED inputs"),
    ("data-driven", put("inputs", "deployment", {}), "REFUTED inputs"),
    ("hold-out", all_of(drop("inputs", "deployment"), put("inputs", "posterior", "x")),
     "REFUTED inputs"),
    ("hold-out", put("inputs", "deployment", "way", "cross"), "REFUTED inputs.deployment.way"),
    ("cross", put("inputs", "deployment", "way", "hold-out"), "REFUTED inputs.deployment.way"),
    ("data-driven", put("inputs", "prior", "center", "lqr"), "REFUTED prior"),
    ("data-driven", all_of(put("inputs", "prior", "center", "x"),
                           problem("learning", "prior", "center", "x")), "REFUTED prior: center"),
    ("data-driven", put("inputs", "prior", "scale", 2.0), "REFUTED prior"),
    ("data-driven", put("inputs", "prior", "grid", [1.0]), "REFUTED prior"),
    ("data-driven", all_of(put("inputs", "prior", "scale", -1.0),
                           problem("learning", "prior", "scale", -1.0)), "REFUTED prior"),
    ("data-driven", all_of(put("inputs", "prior", "grid", [1.0]),
                           problem("learning", "prior", "scale", "grid")), "REFUTED prior"),
    ("data-driven", all_of(put("inputs", "prior", "grid", [1.0, 0.3, 0.1, 0.03, 0.01]),
                           put("inputs", "prior", "scale", 7.0),
                           problem("learning", "prior", "scale", "grid")), "REFUTED prior"),
    ("split", problem("learning", "prior", "fraction", 0.001), "REFUTED data: no part is left"),
    ("split", problem("learning", "prior", "fraction", 1.0), "REFUTED data: no part is left"),
    ("split", without("posterior", "center"), "posterior: center"),
    # the problem
    ("data-driven", problem("certificate", "kind", "scale"), "REFUTED kind"),
    ("data-driven", problem("certificate", "delta", 0.04), "REFUTED event"),
    ("data-driven", problem("certificate", "delta", {"pac_bayes": 0.025, "covariance": 0.02}),
     "REFUTED event"),
    ("data-driven", problem("response", "basis", "x"), "REFUTED response.basis"),
    ("data-driven", problem("response", "start", "x"), "REFUTED response.start"),
    ("data-driven", problem("horizon", 0), "(T + 1) n_x up to 2000"),
    ("data-driven", problem("horizon", 1999), "(T + 1) n_x up to 2000"),
    ("data-driven", problem("system", "A", 1.0), "system.A"),
    ("data-driven", problem("system", "A", []), "system.A"),
    ("data-driven", problem("system", "A", [1, 2]), "system.A"),
    ("data-driven", problem("system", "A", [[], []]), "system.A"),
    ("data-driven", problem("system", "A", [[[1, 1], [0, 1]]]), "one a step"),
    ("data-driven", problem("system", "A", [[1, 1, 1], [0, 1, 1]]), "2 x 2 numbers"),
    ("data-driven", problem("system", "B", [[], []]), "content"),
    ("data-driven", problem("system", "d", [[0, 0]]), "3 x 2 numbers"),
    ("data-driven", problem("cost", "Q", [[1, 0.5], [0, 1]]), "a symmetric one"),
    ("data-driven", problem("cost", "Q", [[-1, 0], [0, 1]]), "UNDECIDED an eigenvalue"),
    ("data-driven", problem("cost", "R", [["x"]]), "content"),
    ("data-driven", all_of(problem("data", {"repeated": "drop"}), repeat_row),
     "REFUTED data: trajectory"),
    ("data-driven", law(model="bounded"), "REFUTED assumptions"),
    ("data-driven", law(distribution="uniform"), "REFUTED assumptions"),
    ("data-driven", law(zero_mean=False), "REFUTED assumptions"),
    ("data-driven", law(mean=0.5), "REFUTED assumptions"),
    ("data-driven", law(scale_bound=-1.0), "REFUTED assumptions"),
    ("data-driven", forget("scale_bound"), "REFUTED assumptions"),
    ("white", law(white=False), "REFUTED assumptions"),
    ("white", rows(2), "REFUTED event covariance"),
    ("relative", rows(8), "REFUTED event covariance"),
    ("data-driven-mean", rows(2), "REFUTED n"),
    ("data-driven", rows(1), "REFUTED n"),
    ("hold-out", rows(0), "REFUTED data: no part is left"),
    ("known-covariance", forget("covariance_bound"), "REFUTED assumptions"),
    ("known-covariance", law(covariance_bound=[0.2] * 7), "1 x 8 numbers"),
    ("oracle", forget("covariance"), "REFUTED assumptions"),
    ("oracle", law(mean=[0.1] * 7), "1 x 8 numbers"),
    ("bounded", law(model="any"), "REFUTED assumptions"),
    ("bounded", law(radius=0.5), "REFUTED assumptions: a trajectory is longer"),
    ("hold-out-fourth-moment", law(kurtosis=0.5), "REFUTED assumptions"),
    ("hold-out-fourth-moment", law(model="gaussian", kurtosis=2.0), "REFUTED assumptions"),
    ("hold-out-fourth-moment", law(kurtosis=1e9), "UNDECIDED a quantile"),
    ("hold-out-chi-square", gain("k", [0.5, 0, 0]), "REFUTED"),
    ("assumed-scale", forget("scale_bound"), "REFUTED assumptions"),
    # the arrays beside it
    ("data-driven", without("posterior", "variance"), "posterior: variance"),
    ("data-driven", array("posterior", "variance", lambda a: a[:, :-1]), "posterior: variance"),
    ("data-driven", array("posterior", "variance", lambda a: a[:-1]), "posterior: variance"),
    ("data-driven", array("posterior", "variance", lambda a: -a), "REFUTED posterior: variance"),
    ("data-driven", array("posterior", "variance", lambda a: a * np.nan), "REFUTED posterior"),
    ("data-driven", array("posterior", "mean", lambda a: a + 1), "REFUTED posterior: mean"),
    ("data-driven", array("posterior", "mean", lambda a: a * 1.5), "REFUTED controller"),
    ("data-driven", array("posterior", "mean", lambda a: a.astype("<i8")), "'<f8' or '<f4'"),
    ("data-driven", array("posterior", "mean", lambda a: a[None, :, :]), "one or two small numbers"),
    ("hold-out", lambda run: run.arrays["responses"].clear(), "at least one"),
    ("hold-out", without("responses", "Phi_u_0"), "Phi_u and phi_u"),
    ("hold-out", without("responses", "phi_u_0"), "Phi_u and phi_u"),
    ("hold-out", array("responses", "Phi_u_0", lambda a: a[:, :-1]), "Phi_u and phi_u"),
    ("hold-out", array("responses", "Phi_u_0", lambda a: a[:-1]), "Phi_u and phi_u"),
    ("hold-out", array("responses", "phi_u_0", lambda a: a[:-1]), "Phi_u and phi_u"),
    ("hold-out", array("responses", "phi_u_0", lambda a: np.hstack([a, a])), "Phi_u and phi_u"),
    ("hold-out", array("responses", "Phi_u_0", lambda a: a + 1), "REFUTED responses"),
    ("cross", problem("certificate", "folds", 3), "REFUTED responses"),
    # the controller
    ("data-driven", gain("format", "x"), "format"),
    ("data-driven", gain("horizon", 4), "another size"),
    ("data-driven", gain("n_x", 4), "another size"),
    ("data-driven", gain("n_u", 4), "another size"),
    ("data-driven", gain("K", [[1.0] * 8] * 3), "an input that uses a later state"),
    ("data-driven", gain("K", 1.0), "3 x 8 numbers"),
    ("data-driven", three_events, "REFUTED events"),
    ("data-driven", lambda run: run.certificate["events"].reverse(), "REFUTED event"),
    ("data-driven", narrow, "columns"),
    ("data-driven", array("posterior", "mean", lambda a: -a), "REFUTED controller"),
    ("data-driven", all_of(problem("response", "start", "lqr"), problem("cost", "R", [[0]]),
                           problem("system", "B", [[0], [0]])), "UNDECIDED a linear system"),
    ("data-driven", law(model="gaussiax"), "gaussian, bounded or any"),
    ("posterior-localized", put("lambda", 1e9), "UNDECIDED lambda"),
    ("hold-out", problem("certificate", "delta", {"chernoff": 0.05}), "VERIFIED"),
    ("hold-out", one_fold, "REFUTED responses: not one for each fold"),
    ("hold-out-chi-square", ninety_percent, "VERIFIED"),
    ("known-covariance", law(covariance_bound=(0.2 * np.eye(8)).tolist()), "VERIFIED"),
    ("known-covariance", law(covariance_bound=np.triu(0.2 * np.ones((8, 8))).tolist()),
     "a symmetric one"),
    # a stated covariance (0.1 I, scale_bound and covariance_bound 0.2) that contradicts a bound
    ("data-driven", law(covariance=0.21), "REFUTED assumptions: disturbance.covariance exceeds"),
    ("data-driven", law(covariance=0.2), "VERIFIED"),
    ("data-driven", law(covariance=LINKED), "VERIFIED"),
    ("data-driven", law(scale_bound=0.0, covariance=0.0), "REFUTED assumptions"),
    ("assumed-scale", law(covariance=(2 * np.array(LINKED)).tolist()), "REFUTED assumptions"),
    ("known-covariance", law(covariance=0.3), "REFUTED assumptions: disturbance.covariance exceeds"),
    ("known-covariance", law(covariance_bound=0.0, covariance=0.1), "REFUTED assumptions"),
    ("white", law(covariance=LINKED), "REFUTED assumptions: kind white needs"),
    ("white", law(covariance=[0.1] * 7 + [0.11]), "REFUTED assumptions: kind white needs"),
    ("white", law(covariance=[0.15] * 2 + [0.1] * 6), "VERIFIED"),
    ("white", forget("covariance"), "VERIFIED"),
    ("bounded-self", rows(2), "REFUTED"),
    ("bounded-self", law(scale_bound=0.05), "REFUTED assumptions"),
    ("bounded-self", law(scale_bound=1e9), "VERIFIED"),
    ("bounded-self", law(scale_bound=0.05, mean=0.5), "VERIFIED"),
    ("cross", nudge_gain, "UNDECIDED what the rounding of K and k costs"),
    ("improvement", problem("system", "d", [[0.1, 0]] * 3), "REFUTED assumptions"),
    ("improvement-scale", put("lambda", 1e9), "UNDECIDED lambda"),
    ("improvement", put("inputs", "baseline", "none.json"), "expected a file"),
    ("difference-hold-out", law(model="any"), "REFUTED events"),
    # the portfolio
    ("best-any", forget("radius"), "REFUTED event"),
    ("best", problem("system", "d", [[0.1, 0]] * 3), "REFUTED event"),
    ("best", shift_delta, "REFUTED event white"),
    ("best", rename_chosen, "REFUTED event"),
    ("best", put("events", 1, "delta", 1e-4), "REFUTED"),
    ("best", problem("certificate", "folds", 1), "REFUTED certificate.folds"),
    ("best", problem("certificate", "folds", 41), "REFUTED event"),
    ("best", problem("certificate", "folds", 2.5), "REFUTED certificate.folds"),
    ("best", put("events", 0, "delta", 0.0), "REFUTED event"),
    ("best", put("chosen", "scale-exact"), "UNDECIDED kind"),
    ("best", lambda run: run.certificate["events"].pop(), "REFUTED event"),
    ("best", lambda run: run.certificate["events"].append(
        {"name": "bounded: pac_bayes", "statement": "", "delta": 1e-13}), "REFUTED events"),
    ("best", problem("certificate", "delta", 0.04), "REFUTED event"),
    ("best", put("inputs", "deployment", "method", "ridge"), "REFUTED event"),
    ("best-lqr", put("inputs", "deployment", "method", "erm"), "REFUTED event"),
]


class Refusals(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        if not pathlib.Path(CHECKER).exists():
            raise unittest.SkipTest("loopcert-verify was not built")
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        cls.bench = tampering_bench.Bench(PROGRAM, CHECKER, folder.name, only=RUNS)

    def test_each_check_alone(self):
        for number, (label, change, says) in enumerate(CHANGED):
            with self.subTest(number=number, run=label, says=says):
                run = self.bench.runs[label].copy()
                change(run)
                run.rehash()
                status, text = self.bench.ask(run)
                self.assertIn(says, text)
                verdicts = {"VERIFIED": 0, "REFUTED": 1, "UNDECIDED": 1}
                self.assertEqual(status, verdicts.get(says.split(" ")[0], 3), text)

    def test_repeated_trajectories_may_be_kept(self):
        run = self.bench.runs["assumed-scale"].copy()  # whose value does not depend on them
        repeat_row(run)
        run.certificate["inputs"]["problem"]["data"] = {"repeated": "keep"}
        run.rehash()
        self.assertEqual(self.bench.ask(run)[0], 0)

    def test_names_are_printed_as_text(self):
        run = self.bench.runs["data-driven"].copy()
        run.certificate["kind"] = "\x1b[31mred\x7f"
        self.assertEqual(self.bench.ask(run), (1, "UNDECIDED kind '\\x1b[31mred\\x7f' is none that "
                                                  "the checker knows"))

    def test_messages_are_short(self):
        run = self.bench.runs["data-driven"].copy()
        run.certificate["kind"] = "x" * 100000
        status, text = self.bench.ask(run)
        self.assertEqual(status, 1)
        self.assertTrue(text.endswith("...") and len(text) < 1010, text[-20:])


class Files(ProgramTest):
    def setUp(self):
        super().setUp()
        if not pathlib.Path(CHECKER).exists():
            self.skipTest("loopcert-verify was not built")
        self.write("problem.json", honest_runs.PROBLEM)
        self.ok("sample", "problem.json", "-n", 40, "--seed", 4, "--out", "w.npy")
        self.ok("learn", "problem.json", "--data", "w.npy", "--out", "run")

    def ask(self, *arguments):
        done = subprocess.run([CHECKER, *map(str, arguments)], capture_output=True, text=True,
                              cwd=self.folder, timeout=60)
        return done.returncode, (done.stdout + done.stderr).split("\n")[0]

    def test_tables(self):
        w = np.load(self.folder / "w.npy")
        lines = [", ".join(f"+{x!r}" if x > 0 else repr(float(x)) for x in map(float, row)) + " "
                 for row in w]
        good = "# a comment\n\na,b\r\n\r\n" + "\r\n".join(lines) + "\n"
        self.write("w.csv", good)
        self.assertEqual(self.ask("run", "--data", "w.csv")[0], 0)
        for name, text in (("short", "1,2\n3\n"), ("words", "1,2\nx,y\n"), ("none", "a,b\n"),
                           ("semicolon", "1;2\n"), ("end", "1,\n"), ("two", "a,b\nc,d\n1,2\n"),
                           ("inf", "inf,1\n")):
            self.write(f"{name}.csv", text)
            status, said = self.ask("run", "--data", f"{name}.csv")
            self.assertEqual((status, f"{name}.csv" in said), (3, True), said)
        self.assertEqual(self.ask("run", "--data", "w.txt")[0], 3)
        with open(self.folder / "huge.npy", "wb") as file:  # a hole, not a gigabyte
            file.truncate(2**30 + 1)
        self.assertIn("more than 1 GiB", self.ask("run", "--data", "huge.npy")[1])
        np.save(self.folder / "single.npy", w.astype("<f4"))
        self.assertIn("REFUTED data", self.ask("run", "--data", "single.npy")[1])

    def test_a_field_that_is_missing_is_said_of_its_file(self):
        def without(file, *path):
            tree = json.loads((self.folder / "run" / file).read_text())
            part = tree
            for key in path[:-1]:
                part = part[key]
            del part[path[-1]]
            shutil.copytree(self.folder / "run", self.folder / "less", dirs_exist_ok=True)
            (self.folder / "less" / file).write_text(json.dumps(tree))
            status, said = self.ask("less", "--data", "w.npy")
            self.assertEqual(status, 3, said)
            self.assertTrue(said.startswith(f"loopcert-verify: less/{file}: content: found"), said)
            self.assertIn(path[-1], said)
            shutil.rmtree(self.folder / "less")

        without("controller.json", "K")
        without("certificate.json", "value")
        without("certificate.json", "inputs", "problem", "system", "A")
        without("certificate.json", "inputs", "prior")

    def test_a_portfolio_without_the_kinds_that_the_law_contradicts(self):
        for number, entries in enumerate(({"scale_bound": 0.05}, {"covariance_bound": 0.05},
                                          {"covariance": LINKED})):
            tree = {**honest_runs.PROBLEM, "certificate": {"kind": "best"},
                    "disturbance": {**honest_runs.PROBLEM["disturbance"], **entries}}
            for method in ("pac-bayes", "auto"):
                out = f"{method}-{number}"
                self.ok("learn", self.write(f"{out}.json", tree), "--data", "w.npy", "--method",
                        method, "--out", out)
                kinds = json.loads((self.folder / out / "certificate.json").read_text())["all"]
                self.assertTrue(any("disturbance." in (kind["needs"] or "") for kind in kinds))
                status, said = self.ask(out, "--data", "w.npy")
                self.assertEqual(status, 0, f"{entries}, {method}: {said}")

    def test_damaged_arrays(self):
        good = (self.folder / "run/posterior.npz").read_bytes()
        record = json.loads((self.folder / "run/certificate.json").read_text())

        def says(content, text):
            (self.folder / "run/posterior.npz").write_bytes(content)
            record["inputs"]["posterior_sha256"] = honest_runs.sha256(content)
            self.write("run/certificate.json", record)
            status, said = self.ask("run", "--data", "w.npy")
            self.assertEqual((status, text in said), (3, True), said)

        def changed(at, value, start=0):
            place = good.rindex(b"PK\x01\x02") if start == 1 else good.index(b"PK\x01\x02")
            place = place if start < 2 else good.index(b"PK\x05\x06")
            return good[:place + at] + value + good[place + at + len(value):]

        says(b"", "a zip file")
        says(good[:-10], "more bytes")
        says(changed(0, b"XX"), "one that is stored")
        says(changed(10, b"\x08\x00"), "one that is stored")
        says(changed(24, b"\x01\x00\x00\x00"), "one that is stored")
        says(changed(42, b"\x02\x00\x00\x00"), "one that is stored")
        says(changed(20, b"\xff\xff\xff\x7f\xff\xff\xff\x7f"), "a whole one")
        says(changed(16, b"\xff\xff\xff\x7f", 2), "more bytes")
        head = good.index(b"\x93NUMPY")
        says(good[:head] + b"x" + good[head + 1:], "a .npy file")
        says(good.replace(b"'descr'", b"'descx'"), "no 'descr'")
        says(good.replace(b"'fortran_order': ", b"'fortran_orde'r: "), "no 'fortran_order'")
        says(good.replace(b"variance.npy", b"mean.npy\0\0\0\0"), "")
        says(good[:head + 8] + b"\xff\xff" + good[head + 10:], "a whole one")
        says(good[:good.index(b"PK\x05\x06") + 17], "more bytes")
        says(good[:26] + b"\xff\xff" + good[28:], "a whole one")
        says(good.replace(b"(3, 8)", b"(3, :)"), "for each number")
        says(good.replace(b"(3, 8), }          ", b"(3, 99999999999), }"), "one or two small numbers")
        twice = io.BytesIO()
        with zipfile.ZipFile(twice, "w") as archive, warnings.catch_warnings():
            warnings.simplefilter("ignore")
            for _ in range(2):
                archive.writestr("mean.npy", good[head:good.index(b"PK", head)])
        says(twice.getvalue(), "this array twice")

    def test_few_and_strange_trajectories(self):
        w = np.load(self.folder / "w.npy")
        np.save(self.folder / "two.npy", w[:2] + 0.01)
        np.save(self.folder / "zero.npy", np.zeros((1, 8)))
        self.write("any.json", honest_runs.ANY_LAW)
        for problem_, kind, data in (("problem.json", "improvement", "two.npy"),
                                     ("any.json", "hold-out-bounded", "zero.npy")):
            self.ok("certify", problem_, "--controller", "run/controller.json", "--data", data,
                    "--certificate", kind, "--out", kind)
            self.assertIn("VERIFIED", self.ask(kind, "--data", data)[1])
        self.ok("certify", "problem.json", "--controller", "run/controller.json", "--data",
                "two.npy", "--certificate", "hold-out-chi-square", "--out", "chi")
        for change, says in ((problem("system", "d", [[0.1, 0]] * 3), "allows no offset"),
                             (rows(0), "REFUTED n: no trajectories")):
            run = honest_runs.Run(self.folder / "chi", self.folder / "two.npy")
            change(run)
            run.rehash()
            run.write(self.folder / "chi")
            self.assertIn(says, self.ask("chi")[1])

    def test_usage(self):
        for words in ((), ("--data",), ("run", "more"), ("-x",), ("run", "--data")):
            self.assertEqual(self.ask(*words)[0], 2, words)
        self.assertEqual(self.ask("--help")[0], 0)

    def test_sizes(self):
        """Quantiles beyond the exact ones, of odd size, and splits of delta."""
        for T, n_x, n in ((21, 2, 60), (21, 2, 700), (4, 1, 30)):
            one = {**honest_runs.PROBLEM, "horizon": T}
            if n_x == 1:
                one["system"] = {"A": [[1]], "B": [[1]]}
                one["cost"] = {"Q": [1], "R": [0.5], "P": [2]}
            one["disturbance"] = {**one["disturbance"], "covariance_bound": [0.2] * ((T + 1) * n_x)}
            self.write("p.json", one)
            self.ok("sample", "p.json", "-n", n, "--seed", 4, "--out", "w.npy")
            for kind in ("relative", "known-covariance"):
                self.ok("learn", "p.json", "--data", "w.npy", "--certificate", kind, "--out", kind)
                self.assertIn("VERIFIED", self.ask(kind, "--data", "w.npy")[1])
        self.write("p.json", {**one, "certificate": {"delta": {"chernoff": 0.01, "quantile": 0.02}}})
        self.ok("learn", "p.json", "--data", "w.npy", "--certificate", "hold-out", "--method",
                "lqr", "--out", "table")
        self.assertIn("VERIFIED", self.ask("table", "--data", "w.npy")[1])


if __name__ == "__main__":
    unittest.main()

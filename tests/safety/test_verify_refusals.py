"""loopcert-verify refuses: each thing that it checks, broken alone, with what it says."""

import io
import json
import pathlib
import shutil
import tempfile
import unittest
import warnings
import zipfile

import numpy as np

import honest_runs
import tampering_bench
from checker import CHECKER, CheckerTest
from program import PROGRAM
from refused_changes import CHANGED, LINKED, problem, repeat_row, rows

RUNS = ("data-driven", "data-driven-mean", "white", "relative", "known-covariance", "hold-out",
        "hold-out-chi-square", "hold-out-frobenius", "cross", "assumed-scale", "best", "bounded", "bounded-self",
        "hold-out-fourth-moment", "oracle", "split", "best-lqr", "best-any", "posterior-localized",
        "improvement", "best-posterior", "white-offset", "data-driven-effective-rank",
        "data-driven-given-radius")


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
        self.assertEqual(self.bench.ask(run), (1, "UNDECIDED kind '...' is unknown to the checker"))

    def test_messages_are_short(self):
        run = self.bench.runs["data-driven"].copy()
        run.certificate["kind"] = "x" * 100000
        status, text = self.bench.ask(run)
        self.assertEqual(status, 1)
        self.assertEqual(text, f"UNDECIDED kind '{28 * 'x'}...' is unknown to the checker")


class Files(CheckerTest):
    def setUp(self):
        super().setUp()
        self.learned(honest_runs.PROBLEM, "data-driven", "pac-bayes")

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
                self.assertTrue(any("disturbance." in (kind["needs"] or {}).get("place", "") for kind in kinds))
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
        says(good.replace(b"(3, 8), }          ", b"(3, 99999999999), }"), "one to three small numbers")
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

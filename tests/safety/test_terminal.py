"""Names and paths come from anywhere; a terminal shows them and obeys none of them.

Standard output and standard error hold no control character but the end of a line, no mark that turns the
direction of writing and no byte that is no UTF-8; with --json they hold one JSON object in ASCII.
"""

import csv
import json
import os
import subprocess
import unittest

from program import PROGRAM, WHITE_TREE, ProgramTest

# Clears the screen, names the window, rings, goes back over the line, hides, turns around, ends the line.
EVIL = "a\x1b[2J\x1b]0;b\x07\rc\x08\x7f\u009b31md\u202ee\u2066f\u2028g\nstatus  forged\th\x00i"
PATH = EVIL.replace("\x00", "0").encode()[:120] + b"\xff"
OBEYED = set("\u2028\u2029") | {chr(c) for c in (*range(0x20), *range(0x7f, 0xa0),
                                                 *range(0x202a, 0x202f), *range(0x2066, 0x206a))}


class Terminal(ProgramTest):
    def run_evil(self, *arguments, status=0):
        """Runs in a folder; both streams must be harmless. Returns standard output."""
        done = subprocess.run([PROGRAM.encode(), *(a if isinstance(a, bytes) else str(a).encode()
                                                   for a in arguments)],
                              cwd=self.folder, capture_output=True, timeout=120)
        self.assertEqual(done.returncode, status, done.stderr)
        for stream in done.stdout, done.stderr:
            text = stream.decode()  # throws where it is no UTF-8
            found = {c for c in text if c in OBEYED} - {"\n"}
            self.assertEqual(found, set(), text[:600])
            self.assertNotIn("\nstatus  forged", text)
        return done.stdout.decode()

    def setUp(self):
        super().setUp()
        tree = {**WHITE_TREE, "name": EVIL, "horizon": 3}
        self.problem = os.fsencode(self.folder) + b"/" + PATH + b".json"
        with open(self.problem, "wb") as file:
            file.write(json.dumps(tree).encode())
        self.data = PATH + b".npy"

    def test_every_command(self):
        p, data = self.problem, self.data
        out, controller = b"out" + PATH, b"out" + PATH + b"/controller.json"
        shown = self.run_evil("sample", p, "-n", 30, "--out", data)
        self.assertIn("\\x1b[2J", shown)
        self.run_evil("inspect", p, "--data", data, "--out", b"inspect" + PATH)
        self.run_evil("plan", p, "--target", 5)
        shown = self.run_evil("learn", p, "--data", data, "--compare", "erm", "--out", out)
        (line,) = (line for line in shown.splitlines() if line.startswith("problem"))
        self.assertIn("\\x0astatus  forged\\x09h\\x00i", line)
        self.run_evil("verify", out + b"/certificate.json", "--data", data)
        self.run_evil("simulate", p, "--controller", controller, "--data", data, "--paths",
                      b"paths" + PATH + b".npz")
        self.run_evil("import", p, "--rollouts", b"paths" + PATH + b".npz", "--out", b"w" + data)
        self.run_evil("sample", p, "-n", 20, "--seed", 2, "--out", b"fresh" + data)
        self.run_evil("certify", p, "--controller", controller, "--data", b"fresh" + data, "--out",
                      b"fresh" + PATH)
        for form, end in (("json", b".json"), ("npy", b".npy"), ("npz", b".npz"), ("mat", b".mat"),
                          ("c", b"")):
            self.run_evil("export", controller, "--format", form, "--out", b"k" + PATH + end)
        self.run_evil("report", out, "--problem", p, "--data", data)
        self.run_evil("report", out, "--json")
        log = os.fsencode(self.folder) + b"/log" + PATH + b".csv"
        with open(log, "wb") as file:
            file.write(b"t,p,f\n" + b"".join(b"%d,%d.5,%d.25\n" % (t, t * t % 7, t % 3) for t in range(9)))
        self.run_evil("init", log, "--states", "p", "--inputs", "f", "--out", b"drafted" + PATH + b".toml")
        self.run_evil("init", log, "--columns")

    def test_sweep_and_coverage(self):
        sweep = self.write("sweep.json", {
            "name": EVIL, "problems": ["p.json"], "n": [5],
            "seeds": [1], "methods": [{"method": "lqr", "label": EVIL}], "test": 5})
        self.write("p.json", {**WHITE_TREE, "name": EVIL, "horizon": 3})
        self.run_evil("sweep", sweep, "--out", b"sweep" + PATH)
        self.run_evil("report", b"sweep" + PATH)
        plan = self.write("plan.json", {"name": EVIL, "sets": 90, "cells": [
            {"name": EVIL + "|<b>", "family": "fixed", "problem": "p.json", "kinds": ["hold-out-scale-free"],
             "n": [5]}]})
        self.run_evil("coverage", plan)
        table = self.run_evil("coverage", plan, "--markdown")
        for line in table.splitlines():
            if line.startswith("|"):
                self.assertNotIn("<", line)

    def test_json_is_ascii_and_says_the_same(self):
        text = self.run_evil("learn", self.problem, "--sample", 20, "--json")
        self.assertTrue(text.isascii())
        self.assertEqual(json.loads(text)["certificate"]["inputs"]["problem"]["name"], EVIL)

    def test_errors(self):
        evil = PATH
        for arguments, status in (
                (("learn", evil), 3), (("learn", self.problem, "--data", evil + b".npy"), 3),
                (("learn", self.problem, "--method", evil), 2), (("learn", self.problem, evil), 2),
                ((evil,), 2), (("learn", b"--" + evil), 2), (("report", evil), 3),
                (("export", evil, "--format", evil, "--out", "x"), 2),
                (("export", evil, "--format", "c", "--out", "x"), 3),
                (("sweep", evil, "--out", evil, "--shard", evil), 2), (("help", evil), 2)):
            with self.subTest(arguments=arguments):
                self.assertEqual(self.run_evil(*arguments, status=status), "")
                if arguments[0] != "export":
                    self.run_evil(*arguments, "--json", status=status)

    def test_messages_from_the_content_of_files(self):
        for name, content in (
                ("a.json", json.dumps({**WHITE_TREE, EVIL: 1})),
                ("b.json", json.dumps({**WHITE_TREE, "disturbance": {"model": EVIL}})),
                ("c.json", "{" + EVIL), ("d.toml", EVIL), ("e.toml", f'"{chr(0x9b)}" = 1'),
                ("f.json", json.dumps({**WHITE_TREE, "learning": {"method": EVIL}}))):
            with self.subTest(name=name):
                self.write(name, content)
                self.run_evil("learn", name, "--sample", 5, status=3)
        self.write("p.json", WHITE_TREE)
        self.write("w.csv", EVIL.replace("\n", "") + ",1\n2,3\n")
        self.run_evil("learn", "p.json", "--data", "w.csv", status=3)
        self.write("k.json", {"format": EVIL})
        self.run_evil("export", "k.json", "--format", "c", "--out", "x", status=3)

    def test_a_spreadsheet_computes_no_name(self):
        evil = ["=HYPERLINK(\"http://x\",\"y\")", "+1", "-1+1", "@SUM(1)", "\t=1", "\r=1"]
        self.write("p.json", {**WHITE_TREE, "name": evil[0], "horizon": 3})
        self.write("sweep.json", {"name": "s", "problems": ["p.json"], "n": [5], "seeds": [1],
                                  "methods": [{"method": "ridge", "gamma": 0.1 * (i + 1), "label": label}
                                              for i, label in enumerate(evil)]})
        self.ok("sweep", "sweep.json", "--out", "out")
        self.write("plan.json", {"name": "c", "sets": 90, "cells": [
            {"family": "fixed", "problem": "p.json", "kinds": ["hold-out-scale-free"], "n": [5]}]})
        self.ok("coverage", "plan.json", "--out", "out")
        count = 0
        for name in ("results.csv", "coverage.csv"):
            with open(self.folder / "out" / name, newline="") as file:
                for row in csv.reader(file):
                    for cell in row:
                        number = cell.lstrip("-").replace(".", "").replace("e", "").isdigit()
                        self.assertFalse(cell[:1] in set("=+-@\t\r") and not number, cell)
                        count += cell[:1] == "'"
        self.assertEqual(count, 2 * len(evil) + 1)
        rows = json.loads((self.folder / "out/results.json").read_text())["results"]
        self.assertEqual([row["label"] for row in rows], evil)


if __name__ == "__main__":
    unittest.main()

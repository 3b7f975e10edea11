"""Exit statuses, messages, and what --json prints when something goes wrong."""

import json
import subprocess
import unittest

import numpy as np

from program import PROGRAM, WHITE, WHITE_TREE, ProgramTest


class Help(ProgramTest):
    def test_help_and_version(self):
        text = self.ok("--help")
        for command in ("learn", "simulate", "sample", "export"):
            self.assertIn(command, text)
            self.assertIn("SYNOPSIS\n       loopcert " + command, self.ok(command, "--help"))
        self.assertRegex(self.ok("--version"), r"\Aloopcert \d+\.\d+\.\d+\n\Z")


class Usage(ProgramTest):
    def test_commands(self):
        self.fails(2, says="--help")
        self.fails(2, "lern", says="did you mean 'learn'?")
        self.fails(2, "learn", says="PROBLEM")
        self.fails(2, "learn", WHITE, "--metod", "erm", says="did you mean '--method'?")
        self.fails(2, "learn", WHITE, "--method", "rigde", "--sample", 5,
                   says=["--method", "did you mean 'ridge'?"])

    def test_numbers(self):
        for text in ("-1", "0", "1.5", "1e3", "ten", "", "99999999999999999999"):
            self.fails(2, "learn", WHITE, "--method", "erm", "--sample", text, says="--sample")
            self.fails(2, "sample", WHITE, "-n", text, "--out", "w.csv", says="-n")
        for text in ("-1", "1.5", "0x10", "x", "18446744073709551616"):
            self.fails(2, "sample", WHITE, "-n", 5, "--seed", text, "--out", "w.csv", says="--seed")
        for text in ("-1", "0", "nan", "inf", "1,5", "CV"):
            self.fails(2, "learn", WHITE, "--method", "ridge", "--sample", 5, "--gamma", text,
                       "--out", "out", says="--gamma")

    def test_combinations(self):
        learn = ("learn", WHITE, "--method", "erm", "--out", "out")
        self.fails(2, *learn, says="needs data")
        self.fails(2, *learn, "--sample", 5, "--data", "w.csv")
        self.fails(2, *learn, "--data", "w.csv", "--rollouts", "x.csv", "u.csv")
        self.fails(2, *learn, "--rollouts")
        self.fails(2, *learn, "--data", "w.csv", "--seed", 1, says="--sample")
        self.fails(2, *learn, "--sample", 5, "--gamma", "1", says="ridge")
        self.fails(2, "simulate", WHITE, "--controller", "c.json", says="needs data")
        self.fails(2, "simulate", WHITE, "--controller", "c.json", "--sample", 5,
                   "--paths", "paths.txt", says=".csv or .npy")
        self.fails(2, "sample", WHITE, "-n", 5, "--out", "w.txt", says=".csv or .npy")


class Input(ProgramTest):
    def test_problems(self):
        self.fails(3, "learn", "none.toml", "--method", "lqr", "--out", "out", says="none.toml")
        self.write("bad.toml", "horizon = [")
        self.fails(3, "learn", "bad.toml", "--method", "lqr", "--out", "out", says="bad.toml")
        self.write("key.json", {**WHITE_TREE, "horizn": 3})
        self.fails(3, "learn", "key.json", "--method", "lqr", "--out", "out", says="horizn")
        self.write("method.json", {**WHITE_TREE, "learning": {"method": "autp"}})
        self.fails(3, "learn", "method.json", "--sample", 5, "--out", "out",
                   says=["method.json", "learning.method", "one of start, baseline, lqr", "did you mean 'auto'"])

    def test_data(self):
        learn = ("learn", WHITE, "--method", "erm", "--out", "out", "--data")
        self.fails(3, *learn, "none.csv", says="none.csv")
        np.save(self.folder / "narrow.npy", np.ones((5, 21)))
        self.fails(3, *learn, "narrow.npy", says=["narrow.npy", "22"])
        values = np.ones((5, 22))
        values[3, 2] = np.nan
        np.save(self.folder / "hole.npy", values)
        self.fails(3, *learn, "hole.npy", says=["hole.npy", "nan"])
        self.write("w.txt", "1")
        self.fails(3, *learn, "w.txt", says=".csv")
        self.fails(3, "learn", WHITE, "--method", "ridge", "--gamma", "cv", "--sample", 1,
                   "--out", "out", says="at least 2")

    def test_too_much(self):
        self.fails(3, "sample", WHITE, "-n", 10 ** 13, "--out", "w.npy", says="GiB")
        self.write("long.json", {**WHITE_TREE, "horizon": 10 ** 6})
        self.fails(3, "learn", "long.json", "--method", "lqr", says="GiB")


class Numerics(ProgramTest):
    def test_plant_that_overflows(self):
        system = {**WHITE_TREE["system"], "A": [[1e40, 1], [0, 1e40]]}
        self.write("wild.json", {**WHITE_TREE, "system": system})
        self.fails(1, "learn", "wild.json", "--method", "erm", "--sample", 30, "--out", "out")


class Output(ProgramTest):
    def test_folders_that_cannot_be(self):
        learn = ("learn", WHITE, "--method", "lqr", "--out")
        self.write("file", "")
        self.fails(6, *learn, "file", says="file")
        self.fails(6, *learn, "file/below", says="file/below")
        self.fails(6, *learn, "/proc/loopcert", says="/proc/loopcert")

    def test_files_that_cannot_be(self):
        # The second file cannot be written: the first one must not appear either.
        (self.folder / "out/run.json").mkdir(parents=True)
        self.fails(6, "learn", WHITE, "--method", "lqr", "--out", "out", says="run.json")
        self.fails(6, "sample", WHITE, "-n", 5, "--out", "none/w.csv", says="none/w.csv")
        self.ok("learn", WHITE, "--method", "lqr", "--out", "good")
        self.fails(6, "simulate", WHITE, "--controller", "good/controller.json", "--sample", 5,
                   "--paths", "none/paths.csv", says="none/paths.csv")

    def test_standard_output_that_is_full(self):
        with open("/dev/full", "w") as full:
            done = subprocess.run([PROGRAM, "learn", str(WHITE), "--method", "lqr"], stdout=full,
                                  stderr=subprocess.PIPE, text=True, timeout=60)
        self.assertEqual(done.returncode, 6)
        self.assertIn("standard output", done.stderr)


class Json(ProgramTest):
    def test_failures_are_objects_too(self):
        self.write("file", "")
        system = {**WHITE_TREE["system"], "A": [[1e40, 1], [0, 1e40]]}
        self.write("wild.json", {**WHITE_TREE, "system": system})
        for status, arguments in ((1, ("wild.json", "--method", "lqr")),
                                  (2, (WHITE, "--method", "nonsense")),
                                  (2, (WHITE, "--nonsense")),
                                  (3, ("none.toml",)),
                                  (6, (WHITE, "--method", "lqr", "--out", "file/out"))):
            done = self.run_program("learn", *arguments, "--json")
            self.assertEqual(done.returncode, status)
            failure = json.loads(done.stdout)
            self.assertEqual(failure["status"], "failed")
            self.assertEqual(failure["exit_status"], status)
            topic = f" (help {failure['help']})" if "help" in failure else ""
            self.assertEqual(done.stderr, f"loopcert: {failure['error']}{topic}\n")

    def test_names_that_are_no_text(self):
        done = subprocess.run([PROGRAM, "learn", b"\xff\xfe.toml", "--json"], capture_output=True,
                              cwd=self.folder, timeout=60)
        self.assertEqual(done.returncode, 3)
        self.assertEqual(json.loads(done.stdout)["status"], "failed")


if __name__ == "__main__":
    unittest.main()

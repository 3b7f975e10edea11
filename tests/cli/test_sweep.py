"""loopcert sweep: the same bytes however the work is divided and whatever interrupts it."""

import contextlib
import csv
import html
import json
import os
import resource
import shutil
import signal
import sqlite3
import subprocess
import sys
import time
import unittest

from program import AFFINE, PROGRAM, SOURCE, WHITE, ProgramTest

QUICK = SOURCE / "examples/sweeps/quick.toml"
FILES = ("results.csv", "results.json")
MPIRUN = ["mpirun", "--oversubscribe", "--allow-run-as-root"]


class SweepTest(ProgramTest):
    def results(self, folder):
        return [(self.folder / folder / name).read_bytes() for name in FILES]

    def names(self, folder):
        return sorted(path.name for path in (self.folder / folder).iterdir())

    def sweep(self, out, *more, file=QUICK):
        return self.ok_json("sweep", file, "--out", out, *more)

    def slow_sweep(self, seeds=40):
        """About two seconds of work: time enough to disturb it."""
        return self.write("slow.json", {
            "problems": [os.path.relpath(WHITE, self.folder)], "n": [40], "seeds": seeds,
            "test": 20000, "methods": ["lqr", "erm", "pac-bayes"]})

    def start(self, *arguments, environment=None, **options):
        process = subprocess.Popen(
            [PROGRAM, "sweep", *map(str, arguments)], cwd=self.folder, text=True,
            env={**os.environ, **(environment or {})}, stdout=subprocess.PIPE,
            stderr=subprocess.PIPE, **options)
        self.addCleanup(process.communicate)
        self.addCleanup(process.kill)
        return process

    def wait_for_results(self, store):
        """Until the store has grown beyond its first page."""
        wal = self.folder / (store + "-wal")
        for _ in range(1000):
            if wal.exists() and wal.stat().st_size > 60_000:
                return
            time.sleep(0.01)
        self.fail("no results after ten seconds")


class Division(SweepTest):
    def test_same_bytes_for_threads_shards_and_ranks(self):
        done = self.sweep("one", "--jobs", 1)
        self.assertEqual((done["status"], done["jobs"], done["computed"]), ("done", 84, 84))
        expected = self.results("one")
        for jobs in (2, 4):
            self.sweep(f"jobs-{jobs}", "--jobs", jobs)
            self.assertEqual(self.results(f"jobs-{jobs}"), expected)
        for i in (3, 1, 2):
            self.assertEqual(self.sweep("shards", "--shard", f"{i}/3")["shard"], f"{i}/3")
        self.assertNotIn("results.csv", self.names("shards"))
        self.assertEqual(self.sweep("shards", "--merge")["computed"], 0)
        self.assertEqual(self.results("shards"), expected)
        for ranks in (1, 2, 4):
            done = subprocess.run(
                [*MPIRUN, "-n", str(ranks), PROGRAM, "sweep", QUICK, "--out", f"ranks-{ranks}"],
                cwd=self.folder, capture_output=True, text=True, timeout=120)
            self.assertEqual(done.returncode, 0, done.stderr)
            self.assertEqual(done.stdout.count("results.csv"), 1, done.stdout)
            self.assertEqual(self.results(f"ranks-{ranks}"), expected)

    def test_merge_names_what_is_missing_and_resume_computes_it(self):
        self.sweep("out", "--shard", "2/3")
        done = self.run_program("sweep", QUICK, "--out", "out", "--merge")
        self.assertEqual(done.returncode, 3)
        self.assertIn("results of 56 of 84 jobs are missing (double integrator, lqr, n = 10, seed 1",
                      done.stderr)
        self.assertNotIn("results.csv", self.names("out"))
        self.assertEqual(self.sweep("out", "--merge", "--resume")["computed"], 56)
        self.sweep("whole")
        self.assertEqual(self.results("out"), self.results("whole"))

    def rank(self, number, size, *arguments):
        return self.start(*arguments, environment={"OMPI_COMM_WORLD_RANK": str(number),
                                                   "OMPI_COMM_WORLD_SIZE": str(size)})

    def test_rank_0_finishes_for_a_rank_that_died(self):
        sweep = self.slow_sweep()
        dying = self.rank(1, 2, sweep, "--out", "out")
        self.wait_for_results("out/shard-2-of-2.sqlite")
        first = self.rank(0, 2, sweep, "--out", "out", "--json")
        dying.kill()
        out, error = first.communicate(timeout=120)
        self.assertEqual(first.returncode, 0, error)
        done = json.loads(out)
        self.assertGreater(done["computed"], done["jobs"] // 2)  # more than its own
        self.assertLess(done["computed"], done["jobs"])          # and the dead rank's are kept
        self.sweep("undisturbed", file=sweep)
        self.assertEqual(self.results("out"), self.results("undisturbed"))

    def test_rank_0_waits_for_a_rank_at_work(self):
        sweep = self.slow_sweep()
        busy = self.rank(1, 2, sweep, "--out", "out")
        self.wait_for_results("out/shard-2-of-2.sqlite")
        first = self.rank(0, 2, sweep, "--out", "out", "--jobs", 4, "--json")
        out, error = first.communicate(timeout=120)
        self.assertEqual(first.returncode, 0, error)
        self.assertEqual(busy.wait(1), 0)
        self.assertEqual(json.loads(out)["computed"], 60)  # its own, and no other

    def test_late_rank_finds_nothing_to_do(self):
        first = self.rank(0, 2, QUICK, "--out", "out")
        self.assertEqual(first.wait(60), 0)
        before = self.names("out")
        late = self.rank(1, 2, QUICK, "--out", "out")
        out, error = late.communicate(timeout=60)
        self.assertEqual((late.returncode, out, error), (0, "", ""))
        self.assertEqual(sorted([*before, "shard-2-of-2.lock"]), self.names("out"))


class Records(SweepTest):
    def test_rows_are_what_the_other_commands_say(self):
        self.sweep("out")
        results = json.loads((self.folder / "out/results.json").read_text())["results"]
        rows = list(csv.DictReader((self.folder / "out/results.csv").read_text().splitlines()))
        self.assertEqual(len(results), len(rows))
        for r, row in zip(results, rows):
            self.assertEqual((row["label"], int(row["seed"])), (r["label"], r["seed"]))
            self.assertEqual(float(row["test_cost"]), r["test_cost"])
            self.assertNotIn("seconds", r)
            self.assertLess(abs(r["test_cost"] - r["population_cost"]),
                            6 * r["test_standard_error"])
            if r["certificate"]:
                self.assertAlmostEqual(sum(t["value"] for t in r["certificate"]["terms"]),
                                       r["certificate"]["value"], places=9)
                self.assertEqual(float(row["certificate"]), r["certificate"]["value"])
        self.assertIn("ridge, one tenth", {row["label"] for row in rows})
        r = next(r for r in results if (r["label"], r["n"], r["seed"]) == ("pac-bayes", 40, 2))
        run = self.ok_json("learn", WHITE, "--sample", 40, "--seed", 2, "--out", "run")
        test = self.ok_json("simulate", WHITE, "--controller", "run/controller.json", "--sample",
                            200, "--seed", 2)
        self.assertEqual(r["certificate"]["value"], run["certificate"]["value"])
        self.assertEqual(r["population_cost"], run["population_cost"])
        self.assertEqual(r["test_cost"], test["mean"])
        self.assertEqual(r["test_standard_error"], test["standard_error"])

    def test_failed_numerics_are_a_row(self):
        self.write("wild.json", {"name": "wild", "horizon": 400, "disturbance": {"covariance": 1},
                                 "system": {"A": [[50]], "B": [[1]]},
                                 "cost": {"Q": [1], "R": [1]}})
        self.write("s.json", {"problems": ["wild.json", str(WHITE)], "n": [2, 3], "methods": ["ridge"],
                              "seeds": 2, "test": 9})
        done = self.run_program("sweep", "s.json", "--out", "out", "--json")
        said = json.loads(done.stdout)
        self.assertEqual((done.returncode, said["failed"]), (0, 4))
        self.assertIn("warning: 4 of 8 jobs failed", done.stderr)
        rows = json.loads((self.folder / "out/results.json").read_text())["results"]
        reason = rows[0]["failure"]
        self.assertEqual((rows[0]["status"], rows[0]["test_cost"]), ("failed", None))
        self.assertIn("A has an eigenvalue of size 50", reason)
        self.assertEqual([row["failure"] for row in rows], 4 * [reason] + 4 * [None])
        # The reason and how often: on the terminal, as JSON, in the table, on the page.
        self.assertEqual(said["failures"], [{"reason": reason, "jobs": 4}])
        self.assertIn(f"4 jobs failed: {reason}", done.stderr)
        with open(self.folder / "out/results.csv", newline="") as file:
            table = list(csv.DictReader(file))
        self.assertEqual([row["failure"] for row in table], 4 * [reason] + 4 * [""])
        self.ok("report", "out")
        page = (self.folder / "out/report.html").read_text()
        self.assertIn("4 jobs of 8 failed: not in the figures.", page)
        self.assertIn("<td>4</td><td>" + html.escape(reason, quote=False).split('"')[0], page)


class Resume(SweepTest):
    def test_finished_sweep_does_nothing_and_a_larger_one_only_the_rest(self):
        tree = {"problems": [str(WHITE)], "n": [10], "methods": ["lqr", "erm"], "seeds": 3,
                "test": 50}
        self.write("s.json", tree)
        self.sweep("out", file="s.json")
        before = self.results("out")
        self.assertEqual(self.sweep("out", "--resume", file="s.json")["computed"], 0)
        self.assertEqual(self.results("out"), before)
        self.fails(3, "sweep", "s.json", "--out", "out", says=["sweep.sqlite", "--resume"])
        self.write("s.json", {**tree, "seeds": 5, "n": [10, 20]})
        self.assertEqual(self.sweep("out", "--resume", file="s.json")["computed"], 14)

    def test_kills(self):
        for more in (["--kills", "15"], ["--kills", "3", "--ranks", "2"]):
            done = subprocess.run([sys.executable, SOURCE / "tools/kill_sweep", "--program",
                                   PROGRAM, "--seeds", "8", *more],
                                  capture_output=True, text=True, timeout=120)
            self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
            self.assertIn("none lost, all bytes equal", done.stdout)

    def test_signals_keep_what_is_finished(self):
        sweep = self.slow_sweep()
        self.sweep("undisturbed", file=sweep)
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            folder = number.name
            process = self.start(sweep, "--out", folder, "--jobs", 2)
            self.wait_for_results(folder + "/sweep.sqlite")
            process.send_signal(number)
            out, error = process.communicate(timeout=60)
            self.assertEqual((process.returncode, out), (1, ""), error)
            self.assertRegex(error, r"\Aloopcert: interrupted: \d+ of 120 jobs done, --resume "
                                    r"continues\n\Z")
            finished = int(error.split()[2])
            self.assertNotIn("results.csv", self.names(folder))
            self.assertEqual(self.sweep(folder, "--resume", file=sweep)["computed"], 120 - finished)
            self.assertEqual(self.results(folder), self.results("undisturbed"))

    def test_a_signal_that_is_ignored_stays_ignored(self):
        process = self.start(self.slow_sweep(seeds=10), "--out", "out", "--jobs", 2,
                             preexec_fn=lambda: signal.signal(signal.SIGHUP, signal.SIG_IGN))
        self.wait_for_results("out/sweep.sqlite")
        process.send_signal(signal.SIGHUP)  # as for a program started with nohup
        _, error = process.communicate(timeout=60)
        self.assertEqual(process.returncode, 0, error)

    def test_second_process_is_refused(self):
        sweep = self.slow_sweep()
        self.start(sweep, "--out", "out", "--jobs", 1)
        self.wait_for_results("out/sweep.sqlite")
        for more in (["--resume"], ["--shard", "1/2"], []):
            done = self.run_program("sweep", sweep, "--out", "out", *more)
            self.assertEqual(done.returncode, 3, done.stderr)
            self.assertIn("another sweep is running in this folder", done.stderr)


@unittest.skipIf(os.environ.get("LLVM_PROFILE_FILE"), "counters of lines need the disk too")
class FullDisk(SweepTest):
    def limited(self, size, *arguments):
        """No file may grow beyond `size` bytes: writing fails as it does on a full disk."""
        def limit():
            resource.setrlimit(resource.RLIMIT_FSIZE, (size, size))
        done = self.run_program("sweep", QUICK, "--out", "out", *arguments, preexec_fn=limit)
        self.assertEqual((done.returncode, done.stdout), (6, ""), done.stderr)
        self.assertRegex(done.stderr, r"\Aloopcert: [^\n]+\n\Z")

    def test_store_cannot_grow(self):
        self.sweep("undisturbed")
        self.limited(100_000)
        self.assertNotIn("results.csv", self.names("out"))
        computed = self.sweep("out", "--resume")["computed"]
        self.assertTrue(0 < computed < 84, computed)
        self.assertEqual(self.results("out"), self.results("undisturbed"))

    def test_results_do_not_fit(self):
        self.sweep("out")
        expected = self.results("out")
        (self.folder / "out/results.json").unlink()
        self.limited(len(expected[1]) - 1, "--resume")
        self.assertEqual(self.names("out"), ["results.csv", "sweep.lock", "sweep.sqlite"])
        self.sweep("out", "--resume")
        self.assertEqual(self.results("out"), expected)

    def test_folder_cannot_be_made(self):
        self.write("file", "")
        self.fails(6, "sweep", QUICK, "--out", "file/out", says="file/out")


class BadInput(SweepTest):
    def test_damaged_stores(self):
        self.sweep("good")
        good = (self.folder / "good/sweep.sqlite").read_bytes()
        middle = len(good) // 2
        with contextlib.closing(sqlite3.connect(self.folder / "other")) as other:
            other.execute("CREATE TABLE results(key)")
        other = (self.folder / "other").read_bytes()
        for name, damaged in {
                "another program's": other,
                "noise": bytes(range(256)) * 20, "short": b"abc", "truncated": good[:middle],
                "overwritten": good[:middle] + b"\xff" * 5000 + good[middle + 5000:]}.items():
            for store in ("sweep.sqlite", "shard-1-of-2.sqlite"):
                folder = self.folder / name
                shutil.rmtree(folder, ignore_errors=True)
                folder.mkdir()
                (folder / "sweep.lock").touch()
                (folder / "sweep.sqlite").touch()
                (folder / store).write_bytes(damaged)
                done = self.run_program("sweep", QUICK, "--out", name, "--resume")
                self.assertEqual(done.returncode, 3, (name, store, done.stderr))
                self.assertRegex(done.stderr, r"\Aloopcert: [^\n]+\n\Z")
                self.assertIn(f"{name}/{store}: ", done.stderr)
                self.assertEqual((folder / store).read_bytes(), damaged, (name, store))

    def test_bad_sweep_files(self):
        good = {"problems": [str(WHITE)], "n": [10], "methods": ["lqr"], "test": 50}
        for change, says in [
                ({"seds": 3}, ["seds", "did you mean 'seeds'"]),
                ({"n": []}, ["n: found an empty list"]), ({"n": [10, 0]}, ["n[1]", "at least 1"]),
                ({"n": [10, 10]}, ["n[1]", "only once"]), ({"seeds": 0}, ["seeds"]),
                ({"seeds": [-1]}, ["seeds[0]"]), ({"test": 1}, ["test", "at least 2"]),
                ({"methods": ["lqrr"]}, ["methods[0]", "did you mean 'lqr'"]),
                ({"methods": [{"method": "erm", "gamma": 1}]}, ["methods[0].gamma"]),
                ({"methods": [{"method": "ridge", "gamma": "cw"}]}, ["methods[0].gamma", "cv"]),
                ({"methods": ["lqr", "lqr"]}, ["methods[1]", "label"]),
                ({"methods": ["lqr", {"method": "lqr", "label": "again"}]}, ["twice", "again"]),
                ({"methods": [3]}, ["methods[0]: found 3, expected a method or a table"]),
                ({"methods": [{"method": "lqr", "label": ""}]}, ["methods[0].label", "not empty"]),
                ({"seeds": 1000001}, ["seeds", "from 1 to 1000000"]),
                ({"seeds": [3, 3]}, ["seeds[1]", "only once"]), ({"name": 3}, ["name"]),
                ({"certificates": ["data-driven"] * 2}, ["certificates[1]", "only once"]),
                ({"certificates": ["datadriven"]}, ["certificates[0]", "data-driven"]),
                ({"certificates": ["oracle"], "methods": ["pac-bayes"]}, ["certificates"]),
                ({"problems": ["none.toml"]}, ["none.toml", "No such file"]),
                ({"problems": [str(WHITE), str(WHITE)]}, ["problems[1]", "different names"]),
                ({"seeds": 1000000, "n": [1, 2, 3]}, ["3000000 jobs"])]:
            self.write("s.json", {**good, **change})
            self.fails(3, "sweep", "s.json", "--out", "out", says=["s.json", *says])
        self.write("lawless.json", {"horizon": 2, "system": {"A": [[1]], "B": [[1]]},
                                    "cost": {"Q": [1], "R": [1]}})
        self.write("s.json", {**good, "problems": ["lawless.json"]})
        self.fails(3, "sweep", "s.json", "--out", "out", says=["lawless.json", "law to sample"])

    def test_bad_command_lines(self):
        for arguments in (["--shard", "0/2"], ["--shard", "3/2"], ["--shard", "1"],
                          ["--shard", "1/2", "--merge"], ["--jobs", "0"], ["--jobs", "99999"]):
            self.fails(2, "sweep", QUICK, "--out", "out", *arguments, says=arguments[0])
        self.fails(2, "sweep", QUICK, says="--out")

    def test_a_job_whose_input_is_bad_is_named(self):
        self.write("s.json", {"problems": [str(AFFINE)], "n": [10], "test": 50,
                              "methods": ["pac-bayes"], "certificates": ["bounded"]})
        done = self.run_program("sweep", "s.json", "--out", "out")
        self.assertEqual(done.returncode, 3, done.stderr)
        self.assertIn("pac-bayes (bounded), n = 10, seed 0", done.stderr)

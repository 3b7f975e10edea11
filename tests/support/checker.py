"""A folder in which loopcert-verify is asked about runs."""

import os
import pathlib
import subprocess

import honest_runs
from program import PATIENCE, PROGRAM, ProgramTest

CHECKER = os.environ.get("LOOPCERT_VERIFY", str(pathlib.Path(PROGRAM).with_name("loopcert-verify")))


class CheckerTest(ProgramTest):
    def setUp(self):
        super().setUp()
        if not pathlib.Path(CHECKER).exists():
            self.skipTest("loopcert-verify was not built")

    def check(self, *arguments):
        return subprocess.run([CHECKER, *map(str, arguments)], capture_output=True, text=True,
                              cwd=self.folder, timeout=PATIENCE)

    def ask_all(self, *arguments):
        """(exit status, everything that it says)"""
        done = self.check(*arguments)
        return done.returncode, done.stdout + done.stderr

    def ask(self, *arguments):
        """(exit status, the first line)"""
        status, text = self.ask_all(*arguments)
        return status, text.split("\n")[0]

    def learned(self, tree, kind, method, *more, n=40):
        """The run of a problem on trajectories of its own law, as folder `run`."""
        problem = self.write("problem.json", tree)
        self.ok("sample", problem, "-n", n, "--seed", 4, "--out", "w.npy")
        self.ok("learn", problem, "--data", "w.npy", "--certificate", kind, "--method", method,
                "--out", "run", *more)
        return honest_runs.Run(self.folder / "run", self.folder / "w.npy")

    def ask_run(self, run):
        run.rehash()
        run.write(self.folder / "run")
        return self.ask_all("run")

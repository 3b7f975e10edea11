"""Files made to take time or memory."""

import resource
import subprocess
import unittest

from attack import AttackTest
from checker import CHECKER
from honest_runs import PROBLEM
from program import INSTRUMENTED


class Resources(AttackTest):
    def limited(self, *arguments, seconds=60, megabytes=1500):
        def limits():
            resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds))
            resource.setrlimit(resource.RLIMIT_AS, (megabytes << 20,) * 2)
        return subprocess.run([CHECKER, *map(str, arguments)], cwd=self.folder, capture_output=True,
                              text=True, preexec_fn=limits if not INSTRUMENTED else None)

    def test_many_tables(self):
        """Quadratic time would take an hour here."""
        self.learned(PROBLEM, "data-driven", "pac-bayes")
        self.write("run/certificate.json", "[" + "{}," * 900000 + "{}]")
        done = self.limited("run", "--data", "w.npy", seconds=40)
        self.assertEqual(done.returncode, 3, done.stdout + done.stderr)
        self.write("many.json", "[" + "{}," * 900000 + "{}]")
        self.fails(3, "learn", "many.json", "--sample", "4", "--out", "out", says="problem")

    def test_many_lists(self):
        self.learned(PROBLEM, "data-driven", "pac-bayes")
        for text in ("[]," * 20_000_000, "0," * 6_000_000):
            self.write("run/certificate.json", "[" + text + "0]")
            done = self.limited("run", "--data", "w.npy")
            self.assertEqual((done.returncode, done.stdout[:15]), (1, "UNDECIDED JSON:"), done.stderr)
        self.write("many.json", "[" + "[]," * 5_000_000 + "[]]")
        self.fails(3, "learn", "many.json", "--sample", "4", "--out", "out", says="lists and tables")

    def test_files_without_an_end(self):
        self.learned(PROBLEM, "data-driven", "pac-bayes")
        (self.folder / "endless.npy").symlink_to("/proc/self/mem")
        (self.folder / "kmsg.npy").symlink_to("/proc/kmsg")
        (self.folder / "zero.npy").symlink_to("/dev/zero")
        for name in ("endless.npy", "kmsg.npy", "zero.npy"):
            self.assertEqual(self.limited("run", "--data", name).returncode, 3)
            self.fails(3, "learn", "problem.json", "--data", name, "--out", "out", says=name)

    def test_seconds_of_the_processor(self):
        run = self.learned({**PROBLEM, "horizon": 400}, "hold-out-scale-free", "lqr", n=3)
        run.rehash()
        run.write(self.folder / "run")
        done = self.limited("run", "--seconds", 1)
        self.assertEqual((done.returncode, done.stdout[:15]), (1, "UNDECIDED time:"), done.stdout)
        for words in (("--seconds",), ("--seconds", "0"), ("--seconds", "x"), ("--seconds", "1x")):
            self.assertEqual(self.check("run", *words).returncode, 2)


if __name__ == "__main__":
    unittest.main()

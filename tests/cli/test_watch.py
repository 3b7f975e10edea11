"""loopcert watch: claims on costs and on plants, from files and pipes, resumed after any end."""

import json
import os
import signal
import subprocess
import time
import unittest

import numpy as np

from program import PROGRAM, SOURCE, WHITE, WHITE_TREE, ProgramTest

DRIVE = SOURCE / "examples/drive"


def costs_text(costs, name="cost\n"):
    return name + "".join(f"{cost!r}\n" for cost in map(float, costs))


def chi_square(seed, n, mean, degrees=5):
    return mean * np.random.default_rng(seed).chisquare(degrees, n) / degrees


class Costs(ProgramTest):
    def rejected(self, *arguments, **options):
        """What --json prints of a claim that is rejected: status 4, one line, one object."""
        done = self.run_program("watch", *arguments, "--json", **options)
        self.assertEqual(done.returncode, 4, done.stderr)
        self.assertRegex(done.stderr, r"\Aloopcert: [^\n]*rejected[^\n]*\n\Z")
        return json.loads(done.stdout)

    def test_a_claim_that_is_true_and_one_that_is_not(self):
        self.write("true.txt", costs_text(chi_square(1, 3000, 2)))
        found = self.ok_json("watch", "--claim", "2.2", "true.txt")
        self.assertEqual((found["n"], found["rejected_at"], found["status"]), (3000, None, "stands"))
        self.assertEqual((found["claim"], found["alpha"]), (2.2, 0.01))
        costs = np.concatenate([chi_square(2, 500, 2), chi_square(3, 500, 5)])
        self.write("worn.txt", costs_text(costs))
        found = self.rejected("--claim", "2.2", "worn.txt")
        self.assertGreater(found["rejected_at"], 500)
        self.assertLess(found["rejected_at"], 600)
        self.assertEqual(found["n"], found["rejected_at"])
        self.assertGreaterEqual(found["evidence"], 100)
        self.assertEqual(self.run_program("watch", "--claim", 2.2, "worn.txt").returncode, 4)

    def test_standard_input(self):
        text = costs_text(chi_square(4, 400, 2))
        self.write("c.txt", text)
        done = self.run_program("watch", "--claim", 2, "--json", input=text)
        self.assertEqual(json.loads(done.stdout), self.ok_json("watch", "--claim", 2, "c.txt"))
        self.rejected("--claim", 1, input=text)

    def test_certificates(self):
        tree = {**WHITE_TREE, "limits": {"u": [-3, 3], "probability": 0.3}}
        problem = self.write("p.json", tree)
        self.ok("learn", problem, "--sample", 400, "--seed", 1, "--method", "lqr", "--certificate",
                "hold-out-chi-square", "--out", "out")
        value = json.loads((self.folder / "out/certificate.json").read_text())
        self.write("c.txt", costs_text(chi_square(5, 50, 1)))
        found = self.ok_json("watch", "--certificate", "out/certificate.json", "c.txt")
        self.assertEqual(found["claim"], value["value"])
        self.assertEqual(found["kind"], value["kind"])
        self.assertAlmostEqual(found["false_alarms"], 0.01 + 1 - value["confidence"], delta=1e-15)
        # The state knows where its claim comes from.
        given = ("watch", "--state", "s.json", "c.txt")
        self.ok("watch", "--certificate", "out/certificate.json", *given[1:])
        self.assertEqual(self.ok_json(*given), found)
        self.write("flags.txt", "1\n" * 40)
        found = self.rejected("--certificate", "out/limits.json", "flags.txt")
        self.assertEqual(found["functional"], "violation")
        self.ok("certify", WHITE, "--controller", "out/controller.json", "--sample", 50, "--out",
                "better", "--certificate", "improvement")
        self.fails(3, "watch", "--certificate", "better/certificate.json", "c.txt",
                   says="difference")
        self.ok("measure", "c.txt", "--against", "c.txt", "--gaussian", "--out", "ratio")
        self.fails(3, "watch", "--certificate", "ratio/certificate.json", "c.txt", says="ratio of costs")

    def test_degrees_help_where_they_hold(self):
        self.write("c.txt", costs_text(chi_square(6, 400, 1.5, 50)))
        plain = self.rejected("--claim", 1, "c.txt")["rejected_at"]
        self.assertLess(self.rejected("--claim", 1, "--degrees", 50, "c.txt")["rejected_at"], plain)

    def test_a_state_goes_on_where_it_was(self):
        costs = np.concatenate([chi_square(7, 300, 1), chi_square(8, 300, 3)])
        self.write("all.txt", costs_text(costs))
        whole = self.rejected("--claim", 1.1, "all.txt")
        at, text = 0, costs_text(costs)
        for cut in (0, 3, 40, 41, 1000, 2500, len(text)):
            self.write("growing.txt", text[:cut])
            done = self.run_program("watch", "--claim", 1.1, "--state", "s.json", "--json",
                                    "growing.txt")
            at = json.loads(done.stdout)["n"]
            self.assertLessEqual(at, 600)
        self.assertEqual(json.loads(done.stdout), whole)
        self.assertEqual(done.returncode, 4)
        # A rejected claim stays so, whatever comes, and without the claim on the command line.
        done = self.run_program("watch", "--state", "s.json", "--json", input="1\n")
        self.assertEqual((done.returncode, json.loads(done.stdout)), (4, whole))
        self.fails(3, "watch", "--claim", 2, "--state", "s.json", "all.txt", says="new state")

    def test_pieces_through_pipes(self):
        costs = chi_square(9, 90, 1)
        self.write("all.txt", costs_text(costs))
        whole = self.ok_json("watch", "--claim", 1, "all.txt")
        for piece in np.split(costs, 6):
            done = self.run_program("watch", "--claim", 1, "--state", "s.json", "--json",
                                    input=costs_text(piece, ""))
        self.assertEqual(json.loads(done.stdout), whole)

    def test_killed_at_any_time(self):
        """kill -9 while a file is followed: the next run ends where an undisturbed one does."""
        costs = chi_square(10, 4000, 1)
        lines = costs_text(costs).splitlines(keepends=True)
        whole = None
        self.write("whole.txt", "".join(lines))
        whole = self.ok_json("watch", "--claim", 1.2, "whole.txt")
        path = self.write("log.txt", "")
        random = np.random.default_rng(11)
        written = 0
        for _ in range(8):
            watch = subprocess.Popen([PROGRAM, "watch", "--claim", "1.2", "--state", "s.json",
                                      "--follow", "log.txt"], cwd=self.folder,
                                     stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
            with path.open("a") as log:
                for _ in range(5):
                    more = int(random.integers(1, 99))
                    log.write("".join(lines[written:written + more]))
                    log.flush()
                    written += more
                    time.sleep(float(random.uniform(0, 0.02)))
            watch.send_signal(signal.SIGKILL)
            watch.wait()
        with path.open("a") as log:
            log.write("".join(lines[written:]))
        self.assertEqual(self.ok_json("watch", "--claim", 1.2, "--state", "s.json", "log.txt"), whole)

    def test_follow_until_the_alarm(self):
        path = self.write("log.txt", "")
        watch = subprocess.Popen([PROGRAM, "watch", "--claim", "1", "--follow", "--json", "log.txt"],
                                 cwd=self.folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        with path.open("a") as log:
            for _ in range(40):
                log.write("4\n")
                log.flush()
        out, _ = watch.communicate(timeout=60)
        self.assertEqual(watch.returncode, 4)
        self.assertLess(json.loads(out)["rejected_at"], 40)

    def test_interrupted_it_says_what_it_has(self):
        self.write("log.txt", "1\n1\n")
        watch = subprocess.Popen([PROGRAM, "watch", "--claim", "1", "--follow", "--state", "s.json",
                                  "--json", "log.txt"], cwd=self.folder, stdout=subprocess.PIPE)
        while not (self.folder / "s.json").exists():
            time.sleep(0.01)
        watch.send_signal(signal.SIGTERM)
        out, _ = watch.communicate(timeout=60)
        self.assertEqual((watch.returncode, json.loads(out)["n"]), (0, 2))

    def test_refusals(self):
        self.write("c.txt", "1\n2\n")
        self.fails(2, "watch", "c.txt", says="--claim")
        self.fails(2, "watch", "--claim", "-1", "c.txt", says="--claim")
        self.fails(2, "watch", "--claim", "nan", "c.txt", says="--claim")
        self.fails(2, "watch", "--claim", 1, "--certificate", "x.json", "c.txt")
        self.fails(3, "watch", "--claim", 1, "--alpha", "1", "c.txt", says="alpha")
        self.fails(3, "watch", "--claim", 1, "--degrees", "0.5", "c.txt", says="degrees")
        self.fails(2, "watch", "--claim", 1, "--follow", says="--follow")
        self.fails(2, "watch", "--claim", 1, "--rollouts", "x.csv", "--", "c.txt", says="--steps")
        self.fails(3, "watch", "--claim", 1, "none.txt", says="none.txt")
        self.fails(3, "watch", "--certificate", "none.json", "c.txt", says="none.json")
        for text in ("1\nx\n", "1\n-2\n", "1\nnan\n", "1\n1,2\n"):
            self.write("bad.txt", text)
            self.fails(3, "watch", "--claim", 1, "bad.txt", says="cost 2")
        for text in ("{", "{}", '{"format": "loopcert watch-state 1"}'):
            self.write("s.json", text)
            self.fails(3, "watch", "--claim", 1, "--state", "s.json", "c.txt", says="s.json")
        self.fails(6, "watch", "--claim", 1, "--state", "none/s.json", "c.txt", says="none/s.json")
        self.ok("watch", "--claim", 2, "--state", "t.json", "c.txt")
        for other in (("--claim", 3), ("--alpha", 0.001), ("--degrees", 2)):
            self.fails(3, "watch", *other, "--state", "t.json", "c.txt", says=["t.json", "new state"])
        self.ok("watch", "--claim", 2, "--alpha", 0.01, "--state", "t.json", "c.txt")
        self.fails(6, "watch", "--claim", 1, "--out", "none/o.json", "c.txt", says="none/o.json")


class Steps(ProgramTest):
    """The example of a drive: learned from its logs, watched on others of the same plant."""

    def setUp(self):
        super().setUp()
        self.ok("learn", DRIVE / "problem.toml", "--rollouts", DRIVE / "logs.csv", "--out", "out")
        tree = self.ok_json("identify", DRIVE / "problem.toml", "--rollouts", DRIVE / "logs.csv")
        self.A, self.B = np.array(tree["A"]), np.array(tree["B"])
        self.noise = np.linalg.cholesky(np.array(tree["noise"]))

    def log(self, name, seed, steps, friction=1.0, noise=1.0):
        """Steps of the estimate itself; known rows hold exactly."""
        rng = np.random.default_rng(seed)
        n_x, n_u = self.B.shape
        rows = self.unknown()
        x, lines = np.zeros(n_x), []
        for _ in range(steps):
            u = 0.5 * rng.normal(size=n_u)
            lines.append(",".join(f"{v!r}" for v in map(float, [*x, *u])))
            A = self.A.copy()
            A[rows] *= friction
            v = np.zeros(n_x)
            v[rows] = noise * self.noise @ rng.normal(size=len(rows))
            x = A @ x + self.B @ u + v
        self.write(name, "\n".join(lines) + "\n")

    def unknown(self):
        text = (DRIVE / "problem.toml").read_text()
        line = next(line for line in text.splitlines() if line.startswith("identify"))
        return [int(row) - 1 for row in line.split("[")[1].split("]")[0].split(",")]

    def watch(self, log, *more):
        done = self.run_program("watch", "--steps", log, "--certificate", "out/certificate.json",
                                "--rollouts", DRIVE / "logs.csv", "--json", *more)
        self.assertIn(done.returncode, (0, 4), done.stderr)
        found = json.loads(done.stdout)
        self.assertEqual(done.returncode == 4, found["rejected_at"] is not None)
        return found

    def test_the_same_plant_and_a_worn_one(self):
        self.log("same.csv", 1, 3000)
        found = self.watch("same.csv")
        self.assertEqual((found["n"], found["rejected_at"]), (2999, None))
        record = json.loads((self.folder / "out/certificate.json").read_text())
        deltas = {event["id"]: event["delta"] for event in record["events"]}
        self.assertAlmostEqual(found["delta"], deltas["model"] + deltas["noise"], delta=1e-15)
        self.log("loud.csv", 2, 300, noise=4)
        self.assertLess(self.watch("loud.csv")["rejected_at"], 60)
        self.assertIn("spread", self.watch("loud.csv")["cause"])

    def test_resumed_without_certificate_and_logs(self):
        self.log("loud.csv", 3, 300, noise=2)
        whole = self.watch("loud.csv")
        text = (self.folder / "loud.csv").read_text()
        self.write("growing.csv", text[:100])
        self.watch("growing.csv", "--state", "s.json")
        for cut in (300, 301, 2000, len(text)):
            self.write("growing.csv", text[:cut])
            done = self.run_program("watch", "--steps", "growing.csv", "--state", "s.json", "--json")
        self.assertEqual(json.loads(done.stdout), whole)
        steps = ("watch", "--steps", "growing.csv", "--state", "s.json")
        self.assertEqual(self.watch("growing.csv", "--state", "s.json"), whole)
        self.fails(3, *steps, "--alpha", 0.5, says="new state")
        self.write("other.json", (self.folder / "out/certificate.json").read_text() + "\n")
        self.fails(3, *steps, "--certificate", "other.json", says="another certificate")

    def test_refusals(self):
        self.log("log.csv", 4, 30)
        steps = ("watch", "--steps", "log.csv")
        self.fails(2, *steps, says="--certificate")
        self.fails(2, *steps, "--certificate", "out/certificate.json", says="--rollouts")
        self.fails(2, *steps, "--claim", 1, says="--claim")
        self.fails(3, *steps, "--certificate", "out/certificate.json", "--rollouts", "log.csv")
        self.ok("learn", WHITE, "--sample", 20, "--out", "known")
        self.fails(3, *steps, "--certificate", "known/certificate.json", "--rollouts",
                   DRIVE / "logs.csv", says="identified")
        self.write("log.csv", "1\n")
        self.fails(3, *steps, "--certificate", "out/certificate.json", "--rollouts",
                   DRIVE / "logs.csv", says="measured")


if __name__ == "__main__":
    unittest.main()

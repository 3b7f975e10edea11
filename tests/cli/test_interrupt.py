"""Ctrl-C while learning keeps the best certificate so far."""

import json
import signal
import subprocess

import numpy as np

from program import PROGRAM, ProgramTest


def large_problem(horizon):
    """Two coupled double integrators."""
    A = np.kron(np.eye(2), [[1, 1], [0, 1]]) + 0.05 * np.eye(4)[::-1]
    return {"horizon": horizon,
            "system": {"A": A.tolist(), "B": np.kron(np.eye(2), [[0.5], [1]]).tolist()},
            "cost": {"Q": [1, 0.1, 1, 0.1], "R": [0.5, 0.5]},
            "disturbance": {"scale_bound": 0.1, "covariance": 0.1}}


class Interrupt(ProgramTest):
    def learn_until_the_second_step(self, horizon):
        self.write("problem.json", large_problem(horizon))
        self.ok("sample", "problem.json", "-n", 50, "--out", "w.npy")
        process = subprocess.Popen([PROGRAM, "learn", "problem.json", "--data", "w.npy", "--trace",
                                    "--json", "--out", "out"], cwd=self.folder, text=True,
                                   stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        try:
            lines = [process.stderr.readline() for _ in range(3)]  # the head and two steps
            process.send_signal(signal.SIGINT)
            out, error = process.communicate(timeout=120)
        finally:
            process.kill()
        self.assertEqual(process.returncode, 0, "".join(lines) + error)
        return json.loads(out), error

    def test_certificate_so_far(self):
        for horizon in (60, 80, 100):
            run, error = self.learn_until_the_second_step(horizon)
            c = run["certificate"]
            if c["solver"]["status"] == "interrupted":
                break  # else it was done before the signal came
        self.assertEqual(c["solver"]["status"], "interrupted")
        self.assertEqual(run["status"], "stopped-early")
        self.assertGreaterEqual(c["solver"]["iterations"], 2)
        self.assertIn("warning", error)
        self.assertIn("'interrupted'", run["warnings"][0]["text"])
        for name in ("controller.json", "posterior.npz", "run.json"):
            self.assertTrue((self.folder / "out" / name).is_file(), name)
        self.assertEqual(json.loads((self.folder / "out/certificate.json").read_text()), c)
        self.ok("verify", "out/certificate.json", "--data", "w.npy")

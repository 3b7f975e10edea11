"""loopcert-verify on records of `loopcert watch`: evidence again, in balls."""

import json
import unittest

import numpy as np

from checker import CheckerTest
from unknown_plants import A_2, B_2, PLANTS, simulate


class Watched(CheckerTest):
    def setUp(self):
        super().setUp()
        rng = np.random.default_rng(3)
        costs = np.concatenate([rng.chisquare(3, 400) / 3, 2 * rng.chisquare(3, 400) / 3])
        self.write("costs.csv", "cost\n" + "".join(f"{cost!r}\n" for cost in costs.tolist()))

    def record(self, claim, *more):
        self.run_program("watch", "--claim", claim, "--out", "w.json", *more, "costs.csv")
        return json.loads((self.folder / "w.json").read_text())

    def verdict(self, record=None):
        if record is not None:
            self.write("w.json", record)
        return self.ask("w.json", "--data", "costs.csv")

    def test_honest(self):
        for claim, degrees in ((1.1, 0), (1.1, 3), (5, 0), (1e-3, 0), (1.6, 1.5)):
            record = self.record(claim, *(["--degrees", degrees] if degrees else []))
            status, line = self.verdict()
            self.assertEqual(status, 0, line)
            if record["rejected_at"]:
                self.assertIn(f"VERIFIED claim rejected at cost {record['rejected_at']}:", line)
            else:
                self.assertIn("VERIFIED claim stands after 800 costs:", line)

    def test_a_million_degrees(self):
        """Exponents are differences of large numbers: the evidence is off by 1e-9 of itself."""
        rng = np.random.default_rng(5)
        neutral = np.log(1.05) / (1 - 1 / 1.05)  # where the smallest rise bets on nothing
        costs = neutral + 4e-6 * (1 + 0.5 * rng.random(400))
        self.write("costs.csv", "".join(f"{cost!r}\n" for cost in costs.tolist()))
        record = self.record(1, "--degrees", 1e6, "--alpha", 1e-200)
        self.assertGreater(record["evidence"], 1e6)
        status, line = self.verdict()
        self.assertEqual(status, 0, line)
        self.assertEqual(self.verdict({**record, "evidence": 1.001 * record["evidence"]})[0], 1)

    def test_forged(self):
        record = self.record(1.1)
        at = record["rejected_at"]
        self.assertGreater(at, 400)
        for change in ({"rejected_at": at - 1}, {"rejected_at": at - 1, "n": at - 1},
                       {"evidence": 1.0001 * record["evidence"]}, {"largest": 2 * record["largest"]},
                       {"claim": 1.09}, {"claim": 1.11}, {"alpha": 0.001}, {"degrees": 3.0},
                       {"status": "stands"}, {"status": "stands", "rejected_at": None},
                       {"n": at + 1}, {"n": 801}, {"false_alarms": 0.0099}, {"confidence": 0.95},
                       {"kind": "hold-out"},
                       {"kind": "hold-out", "confidence": 0.95, "false_alarms": 0.0599}):
            with self.subTest(change):
                status, line = self.verdict({**record, **change})
                self.assertEqual(status, 1, line)
                self.assertTrue(line.startswith("REFUTED "), line)
        self.write("w.json", record)
        lines = (self.folder / "costs.csv").read_text().splitlines()
        lines[200] = str(float(lines[200]) + 0.01)
        self.write("costs.csv", "\n".join(lines) + "\n")
        self.assertEqual(self.verdict()[0], 1)

    def test_no_records(self):
        record = self.record(1.1)
        for change in ({"extra": 1}, {"alpha": 0}, {"alpha": "x"}, {"claim": -1}, {"degrees": 0.5},
                       {"n": -1}, {"n": 1.5}, {"status": "so"}, {"functional": "step"},
                       {"kind": "hold-out", "confidence": 1.5}, {"kind": 3, "confidence": 0.9}):
            with self.subTest(change):
                self.assertEqual(self.verdict({**record, **change})[0], 3)
        self.write("w.json", record)
        self.assertEqual(self.ask("w.json")[0], 3)  # no costs
        self.write("costs.csv", "1,2\n3,4\n")
        self.assertEqual(self.verdict()[0], 3)


class Steps(CheckerTest):
    """Plants that were identified, watched step by step on logs with names, gaps and several runs."""

    def learned(self, name):
        tree, draw = PLANTS[name]
        x, u = draw()
        np.savez(self.folder / "logs.npz", x=x, u=u)
        self.ok("learn", self.write("problem.json", tree), "--rollouts", "logs.npz", "--out", "run")

    def watched(self, lines, *more):
        self.write("today.csv", "\n".join(lines) + "\n")
        self.run_program("watch", "--steps", "today.csv", "--certificate", "run/certificate.json",
                         "--rollouts", "logs.npz", "--out", "w.json", *more)
        return json.loads((self.folder / "w.json").read_text())

    def verdict(self, record=None, *more):
        if record is not None:
            self.write("w.json", record)
        return self.ask("w.json", "--data", "today.csv", "--certificate", "run/certificate.json",
                        "--rollouts", "logs.npz", *more)

    def steps(self, noise, count=240, gap=80):
        x, u = simulate(A_2, B_2, 1, count, 9, noise=noise)
        lines = ["step,u0,x1,x0"]
        for t, (row, push) in enumerate(zip(x[0], u[0])):
            lines.append(f"{t},{push[0]!r},{row[1]!r},{row[0]!r}")
            if t % gap == gap - 1:
                lines.append("")
        return lines

    def test_two_outputs(self):
        self.learned("for ever")
        record = self.watched(self.steps(0.3))
        self.assertEqual((record["n"], record["rejected_at"]), (237, None))
        self.assertEqual(self.verdict()[0], 0, self.verdict())
        record = self.watched(self.steps(np.array([0.3, 0.7])))
        self.assertIn("spread", record["cause"])
        status, line = self.verdict()
        self.assertEqual(status, 0, line)
        self.assertIn(f"rejected at transition {record['rejected_at']} ({record['cause']})", line)
        at = record["rejected_at"]
        for change in ({"rejected_at": at - 1}, {"n": at - 1, "rejected_at": at - 1},
                       {"evidence": 1.001 * record["evidence"]}, {"alpha": 1e-9},
                       {"largest": 2 * record["largest"]}, {"cause": "drift"}, {"cause": None},
                       {"status": "stands", "rejected_at": None, "cause": None}, {"n": 10**6},
                       {"delta": 0.5 * record["delta"]}, {"false_alarms": record["alpha"]},
                       {"certificate": 64 * "0"}):
            with self.subTest(change):
                status, line = self.verdict({**record, **change})
                self.assertEqual(status, 1, line)
                self.assertTrue(line.startswith("REFUTED "), line)
        for change in ({"extra": 1}, {"alpha": 2}, {"n": -1}, {"cause": 3}):
            self.assertEqual(self.verdict({**record, **change})[0], 3, change)
        self.write("w.json", record)
        self.assertEqual(self.ask("w.json", "--data", "today.csv", "--rollouts", "logs.npz")[0], 3)
        lines = self.steps(np.array([0.3, 0.7]))
        lines[5] = lines[5].replace("4,", "4,1")  # another input
        self.write("today.csv", "\n".join(lines) + "\n")
        self.assertEqual(self.verdict()[0], 1)

    def test_lags(self):
        self.learned("outputs, offset")
        _, draw = PLANTS["outputs, offset"]
        y, u = draw()
        y, u = np.asarray(y).ravel(), np.asarray(u).ravel()
        lines = [f"{a!r} {b!r}" for a, b in zip(y[:150].tolist(), 3 * u[:150])]
        record = self.watched(lines)
        self.assertIsNotNone(record["rejected_at"])
        status, line = self.verdict()
        self.assertEqual(status, 0, line)
        self.assertEqual(self.verdict({**record, "evidence": 0.999 * record["evidence"]})[0], 1)


if __name__ == "__main__":
    unittest.main()

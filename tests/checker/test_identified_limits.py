"""loopcert-verify: limits of plants that nobody knows, and records that claim more of them."""

import copy
import json
import unittest

import numpy as np

import honest_runs
from checker import CheckerTest
from unknown_plants import A_2, B_2, arx, known_rows, noise_in_the_second, problem, simulate


def one(parts):
    return tuple(part[0] for part in parts)


LIMITS = {
    "inputs": ({"u": [-0.8, 0.8], "probability": 0.1}, problem(6, 2, 1),
               lambda: simulate(A_2, B_2, 150, 6, 1)),
    "each row": ({"each": 0.05, "x": [[-2.2, 2.2], [-1.5, 1.5]],
                  "rows": [{"x": [1, 0], "u": [0.5], "max": 1.2, "steps": [1, 3]}]},
                 problem(5, 2, 1), lambda: simulate(A_2, B_2, 150, 5, 2)),
    "offset": ({"u": [-0.8, 0.9], "probability": 0.1}, problem(6, 2, 1, offset=True),
               lambda: simulate(A_2, B_2, 200, 6, 3, offset=0.1)),
    "known row": ({"x": [[-2, 2], [-3, 3]]}, known_rows(), noise_in_the_second),
    "known row, offset": ({"x": [[-3, 3], [-3, 3]]}, known_rows(0.1),
                          lambda: noise_in_the_second(0.1)),
    "for ever": ({"u": [-0.7, 0.7], "each": 0.05}, problem("infinite", 2, 1),
                 lambda: one(simulate(A_2, B_2, 1, 2500, 5))),
    "for ever, offset": ({"u": [-0.8, 0.8], "x": [-3, 3]}, problem("infinite", 2, 1, offset=True),
                         lambda: one(simulate(A_2, B_2, 1, 2500, 6, offset=0.1))),
    "outputs": ({"u": [-2, 2], "x": [-2, 2]}, problem("infinite", 1, 1, lags=2),
                lambda: arx(3000, 5, 0)),
}


class LimitsOfPlants(CheckerTest):
    def learned(self, name, method="auto"):
        limits, tree, draw = LIMITS[name]
        x, u = draw()
        np.savez(self.folder / "logs.npz", x=x, u=u)
        self.run_program("learn", self.write("problem.json", {**tree, "limits": limits}),
                         "--rollouts", "logs.npz", "--method", method, "--out", "run")
        return json.loads((self.folder / "run/limits.json").read_text())

    def ask_about(self, record, *more):
        inputs = record["inputs"]
        inputs["problem_sha256"] = honest_runs.sha256(honest_runs.dump(inputs["problem"]).encode())
        (self.folder / "run/limits.json").write_text(json.dumps(record))
        return self.ask_all("run/limits.json", "--rollouts", "logs.npz", *more)

    def test_honest(self):
        bounds = set()
        for name in LIMITS:
            for method in ("identified", "guaranteed"):
                with self.subTest(name, method=method):
                    record = self.learned(name, method)
                    status, text = self.ask_about(record, "--problem", "problem.json")
                    self.assertEqual(status, 0, text)
                    value = float(text.split(": ")[1].split()[0])
                    self.assertLessEqual(abs(value - record["value"]), 1e-7 * record["value"])
                    self.assertIn("limit", text)
                    rows = record["inputs"]["identified_limits"]["rows"]
                    bounds |= {row["bound"] for row in rows}
                    status, text = self.ask_all("run/certificate.json", "--rollouts", "logs.npz")
                    self.assertEqual(status, 0, text)
        self.assertLessEqual({"start", "expansion"}, bounds)

    def test_forged(self):
        def said(record, factor):
            record["value"] *= factor
            record["terms"][0]["value"] *= factor

        def rows(record):
            return record["inputs"]["identified_limits"]["rows"]

        def each(record, change):
            for row in rows(record):
                change(row)

        def other_limits(record):
            for row in record["inputs"]["problem"]["limits"]["rows"]:
                for key in ("min", "max"):
                    if key in row:
                        row[key] *= 3

        changes = {
            "smaller value": lambda r: said(r, 0.99),
            "another functional": lambda r: r["functional"].update(id="cost"),
            "fewer rows": lambda r: rows(r).pop(),
            "more rows": lambda r: rows(r).append(copy.deepcopy(rows(r)[-1])),
            "other gains": lambda r: r["inputs"]["identified"]["gains"][0][0].__setitem__(0, 0.0),
            "all the start's": lambda r: each(r, lambda row: row.update(bound="start")),
            "an unknown bound": lambda r: each(r, lambda row: row.update(bound="known")),
            "smaller variance": lambda r: each(r, lambda row: row.update(
                variance=0.9 * row["variance"])),
            "smaller violation": lambda r: each(r, lambda row: row.update(
                violation=0.9 * row["violation"])),
            "more delta": lambda r: r["events"][0].update(delta=2 * r["events"][0]["delta"]),
            "less delta said": lambda r: r.update(confidence=0.99),
            "other limits": other_limits,
            "another kind": lambda r: r.update(kind="limits-tolerance"),
        }
        for name in ("inputs", "offset", "for ever", "for ever, offset"):
            honest = self.learned(name)
            for what, change in changes.items():
                with self.subTest(name, what=what):
                    record = copy.deepcopy(honest)
                    change(record)
                    status, text = self.ask_about(record, "--problem", "problem.json")
                    self.assertIn(status, (1, 3), text)
                    self.assertNotIn("VERIFIED", text)

    def test_worse_numbers_prove_less(self):
        """Any tau, nu or mean is a proof, of a bound that may be larger; never of a smaller one."""
        record = self.learned("offset")
        draw = np.random.RandomState(1)
        for _ in range(20):
            other = copy.deepcopy(record)
            for row in other["inputs"]["identified_limits"]["rows"]:
                for key in ("tau", "nu"):
                    if key in row:
                        row[key] *= np.exp(draw.normal())
                row["mean"] += 0.1 * draw.normal()
            status, text = self.ask_about(other)
            self.assertEqual(status, 1, text)
            self.assertIn("less" if "says less" in text else "it is at least", text)


if __name__ == "__main__":
    unittest.main()

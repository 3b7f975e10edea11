"""Measured costs from a file to VERIFIED, and what the checker says of records that were changed."""

import json

import numpy as np

from checker import CheckerTest

LIMITED = {
    "name": "logs", "horizon": 5,
    "system": {"identify": True, "states": 2, "inputs": 1},
    "cost": {"Q": [1, 0.1], "R": [0.5]},
    "limits": {"u": [-0.5, 0.5]},
}


class Measured(CheckerTest):
    def setUp(self):
        super().setUp()
        random = np.random.RandomState(3)
        self.costs = np.minimum(random.gamma(2, 1, 60), 9.5)
        self.other = np.minimum(random.gamma(2, 1.5, 45), 9.5)
        np.save(self.folder / "a.npy", self.costs)
        np.save(self.folder / "b.npy", self.other)

    def measured(self, *arguments):
        self.ok("measure", *arguments, "--out", "run")
        return json.loads((self.folder / "run/certificate.json").read_text())

    def verified(self, record, name="run"):
        status, text = self.ask_all(name)
        self.assertEqual(status, 0, text)
        self.assertAlmostEqual(float(text.split(": ", 1)[1].split()[0]), record["value"],
                               delta=1e-8 * max(1, abs(record["value"])))
        for statement in record["assumptions"]:
            self.assertIn("assuming: ", text, statement)
        self.assertIn("agrees", self.ok("recheck", "run/certificate.json"))
        return text

    def changed(self, change, expected):
        path = self.folder / "run/certificate.json"
        honest = path.read_text()
        record = json.loads(honest)
        change(record)
        path.write_text(json.dumps(record))
        status, text = self.ask_all("run")
        self.assertEqual(status, 1, text)
        self.assertIn(expected, text)
        self.assertIn(self.run_program("recheck", path).returncode, (3, 4))
        path.write_text(honest)

    def test_every_kind(self):
        for more in (["--certificate", "measured-chi-square"],
                     ["--certificate", "measured-scale-free"],
                     ["--certificate", "measured-bounded", "--largest", 10],
                     ["--certificate", "measured-fourth-moment", "--kurtosis", 3],
                     ["--gaussian", "--largest", 10, "--kurtosis", 3],
                     ["--gaussian", "--any-mean", "--largest", 10, "--delta", 0.3],
                     ["--largest", 1e6]):
            self.verified(self.measured("a.npy", *more))
        for more in (["--certificate", "measured-ratio"],
                     ["--certificate", "measured-ratio-any-mean"], ["--largest", 10]):
            self.verified(self.measured("a.npy", "--against", "b.npy", *more))
        np.save(self.folder / "c.npy", self.costs + 0.3 * np.sin(self.costs) ** 2)
        record = self.measured("a.npy", "--against", "c.npy", "--largest", 10, "--paired")
        self.assertEqual(record["functional"]["id"], "cost-difference")
        self.verified(record)

    def test_limits(self):
        random = np.random.RandomState(5)
        np.savez(self.folder / "logs.npz", x=random.normal(size=(40, 6, 2)),
                 u=0.25 * random.normal(size=(40, 5, 1)))
        for each in (False, True):
            tree = json.loads(json.dumps(LIMITED))
            if each:
                tree["limits"]["each"] = 0.1
            self.write("p.json", tree)
            record = self.measured("p.json", "--rollouts", "logs.npz", "--gaussian")
            self.verified(record)
            status, text = self.ask_all("run/limits.json")
            self.assertEqual(status, 0, text)
            limits = json.loads((self.folder / "run/limits.json").read_text())
            self.assertAlmostEqual(float(text.split(": ")[1].split()[0]), limits["value"], delta=1e-8)
            self.assertIn("agrees", self.ok("recheck", "run/limits.json"))
            path = self.folder / "run/limits.json"
            limits["value"] *= 0.9
            limits["terms"][0]["value"] *= 0.9
            path.write_text(json.dumps(limits))
            self.assertEqual(self.ask_all(path)[0], 1)

    def test_changes(self):
        self.measured("a.npy", "--gaussian", "--largest", 10, "--kurtosis", 3)

        def smaller(record):
            record["value"] -= 1e-3
            record["terms"][1]["value"] -= 1e-3

        def confident(record):
            record["confidence"] = 0.99

        def shares(record):
            record["events"][0]["delta"] += 0.001
            record["events"][1]["delta"] -= 0.001

        def hashed(record):
            record["inputs"]["costs_sha256"] = 64 * "0"

        def counted(record):
            record["n"] += 1

        def assumed(record):
            record["inputs"]["measure"]["largest"] = 9.6

        def functional(record):
            record["functional"]["id"] = "cost-difference"

        self.changed(smaller, "margin")
        self.changed(confident, "confidence")
        self.changed(shares, "share")
        self.changed(hashed, "SHA-256")
        self.changed(counted, "n:")
        self.changed(functional, "functional")
        record = self.measured("a.npy", "--largest", 10, "--certificate", "measured-bounded")
        self.changed(assumed, "assumptions")
        self.changed(smaller, "margin")

        def larger_delta(record):
            record["inputs"]["measure"]["delta"] = 0.2

        self.changed(larger_delta, "delta")

        def exceeded(record):
            record["inputs"]["measure"]["largest"] = float(self.costs.max()) - 0.1
            record["assumptions"][1]["parameters"]["largest"] = float(self.costs.max()) - 0.1

        self.changed(exceeded, "exceeds")
        np.save(self.folder / "run/costs.npy", self.costs[::-1])
        self.assertIn("SHA-256", self.ask_all("run")[1])
        self.assertGreater(record["value"], self.costs.mean())

    def test_other_files(self):
        self.measured("a.npy", "--largest", 10)
        status, text = self.ask("run", "--problem", "run/certificate.json")
        self.assertEqual(status, 3)
        self.assertIn("no model", text)
        (self.folder / "costs.csv").write_text("".join(f"{cost!r}\n" for cost in self.costs.tolist()))
        self.assertEqual(self.ask_all("run", "--data", "costs.csv")[0], 0)
        self.assertIn("agrees", self.ok("recheck", "run/certificate.json", "--data", "costs.csv"))


if __name__ == "__main__":
    import unittest
    unittest.main()

"""loopcert-verify computes a baseline from the problem by itself."""

import copy
import hashlib
import json
import unittest

from checker import CheckerTest
from program import WHITE_TREE

LAW = {"covariance": {"ar1": 0.8, "variance": 0.1}}
FORMS = {
    "gain": {"gain": [[-0.3, -0.8]], "setpoint": [0.3, 0.0], "offset": [0.1]},
    "pid": {"pid": {"p": [[0.4, 0]], "i": [[0.02, 0]], "d": [[0.9, 0.1]], "filter": 0.5, "dt": 0.5}},
    "lead-lag": {"lead-lag": {"gain": [[0.3, 0.4]], "lead": 2.0, "lag": 0.4, "dt": 0.5}},
    "state-space": {"state-space": {"A": [[0.5, 0.1], [0, 0.2]], "B": [[1, 0], [0, 1]],
                                    "C": [[-0.1, -0.2]], "D": [[-0.3, -0.8]]}},
}


def tree(baseline):
    return {**WHITE_TREE, "disturbance": LAW, "baseline": baseline}


class BaselineTest(CheckerTest):
    def run_of(self, baseline, method, *more):
        problem = self.write("problem.json", tree(baseline))
        self.ok("sample", problem, "-n", 60, "--seed", 4, "--out", "w.npy")
        self.ok("learn", problem, "--data", "w.npy", "--method", method, "--certificate", "best",
                "--out", "run", *more)

    def verdict(self, name, *more):
        return self.ask(f"run/{name}.json", "--data", "w.npy", *more)

    def test_every_form(self):
        for name, baseline in FORMS.items():
            for method in ("baseline", "lqr", "shrinkage"):
                self.run_of(baseline, method)
                names = ["certificate", "baseline-certificate"]
                for record in names if method == "baseline" else [*names, "improvement"]:
                    status, line = self.verdict(record, "--problem", "problem.json")
                    self.assertEqual(status, 0, f"{name}, {method}, {record}: {line}")

    def test_auto_and_what_it_falls_back_to(self):
        self.run_of(FORMS["pid"], "auto")
        for record in ("certificate", "improvement"):
            self.assertEqual(self.verdict(record)[0], 0, record)
        run = json.loads((self.folder / "run/run.json").read_text())
        self.assertNotEqual(run["details"].get("deployed"), "baseline")
        # A gain that little can be better than, in its place.
        self.run_of({"gain": [[-0.4, -1.1]], "fallback": True}, "auto")
        self.assertEqual(self.verdict("certificate", "--problem", "problem.json")[0], 0)
        self.ok("sample", "problem.json", "-n", 60, "--seed", 5, "--out", "early.npy")
        self.ok("learn", "problem.json", "--data", "early.npy", "--method", "erm", "--certificate",
                "hold-out-chi-square", "--out", "today")
        self.run_of({"file": "today/controller.json", "fallback": True}, "baseline")
        self.assertEqual(self.verdict("certificate", "--problem", "problem.json")[0], 0)

    def forge(self, name, change):
        """The record with a change, its hashes put right: what only the checker's own loop tells."""
        path = self.folder / f"run/{name}.json"
        record = json.loads(path.read_text())
        change(record)
        problem = json.dumps(record["inputs"]["problem"], separators=(",", ":"), sort_keys=True,
                             ensure_ascii=False)
        record["inputs"]["problem_sha256"] = hashlib.sha256(problem.encode()).hexdigest()
        (self.folder / "run/forged.json").write_text(json.dumps(record))
        return self.verdict("forged")

    def test_another_baseline_is_noticed(self):
        self.run_of(FORMS["pid"], "shrinkage")
        record = json.loads((self.folder / "run/improvement.json").read_text())
        status, line = self.forge("improvement", lambda r: None)
        self.assertEqual(status, 0, line)  # forging alone changes nothing

        def worse(r):  # a baseline that costs more: the difference would be smaller than it says
            r["inputs"]["problem"]["baseline"]["pid"]["p"] = [[0.38, 0]]

        def no_other(r):
            del r["inputs"]["problem"]["baseline"]

        def better(r):
            r["value"] -= 0.05
            r["terms"][1]["value"] -= 0.05

        for change in (worse, no_other, better):
            status, line = self.forge("improvement", change)
            self.assertEqual(status, 1, line)
            self.assertRegex(line, r"\AREFUTED ", copy.deepcopy(record["value"]))
        self.assertEqual(self.verdict("improvement")[0], 0)

    def test_shares_of_the_choice(self):
        """A record that claims the shares of a problem without a fallback."""
        self.run_of({"gain": [[-0.4, -1.1]], "fallback": True}, "auto")

        def drop(r):
            r["inputs"]["problem"]["baseline"]["fallback"] = False

        status, line = self.forge("certificate", drop)
        self.assertEqual(status, 1, line)

    def test_own_problem(self):
        self.run_of(FORMS["pid"], "lqr")
        other = copy.deepcopy(FORMS["pid"])
        other["pid"]["p"][0][0] = 0.41
        self.write("other.json", tree(other))
        status, line = self.verdict("improvement", "--problem", "other.json")
        self.assertEqual(status, 1)
        self.assertIn("baseline is not that of --problem", line)


if __name__ == "__main__":
    unittest.main()

"""The controller that runs today: a problem's [baseline], beside whatever is learned."""

import json
import unittest

import numpy as np

from program import COLOURED, WHITE_TREE, ProgramTest

# The double integrator under coloured disturbances, with a PD controller on the position.
PID = {"p": [[0.4, 0]], "d": [[0.9, 0]], "filter": 0.5, "dt": 0.5}
TREE = {**WHITE_TREE,
        "disturbance": {"covariance": {"ar1": 0.8, "variance": 0.1}},
        "baseline": {"pid": PID}}


def pid_inputs(x):
    """What that controller does on the states of one episode, as one would write it down."""
    u, rate = [], 0.0
    for t in range(len(x) - 1):
        e = -x[t][0]
        if t > 0:
            rate = (PID["filter"] * rate + e - before) / (PID["filter"] + PID["dt"])
        before = e
        u.append(PID["p"][0][0] * e + PID["d"][0][0] * rate)
    return np.array(u)


def costs(w, input_of):
    """Of every trajectory, step by step."""
    A, B = np.array([[1, 1], [0, 1]]), np.array([0.5, 1])
    found = []
    for row in w.reshape(len(w), 11, 2):
        x = [row[0]]
        for t in range(10):
            u = input_of([*x, None])[t]
            x.append(A @ x[-1] + B * u + row[t + 1])
        u = input_of([*x])
        x = np.array(x)
        found.append(np.sum(x[:10] ** 2 @ [1, 0.1]) + x[10] ** 2 @ [2, 0.2] + 0.5 * np.sum(u ** 2))
    return np.array(found)


class BaselineTest(ProgramTest):
    def setUp(self):
        super().setUp()
        self.problem = self.write("problem.json", TREE)
        self.ok("sample", self.problem, "-n", 100, "--seed", 3, "--out", "w.npy")
        self.w = np.load(self.folder / "w.npy")

    def learn(self, *arguments):
        return self.ok_json("learn", self.problem, "--data", "w.npy", *arguments)

    def test_what_runs_today_comes_first(self):
        run = self.learn("--method", "auto", "--out", "run")
        today = costs(self.w, pid_inputs)
        self.assertAlmostEqual(run["baseline_cost"], today.mean(), places=9)
        self.assertAlmostEqual(run["baseline_cost_standard_error"],
                               today.std(ddof=1) / np.sqrt(len(today)), places=9)
        certified = run["baseline_certificate"]
        self.assertEqual(certified["kind"], "best")
        self.assertGreater(certified["value"], today.mean())
        self.assertEqual(run["compared_with"], "baseline")
        self.assertLess(run["improvement"]["value"], 0)
        self.assertIn("costs less by at least", run["baseline_verdict"])
        # The bound is one: the difference under the law is below it.
        self.assertLess(run["population_cost"] - run["baseline_population_cost"],
                        run["improvement"]["value"])
        table = self.ok("learn", self.problem, "--data", "w.npy", "--method", "auto").split("\n")
        self.assertTrue(table[1].startswith("runs today"), table[:4])
        self.assertTrue(table[3].strip().startswith("the new one"), table[:6])
        page = (self.folder / "run/report.html").read_text()
        self.assertIn("Against the controller that runs today (pid)", page)

    def test_its_files_can_be_checked_again(self):
        self.learn("--method", "shrinkage", "--certificate", "best", "--out", "run")
        for name in ("certificate", "improvement", "baseline-certificate"):
            self.ok("recheck", f"run/{name}.json", "--data", "w.npy")
        simulated = self.ok_json("simulate", self.problem, "--controller", "run/baseline.json",
                                 "--data", "w.npy")
        self.assertAlmostEqual(simulated["mean"], costs(self.w, pid_inputs).mean(), places=9)
        # A problem without a baseline leaves none of this behind.
        plain = self.write("plain.json", {k: v for k, v in TREE.items() if k != "baseline"})
        self.ok("learn", plain, "--data", "w.npy", "--method", "lqr", "--out", "run")
        self.assertFalse((self.folder / "run/baseline.json").exists())
        self.assertFalse((self.folder / "run/baseline-certificate.json").exists())

    def test_as_a_method(self):
        run = self.learn("--method", "baseline", "--certificate", "hold-out-chi-square", "--out",
                         "run")
        self.assertAlmostEqual(run["empirical_cost"], costs(self.w, pid_inputs).mean(), places=9)
        self.assertEqual(run["certificate"]["kind"], "hold-out-chi-square")
        self.assertIsNone(run["improvement"])
        self.ok("recheck", "run/certificate.json", "--data", "w.npy")
        self.ok("export", "run/controller.json", "--format", "c", "--out", "code")
        plain = self.write("plain.json", {k: v for k, v in TREE.items() if k != "baseline"})
        self.fails(3, "learn", plain, "--method", "baseline", says="baseline: found nothing")

    def test_lqr_against_it_needs_no_folds(self):
        run = self.learn("--method", "lqr", "--certificate", "best", "--out", "run")
        self.assertEqual(run["improvement"]["n"], 100)
        self.assertEqual({event["choices"] for event in run["improvement"]["events"]}, {1})
        self.ok("recheck", "run/improvement.json", "--data", "w.npy")

    def test_auto_chooses_among_one_more(self):
        run = self.learn("--method", "auto")
        choices = {event["choices"] for event in run["improvement"]["events"]
                   if event["statement"]["id"] != "kept-deployment"}
        self.assertEqual(choices, {4})  # LQR, its two colours, the folds
        plain = self.write("plain.json", {k: v for k, v in TREE.items() if k != "baseline"})
        run = self.ok_json("learn", plain, "--data", "w.npy", "--method", "auto")
        self.assertEqual({event["choices"] for event in run["improvement"]["events"]
                          if event["statement"]["id"] != "kept-deployment"}, {3})

    def test_falls_back(self):
        # The best that a few numbers allow, as a file: nothing can be certified to be better.
        self.ok("sample", self.problem, "-n", 400, "--seed", 77, "--out", "early.npy")
        self.ok("learn", self.problem, "--data", "early.npy", "--method", "shrinkage",
                "--certificate", "hold-out-chi-square", "--out", "today")
        tree = {**TREE, "baseline": {"file": "today/controller.json", "fallback": True}}
        problem = self.write("file.json", tree)
        run = self.ok_json("learn", problem, "--data", "w.npy", "--method", "auto", "--out", "run")
        self.assertEqual(run["details"]["deployed"], "baseline")
        self.assertIsNone(run["improvement"])
        today = json.loads((self.folder / "today/controller.json").read_text())
        deployed = json.loads((self.folder / "run/controller.json").read_text())
        np.testing.assert_allclose(deployed["K"], today["K"], atol=1e-9)
        # It was one of four that the data might have chosen without learning.
        self.assertEqual({event["choices"] for event in run["certificate"]["events"]
                          if event["kind"] == "hold-out-frobenius"}, {4})
        self.ok("recheck", "run/certificate.json", "--data", "w.npy")
        # What taught it cannot certify anything against it.
        self.fails(3, "learn", problem, "--data", "early.npy", "--method", "auto",
                   says="the baseline was learned from")

    def test_certify_compares_with_it(self):
        self.learn("--method", "ridge", "--certificate", "cross-chi-square", "--out", "run")
        self.ok("sample", self.problem, "-n", 80, "--seed", 9, "--out", "fresh.npy")
        common = ("certify", self.problem, "--controller", "run/controller.json", "--data",
                  "fresh.npy", "--certificate", "improvement")
        own = self.ok_json(*common, "--out", "own")
        self.assertEqual(own["inputs"]["baseline"], "problem")
        self.ok("recheck", "own/certificate.json", "--data", "fresh.npy")
        given = self.ok_json(*common, "--baseline", "run/baseline.json")
        self.assertAlmostEqual(own["value"], given["value"], places=9)
        lqr = self.ok_json(*common, "--baseline", "lqr")
        self.assertEqual(lqr["inputs"]["baseline"], "lqr")
        self.assertNotAlmostEqual(own["value"], lqr["value"], places=3)

    def test_forms_of_one_controller(self):
        """A number, a diagonal and a matrix say the same; a gain, a state-space form, too."""
        values = set()
        scalar = {"horizon": 4, "system": {"A": [[0.9]], "B": [[1]]}, "cost": {"Q": [1], "R": [1]},
                  "disturbance": {"covariance": 1}}
        for form in ({"gain": -0.5}, {"gain": [-0.5]}, {"gain": [[-0.5]]}, {"pid": {"p": 0.5}},
                     {"lead-lag": {"gain": 0.5, "lead": 2, "lag": 2, "dt": 0.1}},
                     {"state-space": {"A": [[0]], "B": [[1]], "C": [[0]], "D": [[-0.5]]}}):
            problem = self.write("form.json", {**scalar, "baseline": form})
            run = self.ok_json("learn", problem, "--method", "baseline")
            values.add(round(run["population_cost"], 12))
        self.assertEqual(len(values), 1, values)

    def test_setpoints_and_offsets(self):
        tree = {**TREE, "baseline": {"gain": [[-0.3, -0.8]], "setpoint": [1.0, 0.0], "offset": [0.2]}}
        problem = self.write("set.json", tree)
        run = self.ok_json("learn", problem, "--data", "w.npy", "--method", "baseline",
                           "--certificate", "best", "--out", "run")
        expected = costs(self.w, lambda x: np.array(
            [-0.3 * (x[t][0] - 1) - 0.8 * x[t][1] + 0.2 for t in range(len(x) - 1)]))
        self.assertAlmostEqual(run["empirical_cost"], expected.mean(), places=9)
        self.ok("recheck", "run/certificate.json", "--data", "w.npy")
        run = self.ok_json("learn", problem, "--data", "w.npy", "--method", "lqr",
                           "--certificate", "best", "--out", "run")
        self.assertEqual(run["improvement"]["chosen"], "improvement-mean")  # one of them is offset
        self.ok("recheck", "run/improvement.json", "--data", "w.npy")

    def test_refusals(self):
        for baseline, says in (
                ({}, "baseline: found a table"),
                ({"gain": [[1, 2]], "pid": {"p": [[1, 0]]}}, "baseline.gain is another"),
                ({"gain": -0.5}, "baseline.gain: found -0.5, expected a matrix of 1 x 2"),
                ({"pid": {}}, "baseline.pid"),
                ({"pid": {"q": 1}}, "baseline.pid.q"),
                ({"pid": {"p": [[1, 0]], "dt": 0}}, "dt: found 0"),
                ({"lead-lag": {"gain": [[1, 0]], "lead": 1}}, "baseline.lead-lag.lag"),
                ({"state-space": {"A": [[0]], "B": [[1, 0]], "C": [[1], [2]]}}, "C: found 2 x 1"),
                ({"file": "nowhere.json"}, "nowhere.json"),
                ({"gain": [[1, 0]], "setpoint": [1]}, "baseline.setpoint"),
                ({"lqg": {}}, "baseline.lqg: found an unknown key")):
            problem = self.write("bad.json", {**TREE, "baseline": baseline})
            self.fails(3, "learn", problem, "--data", "w.npy", says=says)
        limited = {**TREE, "baseline": {"gain": [[-0.3, -0.8]], "fallback": True},
                   "limits": {"u": [-5, 5]}}
        self.fails(3, "learn", self.write("bad.json", limited), "--data", "w.npy", "--method",
                   "auto", says="baseline.fallback")


if __name__ == "__main__":
    unittest.main()

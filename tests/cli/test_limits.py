"""Limits as a user meets them: what stands on the first screen, in files and in JSON; what is refused."""

import copy
import json
import os
import pathlib
import re
import subprocess
import unittest

import numpy as np
from scipy.stats import beta, chi2, norm

from program import PROGRAM, WHITE_TREE, ProgramTest

CHECKER = os.environ.get("LOOPCERT_VERIFY", pathlib.Path(PROGRAM).with_name("loopcert-verify"))

STATES, INPUTS, STEPS = 2, 1, 10
# A position that LQR lets go beyond 1 in about three episodes of ten. Step 1 is the disturbance's alone.
TILT = {"name": "tilt", "x": [1, 0], "min": -1.0, "max": 1.0, "steps": [2, 10]}


def tree(limits=None, method="auto", **disturbance):
    problem = copy.deepcopy(WHITE_TREE)
    problem["disturbance"] = {"covariance": {"ar1": 0.8, "variance": 0.1}, **disturbance}
    problem["learning"] = {"method": method}
    if limits is not None:
        problem["limits"] = limits
    return problem


def closed_loop(problem, controller, w):
    """x (n, T+1, n_x) and u (n, T, n_u), step by step."""
    A, B = (np.array(problem["system"][key], float) for key in "AB")
    K, k = np.array(controller["K"]), np.array(controller["k"])
    w = w.reshape(len(w), STEPS + 1, STATES)
    x, u = np.zeros_like(w), np.zeros((len(w), STEPS, INPUTS))
    x[:, 0] = w[:, 0]
    for t in range(STEPS):
        seen = x.reshape(len(w), -1)
        rows = slice(t * INPUTS, (t + 1) * INPUTS)
        u[:, t] = seen @ K[rows].T + k[rows]
        x[:, t + 1] = x[:, t] @ A.T + u[:, t] @ B.T + w[:, t + 1]
    return x, u


class Limits(ProgramTest):
    def problem(self, *arguments, **options):
        return self.write("problem.json", tree(*arguments, **options))

    def data(self, n=300, seed=1):
        self.ok("sample", "problem.json", "-n", n, "--seed", seed, "--out", "w.npy")
        return np.load(self.folder / "w.npy")

    def read(self, name):
        return json.loads((self.folder / name).read_text())

    def test_what_lqr_breaks_is_on_the_first_screen(self):
        self.problem({"rows": [TILT]})
        w = self.data(400)
        table = self.ok("learn", "problem.json", "--data", "w.npy", "--out", "out").splitlines()
        self.ok("learn", self.write("lqr.json", tree(method="lqr")), "--out", "lqr")
        x, _ = closed_loop(tree(), self.read("lqr/controller.json"), w)
        broken = (abs(x[:, 2:, 0]) > 1).any(axis=1).mean()
        self.assertGreater(broken, 0.2)
        said = f"by LQR in {100 * broken:.3g} %"
        first = "\n".join(table[:20])
        self.assertIn(said, first)
        self.assertRegex(first, r"\nlimits +broken in an episode with probability at most 0\.05, "
                                r"confidence 0\.95 \(limits-best: limits-\w+\)")
        page = (self.folder / "out/report.html").read_text()
        lead = page[:page.index("<section>")]
        run = self.read("out/run.json")["limits"]["episodes"]
        self.assertAlmostEqual(run["lqr_data"], broken, places=12)
        self.assertIn(f"LQR breaks a limit in {100 * run['lqr_law']:.3g}\u00a0% of the episodes", lead)
        self.assertIn("a limit is broken in at most 5\u00a0% of the episodes", lead)
        section = page[page.index("<h2>Limits</h2>"):]
        for words in ("<td>tilt</td>", "[−1, 1]", "2–10", "1 % wider saves", "without clipping",
                      "Cost and limits together"):
            self.assertIn(words, section)
        self.assertIn("99 % level", page[:page.index("<h2>Limits</h2>")])

    def test_numbers_by_simulation(self):
        """Shares of violations and sizes of signals are those of the closed loop, step by step."""
        problem = self.problem({"u": [-1.0, 1.0], "rows": [TILT], "probability": 0.2})
        w = self.data()
        run = self.ok_json("learn", problem, "--data", "w.npy", "--out", "out")
        x, u = closed_loop(tree(), self.read("out/controller.json"), w)
        of_u, of_x = abs(u[:, :, 0]) > 1, abs(x[:, 2:, 0]) > 1
        rows = run["limits"]["rows"]
        self.assertEqual([row["name"] for row in rows], ["u0", "tilt"])
        np.testing.assert_allclose(rows[0]["shares"], of_u.mean(axis=0), atol=1e-12)
        np.testing.assert_allclose(rows[1]["shares"], of_x.mean(axis=0), atol=1e-12)
        self.assertAlmostEqual(run["limits"]["episodes"]["data"],
                               (of_u.any(axis=1) | of_x.any(axis=1)).mean(), places=12)
        self.assertEqual(run["signals_from"], "law")
        fresh = np.random.default_rng(3).normal(size=(20000, STEPS + 1, STATES)) * 0.1**0.5
        for t in range(2, STEPS + 1):  # x_0 is independent; w_t has colour 0.8
            fresh[:, t] = 0.8 * fresh[:, t - 1] + 0.6 * fresh[:, t]
        x, u = closed_loop(tree(), self.read("out/controller.json"), fresh.reshape(20000, -1))
        signals = {"x0": x[:, 1:, 0], "x1": x[:, 1:, 1], "u0": u[:, :, 0]}
        self.assertEqual([s["name"] for s in run["signals"]], list(signals))
        for said in run["signals"]:
            size = abs(signals[said["name"]])
            for key, found in (("expected", size.mean()), ("rms", (size**2).mean() ** 0.5),
                               ("level_95", np.quantile(size, 0.95)),
                               ("level_99", np.quantile(size, 0.99))):
                self.assertAlmostEqual(said[key] / found, 1, delta=0.04, msg=key)

    def test_signals_without_limits_and_without_a_law(self):
        self.problem()
        w = self.data(60)
        plain = tree()
        del plain["disturbance"]["covariance"]
        run = self.ok_json("learn", self.write("plain.json", plain), "--data", "w.npy", "--out", "o")
        self.assertIsNone(run["limits"])
        self.assertEqual(run["signals_from"], "data")
        x, u = closed_loop(plain, self.read("o/controller.json"), w)
        for said, values in zip(run["signals"], (x[:, 1:, 0], x[:, 1:, 1], u[:, :, 0])):
            size = np.sort(abs(values).ravel())
            self.assertAlmostEqual(said["expected"], size.mean(), places=12)
            self.assertAlmostEqual(said["rms"], (size**2).mean() ** 0.5, places=12)
            self.assertAlmostEqual(said["level_95"], size[int(np.ceil(0.95 * len(size))) - 1], places=12)
        table = self.ok("learn", "plain.json", "--data", "w.npy")
        self.assertRegex(table, r"\nsignals +mean size, rms, 95 % and 99 % level, on the data\n")
        self.assertNotIn("limits.json", [p.name for p in (self.folder / "o").iterdir()])
        self.assertNotIn("<h2>Limits</h2>", (self.folder / "o/report.html").read_text())
        self.assertIn("How large the signals are", (self.folder / "o/report.html").read_text())

    def test_without_a_certificate(self):
        """Nothing certifies what these deploy, and they keep the limits all the same."""
        self.problem({"u": [-1.4, 1.4]})
        self.data(400)
        free = self.ok_json("learn", self.write("free.json", tree(method="erm")), "--data", "w.npy")
        for method in ("erm", "ridge", "shrinkage", "identified"):
            with self.subTest(method):
                run = self.ok_json("learn", self.problem({"u": [-1.4, 1.4]}, method), "--data", "w.npy",
                                   "--out", "out")
                self.assertIsNone(run["certificate"])
                self.assertIsNone(run["limits"]["value"])
                self.assertTrue(run["limits"]["design"]["feasible"])
                self.assertLess(run["limits"]["episodes"]["law"], 0.05)
                self.assertLess(free["population_cost"], run["population_cost"])
                x, u = closed_loop(tree(), self.read("out/controller.json"), np.load(self.folder / "w.npy"))
                self.assertLess((abs(u) > 1.4).any(axis=(1, 2)).mean(), 0.05)

    def test_what_the_smallest_cost_keeps(self):
        """Equal shares for an episode; `each` and robust limits leave nothing to share."""
        for limits, says in (({}, "with an equal share of the probability for each limit"),
                             ({"each": 0.01}, "under the limits"),
                             ({"u": [-9, 9], "robust": True, "box": 3}, "under the limits")):
            self.problem({"u": [-1.5, 1.5], **limits}, "optimum")
            self.assertRegex(self.ok("learn", "problem.json"),
                             rf"\nsmallest population cost +[\d.]+ {says}\n")
        self.problem({"u": [-9, 9], "robust": True, "box": 3})
        self.assertRegex(self.ok("learn", "problem.json", "--sample", 100, "--method", "auto"),
                         r"\nlimits +never broken by a disturbance of the set \(limits-best: limits-robust\)")

    def test_room_grows_until_the_certificate_passes(self):
        """By events that hold for every controller the limits are tried until they are certified, if that can be."""
        for method, kind, law, most in (("shrinkage", "assumed-scale", {"scale_bound": 4.0}, 5.0),
                                        ("shrinkage", "assumed-scale", {"scale_bound": 100.0}, 5.0),
                                        ("pac-bayes", "scale", {"scale_bound": 100.0}, 1000.0),
                                        ("pac-bayes", "relative", {}, 4.5)):
            with self.subTest(method, law=law):
                limits = {"u": [-1.6, 1.6]}
                if (method, law.get("scale_bound")) == ("shrinkage", 100.0):
                    limits["kind"] = "limits-assumed"  # a thousand times the variance: hardly any input is left
                    most = 1000.0
                problem = self.problem(limits, method, **law)
                run = self.ok_json("learn", problem, "--sample", 200, "--certificate", kind)
                self.assertLessEqual(run["limits"]["value"], 0.05)
                self.assertGreater(run["limits"]["value"], 0.03)  # and not much more than that
                self.assertTrue(run["limits"]["design"]["feasible"])
                self.assertLess(run["population_cost"], most)
        # A position that inputs hardly move leaves no more room, and is not certified.
        problem = self.problem({"x": [[-1.4, 1.4], [-9, 9]], "probability": 0.2, "kind": "limits-assumed"},
                               "shrinkage", scale_bound=4.0)
        run = self.ok_json("learn", problem, "--sample", 200, "--certificate", "assumed-scale")
        self.assertGreater(run["limits"]["value"], 0.2)

    def test_a_set_needs_neither_data_nor_a_certificate_of_the_cost(self):
        for method, box, never in (("optimum", 1.0, True), ("lqr", 1.0, True), ("lqr", 90.0, False)):
            with self.subTest(method, box=box):
                problem = self.problem({"u": [-8, 8], "robust": True, "box": box}, method)
                said = self.ok("learn", problem, "--out", "out")
                self.assertIn("limits  ", said)
                self.assertIn("never broken" if never else "not shown to hold", said)
                files = [p.name for p in (self.folder / "out").iterdir()]
                self.assertNotIn("certificate.json", files)
                record = self.read("out/limits.json")
                self.assertEqual((record["value"], record["confidence"]), (0 if never else 1, 1))
                done = subprocess.run([CHECKER, "out/limits.json"], cwd=self.folder, capture_output=True, text=True)
                self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
                self.assertEqual(self.ok_json("recheck", "out/limits.json")["status"], "agrees")
        problem = self.problem({"u": [-8, 8], "robust": True, "box": 2}, "erm")
        self.data(100)
        run = self.ok_json("learn", problem, "--data", "w.npy", "--out", "out")
        self.assertIsNone(run["certificate"])
        self.assertEqual(run["limits"]["value"], 0)
        done = subprocess.run([CHECKER, "out/limits.json", "--data", "w.npy"], cwd=self.folder, capture_output=True,
                              text=True)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)

    def test_plan(self):
        problem = self.problem({"u": [-1.5, 1.5]})
        found = self.ok_json("plan", problem, "--target", 0.1, "--trials", 3, "--max-n", 80)
        self.assertGreaterEqual(found["points"][-1]["limits_certified"], 0)
        self.assertNotIn("no number of trajectories", found["answer"])  # other shares may cost less
        self.assertRegex(self.ok("plan", problem, "--target", 0.1, "--trials", 3, "--max-n", 80),
                         r"limits certified \d+ %\n(.*\n)*limit +[\d.]+: .* equal share")

    def test_record(self):
        """limits.json is a certificate like the others, and the keys of the contract are there."""
        self.problem({"u": [-1.5, 1.5]})
        self.data()
        run = self.ok_json("learn", "problem.json", "--data", "w.npy", "--out", "out")
        limits, record = run["limits"], self.read("out/limits.json")
        for key in ("value", "kind", "confidence", "rows", "chosen", "joint", "episodes", "design",
                    "probability", "each", "robust", "certificate"):
            self.assertIn(key, limits)
        self.assertEqual(record["functional"]["id"], "violation")
        for key in ("value", "kind", "chosen", "confidence"):
            self.assertEqual(record[key], limits[key])
        self.assertEqual(limits["rows"][0]["bounds"], [limits["value"]] * STEPS)  # of a path: each row's too
        self.assertEqual({**record, "inputs": {}}, {**limits["certificate"], "inputs": {}})
        self.assertAlmostEqual(limits["joint"]["confidence"],
                               run["certificate"]["confidence"] + record["confidence"] - 1, places=12)
        self.assertEqual(self.ok_json("recheck", "out/limits.json", "--data", "w.npy")["status"], "agrees")
        self.assertEqual(self.ok_json("recheck", "out/certificate.json", "--data", "w.npy")["status"], "agrees")
        record["value"] *= 0.9
        record["terms"][0]["value"] *= 0.9
        (self.folder / "out/limits.json").write_text(json.dumps(record))
        done = self.run_program("recheck", "out/limits.json", "--data", "w.npy")
        self.assertEqual(done.returncode, 4, done.stdout + done.stderr)

    def test_an_earlier_record_goes(self):
        self.problem({"u": [-1.5, 1.5]})
        self.ok("learn", "problem.json", "--sample", 200, "--out", "out")
        self.assertTrue((self.folder / "out/limits.json").exists())
        self.ok("learn", self.write("problem.json", tree()), "--sample", 200, "--out", "out")
        self.assertFalse((self.folder / "out/limits.json").exists())

    def test_report_again(self):
        """The page of a folder shows the limits without the problem and without the data."""
        self.problem({"rows": [TILT]})
        self.data()
        self.ok("learn", "problem.json", "--data", "w.npy", "--out", "out")
        before = (self.folder / "out/report.html").read_text()
        self.ok("report", "out")
        after = (self.folder / "out/report.html").read_text()
        part = re.compile(r"<h2>Limits</h2>.*?</section>", re.S)
        self.assertEqual(part.search(after)[0], part.search(before)[0])

    def test_certify(self):
        self.ok("learn", self.write("lqr.json", tree(method="lqr")), "--out", "lqr")
        self.problem({"u": [-1.5, 1.5], "each": 0.05, "kind": "limits-tolerance"})
        w = self.data()
        arguments = ("certify", "problem.json", "--controller", "lqr/controller.json", "--data", "w.npy")
        record = self.ok_json(*arguments, "--out", "out")
        limits = record["limits"]
        self.assertEqual(limits["functional"], "violation-each")
        self.assertEqual(self.read("out/limits.json")["value"], limits["value"])
        self.assertEqual(self.ok_json("recheck", "out/limits.json", "--data", "w.npy")["status"], "agrees")
        _, u = closed_loop(tree(), self.read("lqr/controller.json"), w)
        shares = (abs(u[:, :, 0]) > 1.5).mean(axis=0)
        np.testing.assert_allclose(limits["rows"][0]["shares"], shares, atol=1e-12)
        # The worst step: sigma <= s sqrt(m / chi2), with the whole delta, as only that step can fail.
        s = np.sqrt((u[:, :, 0] ** 2).mean(axis=0).max())
        bound = 2 * norm.sf(1.5 / (s * np.sqrt(len(w) / chi2.ppf(0.05, len(w)))))
        self.assertAlmostEqual(limits["value"] / bound, 1, places=6)
        self.problem({"u": [-1.5, 1.5], "kind": "limits-count"})
        limits = self.ok_json(*arguments)["limits"]
        k = (abs(u[:, :, 0]) > 1.5).any(axis=1).sum()
        self.assertAlmostEqual(limits["value"], beta.ppf(0.95, k + 1, len(w) - k), places=8)
        self.assertEqual(limits["rows"][0]["bounds"], [limits["value"]] * STEPS)  # what holds for any row
        self.problem({"u": [-1.5, 1.5], "kind": "limits-tolerance"})
        limits = self.ok_json(*arguments)["limits"]
        self.assertAlmostEqual(sum(limits["rows"][0]["bounds"]) / limits["value"], 1, places=12)
        self.problem({"u": [-1.5, 1.5], "each": 0.05})
        self.assertRegex(self.ok(*arguments), r"\nlimits +broken by the worst row in a step with ")

    def test_impossible(self):
        """The row, its step and the least violation; nothing is left."""
        problem = self.problem({"x": [[-0.05, 0.05], [-9, 9]]})
        for arguments in (("--method", "auto"), ("--method", "erm"),
                          ("--method", "erm", "--certificate", "cross-chi-square"),
                          ("--method", "shrinkage", "--certificate", "hold-out-chi-square"),
                          ("--method", "pac-bayes", "--certificate", "relative"),
                          ("--method", "optimum"), ("--method", "optimum", "--certificate", "best")):
            with self.subTest(arguments):
                self.fails(1, "learn", problem, "--sample", 200, "--out", "out", *arguments,
                           says=("no controller keeps all of them", "times too large",
                                 "a probability of at least 0.", "'x0' at step 1"))
        self.assertFalse((self.folder / "out").exists())
        run = self.ok_json("learn", problem, "--method", "lqr", "--sample", 60, "--certificate", "best")
        self.assertIsNone(run["optimal_cost"])  # nothing keeps them, so nothing is the smallest
        problem = self.problem({"x": [-0.1, 0.1], "robust": True, "step_radius": 0.5})
        for method in ("shrinkage", "optimum"):
            self.fails(1, "learn", problem, "--method", method, "--certificate", "best", "--sample", 200,
                       "--out", "out", says=("no controller keeps all of them", "times too large"))

    def test_values_that_are_elsewhere(self):
        """An input that a linear controller keeps around zero, and that must be somewhere else."""
        problem = self.problem({"u": [0.1, 0.5]})
        for method in ("auto", "erm", "optimum"):
            self.fails(1, "learn", problem, "--method", method, "--sample", 200, "--out", "out",
                       says=("'u0' at step 0", "its value is 0", "response.affine"))

    def test_shares_by_need(self):
        """A position at step 1, which no input moves, needs more than an equal share: it gets more, and room for the
        certificate is as much as it leaves."""
        limits = {"u": [-1.7, 1.7], "rows": [{**TILT, "min": -1.31, "max": 1.31, "steps": [1, 1]}]}
        slow = tree(limits)
        slow["system"]["B"] = [[0], [1]]
        problem = self.write("problem.json", slow)
        run = self.ok_json("learn", problem, "--sample", 400, "--out", "out")
        self.assertIsNone(run["optimal_cost"])  # with equal shares nothing keeps them
        self.assertNotIn("limits-infeasible", [w["id"] for w in run["warnings"]])
        found = run["limits"]
        self.assertTrue(found["design"]["feasible"])
        self.assertLess(found["episodes"]["law"], 0.05)
        needed = found["rows"][1]["probabilities"][0]
        self.assertAlmostEqual(needed, 2 * norm.sf(1.31 / 0.3**0.5), places=12)
        self.assertGreater(needed, 2 * 0.05 / 11)
        self.assertGreater(max(found["rows"][0]["prices"]), 0)
        best = self.ok_json("learn", problem, "--method", "optimum", "--certificate", "best", "--sample", 60)
        broken = [p for row in best["limits"]["rows"] for p in row["probabilities"]]
        self.assertLess(sum(broken), 0.05 * (1 + 1e-6))
        self.assertGreater(sum(broken), 0.04)

    def test_shares_that_are_too_narrow(self):
        """Where no shares are found, that is said, and the controller that comes nearest deployed."""
        limits = {"u": [-1.3, 1.3], "rows": [{**TILT, "min": -0.75, "max": 0.75}], "probability": 0.3}
        run = self.ok_json("learn", self.problem(limits), "--sample", 400, "--out", "out")
        said = [w["text"] for w in run["warnings"] if w["id"] == "limits-infeasible"]
        self.assertEqual(len(said), 1, run["warnings"])
        self.assertRegex(said[0], r"no controller keeps all of them with an equal share .* deployed is")
        self.assertIsNone(run["optimal_cost"])

    def test_what_auto_deploys_is_named(self):
        """LQR's objective under limits that LQR breaks is not LQR, and there is a reason for it."""
        problem = self.write("problem.json", tree({"u": [-1.0, 1.0]}, covariance=0.1))
        said = self.ok("learn", problem, "--sample", 200, "--out", "out")
        self.assertRegex(said, r"\ndeployed +LQR as far as limits allow: no candidate was better than LQR by")
        details = self.read("out/run.json")["details"]
        self.assertEqual(details["deployed"], "lqr-limited")
        self.assertIn("no candidate", details["why"])
        self.assertNotIn("The controller is LQR", (self.folder / "out/report.html").read_text())
        said = self.ok("learn", self.write("free.json", tree(covariance=0.1)), "--sample", 200)
        self.assertRegex(said, r"\ndeployed +LQR: no candidate was better")

    def test_hostile_names(self):
        """A name is words on a page and on a terminal."""
        name = "<script>alert(1)</script>\x1b[31m\u202e&quot;"
        self.problem({"rows": [{**TILT, "name": name}]})
        done = self.run_program("learn", "problem.json", "--sample", 200, "--out", "out")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertNotIn("\x1b", done.stdout)
        page = (self.folder / "out/report.html").read_text()
        for bad in ("<script>alert", "\x1b", "\u202e"):
            self.assertNotIn(bad, page)
        self.assertIn("&lt;script&gt;alert(1)&lt;/script&gt;", page)


class Checked(ProgramTest):
    """What learn and certify write, for loopcert-verify, and for people who change it."""

    problem, data, read = Limits.problem, Limits.data, Limits.read

    def verify(self, name, data="w.npy"):
        done = subprocess.run([CHECKER, name, "--data", data], cwd=self.folder, capture_output=True,
                              text=True)
        return done.returncode, done.stdout + done.stderr

    def verified(self, name, count, data="w.npy"):
        status, text = self.verify(name, data)
        self.assertEqual(status, 0, text)
        self.assertIn(f" {count} certify", text)
        self.assertEqual(self.ok_json("recheck", name, "--data", data)["status"], "agrees")

    # Limits, more of the disturbance, arguments of learn, how many certify the limits and the cost.
    LEARNED = {
        "path, count": ({"kind": "limits-count"}, {}, (), 100, 100),
        "path, envelope": ({"kind": "limits-envelope"}, {"autoregressive": 1}, (), 200, 100),
        "path, assumed": ({"kind": "limits-assumed"}, {"scale_bound": 1.0}, (), 0, 100),
        "path, best": ({}, {"scale_bound": 1.0}, (), 100, 100),
        "hold-out": ({}, {}, ("--certificate", "hold-out-chi-square"), 100, 100),
        "folds": ({}, {}, ("--certificate", "cross-chi-square"), 200, 200),
        "robust": ({"u": [-9, 9], "robust": True, "step_radius": 3, "kind": "limits-robust"}, {}, (), 0, 200),
        "robust, best": ({"u": [-9, 9], "robust": True, "box": 3}, {}, (), 0, 200),
        "all data": ({}, {"scale_bound": 1.0}, ("--certificate", "assumed-scale"), 200, 0),
        "PAC-Bayes": ({}, {}, ("--method", "pac-bayes", "--certificate", "relative"), 200, 200),
        "PAC-Bayes, robust": ({"u": [-9, 9], "robust": True, "box": 3}, {},
                              ("--method", "pac-bayes", "--certificate", "relative"), 0, 200),
        "LQR": ({}, {}, ("--method", "lqr", "--certificate", "best"), 200, 200),
        "optimum": ({"each": 0.01}, {}, ("--method", "optimum", "--certificate", "best"), 200, 200),
    }

    def test_what_is_measured(self):
        """y: here the states, in [limits] and in a row; also where the checker reads the problem file."""
        self.problem({"x": [-1.5, 1.5]})
        self.data(200)
        rows = [{"x": [1, 0], "max": 1.2}], [{"y": [1, 0], "max": 1.2}]
        found = []
        for key, row in zip("xy", rows):
            self.problem({key: [-1.5, 1.5], "rows": row})
            self.ok("learn", "problem.json", "--data", "w.npy", "--out", key)
            record = self.read(f"{key}/limits.json")
            found.append(record["value"])
            self.verified(f"{key}/limits.json", 100)
            done = subprocess.run([CHECKER, f"{key}/limits.json", "--data", "w.npy", "--problem",
                                   "problem.json"], cwd=self.folder, capture_output=True, text=True)
            self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.assertEqual(found[0], found[1])
        self.problem({"rows": [{"x": [1, 0], "y": [1, 0], "max": 1}]})
        self.fails(3, "learn", "problem.json", "--data", "w.npy", says=["either x or y"])

    def test_measured_with_noise(self):
        """Limits of an output whose noise is stated: the checker reads the law of both, and compares it."""
        plant = {"name": "gauge", "horizon": 6, "system": {"A": [[0.9, 0], [0.1, 0.9]], "B": [[4], [0]], "C": [[0, 1]]},
                 "cost": {"Q": [[0.01]], "R": [[0.1]]},
                 "disturbance": {"covariance": {"x0": [90, 90], "w": [9, 4]}, "measurement": 1.0},
                 "limits": {"u": [-1, 1], "y": [-45, 45], "probability": 0.1}}
        self.write("problem.json", plant)
        self.ok("sample", "problem.json", "-n", 150, "--seed", 1, "--out", "w.npy")
        self.ok("learn", "problem.json", "--data", "w.npy", "--method", "auto", "--out", "out")
        plant["disturbance"]["measurement"] = 2.0
        self.write("other.json", plant)
        for name in ("limits", "certificate"):
            self.verified(f"out/{name}.json", 75)
            for problem, status in (("problem.json", 0), ("other.json", 1)):
                done = subprocess.run([CHECKER, f"out/{name}.json", "--data", "w.npy", "--problem", problem],
                                      cwd=self.folder, capture_output=True, text=True)
                self.assertEqual(done.returncode, status, done.stdout + done.stderr)
        self.assertIn("disturbance.measurement", done.stdout + done.stderr)

    def test_learned(self):
        self.write("plain.json", tree())
        self.ok("sample", "plain.json", "-n", 200, "--seed", 1, "--out", "w.npy")
        for name, (limits, law, arguments, of_limits, of_cost) in self.LEARNED.items():
            with self.subTest(name):
                self.problem({"u": [-1.6, 1.6], **limits}, "shrinkage", **law)
                best = () if "--certificate" in arguments else ("--certificate", "best")
                self.ok("learn", "problem.json", "--data", "w.npy", "--out", "out", *arguments, *best)
                if name == "path, best":
                    chosen = self.read("out/limits.json")["chosen"]
                    of_limits = {"limits-assumed": 0}.get(chosen, of_limits)
                self.verified("out/limits.json", of_limits)
                self.verified("out/certificate.json", of_cost)

    def test_certified(self):
        self.ok("learn", self.write("lqr.json", tree(method="lqr")), "--out", "lqr")
        self.ok("sample", "lqr.json", "-n", 150, "--seed", 2, "--out", "w.npy")
        robust = {"u": [-9, 9], "robust": True, "box": 3}
        for kind, limits, count in (("best", {}, 150), ("tolerance", {}, 150), ("count", {}, 150),
                                    ("envelope", {}, 150), ("assumed", {}, 0), ("robust", robust, 0)):
            with self.subTest(kind):
                problem = self.problem({"u": [-1.6, 1.6], **limits, "kind": "limits-" + kind},
                                       autoregressive=1,
                                       **({"scale_bound": 1.0} if kind == "assumed" else {}))
                self.ok("certify", problem, "--controller", "lqr/controller.json", "--data", "w.npy",
                        "--out", "out")
                self.verified("out/limits.json", count)
                self.tampered("out/limits.json")

    def tampered(self, name):
        record = self.read(name)

        def value(r):
            r["value"] -= 0.5 * r["value"] + 1e-3
            r["terms"][0]["value"] = r["value"]

        def row(r):
            r["inputs"]["problem"]["limits"]["rows"][0]["steps"] = [0, 1]

        def asked(r):
            limits = r["inputs"]["problem"]["limits"]
            limits.update({"delta": 0.5} if limits.get("robust") else {"probability": 0.5})

        for change in (value, row, asked):
            forged = copy.deepcopy(record)
            change(forged)
            self.write(name, forged)
            status, text = self.verify(name)
            self.assertEqual(status, 1, f"{change.__name__}: {text}")
            self.assertIn("REFUTED", text)
        self.write(name, record)
        self.ok("sample", "lqr.json", "-n", 150, "--seed", 3, "--out", "other.npy")
        self.assertEqual(self.verify(name, "other.npy")[0], 1)


class BadLimits(ProgramTest):
    CASES = {
        "empty": ({}, "limits: found no row"),
        "not a table": (3, "limits"),
        "unknown key": ({"u": [-1, 1], "probabilty": 0.1}, "limits.probabilty: found an unknown key"),
        "three numbers": ({"u": [1, 2, 3]}, "limits.u: found 3 numbers, expected 2"),
        "two pairs": ({"u": [[-1, 1], [-1, 1]]}, "limits.u: found 2 pairs"),
        "one pair": ({"x": [[-1, 1]]}, "limits.x: found 1 pairs"),
        "text": ({"u": "much"}, "limits.u: found the text 'much'"),
        "low above high": ({"u": [1, -1]}, "limits: u0: found [1, -1]"),
        "low is high": ({"x": [[-1, 1], [2, 2]]}, "limits: x1: found [2, 2]"),
        "no side": ({"rows": [{"x": [1, 0]}]}, "limits: row 1: found [-inf, inf]"),
        "zeros": ({"rows": [{"x": [0, 0], "max": 1}]}, "limits: row 1: found zeros alone"),
        "wrong size": ({"rows": [{"x": [1, 0, 0], "max": 1}]}, "limits.rows[0].x: found 3 numbers"),
        "after the end": ({"rows": [{"x": [1, 0], "max": 1, "steps": [2, 11]}]},
                          "limits: row 1: steps: found [2, 11]"),
        "no input then": ({"rows": [{"u": [1], "max": 1, "steps": [0, 10]}]},
                          "limits: row 1: steps: found [0, 10]"),
        "backwards": ({"rows": [{"x": [1, 0], "max": 1, "steps": [5, 3]}]},
                      "limits: row 1: steps: found [5, 3]"),
        "no rows": ({"rows": []}, "limits.rows: found an empty list"),
        "key of a row": ({"rows": [{"x": [1, 0], "mx": 1}]}, "limits.rows[0].mx: found an unknown key"),
        "both": ({"u": [-1, 1], "probability": 0.1, "each": 0.1}, "limits.each: found 0.1"),
        "certainty": ({"u": [-1, 1], "probability": 0}, "limits.probability: found 0"),
        "no probability": ({"u": [-1, 1], "each": 2}, "limits.each: found 2"),
        "no delta": ({"u": [-1, 1], "delta": 1}, "limits.delta: found 1"),
        "no set": ({"u": [-1, 1], "robust": True}, "limits.robust: found true without a set"),
        "robust and chance": ({"u": [-1, 1], "robust": True, "box": 1, "each": 0.1},
                              "limits.robust: found true"),
        "set and chance": ({"u": [-1, 1], "box": 1.0}, "limits.box: found 1.0"),
        "two sets": ({"u": [-1, 1], "robust": True, "box": 1, "step_radius": 1}, "limits.step_radius"),
        "negative box": ({"u": [-1, 1], "robust": True, "box": [1, -1]}, "limits.box"),
        "kind": ({"u": [-1, 1], "kind": "tolerance"}, "limits.kind: found the text 'tolerance'"),
        "nothing left": ({"u": [-1, 0.5], "rows": [{"u": [-1], "max": -0.6}]},
                         "limits: found u0 at least 0.6 and at most 0.5, expected limits that leave"),
        "not assumed": ({"u": [-1, 1], "kind": "limits-assumed"}, "disturbance.covariance_bound"),
        "not robust": ({"u": [-1, 1], "kind": "limits-robust"}, "limits.robust: found false"),
    }

    def test_bad_sections(self):
        for name, (limits, says) in self.CASES.items():
            with self.subTest(name):
                problem = self.write("problem.json", tree(limits))
                self.fails(3, "learn", problem, "--sample", 60, "--out", "out", says=says)

    def test_numbers_that_are_none(self):
        """TOML has words for them."""
        text = ('horizon = 3\n[system]\nA = [[1]]\nB = [[1]]\n[cost]\nQ = [1]\nR = [1]\n'
                '[disturbance]\ncovariance = 1.0\n[limits]\n')
        for line in ("u = [nan, 1.0]", "u = [-1.0, inf]", "x = [-inf, 1.0]", "u = [-1, 1]\neach = nan",
                     "rows = [{ x = [nan], max = 1.0 }]", "rows = [{ x = [1.0], max = inf }]"):
            with self.subTest(line):
                problem = self.write("problem.toml", text + line + "\n")
                self.fails(3, "learn", problem, "--sample", 20, "--method", "lqr", "--out", "out",
                           says="limits")


if __name__ == "__main__":
    unittest.main()

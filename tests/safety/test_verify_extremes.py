"""loopcert-verify at the edges: tiny and huge numbers, other units, files made to exhaust it."""

import json
import resource
import struct
import subprocess
import unittest

import numpy as np

from checker import CHECKER, CheckerTest
from honest_runs import OFFSET, PROBLEM, sha256
from program import INSTRUMENTED
from tampering_bench import Bench


class Extremes(CheckerTest):
    def test_terms_that_overflow_leave_no_room(self):
        run = self.learned(PROBLEM, "hold-out-scale-free", "lqr")
        run.certificate["value"] = -5.0
        for term, value in zip(run.certificate["terms"], (1.7e308, -1.7e308)):
            term["value"] = value
        self.assertIn("REFUTED terms: too large", self.ask_run(run)[1])

    def test_weights_below_the_smallest_room(self):
        run = self.learned(PROBLEM, "hold-out-scale-free", "lqr")
        run.certificate["inputs"]["problem"]["cost"]["P"] = [[-1e-315, 0], [0, 1e-315]]
        self.assertIn("UNDECIDED an eigenvalue of a weight", self.ask_run(run)[1])

    def test_a_covariance_with_a_negative_eigenvalue(self):
        for key, kind, method in (("covariance_bound", "assumed-covariance", "lqr"),
                                  ("covariance", "oracle", "oracle-pac-bayes")):
            for value in (-0.2, [0.2] * 7 + [-5.0]):
                run = self.learned(PROBLEM, kind, method)
                law = run.certificate["inputs"]["problem"]["disturbance"]
                law.update({"scale_bound": 9.0, key: value})
                self.assertIn(f"disturbance.{key} has a negative eigenvalue", self.ask_run(run)[1])

    def test_what_uses_no_data_is_compared_in_its_own_units(self):
        """Inputs of size 1e-10: a controller that is not LQR differs from it by less than 1e-9."""
        small = {**PROBLEM, "system": {"A": [[1, 1], [0, 1]], "B": [[0.5e10], [1e10]]},
                 "cost": {**PROBLEM["cost"], "R": [0.5e20]}}
        for method in ("lqr", "start"):
            run = self.learned(small, "hold-out-scale-free", method)
            self.assertEqual(self.ask_run(run)[0], 0)
            run.controller["K"][0][0] *= 1.001
            U = Bench.inputs(run)
            run.arrays["responses"] = {"Phi_u_0": U[:, 1:], "phi_u_0": U[:, :1]}
            self.assertIn("REFUTED controller: its response", self.ask_run(run)[1])
            self.fails(4, "verify", "run/certificate.json", "--data", "w.npy",
                       says="not the response of method")

    def test_a_choice_by_the_data_is_paid_for(self):
        run = self.learned(PROBLEM, "hold-out-scale-free", "lqr")
        run.certificate["inputs"]["deployment"]["method"] = "auto"
        self.assertIn("REFUTED inputs.deployment: method 'auto' uses data", self.ask_run(run)[1])
        run = self.learned(PROBLEM, "best", "auto")
        self.assertEqual(run.certificate["inputs"]["deployment"]["way"], "fixed")
        run.certificate["inputs"]["deployment"]["way"] = "hold-out"
        self.assertIn("REFUTED inputs.deployment.way", self.ask_run(run)[1])

    def test_a_fixed_response_needs_no_folds(self):
        for method in ("lqr", "start"):
            run = self.learned(PROBLEM, "cross-scale-free", method)
            self.assertEqual(run.certificate["kind"], "hold-out-scale-free")
            self.assertEqual(self.ask_run(run)[0], 0)
            other = run.copy()
            other.certificate["inputs"]["deployment"]["way"] = "hold-out"
            self.assertIn("REFUTED kind", self.ask_run(other)[1])
            run.certificate["kind"] = "assumed-scale"
            self.assertIn("REFUTED kind", self.ask_run(run)[1])

    def test_another_baseline(self):
        self.learned(PROBLEM, "hold-out", "erm")
        record = json.loads((self.folder / "run/improvement.json").read_text())
        self.assertEqual(self.ask("run/improvement.json", "--data", "w.npy")[0], 0)
        record["inputs"]["baseline"] = "best.json"
        self.write("run/improvement.json", record)
        self.assertIn("REFUTED inputs.baseline", self.ask("run/improvement.json", "--data", "w.npy")[1])

    def test_responses_that_are_no_numbers(self):
        run = self.learned(PROBLEM, "hold-out-scale-free", "erm")
        run.arrays["responses"]["Phi_u_0"][0, 0] = np.nan
        run.controller["K"][0][0] = 7.0
        self.assertIn("UNDECIDED a response", self.ask_run(run)[1])

    def test_confidence_is_rounded_down(self):
        for delta in (3.33e-10, 0.0500000000004):
            run = self.learned({**PROBLEM, "certificate": {"delta": delta}}, "hold-out-scale-free",
                               "lqr")
            status, text = self.ask_run(run)
            self.assertEqual(status, 0, text)
            self.assertLessEqual(float(text.split(" at confidence ")[1].split()[0]), 1 - delta)

    def test_weights_of_one_entry(self):
        for weight in (3.06, 55, 693):
            tree = {**PROBLEM, "cost": {**PROBLEM["cost"], "R": [weight]}}
            status, text = self.ask_run(self.learned(tree, "hold-out-scale-free", "lqr"))
            self.assertEqual(status, 0, text)

    def test_what_rounding_rests_on_is_said(self):
        """For any law, only the problem's bound on fourth moments."""
        for model, words in (("any", "No linear combination"), ("bounded", "No linear combination"),
                             ("gaussian", None)):  # stated already
            run = self.learned(OFFSET, "posterior-localized", "oracle-pac-bayes", n=80)
            law = run.certificate["inputs"]["problem"]["disturbance"]
            law.update({"model": model, "kurtosis": 3.0, "covariance": 0.1})
            if model != "gaussian":  # only the moments of the law count: more than was computed
                run.certificate["assumptions"][0]["id"] = "any-law"
                run.certificate["terms"][2]["value"] += 100
                run.certificate["value"] += 100
            status, text = self.ask_run(run)
            self.assertEqual(status, 0, text)
            if words:
                self.assertIn(f"for the rounding errors: {words}", text)
            else:
                self.assertNotIn("for the rounding errors", text)


class Hostile(CheckerTest):
    def test_no_rows_of_many_columns(self):
        run = self.learned(PROBLEM, "data-driven", "pac-bayes")
        run.certificate["n"], run.data = 0, np.zeros((0, 200000))
        self.assertIn("columns of the data: found 200000", self.ask_run(run)[1])
        run.data = np.zeros((0, 8))
        self.assertIn("REFUTED n: PAC-Bayes", self.ask_run(run)[1])

    def test_costs_too_small_to_halve(self):
        """The search for the largest cost ends, whatever it finds."""
        law = {"disturbance": {"model": "bounded", "radius": 3.0, "covariance": 0.1}}
        run = self.learned({**OFFSET, **law}, "hold-out-bounded", "start")
        cost = run.certificate["inputs"]["problem"]["cost"]
        cost["Q"] = cost["P"] = [[1e-316, 0], [0, 1e-316]]
        cost["R"] = [[1e-316]]
        self.assertIn(self.ask_run(run)[0], (0, 1))

    def test_members_of_an_archive_that_overlap(self):
        run = self.learned(PROBLEM, "data-driven", "pac-bayes")
        array = run.npz("posterior")
        array = array[array.index(b"\x93NUMPY"):array.index(b"PK", 4)]
        local = struct.pack("<IHHHHHIIIHH", 0x04034b50, 20, 0, 0, 0, 0, 0, len(array), len(array), 0, 0)
        directory = b"".join(
            struct.pack("<IHHHHHHIIIHHHHHII", 0x02014b50, 20, 20, 0, 0, 0, 0, 0, len(array), len(array),
                        8, 0, 0, 0, 0, 0, 0) + b"%04d.npy" % k for k in range(1000))
        end = struct.pack("<IHHHHIIH", 0x06054b50, 0, 0, 1000, 1000, len(directory),
                          len(local) + len(array), 0)
        content = local + array + directory + end
        run.rehash()
        run.write(self.folder / "run")
        run.certificate["inputs"]["posterior_sha256"] = sha256(content)
        self.write("run/certificate.json", run.certificate)
        (self.folder / "run/posterior.npz").write_bytes(content)
        status, text = self.ask("run")
        self.assertEqual(status, 3)
        self.assertIn("posterior.npz': zip: found members that overlap", text)

    def test_many_inputs(self):
        run = self.learned(PROBLEM, "data-driven", "pac-bayes")
        run.certificate["inputs"]["problem"]["system"]["B"] = [[0.5] * 700, [1.0] * 700]
        self.assertIn("problem: found its size", self.ask_run(run)[1])

    @unittest.skipIf(INSTRUMENTED, "sanitizers reserve more than any limit")
    def test_memory_that_ends(self):
        """One line and status 3, whether C++ or FLINT asked for it."""
        run = self.learned({**PROBLEM, "horizon": 200}, "hold-out-scale-free", "lqr", n=2)
        run.rehash()
        run.write(self.folder / "run")
        for megabytes in range(40, 120, 20):
            limit = (megabytes << 20,) * 2
            done = subprocess.run([CHECKER, "run"], cwd=self.folder, capture_output=True, text=True,
                                  preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_AS, limit))
            self.assertEqual(done.returncode, 3)
            self.assertRegex(done.stderr, r"\Aloopcert-verify: [^\n]*: found [^\n]*\n\Z")


if __name__ == "__main__":
    unittest.main()

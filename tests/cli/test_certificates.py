"""learn with a certificate: the record, the files, and its number by another route."""

import json

import numpy as np

from dense import DenseProblem, certificate
from program import AFFINE, WHITE, WHITE_TREE, ProgramTest

AFFINE_TREE = {
    "horizon": 6,
    "system": {"A": [[0.8]], "B": [[0.1]]},
    "cost": {"Q": [[0.5]], "R": [[0.0003]], "P": [[0]]},
    "response": {"affine": True},
    "disturbance": {"scale_bound": 0.09, "zero_mean": False, "covariance": 0.09,
                    "mean": {"x0": 2.3, "w": 0.3}},
    "certificate": {"kind": "data-driven-mean",
                    "delta": {"pac_bayes": 0.01, "covariance": 0.02, "mean": 0.03}},
}
BOUNDED_TREE = {**WHITE_TREE, "certificate": {"kind": "bounded"},
                "disturbance": {"model": "bounded", "radius": 4.0, "covariance": 0.1}}

FIELDS = {"status", "method", "n", "p", "certificate", "empirical_cost", "lqr_empirical_cost",
          "population_cost", "sensitivity", "prescient_certificate", "optimal_cost", "lqr_cost",
          "seconds", "baselines", "details", "warnings", "improvement", "logged_cost",
          "logged_cost_standard_error", "limits", "signals", "signals_from", "reference"}
CERTIFICATE_FIELDS = {"format", "kind", "chosen", "subject", "functional", "oracle", "value", "confidence", "terms",
                      "events", "assumptions", "n", "kl", "lambda", "solver", "all", "inputs"}


class CertificateTest(ProgramTest):
    def sample(self, problem=WHITE, n=40, name="w.npy", seed=3):
        self.ok("sample", problem, "-n", n, "--seed", seed, "--out", name)
        return np.load(self.folder / name)

    def check_record(self, c, total=0.05):
        self.assertEqual(set(c), CERTIFICATE_FIELDS)
        self.assertEqual(c["format"], "loopcert certificate 2")
        self.assertAlmostEqual(sum(term["value"] for term in c["terms"]), c["value"], delta=1e-9)
        self.assertAlmostEqual(sum(event["delta"] for event in c["events"]), total, delta=1e-12)
        self.assertAlmostEqual(c["confidence"], 1 - total, delta=1e-12)
        self.assertEqual(set(c["solver"]), {"status", "iterations", "gradient_norm"})
        for term in c["terms"]:
            self.assertTrue(term["id"], term)
        for event in c["events"]:
            self.assertEqual(set(event), {"kind", "fold", "id", "delta", "choices", "statement"})
        self.assertGreater(len(c["assumptions"]), 2)
        for statement in c["assumptions"] + [event["statement"] for event in c["events"]]:
            self.assertRegex(statement["id"], r"\A[a-z-]+\Z")
            self.assertTrue(all(isinstance(x, (int, float)) for x in statement["parameters"].values()))


class Record(CertificateTest):
    def test_pac_bayes_is_the_default(self):
        run = self.ok_json("learn", WHITE, "--sample", 40, "--seed", 3, "--out", "out")
        names = {path.name for path in (self.folder / "out").iterdir()}
        self.assertLessEqual({"certificate.json", "controller.json", "posterior.npz", "run.json"},
                             names)
        self.assertEqual(json.loads((self.folder / "out/run.json").read_text()), run)
        c = json.loads((self.folder / "out/certificate.json").read_text())
        self.assertEqual(run["certificate"], c)
        self.assertEqual(set(run), FIELDS)
        self.assertEqual([run[key] for key in ("status", "method", "n", "p", "baselines")],
                         ["done", "pac-bayes", 40, 110, []])
        self.check_record(c)
        self.assertEqual([c[key] for key in ("kind", "subject", "oracle", "n", "all")],
                         ["data-driven", "mean-response", False, 40, []])
        self.assertEqual([event["id"] for event in c["events"]], ["pac_bayes", "covariance"])
        self.assertEqual(c["solver"]["status"], "converged")
        self.assertGreater(c["kl"], 0)
        self.assertGreater(c["lambda"], 0)
        for key in ("problem_sha256", "data_sha256", "posterior_sha256"):
            self.assertRegex(c["inputs"][key], r"\A[0-9a-f]{64}\Z")
        self.assertEqual(c["inputs"]["prior"], {"center": "start", "scale": 1.0})
        self.assertEqual(c["inputs"]["posterior"], "posterior.npz")
        self.assertAlmostEqual(c["terms"][0]["value"], run["empirical_cost"], delta=1e-9)
        self.assertLess(run["optimal_cost"], run["population_cost"])
        self.assertLess(run["population_cost"], run["prescient_certificate"])
        self.assertLess(run["prescient_certificate"], c["value"])

    def test_oracle_pac_bayes(self):
        run = self.ok_json("learn", WHITE, "--method", "oracle-pac-bayes", "--sample", 40,
                           "--out", "out")
        c = run["certificate"]
        self.check_record(c)
        self.assertEqual((c["kind"], c["oracle"], len(c["events"])), ("oracle", True, 1))
        self.assertAlmostEqual(run["prescient_certificate"], c["value"], delta=1e-9)
        self.assertTrue((self.folder / "out/posterior.npz").is_file())
        learned = self.ok_json("learn", WHITE, "--sample", 40)  # from the same data
        self.assertLess(c["value"], learned["prescient_certificate"])

    def test_the_controller_is_the_certified_response(self):
        self.sample()
        run = self.ok_json("learn", WHITE, "--data", "w.npy", "--out", "out")
        cost = self.ok_json("simulate", WHITE, "--controller", "out/controller.json", "--data",
                            "w.npy")
        self.assertAlmostEqual(cost["mean"], run["certificate"]["terms"][0]["value"], delta=1e-9)

    def test_same_run_same_bytes(self):
        for out in "ab":
            self.ok("learn", WHITE, "--sample", 30, "--seed", 5, "--out", out)
        for name in ("certificate.json", "controller.json", "posterior.npz"):
            self.assertEqual((self.folder / "a" / name).read_bytes(),
                             (self.folder / "b" / name).read_bytes(), name)

    def test_certificate_of_an_earlier_run_does_not_stay(self):
        self.ok("learn", WHITE, "--sample", 20, "--out", "out")
        self.ok("learn", WHITE, "--method", "erm", "--sample", 20, "--out", "out")
        for name in ("certificate.json", "posterior.npz"):
            self.assertFalse((self.folder / "out" / name).exists(), name)

    def test_table_for_a_person(self):
        text = self.ok("learn", WHITE, "--sample", 40)
        # The certificate comes first, then what speaks against it; how it adds up on request.
        self.assertTrue(text.startswith("certificate "), text)
        self.assertIn("assuming", text)
        self.assertNotIn("curvature mismatch", text)
        self.assertRegex(text, r"details +\d+ more lines with --verbose\n\Z")
        text = self.ok("learn", WHITE, "--sample", 40, "--verbose")
        self.assertNotIn("--verbose", text)
        for part in ("certificate ", "at confidence 0.95 (data-driven, mean response)",
                     "curvature mismatch", "complexity", "event covariance", "assuming",
                     "prescient certificate", "converged"):
            self.assertIn(part, text)

    def test_compare(self):
        run = self.ok_json("learn", WHITE, "--sample", 40, "--compare", "lqr,erm,ridge")
        self.assertEqual([b["method"] for b in run["baselines"]], ["lqr", "erm", "ridge"])
        for b in run["baselines"]:
            alone = self.ok_json("learn", WHITE, "--sample", 40, "--method", b["method"])
            for key in ("empirical_cost", "population_cost", "sensitivity"):
                self.assertAlmostEqual(b[key], alone[key], delta=1e-12)
        self.assertIn("erm for comparison", self.ok("learn", WHITE, "--sample", 40, "--compare", "erm"))
        self.fails(2, "learn", WHITE, "--sample", 40, "--compare", "lqr,emr", "--out", "out",
                   says=["--compare", "did you mean 'erm'?"])
        self.fails(2, "learn", WHITE, "--method", "lqr", "--compare", "erm", "--out", "out",
                   says=["needs data", "erm"])

    def test_trace(self):
        done = self.run_program("learn", WHITE, "--sample", 40, "--trace", "--json")
        lines = done.stderr.splitlines()
        self.assertEqual(lines[0].split(), ["iteration", "empirical", "cost", "KL", "bound",
                                            "gradient", "norm"])
        rows = np.array([line.split() for line in lines[1:]], float)
        c = json.loads(done.stdout)["certificate"]
        np.testing.assert_array_equal(rows[:, 0], np.arange(1, c["solver"]["iterations"] + 1))
        self.assertTrue(np.all(np.diff(rows[:, 3]) <= 1e-5 * rows[1:, 3]))
        self.assertAlmostEqual(rows[-1, 3], c["value"], delta=1e-4 * c["value"])
        self.assertEqual(self.run_program("learn", WHITE, "--sample", 40, "--json").stderr, "")
        quiet = self.run_program("learn", WHITE, "--sample", 40, "--trace", "--quiet")
        self.assertEqual((quiet.stdout, quiet.stderr), ("", ""))


class Kinds(CertificateTest):
    def test_from_data(self):
        values = {}
        for kind, events in (("data-driven", 2), ("data-driven-randomized", 2),
                             ("data-driven-rank-aware", 2), ("data-driven-mean", 3)):
            c = self.ok_json("learn", WHITE, "--sample", 40, "--certificate", kind)["certificate"]
            self.check_record(c)
            self.assertEqual((c["kind"], len(c["events"]), c["oracle"]), (kind, events, False))
            values[kind] = c["value"]
        self.assertLess(values["data-driven-rank-aware"], values["data-driven"])
        self.assertLess(values["data-driven"], values["data-driven-mean"])

    def test_oracles_are_for_the_oracle(self):
        for kind in ("oracle", "oracle-randomized", "posterior-localized"):
            self.fails(3, "learn", WHITE, "--sample", 40, "--certificate", kind, "--out", "out",
                       says=["certificate.kind", kind, "oracle-pac-bayes"])
            c = self.ok_json("learn", WHITE, "--method", "oracle-pac-bayes", "--sample", 40,
                             "--certificate", kind)["certificate"]
            self.check_record(c)
            self.assertEqual((c["kind"], c["oracle"]), (kind, True))

    def test_refusals(self):
        self.fails(2, "learn", WHITE, "--sample", 40, "--certificate", "data-drivn",
                   says=["--certificate", "did you mean 'data-driven'?"])
        self.fails(2, "learn", WHITE, "--method", "erm", "--sample", 40, "--certificate",
                   "data-driven", says=["--certificate", "erm"])
        self.fails(3, "learn", WHITE, "--sample", 40, "--certificate", "bounded",
                   says=["'gaussian'", "radius"])
        self.fails(3, "learn", WHITE, "--sample", 1, says="at least 2")
        self.fails(3, "learn", WHITE, "--sample", 2, "--certificate", "data-driven-mean",
                   says="at least 3")
        for change, says in (({"covariance": 0.1}, "disturbance.scale_bound"),
                             ({"covariance": 0.1, "scale_bound": 0.1, "zero_mean": False},
                              "disturbance.zero_mean")):
            problem = self.write("problem.json", {**WHITE_TREE, "disturbance": change})
            self.fails(3, "learn", problem, "--sample", 40, says=says)
        problem = self.write("parts.json", {**WHITE_TREE,
                                            "certificate": {"delta": {"pac_bayes": 0.01}}})
        self.fails(3, "learn", problem, "--sample", 40, says=["certificate.delta", "covariance"])
        problem = self.write("kind.json", {**WHITE_TREE, "certificate": {"kind": "datadriven"}})
        self.fails(3, "learn", problem, "--sample", 40, says="did you mean 'data-driven'?")

    def test_bounded(self):
        problem = self.write("problem.json", BOUNDED_TREE)
        run = self.ok_json("learn", problem, "--sample", 40)
        c = run["certificate"]
        self.check_record(c)
        self.assertEqual((c["kind"], len(c["events"])), ("bounded", 1))
        self.assertIsNone(run["prescient_certificate"])
        self.assertIn({"id": "radius", "parameters": {"radius": 4.0}}, c["assumptions"])
        short = {**BOUNDED_TREE, "disturbance": {**BOUNDED_TREE["disturbance"], "radius": 0.5}}
        self.fails(3, "learn", self.write("short.json", short), "--sample", 40,
                   says=["disturbance.radius", "0.5"])


class AnotherRoute(CertificateTest):
    def learned(self, problem, w):
        """(certificate, mean, variance) of `learn` on w.npy."""
        c = self.ok_json("learn", problem, "--data", "w.npy", "--out", "out")["certificate"]
        with np.load(self.folder / "out/posterior.npz") as arrays:
            self.assertEqual(sorted(arrays.files), ["mean", "variance"])
            return c, {name: arrays[name] for name in arrays.files}

    def check_pattern(self, dense, posterior):
        for name, array in posterior.items():
            self.assertEqual((array.shape, array.dtype), (dense.free.shape, np.dtype("<f8")), name)
            self.assertTrue(np.all(array[~dense.free] == 0), name)
            self.assertTrue(np.all(array[dense.free] != 0), name)
        self.assertTrue(np.all(posterior["variance"][dense.free] > 0))

    def test_data_driven(self):
        dense = DenseProblem(10, [[1, 1], [0, 1]], [[0.5], [1]], np.diag([1, 0.1]), [[0.5]],
                             np.diag([2, 0.2]))
        for n, parts in ((10, None), (60, {"pac_bayes": 0.01, "covariance": 0.03})):
            tree = {**WHITE_TREE, **({"certificate": {"delta": parts}} if parts else {})}
            problem = self.write("problem.json", tree)
            w = self.sample(problem, n)
            c, posterior = self.learned(problem, w)
            self.check_record(c, sum(parts.values()) if parts else 0.05)
            self.check_pattern(dense, posterior)
            deltas = parts or {"pac_bayes": 0.025, "covariance": 0.025}
            value = certificate(dense, w, posterior, 0.1, deltas)
            self.assertAlmostEqual(c["value"], value, delta=1e-9 * value)

    def test_unknown_mean(self):
        problem = self.write("problem.json", AFFINE_TREE)
        dense = DenseProblem(6, [[0.8]], [[0.1]], [[0.5]], [[0.0003]], [[0]], affine=True)
        w = self.sample(problem, 30)
        c, posterior = self.learned(problem, w)
        self.check_record(c, 0.06)
        self.check_pattern(dense, posterior)
        deltas = AFFINE_TREE["certificate"]["delta"]
        value = certificate(dense, w, posterior, 0.09, deltas, unknown_mean=True)
        self.assertAlmostEqual(c["value"], value, delta=1e-9 * value)
        controller = json.loads((self.folder / "out/controller.json").read_text())
        self.assertTrue(np.any(np.array(controller["k"]) != 0))
        self.assertIn("mean-mismatch", [term["id"] for term in c["terms"]])
        example = self.ok_json("learn", AFFINE, "--sample", 30)["certificate"]
        self.assertEqual((example["kind"], len(example["events"])), ("data-driven-mean", 3))

    def test_zero_mean_with_an_offset(self):
        tree = {**AFFINE_TREE, "certificate": {},
                "disturbance": {"scale_bound": 0.09, "covariance": 0.09}}
        problem = self.write("problem.json", tree)
        dense = DenseProblem(6, [[0.8]], [[0.1]], [[0.5]], [[0.0003]], [[0]], affine=True)
        w = self.sample(problem, 25)
        c, posterior = self.learned(problem, w)
        value = certificate(dense, w, posterior, 0.09, {"pac_bayes": 0.025, "covariance": 0.025})
        self.assertAlmostEqual(c["value"], value, delta=1e-9 * value)

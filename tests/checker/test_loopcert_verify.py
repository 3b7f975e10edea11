"""loopcert-verify: honest certificates are verified, others refused with the reason."""

import json
import unittest

import numpy as np

import honest_runs
from checker import CheckerTest
from program import AFFINE, COLOURED, SOURCE, WHITE, WHITE_TREE

GRANTED = {**WHITE_TREE, "disturbance": {
    **WHITE_TREE["disturbance"], "white": True, "stationary": True, "covariance_bound": 0.1,
    "covariance_radius": 0.4, "covariance_radius_delta": 0.01}}


class VerdictTest(CheckerTest):
    def verified(self, folder, *arguments, name="certificate.json"):
        """The value that is printed, which is close to the recorded one."""
        done = self.check(f"{folder}/{name}", *arguments)
        self.assertEqual(done.returncode, 0, f"{folder}: {done.stdout}{done.stderr}")
        self.assertRegex(done.stdout, r"\AVERIFIED ")
        value = float(done.stdout.split(": ")[1].split()[0])
        record = json.loads((self.folder / folder / name).read_text())
        size = honest_runs.size_of(record)
        room = 1e-5 if record["n"] == 1 else 1e-8  # one trajectory bounds what rounding costs poorly
        self.assertLessEqual(abs(value - record["value"]), room * size, folder)
        lines = [line for line in done.stdout.split("\n") if line.startswith("  assuming: ")]
        self.assertGreaterEqual(len(lines), len(record["assumptions"]))
        return value

    def says(self, status, text, *arguments):
        done = self.check(*arguments)
        self.assertEqual(done.returncode, status, done.stdout + done.stderr)
        self.assertRegex(done.stdout + done.stderr, r"\A[^\n]+\n\Z")
        self.assertIn(text, done.stdout + done.stderr)


class Honest(VerdictTest):
    def learn(self, problem, kind, folder, *arguments, data="w.npy"):
        self.ok("learn", problem, "--data", data, "--certificate", kind, "--out", folder, *arguments)
        return self.verified(folder, "--data", data)

    def test_posterior_kinds(self):
        self.ok("sample", WHITE, "-n", 50, "--seed", 3, "--out", "w.npy")
        problem = self.write("problem.json", GRANTED)
        for kind in honest_runs.KINDS:
            self.learn(problem, kind, kind)
        tree = {**GRANTED, "disturbance": {**GRANTED["disturbance"], "stationary": False}}
        self.learn(self.write("steps.json", tree), "white", "steps")

    def test_kinds_for_one_response(self):
        self.ok("sample", WHITE, "-n", 60, "--seed", 3, "--out", "w.npy")
        self.ok("sample", WHITE, "-n", 60, "--seed", 4, "--out", "fresh.npy")
        problem = self.write("problem.json", GRANTED)
        for kind in honest_runs.FIXED_KINDS:
            for method in ("lqr", "shrinkage", "start"):
                if not (kind.startswith("assumed") and method == "shrinkage"):
                    self.learn(problem, kind, f"{method}-{kind}", "--method", method)
            self.ok("certify", problem, "--controller", "shrinkage-hold-out/controller.json",
                    "--data", "fresh.npy", "--certificate", kind, "--out", f"certify-{kind}")
            self.verified(f"certify-{kind}", "--data", "fresh.npy")
        self.ok("certify", problem, "--controller", "lqr-hold-out/controller.json",
                "--certificate", "assumed-scale", "--out", "nothing")
        self.verified("nothing")

    def test_any_law(self):
        problem = SOURCE / "examples/assumptions/uniform.toml"
        self.ok("sample", problem, "-n", 60, "--seed", 3, "--out", "w.npy")
        for kind in ("fourth-moment", "bounded"):
            self.learn(problem, f"hold-out-{kind}", f"lqr-{kind}", "--method", "lqr")
            self.learn(problem, f"cross-{kind}", f"ridge-{kind}", "--method", "ridge")
        more = "assuming, for the rounding errors: No trajectory (x_0, w_0, ..., w_{T-1}) has a norm"
        for kind, says in (("fourth-moment", True), ("bounded", False)):
            said = self.check(f"ridge-{kind}", "--data", "w.npy").stdout
            self.assertEqual(more in said, says, said)
        for kind in honest_runs.BOUNDED_KINDS:
            self.learn(problem, kind, kind, "--method", "pac-bayes")
        for method in ("auto", "pac-bayes"):
            self.learn(problem, "best", f"best-{method}", "--method", method)
        affine = {**honest_runs.ANY_LAW, "system": {**honest_runs.PROBLEM["system"], "d": [0.1, -0.2]},
                  "response": {"affine": True}}
        affine["disturbance"] = {**affine["disturbance"], "scale_bound": 0.1}
        problem = self.write("affine.json", affine)
        self.ok("sample", self.write("small.json", honest_runs.PROBLEM), "-n", 50, "--seed", 3,
                "--out", "w.npy")
        for kind in honest_runs.BOUNDED_KINDS:
            self.learn(problem, kind, f"affine-{kind}")
        self.learn(problem, "hold-out-bounded", "affine", "--method", "ridge")

    def test_references(self):
        self.ok("sample", WHITE, "-n", 30, "--seed", 3, "--out", "w.npy")
        for kind in honest_runs.ORACLE_KINDS:
            self.learn(WHITE, kind, kind, "--method", "oracle-pac-bayes")
        mean = {**WHITE_TREE, "response": {"affine": True}, "disturbance": {
            "scale_bound": 0.2, "covariance": 0.1, "mean": 0.05, "zero_mean": False}}
        problem = self.write("mean.json", mean)
        self.ok("sample", problem, "-n", 30, "--seed", 3, "--out", "w.npy")
        for kind in honest_runs.ORACLE_KINDS:
            self.learn(problem, kind, f"mean-{kind}", "--method", "oracle-pac-bayes")

    def test_differences_to_a_baseline(self):
        self.ok("sample", COLOURED, "-n", 60, "--seed", 5, "--out", "w.npy")
        self.ok("sample", COLOURED, "-n", 60, "--seed", 6, "--out", "fresh.npy")
        for kind in ("hold-out", "cross-chi-square"):
            self.learn(COLOURED, kind, kind, "--method", "ridge")
            self.verified(kind, "--data", "w.npy", name="improvement.json")
        for kind in honest_runs.DIFFERENCE_KINDS:
            for baseline in ("lqr", "hold-out/controller.json"):
                self.ok("certify", COLOURED, "--controller", "cross-chi-square/controller.json",
                        "--data", "fresh.npy", "--certificate", kind, "--baseline", baseline,
                        "--out", "certify")
                self.verified("certify", "--data", "fresh.npy")
        offset = {**GRANTED, "system": {**GRANTED["system"], "d": [0.1, -0.2]},
                  "response": {"affine": True}}
        problem = self.write("offset.json", offset)
        self.ok("sample", WHITE, "-n", 60, "--seed", 3, "--out", "w.npy")
        self.learn(problem, "cross-scale-free", "offset", "--method", "erm")
        self.verified("offset", "--data", "w.npy", name="improvement.json")
        self.ok("sample", WHITE, "-n", 60, "--seed", 8, "--out", "fresh.npy")
        self.ok("certify", problem, "--controller", "offset/controller.json", "--data", "fresh.npy",
                "--certificate", "improvement-mean", "--out", "certify")
        self.verified("certify", "--data", "fresh.npy")

    def test_long_horizons_need_no_more_bits(self):
        text = COLOURED.read_text().replace("horizon = 10", "horizon = 60")
        text = text.replace("scale_bound = 0.7", "scale_bound = 1.0")
        (self.folder / "long.toml").write_text(text)
        self.ok("sample", "long.toml", "-n", 60, "--seed", 5, "--out", "w.npy")
        self.learn("long.toml", "cross-chi-square", "long", "--method", "ridge")
        for name, bits in (("certificate.json", 64), ("improvement.json", 128)):  # differences cancel
            said = self.check(f"long/{name}", "--data", "w.npy").stdout
            self.assertRegex(said, rf"\AVERIFIED .*, {bits} bits\)")

    def test_two_costs_that_differ_by_rounding(self):
        """Balls of 64 bits are as wide as the difference: they prove nothing about its sign."""
        self.ok("sample", COLOURED, "-n", 60, "--seed", 5, "--out", "w.npy")
        self.learn(COLOURED, "hold-out", "lqr", "--method", "lqr")
        self.ok("sample", COLOURED, "-n", 60, "--seed", 6, "--out", "fresh.npy")
        self.ok("certify", COLOURED, "--controller", "lqr/controller.json", "--data", "fresh.npy",
                "--certificate", "improvement", "--baseline", "lqr", "--out", "same")
        self.verified("same", "--data", "fresh.npy")
        self.assertIn("(improvement, 128 bits)", self.check("same", "--data", "fresh.npy").stdout)

    def test_directions_that_cost_nothing(self):
        tree = {**GRANTED, "cost": {"Q": [1, 0], "R": [0.5], "P": [0, 0]}}
        problem = self.write("p.json", tree)
        self.ok("sample", WHITE, "-n", 60, "--seed", 3, "--out", "w.npy")
        for kind in ("cross", "cross-chi-square", "cross-white"):
            self.learn(problem, kind, kind, "--method", "ridge")

    def test_kinds_across_folds(self):
        self.ok("sample", WHITE, "-n", 60, "--seed", 3, "--out", "w.npy")
        problem = self.write("problem.json", {**GRANTED, "certificate": {"folds": 2}})
        for kind in honest_runs.CROSS_KINDS:
            self.learn(problem, kind, kind, "--method", "ridge")
        offset = {**GRANTED, "response": {"affine": True}, "certificate": {"folds": 3}}
        problem = self.write("affine.json", offset)
        self.learn(problem, "cross-scale-free", "affine", "--method", "erm")

    def test_portfolios(self):
        for name in ("loose-scale", "no-scale", "white", "coloured", "mean"):
            problem = SOURCE / f"examples/assumptions/{name}.toml"
            self.ok("sample", problem, "-n", 60, "--seed", 7, "--out", "w.npy")
            for method in ("auto", "lqr", "ridge", *(["pac-bayes"] if name != "mean" else [])):
                self.learn(problem, "best", f"{name}-{method}", "--method", method)
        self.ok("sample", problem, "-n", 60, "--seed", 8, "--out", "fresh.npy")
        self.ok("certify", problem, "--controller", "mean-auto/controller.json", "--data",
                "fresh.npy", "--certificate", "best", "--out", "certify")
        self.verified("certify", "--data", "fresh.npy")

    def test_portfolios_at_their_edges(self):
        small = {**honest_runs.PROBLEM, "disturbance": {"scale_bound": 0.3, "covariance_bound": 0.3,
                                                      "white": True, "covariance": 0.1}}
        laws = {
            "granted": small["disturbance"],
            "gaussian": {"covariance": 0.1},
            "any mean": {"zero_mean": False, "scale_bound": 0.3, "covariance": 0.1},
            "bounded": {"model": "bounded", "radius": 3.0, "covariance": 0.1},
            "kurtosis": {"model": "any", "kurtosis": 3.0, "covariance": 0.1},
        }
        for name, law in laws.items():
            problem = self.write("p.json", {**small, "disturbance": law})
            for n, methods in ((1, ("lqr",)), (2, ("lqr", "start")), (6, ("ridge",)),
                               (70, ("shrinkage", "lqr"))):
                self.ok("sample", self.write("law.json", small), "-n", n, "--seed", 4, "--out",
                        "w.npy")
                for method in methods:
                    if name == "kurtosis" and n < 70:
                        continue  # no value from so few
                    with self.subTest(law=name, n=n, method=method):
                        out = f"{name}-{n}-{method}"
                        self.learn(problem, "best", out, "--method", method)
                        if (self.folder / out / "improvement.json").exists():
                            self.verified(out, "--data", "w.npy", name="improvement.json")
        self.ok("sample", self.write("law.json", small), "-n", 40, "--seed", 5, "--out", "w.npy")
        self.ok("certify", "law.json", "--controller", "granted-70-lqr/controller.json", "--data",
                "w.npy", "--certificate", "best", "--out", "certify")
        self.verified("certify", "--data", "w.npy")

    def test_pac_bayes_beside_another_method(self):
        """With many folds the PAC-Bayes entry of a portfolio, for an unknown mean, is the smallest one."""
        for affine in (False, True):
            tree = {**honest_runs.FOLDED, "response": {"affine": affine}}
            problem = self.write("p.json", tree)
            self.ok("sample", problem, "-n", 40, "--seed", 4, "--out", "w.npy")
            self.learn(problem, "best", f"out-{affine}", "--method", "shrinkage")
            record = json.loads((self.folder / f"out-{affine}/certificate.json").read_text())
            self.assertEqual(record["subject"], "mean-response")

    def test_priors_starts_and_bases(self):
        self.ok("sample", WHITE, "-n", 40, "--seed", 5, "--out", "w.npy")
        for center in ("lqr", "split"):
            tree = {**GRANTED, "learning": {"prior": {"center": center, "scale": "grid"}}}
            self.learn(self.write("grid.json", tree), "scale", f"{center}-grid")
        for start in ("lqr", "zero-input", "min-norm"):
            for basis in ("input", "orthonormal"):
                tree = {**GRANTED, "response": {"start": start, "basis": basis}}
                tree["certificate"] = {"delta": {"pac_bayes": 0.02, "covariance": 0.03}}
                self.learn(self.write("p.json", tree), "data-driven", f"{start}-{basis}")

    def test_offsets_and_affine_responses(self):
        self.ok("sample", AFFINE, "-n", 40, "--seed", 5, "--out", "a.npy")
        self.learn(AFFINE, "data-driven-mean", "affine", data="a.npy")
        self.ok("sample", WHITE, "-n", 40, "--seed", 5, "--out", "w.npy")
        offset = {**GRANTED["system"], "d": [0.1, -0.2]}
        for affine in (False, True):
            tree = {**GRANTED, "system": offset, "response": {"affine": affine}}
            problem = self.write("p.json", tree)
            for kind in ("data-driven", "data-driven-rank-aware", "scale", "white"):
                self.learn(problem, kind, f"{kind}-{affine}")
            self.learn(problem, "hold-out", f"hold-out-{affine}", "--method", "lqr")
        self.learn(problem, "data-driven-mean", "mean")

    def test_varying_plants_and_coloured_data(self):
        A = [[[1, 1], [0, 1 + 0.01 * t]] for t in range(10)]
        tree = {**GRANTED, "system": {"A": A, "B": [[[0.5], [1]]] * 10}}
        self.ok("sample", WHITE, "-n", 40, "--seed", 5, "--out", "w.npy")
        self.learn(self.write("p.json", tree), "data-driven", "varying")
        self.ok("sample", COLOURED, "-n", 60, "--seed", 5, "--out", "c.npy")
        self.learn(COLOURED, "relative", "coloured", "--method", "pac-bayes", data="c.npy")

    def test_formats_of_data(self):
        self.ok("sample", WHITE, "-n", 30, "--seed", 3, "--out", "w.npy")
        self.ok("learn", WHITE, "--data", "w.npy", "--out", "out")
        w = np.load(self.folder / "w.npy")
        np.save(self.folder / "columns.npy", np.asfortranarray(w))
        np.save(self.folder / "out/data.npy", w)
        self.ok("import", WHITE, "--data", "w.npy", "--out", "w.csv")
        for name in ("w.npy", "columns.npy", "w.csv"):
            self.verified("out", "--data", name)
        self.verified("out")
        self.verified("out", "--controller", "out/controller.json")


class Refused(VerdictTest):
    def setUp(self):
        super().setUp()
        self.ok("sample", WHITE, "-n", 30, "--seed", 3, "--out", "w.npy")
        self.ok("learn", WHITE, "--data", "w.npy", "--out", "out")

    def test_unknown_kinds(self):
        self.change("out", lambda tree: tree.update(kind="tomorrow"))
        self.says(1, "UNDECIDED kind", "out", "--data", "w.npy")

    def change(self, folder, change):
        path = self.folder / folder / "certificate.json"
        tree = json.loads(path.read_text())
        change(tree)
        path.write_text(json.dumps(tree))

    def test_another_controller(self):
        self.ok("learn", WHITE, "--method", "lqr", "--out", "lqr")
        self.says(1, "REFUTED controller", "out", "--data", "w.npy", "--controller",
                  "lqr/controller.json")

    def test_a_controller_that_knows_the_data(self):
        self.ok("certify", WHITE, "--controller", "out/controller.json", "--sample", 30, "--out",
                "fresh", "--certificate", "hold-out")
        run = honest_runs.Run(self.folder / "fresh", self.folder / "w.npy")
        run.rehash()
        run.write(self.folder / "fresh")
        self.says(1, "REFUTED data: the controller was learned from", "fresh")

    def test_bad_input(self):
        self.says(3, "nowhere", "nowhere", "--data", "w.npy")
        self.says(3, "none.npy", "out", "--data", "none.npy")
        self.says(3, "data.npy", "out")
        np.save(self.folder / "narrow.npy", np.ones((30, 3)))
        np.save(self.folder / "whole.npy", np.ones((30, 22), int))
        self.says(1, "REFUTED data", "out", "--data", "narrow.npy")
        self.says(3, "whole.npy", "out", "--data", "whole.npy")
        good = (self.folder / "w.npy").read_bytes()
        for end in (0, 5, 20, 100, len(good) - 1):
            (self.folder / "short.npy").write_bytes(good[:end])
            self.says(3, "short.npy", "out", "--data", "short.npy")
        for text in ("", "{", "[]", "{}", "[" * 100000, '{"format": 1, "format": 2}'):
            self.write("out/certificate.json", text)
            self.says(3, "certificate.json", "out", "--data", "w.npy")
        self.says(3, "File name too long", "x" * 5000)
        self.assertEqual(self.check().returncode, 2)
        self.assertEqual(self.check("--data").returncode, 2)


if __name__ == "__main__":
    unittest.main()

"""evaluate: bounds at a posterior, the files that it writes, what it refuses."""

import json

import numpy as np

from program import COLOURED, WHITE, WHITE_TREE, ProgramTest

DATA = ("--sample", 40, "--seed", 1)


class Evaluate(ProgramTest):
    def setUp(self):
        super().setUp()
        self.learned = self.ok_json("learn", WHITE, *DATA, "--out", "out")
        self.arguments = ("evaluate", WHITE, "--posterior", "out/posterior.npz", *DATA)

    def bound(self, tree, kind):
        return next(bound for bound in tree["bounds"] if bound["kind"] == kind)

    def test_learn_and_evaluate_agree(self):
        found = self.bound(self.ok_json(*self.arguments), "data-driven")["certificate"]
        for key in ("value", "terms", "events", "kl", "lambda", "confidence", "assumptions"):
            self.assertEqual(found[key], self.learned["certificate"][key], key)

    def test_every_kind_or_what_it_lacks(self):
        found = self.ok_json(*self.arguments)
        self.assertEqual((found["status"], found["n"], found["p"]), ("done", 40, 110))
        computed = {b["kind"] for b in found["bounds"] if b["certificate"]}
        self.assertLessEqual({"data-driven", "scale", "relative", "oracle", "posterior-localized"},
                             computed)
        for bound in found["bounds"]:
            self.assertEqual(bound["certificate"] is None, bool(bound["missing"]))
        self.assertIn("radius", self.bound(found, "bounded")["missing"])
        law = found["law"]
        self.assertAlmostEqual(law["population_cost"], self.learned["population_cost"], delta=1e-12)
        self.assertAlmostEqual(law["sensitivity"], self.learned["sensitivity"], delta=1e-12)
        self.assertAlmostEqual(law["phi"], law["sensitivity"], delta=1e-9)  # the mean is zero

    def test_table(self):
        text = self.ok(*self.arguments)
        for part in ("interval of lambda", "pointwise radius", "  data-driven ", "each alone"):
            self.assertIn(part, text)
        one = self.ok(*self.arguments, "--certificate", "oracle")
        for part in ("(oracle, mean response)", "assuming", "  C  ", "  psi  ", "cumulant"):
            self.assertIn(part, one)

    def test_fixed_lambda(self):
        free = self.bound(self.ok_json(*self.arguments), "oracle")
        fixed = self.bound(self.ok_json(*self.arguments, "--lambda", "0.5"), "oracle")
        self.assertEqual(fixed["certificate"]["lambda"], 0.5)
        self.assertGreater(fixed["certificate"]["value"], free["certificate"]["value"])
        self.assertAlmostEqual(fixed["psi"], 0.25 * fixed["C"], delta=1e-12 * fixed["C"])
        self.assertIn("lambda", self.bound(self.ok_json(*self.arguments, "--lambda", "0.5"),
                                           "posterior-localized")["missing"])

    def test_global(self):
        found = self.ok_json(*self.arguments, "--certificate", "data-driven", "--global")
        least = found["global_minimum"]["value"]
        value = found["bounds"][0]["certificate"]["value"]
        self.assertAlmostEqual(value / least, 1, delta=1e-4)

    def test_draws(self):
        self.ok(*self.arguments, "--draws", 3, "--out", "drawn")
        names = {path.name for path in (self.folder / "drawn").iterdir()}
        self.assertEqual(names, {"evaluation.json", "draws.npz", "controller-0.json",
                                 "controller-1.json", "controller-2.json"})
        self.assertEqual(json.loads((self.folder / "drawn/evaluation.json").read_text()),
                         self.ok_json(*self.arguments))
        posterior = np.load(self.folder / "out/posterior.npz")
        with np.load(self.folder / "drawn/draws.npz") as draws:
            for i in range(3):
                tree = json.loads((self.folder / f"drawn/controller-{i}.json").read_text())
                K = draws[f"Phi_u_{i}"] @ np.linalg.inv(draws[f"Phi_x_{i}"])
                np.testing.assert_allclose(np.array(tree["K"]).reshape(K.shape), K, atol=1e-9)
                self.assertEqual(np.abs(draws[f"Z_{i}"][posterior["variance"] == 0]).max(), 0)
            first = draws["Z_0"].copy()
        # A drawn controller runs, and is not certified on what its posterior has seen.
        self.ok("simulate", WHITE, "--controller", "drawn/controller-0.json", "--sample", 10)
        self.ok("sample", WHITE, "-n", 40, "--seed", 1, "--out", "seen.csv")
        self.fails(3, "certify", WHITE, "--controller", "drawn/controller-0.json", "--data",
                   "seen.csv", says="learned from")
        # Fewer draws: none of the earlier ones stays. Another seed: others.
        self.ok(*self.arguments, "--draws", 1, "--draw-seed", 2, "--out", "drawn")
        self.assertEqual({p.name for p in (self.folder / "drawn").glob("controller-*")},
                         {"controller-0.json"})
        self.assertFalse(np.array_equal(np.load(self.folder / "drawn/draws.npz")["Z_0"], first))

    def test_matrices(self):
        self.ok(*self.arguments, "--certificate", "oracle", "--matrices", "--out", "drawn")
        arrays = np.load(self.folder / "drawn/vectorized.npz")

        def dense(name):
            matrix = np.zeros(arrays[name + "_shape"].astype(int).ravel())
            rows, columns = (arrays[name + end].astype(int).ravel() for end in ("_row", "_col"))
            matrix[rows, columns] = arrays[name + "_value"].ravel()
            return matrix

        H, N = dense("H"), dense("N")
        self.assertEqual(N.shape[1], 110)
        np.testing.assert_allclose(H @ N, 0, atol=1e-10)
        np.testing.assert_allclose(H @ arrays["theta_0"], arrays["h"], atol=1e-10)
        np.testing.assert_allclose(N.T @ N, np.eye(110), atol=1e-10)

    def test_another_law_of_the_data(self):
        """Coloured data and a Gaussian assumption: the same bounds, other numbers."""
        self.ok("learn", COLOURED, *DATA, "--method", "pac-bayes", "--certificate", "relative",
                "--out", "coloured")
        found = self.ok_json("evaluate", COLOURED, "--posterior", "coloured/posterior.npz", *DATA,
                             "--certificate", "relative")
        record = json.loads((self.folder / "coloured/certificate.json").read_text())
        self.assertEqual(found["bounds"][0]["certificate"]["value"], record["value"])

    def test_without_a_law(self):
        tree = {**WHITE_TREE, "disturbance": {"scale_bound": 0.1}}
        path = self.write("p.json", tree)
        self.ok("sample", WHITE, "-n", 40, "--seed", 1, "--out", "w.csv")
        found = self.ok_json("evaluate", path, "--posterior", "out/posterior.npz", "--data", "w.csv")
        self.assertIsNone(found["law"])
        self.assertIn("covariance", self.bound(found, "oracle")["missing"])
        self.assertIsNone(self.bound(found, "data-driven")["cumulant"])


class Refusals(ProgramTest):
    def setUp(self):
        super().setUp()
        free = np.kron(np.tril(np.ones((10, 11))), np.ones((1, 2)))
        free[:, 20:] = 0
        self.arrays = {"mean": 0 * free, "variance": 0.01 * free}
        self.save("rho.npz")
        self.good = ("evaluate", WHITE, "--posterior", "rho.npz")

    def save(self, name, **changes):
        np.savez(self.folder / name, **{**self.arrays, **changes})

    def test_a_posterior_that_nobody_learned(self):
        self.assertEqual(self.ok_json(*self.good, *DATA)["p"], 110)

    def test_usage(self):
        self.fails(2, *self.good, says="needs data")
        self.fails(2, *self.good, *DATA, "--certificate", "oracel", says="did you mean 'oracle'")
        self.fails(2, *self.good, *DATA, "--global", says="--certificate")
        self.fails(2, *self.good, *DATA, "--draws", 3, says="--out")
        self.fails(2, *self.good, *DATA, "--matrices", says="--out")
        self.fails(2, *self.good, *DATA, "--lambda", "0", says="positive")
        self.fails(2, "evaluate", WHITE, *DATA, says="--posterior")

    def test_bad_posteriors(self):
        variance = self.arrays["variance"]
        for name, changes, says in [
            ("flat.npz", {"variance": 0 * variance}, "variance"),
            ("negative.npz", {"variance": -variance}, "variance"),
            ("nan.npz", {"mean": variance * np.nan}, "mean"),
            ("small.npz", {"mean": variance[:, 1:]}, "mean"),
            ("acausal.npz", {"mean": np.ones_like(variance)}, "mean"),
        ]:
            self.save(name, **changes)
            with self.subTest(name):
                self.fails(3, "evaluate", WHITE, "--posterior", name, *DATA, says=says)
        np.savez(self.folder / "empty.npz", mean=self.arrays["mean"])
        self.fails(3, "evaluate", WHITE, "--posterior", "empty.npz", *DATA,
                   says=("empty.npz", "variance"))
        self.fails(3, "evaluate", WHITE, "--posterior", "missing.npz", *DATA,
                   says="loopcert: missing.npz: No such file")

    def test_a_kind_that_is_not_granted(self):
        self.fails(3, *self.good, *DATA, "--certificate", "bounded", says="radius")
        self.fails(3, *self.good, *DATA, "--certificate", "posterior-localized", "--lambda", "1",
                   says="lambda")
        self.fails(3, *self.good, *DATA, "--certificate", "scale", "--global", says="global check")


if __name__ == "__main__":
    import unittest

    unittest.main()

"""Priors and bases of the user: what the record says of them, and one line for each wrong one."""

import json

import numpy as np

from program import WHITE_TREE, ProgramTest

DATA = ("--sample", 40, "--seed", 1)


class GivenPriors(ProgramTest):
    def setUp(self):
        super().setUp()
        free = np.kron(np.tril(np.ones((10, 11))), np.ones((1, 2)))
        free[:, 20:] = 0
        self.free = free

    def problem(self, prior=None, **response):
        tree = {**WHITE_TREE, "response": response,
                "learning": {"method": "pac-bayes", "prior": prior or {}}}
        return self.write("given.json", json.loads(json.dumps(
            tree, default=lambda value: value.tolist())))

    def test_the_record_says_where_a_prior_comes_from(self):
        given = "given by the user"
        for prior, said in [
            ({"covariance": "diagonal", "deviation": 0.5 * self.free}, True),
            ({"covariance": "kronecker", "rows": 0.5 * np.eye(10)}, True),
            ({"covariance": "full", "full": 0.5 * np.eye(110)}, True),
            ({"center": "given", "mean": 0.01 * self.free}, True),
            ({"covariance": "cost"}, False),
            ({"scale": 0.5}, False),
        ]:
            text = self.ok("learn", self.problem(prior), *DATA, "--out", "out")
            self.assertEqual(given in text, said, prior)
            record = json.loads((self.folder / "out/certificate.json").read_text())
            used = record["inputs"]["prior"]
            self.assertEqual((used["center"], used.get("covariance", "isotropic")),
                             (prior.get("center", "start"), prior.get("covariance", "isotropic")))

    def test_one_prior_in_four_shapes(self):
        """0.5 I is isotropic, diagonal, Kronecker and full: the same certificate."""
        values = [self.ok_json("learn", self.problem(prior), *DATA)["certificate"]["value"]
                  for prior in ({"scale": 0.5},
                                {"covariance": "diagonal", "deviation": 0.5 * self.free},
                                {"covariance": "kronecker", "rows": 0.5 * np.eye(10)},
                                {"covariance": "full", "full": 0.5 * np.eye(110)})]
        np.testing.assert_allclose(values, values[0], rtol=1e-6)

    def test_wrong_priors(self):
        acausal, singular = self.free.copy(), np.eye(110)
        acausal[0, 5], singular[3] = 1, 0
        for prior, says in [
            ({"center": "given"}, "learning.prior.mean"),
            ({"center": "given", "mean": np.zeros((3, 22))}, "learning.prior.mean"),
            ({"center": "given", "mean": acausal}, "not causal"),
            ({"covariance": "diagonal"}, "prior.deviation"),
            ({"covariance": "diagonal", "deviation": acausal}, "prior.deviation[0][5]"),
            ({"covariance": "diagonal", "deviation": -self.free}, "prior.deviation"),
            ({"covariance": "kronecker", "rows": np.ones((10, 10))}, "prior.rows"),
            ({"covariance": "kronecker", "rows": np.eye(9)}, "prior.rows"),
            ({"covariance": "full", "full": singular}, "singular"),
            ({"covariance": "ful"}, "did you mean 'full'"),
            ({"full": np.eye(110)}, "prior.full"),
        ]:
            with self.subTest(says=says):
                self.fails(3, "learn", self.problem(prior), *DATA, says=says)

    def test_wrong_bases(self):
        for response, says in [
            ({"basis": "given"}, "basis_matrix"),
            ({"basis": "given", "basis_matrix": np.ones((10, 10))}, "basis_matrix"),
            ({"basis": "given", "basis_matrix": np.zeros((10, 10))}, "basis_matrix"),
            ({"basis": "given", "basis_matrix": np.eye(9)}, "basis_matrix"),
            ({"basis_matrix": np.eye(10)}, "basis_matrix"),
        ]:
            with self.subTest(says=says):
                self.fails(3, "learn", self.problem(**response), *DATA, says=says)


if __name__ == "__main__":
    import unittest

    unittest.main()

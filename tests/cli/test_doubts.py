"""A plant that is likely wrong: the message says in which way, not which factorization gave up."""

import unittest

from program import WHITE_TREE, ProgramTest

JARGON = ("Cholesky", "Riccati recursion", "factorization", "positive definite")
DRIVE = [[0, 1, 0, 0], [-2000, -3, 2000, 3], [0, 0, 0, 1], [1000, 1.5, -1000, -1.5]]


def tree(A, B, horizon=20, **more):
    n = len(A)
    return {"name": "plant", "horizon": horizon, "system": {"A": A, "B": B},
            "cost": {"Q": [1] * n, "R": [1] * len(B[0])}, "disturbance": {"covariance": 0.01}, **more}


class Doubts(ProgramTest):
    def learn(self, problem, method):
        """What it says: among the lines of a run, or as the error that ended it."""
        done = self.run_program("learn", self.write("p.json", problem), "--sample", 60, "--method", method)
        self.assertIn(done.returncode, (0, 1))
        for word in JARGON:
            self.assertNotIn(word, done.stderr)
        return done.stdout + done.stderr

    def test_continuous_time(self):
        for A, B in ((DRIVE, [[0], [0], [0], [1]]),              # two masses and a spring
                     ([[0, 1], [0, 0]], [[0], [1]]),             # a mass
                     ([[0, 1], [-4, -0.3]], [[0], [1]]),         # an oscillator
                     ([[-0.1, 0.05], [0.02, -0.08]], [[1], [0]])):  # two rooms
            for horizon in (5, 40):
                for method in ("auto", "ridge"):
                    said = self.learn(tree(A, B, horizon), method)
                    for word in ("likely", "continuous", "discretize"):
                        self.assertIn(word, said)

    def test_unstable_guess(self):
        said = self.learn(tree([[50, 1], [0, 1]], [[0], [1]], 400), "ridge")
        self.assertIn("A has an eigenvalue of size 50, so over 400 steps", said)

    def test_a_right_plant_is_not_doubted(self):
        done = self.run_program("learn", self.write("p.json", WHITE_TREE), "--sample", 60,
                                "--method", "auto")
        self.assertEqual((done.returncode, done.stderr), (0, ""))

    def test_transposed_input_matrix(self):
        for B in ([[0, 1]], [[0, 1], [1, 0], [0, 0]]):
            problem = tree([[1, 1], [0, 1]], B)
            problem["cost"]["R"] = [1, 1]
            self.fails(3, "learn", self.write("p.json", problem), "--sample", 9,
                       says=["system.B", "2 rows, one for each state of A"])
        self.fails(3, "learn", self.write("p.json", tree([[1, 1], [0, 1]], [[0, 1]])), "--sample", 9,
                   says="(transposed?)")


if __name__ == "__main__":
    unittest.main()

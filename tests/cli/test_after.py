"""What comes after the horizon: its spectral radius, its cost, a warning, and the cure."""

import json
import unittest

import numpy as np
import scipy.linalg

from program import WHITE, WHITE_TREE, ProgramTest

# A cart on a fast clock: ten steps are short against what it does.
A = np.array([[1.0, 0.02], [0.0, 1.0]])
B = np.array([[0.0002], [0.02]])
Q, R = np.diag([1.0, 0.0]), np.array([[1e-4]])
TREE = {"name": "cart", "horizon": 10,
        "system": {"A": A.tolist(), "B": B.tolist()},
        "cost": {"Q": Q.tolist(), "R": R.tolist()},
        "disturbance": {"covariance": {"x0": 0.01, "w": [1e-6, 1e-4]}}}
W = np.diag([1e-6, 1e-4])


class After(ProgramTest):
    def learn(self, **cost):
        tree = json.loads(json.dumps(TREE))
        tree["cost"].update(cost)
        problem = self.write("p.json", tree)
        self.ok("learn", problem, "--method", "lqr", "--out", "run")
        return problem

    def export(self, *options):
        done = self.run_program("export", "run/controller.json", "--format", "c", "--out", "c",
                                *options)
        self.assertEqual(done.returncode, 0, done.stderr)
        header = (self.folder / "c/controller.h").read_text()
        rows = dict(line.split("  ", 1) for line in done.stdout.splitlines() if "  " in line)
        return {name: text.strip() for name, text in rows.items()}, header, done.stderr

    def held(self):
        """Radius and average cost of the last gain, by SciPy."""
        gain = np.array(json.loads((self.folder / "run/controller.json").read_text())["K"])[-1:, 18:20]
        loop = A + B @ gain
        covariance = scipy.linalg.solve_discrete_lyapunov(loop, W)
        return (max(abs(np.linalg.eigvals(loop))),
                np.trace((Q + gain.T @ R @ gain) @ covariance))

    def test_holding_the_last_gains_of_an_ending_loop(self):
        problem = self.learn()
        rows, header, said = self.export("--after", "hold", "--problem", problem)
        radius, cost = self.held()
        best = np.trace(scipy.linalg.solve_discrete_are(A, B, Q, R) @ W)
        self.assertAlmostEqual(float(rows["spectral radius"].split()[0]), radius, 5)
        words = rows["average cost"].replace(";", "").replace(",", "").split()
        numbers = [float(word) for word in words if word[0].isdigit()]
        np.testing.assert_allclose(numbers, [cost, best], rtol=1e-5)
        self.assertIn("under the stated law", rows["average cost"])
        self.assertGreater(cost, 2 * best)
        for text in (said, header):
            self.assertIn('cost.P = "riccati"', text)
        self.assertIn("spectral radius: ", header)
        self.assertIn("average cost: ", header)

    def test_riccati_cures_it(self):
        problem = self.learn(P="riccati")
        rows, header, said = self.export("--after", "hold", "--problem", problem)
        self.assertEqual(said, "")
        self.assertNotIn("warning", header)
        radius, cost = self.held()
        best = np.trace(scipy.linalg.solve_discrete_are(A, B, Q, R) @ W)
        np.testing.assert_allclose(cost, best, rtol=1e-9)
        stored = json.loads((self.folder / "run/run.json").read_text())
        self.assertEqual(stored["status"], "done")

    def test_restart_and_noise(self):
        tree = {**TREE, "disturbance": {}}
        problem = self.write("q.json", tree)
        self.learn()
        rows, _, _ = self.export("--after", "restart", "--problem", problem)
        self.assertIn("under white noise of covariance I", rows["average cost"])
        self.assertEqual(rows["after the horizon"], "restart")
        self.ok("sample", "p.json", "-n", 50, "--out", "w.csv")
        rows, _, _ = self.export("--after", "hold", "--problem", problem, "--data", "w.csv")
        self.assertIn("covariance of the data", rows["average cost"])

    def test_colour_is_left_out_and_the_warning_says_so(self):
        """Also colour in one state whose numbers are small beside the others."""
        self.learn()
        links = np.eye(22)
        links[3:22:2, 3:22:2] = 0.8**np.abs(np.subtract.outer(range(10), range(10)))
        for sizes in ([1e-3, 1e-2], [1e5, 1e-2]):
            scale = np.tile(sizes, 11)
            law = {"covariance": (links * np.outer(scale, scale)).tolist()}
            problem = self.write("coloured.json", {**TREE, "disturbance": law})
            rows, header, said = self.export("--after", "hold", "--problem", problem)
            for text in (rows["average cost"], said, header):
                self.assertIn("the stated law, its steps taken as independent", text)

    def test_simulate_says_it_too(self):
        self.learn()
        found = self.ok_json("simulate", "p.json", "--controller", "run/controller.json",
                             "--sample", 200, "--steps", 800, "--after", "hold")
        radius, cost = self.held()
        np.testing.assert_allclose(found["after"]["average_cost"], cost, rtol=1e-9)
        np.testing.assert_allclose(found["after"]["spectral_radius"], radius, rtol=1e-9)
        self.assertIn("riccati", found["after"]["warning"])

    def test_nothing_known_of_the_plant(self):
        self.learn()
        _, header, said = self.export("--after", "hold")
        self.assertIn("with --problem the spectral radius", said)
        self.assertNotIn("spectral radius", header)
        self.fails(2, "export", "run/controller.json", "--format", "c", "--out", "d", "--problem",
                   "p.json", says="--after")
        self.fails(2, "export", "run/controller.json", "--format", "c", "--out", "d", "--after",
                   "hold", "--data", "w.csv", says="--problem")
        self.write("q.json", WHITE_TREE | {"horizon": 3})
        self.fails(3, "export", "run/controller.json", "--format", "c", "--out", "d", "--after",
                   "hold", "--problem", "q.json", says="horizon")

    def test_the_certificate_knows_the_plant(self):
        self.learn()
        self.ok("certify", "p.json", "--controller", "run/controller.json", "--sample", 100,
                "--out", "cert")
        rows, header, _ = self.export("--after", "hold", "--certificate", "cert/certificate.json")
        self.assertIn("spectral radius", rows)
        self.assertIn("certificate: ", header)
        self.ok("learn", WHITE, "--method", "lqr", "--out", "other")
        self.ok("certify", WHITE, "--controller", "other/controller.json", "--sample", 40, "--out",
                "theirs")
        self.fails(3, "export", "run/controller.json", "--format", "c", "--out", "d", "--after",
                   "hold", "--certificate", "theirs/certificate.json", says="theirs/certificate.json")


if __name__ == "__main__":
    unittest.main()

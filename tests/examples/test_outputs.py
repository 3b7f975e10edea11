import json
import pathlib
import re
import subprocess
import sys
import tempfile
import tomllib
import unittest

import numpy as np
from example import Recorded, record


def said(example, pattern):
    """The numbers that expected.txt prints at a pattern."""
    return [float(number) for number in re.findall(
        pattern, (example.folder / "expected.txt").read_text(), re.M)]


def optimum(G, Sigma, Q, R):
    """The smallest expected cost of a causal controller of the outputs: by the formula of
    docs/theory/output-feedback.md, section 6, dense."""
    T = G.shape[1]
    L = np.linalg.cholesky(Sigma)
    P, N = G.T @ Q @ G + R * np.eye(T), G.T @ Q @ L
    U = np.linalg.cholesky(P[::-1, ::-1])[::-1, ::-1]
    Z = -np.linalg.solve(U.T, np.tril(np.linalg.solve(U, N))) @ np.linalg.inv(L)
    return expected(G, Sigma, Q, R, Z)


def expected(G, Sigma, Q, R, Z):
    loop = np.eye(len(Sigma)) + G @ Z
    return np.trace(Q @ loop @ Sigma @ loop.T) + R * np.trace(Z @ Sigma @ Z.T)


class HeatExchanger(Recorded, unittest.TestCase):
    name = "heat-exchanger"

    def setUp(self):
        sys.path.insert(0, str(self.folder))
        self.addCleanup(sys.path.remove, str(self.folder))
        sys.modules.pop("make_data", None)
        import make_data
        self.data = make_data

    def test_it_is_better_than_the_pi(self):
        text = (self.folder / "expected.txt").read_text()
        (shown,) = re.findall(r"the new one +costs less by at least ([\d.]+)", text)
        learned, today = said(self, r"^mean cost +([\d.]+)$")
        self.assertGreater(today - learned, float(shown))
        self.assert_on_page(f"{float(shown):.2f}", f"{learned:.2f}", f"{today:.2f}")

    def test_costs_by_another_route(self):
        """Of the PI controller and of who knows the law, dense."""
        data, T = self.data, self.data.T
        G, Sigma, Q = data.effect(), data.covariance(), data.Q * np.eye(T + 1)
        K = np.zeros((T, T + 1))
        for t in range(T):
            K[t, :t + 1] = -data.I * data.PERIOD
            K[t, t] -= data.P
        today = expected(G, Sigma, Q, data.R, K @ np.linalg.inv(np.eye(T + 1) - G @ K))
        _, simulated = said(self, r"^mean cost +([\d.]+)$")
        self.assertLess(abs(simulated - today), 0.03 * today)
        (best,) = said(self, r"^smallest population cost +([\d.]+)$")
        self.assertLess(abs(best - optimum(G, Sigma, Q, data.R)), 1e-4 * best)
        self.assert_on_page(f"{best:.2f}")


class CartEncoder(Recorded, unittest.TestCase):
    name = "cart-encoder"

    def test_two_routes_to_the_optimum(self):
        lqg, other = said(self, r"^population cost +([\d.]+)$")
        self.assertLess(abs(lqg - other), 1e-4 * lqg)
        self.assert_on_page(f"{lqg:.2f}")

    def test_what_the_data_show(self):
        text = (self.folder / "expected.txt").read_text()
        shown = re.findall(r"the new one +(costs .*?),", text)
        learned, today = said(self, r"^mean cost +([\d.]+)$")
        self.assert_on_page(f"{learned:.1f}", f"{today:.1f}")
        change = re.findall(r"^change from the baseline +(-?[\d.]+)", text, re.M)[0]
        self.assertEqual(len(shown), 1)
        self.assert_on_page(f"{abs(float(change)):.2f}")
        self.assertLess(learned - today, float(change))  # the bound is one


class DriveSetpoint(Recorded, unittest.TestCase):
    name = "drive-setpoint"

    def test_a_constant_load_leaves_no_error(self):
        without, integral = said(self, r"^\w+\.toml +error of the angle +(-?[\d.]+)")
        self.assertGreater(abs(without), 1e-3)
        self.assertLess(abs(integral), 1e-5)
        self.assert_on_page(f"{without:.5f}", f"{integral:.5f}")

    def test_held_loops_come_to_rest(self):
        """By the fixed point of the held loop, not by running it."""
        with tempfile.TemporaryDirectory() as name:
            for problem in ("problem", "integral"):
                subprocess.run([record.PROGRAM, "learn", self.folder / f"{problem}.toml", "--rollouts",
                                self.folder / "logs.csv", "--method", "lqr", "--certificate", "best",
                                "--out", name, "--quiet"], check=True)
                tree = tomllib.loads((self.folder / f"{problem}.toml").read_text())
                A, B = np.array(tree["system"]["A"]), np.array(tree["system"]["B"])
                n, T = len(A), tree["horizon"]
                controller = json.loads((pathlib.Path(name) / "controller.json").read_text())
                row, k = np.array(controller["K"])[-1], controller["k"][-1]
                np.testing.assert_allclose(row[:(T - 1) * n], 0, atol=1e-9)  # no memory
                gain = row[(T - 1) * n:T * n]
                loop = A + B @ gain[None]
                self.assertLess(max(abs(np.linalg.eigvals(loop))), 1)
                push = np.array(tree["system"].get("d", np.zeros((T, n))), float)[-1] + B[:, 0] * k
                push[1] += 0.05
                at_rest = np.linalg.solve(np.eye(n) - loop, push)
                error = at_rest[0] - tree["cost"]["reference"][-1][0]
                (printed,) = said(self, rf"^{problem}\.toml +error of the angle +(-?[\d.]+)")
                self.assertLess(abs(error - printed), 1e-5)

    def test_costs_on_page(self):
        text = (self.folder / "expected.txt").read_text()
        shown = re.findall(r"the new one +costs less by at least ([\d.]+)", text)
        learned, today = said(self, r"^mean cost +([\d.]+)$")
        self.assertGreater(today - learned, float(shown[0]))
        self.assert_on_page(f"{float(shown[0]):.2f}", f"{learned:.2f}", f"{today:.2f}")


if __name__ == "__main__":
    unittest.main()

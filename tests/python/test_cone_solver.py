"""Optima under limits against a cone solver (cvxopt), which shares nothing with loopcert: random plants, colours and
limits, the program written out densely over the free entries of the inputs' responses."""
import unittest

import numpy as np

import cvxopt
import loopcert as lc
from scipy.stats import norm

cvxopt.solvers.options.update(show_progress=False)
PROBLEMS = 200


class Plant:
    """x = F w + G u stacked, the cost in the free entries of Phi_u, and rows of limits."""

    def __init__(self, rng):
        self.n, self.m, self.T = int(rng.integers(1, 4)), int(rng.integers(1, 3)), int(rng.integers(2, 6))
        n, m, T = self.n, self.m, self.T
        self.A = rng.normal(size=(n, n)) / np.sqrt(n)
        self.B = rng.normal(size=(n, m))
        self.Q, self.R, self.P = (np.diag(10.0**rng.uniform(-1, 1, k)) for k in (n, m, n))
        root = rng.normal(size=((T + 1) * n, 2 * (T + 1) * n))
        self.Sigma = root @ root.T / len(root)
        d_w, d_u = (T + 1) * n, T * m
        self.F, self.G = np.zeros((d_w, d_w)), np.zeros((d_w, d_u))
        for t in range(T + 1):
            now = slice(t * n, (t + 1) * n)
            self.F[now, now] = np.eye(n)
            if t:
                before = slice((t - 1) * n, t * n)
                self.F[now] += self.A @ self.F[before]
                self.G[now] = self.A @ self.G[before]
                self.G[now, (t - 1) * m:t * m] += self.B
        self.Qbar = np.kron(np.eye(T + 1), self.Q)
        self.Qbar[-n:, -n:] = self.P
        self.Rbar = np.kron(np.eye(T), self.R)
        self.free = [(i, j) for i in range(d_u) for j in range((i // m + 1) * n)]

    def rows(self):
        """(g_x, g_u) of every input at each step and of the first state at steps 1 ... T."""
        n, m, T = self.n, self.m, self.T
        inputs = [(np.zeros((T + 1) * n), e) for e in np.eye(T * m)]
        return inputs + [(np.eye((T + 1) * n)[t * n], np.zeros(T * m)) for t in range(1, T + 1)]

    def quadratic(self):
        """Of Phi_u: tr((Qbar (F + G U) Sigma (F + G U)' + Rbar U Sigma U')) = z'Hz + 2 f'z + c."""
        H_u = self.G.T @ self.Qbar @ self.G + self.Rbar
        N = self.G.T @ self.Qbar @ self.F @ self.Sigma
        i, j = np.array(self.free).T
        return H_u[np.ix_(i, i)] * self.Sigma[np.ix_(j, j)], N[i, j], np.sum(self.F @ self.Sigma * (self.Qbar @ self.F))

    def solve(self, limits):
        """min z'Hz + 2 f'z + c with || L'(F'g_x + U'(G'g_x + g_u)) || <= limit for every row."""
        H, f, c = self.quadratic()
        L = np.linalg.cholesky(self.Sigma)
        G, h, sizes = [], [], []
        for (g_x, g_u), limit in zip(self.rows(), limits):
            to_row = self.G.T @ g_x + g_u
            A = np.zeros((len(L), len(self.free)))
            for k, (i, j) in enumerate(self.free):
                A[:, k] = L[j] * to_row[i]  # L'e_j
            G += [np.zeros((1, len(self.free))), -A]
            h += [[limit], L.T @ (self.F.T @ g_x)]
            sizes.append(1 + len(L))
        for digits in (9, 8, 7):  # it gives up where it has more digits than doubles allow
            cvxopt.solvers.options.update(abstol=10.0**-digits, reltol=10.0**-digits, feastol=10.0**-digits)
            try:
                found = cvxopt.solvers.coneqp(
                    cvxopt.matrix(2 * H), cvxopt.matrix(2 * f), cvxopt.matrix(np.vstack(G)),
                    cvxopt.matrix(np.concatenate(h)), {"l": 0, "q": sizes, "s": []})
            except (ValueError, ArithmeticError):
                continue
            if found["status"] == "optimal":
                return "optimal", found["primal objective"] + c
        return "unknown", None

    def free_sizes(self):
        """Deviations of the rows at the optimum without limits."""
        H, f, _ = self.quadratic()
        U = np.zeros((self.T * self.m, (self.T + 1) * self.n))
        for (i, j), value in zip(self.free, -np.linalg.solve(H, f)):
            U[i, j] = value
        X = self.F + self.G @ U
        return np.array([np.sqrt((g_x @ X + g_u @ U) @ self.Sigma @ (g_x @ X + g_u @ U)) for g_x, g_u in self.rows()])


def optimum(plant, limits, probability):
    """The same by loopcert: limits are |row| <= h with the given probability each."""
    z = norm.isf(probability / 2)
    n, m, T = plant.n, plant.m, plant.T
    rows = []
    for k, limit in enumerate(limits):
        step = {"min": -z * limit, "max": z * limit}
        if k < T * m:
            rows.append({"u": np.eye(m)[k % m].tolist(), "steps": [k // m, k // m], **step})
        else:
            t = k - T * m + 1
            rows.append({"x": np.eye(n)[0].tolist(), "steps": [t, t], **step})
    problem = lc.Problem(plant.A, plant.B, plant.Q, plant.R, plant.P, horizon=T, covariance=plant.Sigma,
                         method="optimum", limits={"rows": rows, "each": probability})
    return lc.learn(problem).population_cost


class ConeSolver(unittest.TestCase):
    def test_random_problems(self):
        rng = np.random.default_rng(25)
        solved = binding = 0
        for _ in range(PROBLEMS):
            plant = Plant(rng)
            free = plant.free_sizes()
            limits = free * rng.uniform(0.75, 1.5, len(free))
            status, cost = plant.solve(limits)
            if status != "optimal":  # limits that nothing keeps, or that it cannot solve: it does not say which
                continue
            solved += 1
            H, f, c = plant.quadratic()
            binding += cost > (c - f @ np.linalg.solve(H, f)) * (1 + 1e-6)
            self.assertAlmostEqual(optimum(plant, limits, 0.05) / cost, 1, delta=2e-6)
        self.assertGreater(solved, PROBLEMS // 3)
        self.assertGreater(binding, PROBLEMS // 4)


if __name__ == "__main__":
    unittest.main()

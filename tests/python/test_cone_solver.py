"""Optima under limits against a cone solver (cvxopt), which shares nothing with loopcert: random plants, colours and
limits, the program written out densely over the free entries of the inputs' responses."""
import unittest

import numpy as np

import cvxopt
import loopcert as lc
from scipy.optimize import brentq
from scipy.stats import norm

cvxopt.solvers.options.update(show_progress=False)
PROBLEMS = 200


def cone_program(H, f, c, cones):
    """min z'Hz + 2 f'z + c with || start - A z || <= limit - a'z for every (a, limit, A, start)."""
    G = cvxopt.matrix(np.vstack([np.vstack([a[None], A]) for a, _, A, _ in cones]))
    h = cvxopt.matrix(np.concatenate([np.concatenate([[limit], start]) for _, limit, _, start in cones]))
    sizes = [1 + len(start) for _, _, _, start in cones]
    for digits in (9, 8, 7):  # it gives up where it has more digits than doubles allow
        cvxopt.solvers.options.update(abstol=10.0**-digits, reltol=10.0**-digits, feastol=10.0**-digits)
        try:
            found = cvxopt.solvers.coneqp(cvxopt.matrix(2 * H), cvxopt.matrix(2 * f), G, h,
                                          {"l": 0, "q": sizes, "s": []})
        except (ValueError, ArithmeticError):
            continue
        if found["status"] == "optimal":
            return "optimal", found["primal objective"] + c
    return "unknown", None


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

    def to_row(self, g_x, g_u):
        """Its entries on the columns of w: start, and the map from the free entries."""
        to_input = self.G.T @ g_x + g_u
        A = np.zeros((len(self.F), len(self.free)))
        for k, (i, j) in enumerate(self.free):
            A[j, k] = to_input[i]
        return self.F.T @ g_x, A

    def solve(self, limits):
        """min z'Hz + 2 f'z + c with || L'(F'g_x + U'(G'g_x + g_u)) || <= limit for every row."""
        H, f, c = self.quadratic()
        L = np.linalg.cholesky(self.Sigma)
        cones = []
        for (g_x, g_u), limit in zip(self.rows(), limits):
            start, A = self.to_row(g_x, g_u)
            cones.append((np.zeros(len(f)), limit, -L.T @ A, L.T @ start))
        return cone_program(H, f, c, cones)

    def solve_robustly(self, limits, groups):
        """The same with sum over groups of size ||a_g|| <= limit: a bound t for each group."""
        H, f, c = self.quadratic()
        parts = []  # row, size, start, A
        constant = np.zeros(len(limits))
        for row, (g_x, g_u) in enumerate(self.rows()):
            start, A = self.to_row(g_x, g_u)
            for entries, size in groups:
                if np.any(A[entries]):
                    parts.append((row, size * start[entries], size * A[entries]))
                else:
                    constant[row] += size * np.linalg.norm(start[entries])
        p, n = len(f), len(f) + len(parts)
        cones, sums = [], np.zeros((len(limits), n))
        for k, (row, start, A) in enumerate(parts):
            t = np.zeros(n)
            t[p + k] = -1
            cones.append((t, 0, -np.hstack([A, np.zeros((len(A), len(parts)))]), start))
            sums[row, p + k] = 1
        cones += [(sums[row], limits[row] - constant[row], np.zeros((0, n)), np.zeros(0)) for row in range(len(limits))]
        whole = np.zeros((n, n))
        whole[:p, :p] = H
        return cone_program(whole, np.concatenate([f, np.zeros(len(parts))]), c, cones)

    def solve_with_offset(self, d, limits, quantile, tangents=()):
        """Affine: inputs k + U w with the offset d at each step, rows m + quantile * sigma <= limit, or sigma <=
        value + slope * (m - at) for `tangents` (row, value, slope, at)."""
        H, f, c = self.quadratic()
        L = np.linalg.cholesky(self.Sigma)
        shift = self.F @ np.concatenate([np.zeros(self.n), np.tile(d, self.T)])
        H_u = self.G.T @ self.Qbar @ self.G + self.Rbar
        p, d_u = len(f), len(H_u)
        whole = np.zeros((p + d_u, p + d_u))
        whole[:p, :p], whole[p:, p:] = H, H_u
        slope = np.concatenate([f, self.G.T @ self.Qbar @ shift])
        rows, cones = self.rows(), []
        means = [(g_x @ shift, self.G.T @ g_x + g_u) for g_x, g_u in rows]
        lines = [(row, limit / quantile, -1 / quantile, 0.0) for row, limit in enumerate(limits)] + list(tangents)
        for row, value, by_mean, at in lines:
            start, A = self.to_row(*rows[row])
            mean, by_input = means[row]
            cones.append((np.concatenate([np.zeros(p), -by_mean * by_input]), value + by_mean * (mean - at),
                          -np.hstack([L.T @ A, np.zeros((len(L), d_u))]), L.T @ start))
        return cone_program(whole, slope, c + shift @ self.Qbar @ shift, cones)

    def free_optimum(self):
        H, f, _ = self.quadratic()
        U = np.zeros((self.T * self.m, (self.T + 1) * self.n))
        for (i, j), value in zip(self.free, -np.linalg.solve(H, f)):
            U[i, j] = value
        X = self.F + self.G @ U
        return np.array([g_x @ X + g_u @ U for g_x, g_u in self.rows()])

    def free_cost(self, d=None):
        """Without limits; with the offset d at each step the best affine response."""
        H, f, c = self.quadratic()
        shift = self.F @ np.concatenate([np.zeros(self.n), np.tile(np.zeros(self.n) if d is None else d, self.T)])
        H_u, slope = self.G.T @ self.Qbar @ self.G + self.Rbar, self.G.T @ self.Qbar @ shift
        return c - f @ np.linalg.solve(H, f) + shift @ self.Qbar @ shift - slope @ np.linalg.solve(H_u, slope)

    def free_sizes(self):
        """Deviations of the rows at the optimum without limits."""
        rows = self.free_optimum()
        return np.sqrt(np.sum(rows @ self.Sigma * rows, axis=1))

    def free_reach(self, groups):
        return sum(size * np.linalg.norm(self.free_optimum()[:, entries], axis=1) for entries, size in groups)

    def free_rows(self, d):
        """Means and deviations at the affine optimum without limits, with the offset d."""
        shift = self.F @ np.concatenate([np.zeros(self.n), np.tile(d, self.T)])
        k = -np.linalg.solve(self.G.T @ self.Qbar @ self.G + self.Rbar, self.G.T @ self.Qbar @ shift)
        x = shift + self.G @ k
        return np.array([g_x @ x + g_u @ k for g_x, g_u in self.rows()]), self.free_sizes()

    def means(self, d, result):
        """Of the rows in the closed loop of u = K x + k."""
        K, k = result.controller.K, result.controller.k
        x, xs, us = np.zeros(self.n), [np.zeros(self.n)], []
        for t in range(self.T):
            past = np.concatenate(xs)
            u = K[t * self.m:(t + 1) * self.m, :len(past)] @ past + k[t * self.m:(t + 1) * self.m]
            x = self.A @ x + self.B @ u + d
            xs.append(x)
            us.append(u)
        xs, us = np.concatenate(xs), np.concatenate(us)
        return np.array([g_x @ xs + g_u @ us for g_x, g_u in self.rows()])


def rows_of(plant, low, high):
    """[limits] of loopcert: low <= row <= high for plant.rows()."""
    n, m, T = plant.n, plant.m, plant.T
    rows = []
    for k, (least, most) in enumerate(zip(low, high)):
        ends = {"max": most} if np.isinf(least) else {"min": least, "max": most}
        if k < T * m:
            rows.append({"u": np.eye(m)[k % m].tolist(), "steps": [k // m, k // m], **ends})
        else:
            t = k - T * m + 1
            rows.append({"x": np.eye(n)[0].tolist(), "steps": [t, t], **ends})
    return rows


def learned(plant, limits, **others):
    """The optimum under the law, or None where the limits cannot be kept."""
    problem = lc.Problem(plant.A, plant.B, plant.Q, plant.R, plant.P, horizon=plant.T, covariance=plant.Sigma,
                         method="optimum", limits=limits, **others)
    try:
        return lc.learn(problem)
    except lc.NumericsError as error:
        if "no controller keeps" not in str(error):
            raise
        return None


class ConeSolver(unittest.TestCase):
    """What cvxopt cannot solve is counted, and so is what loopcert calls impossible."""

    def setUp(self):
        self.solved = self.binding = self.impossible = self.open = 0

    def compare(self, free, status, cost, result, delta):
        if result is None:
            self.assertNotEqual(status, "optimal")
            self.impossible += 1
            return
        if status != "optimal":
            self.open += 1
            return
        self.solved += 1
        self.binding += cost > free * (1 + 1e-6)
        self.assertAlmostEqual(result.population_cost / cost, 1, delta=delta)

    def tearDown(self):
        self.assertEqual(self.solved + self.impossible + self.open, PROBLEMS)
        self.assertLessEqual(self.open, PROBLEMS // 20)  # cvxopt gives up, loopcert does not
        self.assertGreater(self.solved, PROBLEMS // 3)
        self.assertGreater(self.binding, PROBLEMS // 4)

    def test_chance(self):
        rng = np.random.default_rng(25)
        z = norm.isf(0.025)
        for _ in range(PROBLEMS):
            plant = Plant(rng)
            free = plant.free_sizes()
            limits = free * rng.uniform(0.75, 1.5, len(free))
            rows = rows_of(plant, -z * limits, z * limits)
            self.compare(plant.free_cost(), *plant.solve(limits), learned(plant, {"rows": rows, "each": 0.05}), 2e-6)

    def test_robust(self):
        rng = np.random.default_rng(26)
        for k in range(PROBLEMS):
            plant = Plant(rng)
            d_w = len(plant.F)
            if k % 2 == 0:
                box = rng.uniform(0.2, 2, plant.n)
                groups = [([j], box[j % plant.n]) for j in range(d_w)]
                robust = {"box": box.tolist()}
            else:
                radius = rng.uniform(0.2, 2)
                groups = [(list(range(t, t + plant.n)), radius) for t in range(0, d_w, plant.n)]
                robust = {"step_radius": radius}
            reach = plant.free_reach(groups)
            limits = reach * rng.uniform(0.8, 1.5, len(reach))
            limits[:plant.T * plant.m] = np.maximum(limits[:plant.T * plant.m], 1e-3 * limits.max())
            rows = rows_of(plant, -limits, limits)
            self.compare(plant.free_cost(), *plant.solve_robustly(limits, groups),
                         learned(plant, {"rows": rows, "robust": True, **robust}), 2e-6)

    def test_offset(self):
        """One-sided rows are cones. Of two-sided ones the cone solver sees the tangents at loopcert's means: the
        room of a row is concave, so that is a lower bound, equal where loopcert's response is the optimum."""
        rng = np.random.default_rng(27)
        for k in range(PROBLEMS):
            plant = Plant(rng)
            d = rng.normal(size=plant.n)
            mean, sigma = plant.free_rows(d)
            both = k % 2 == 1
            alpha = 0.05
            high = mean + sigma * rng.uniform(1.2, 2.5, len(mean))
            low = mean - sigma * rng.uniform(1.8, 3, len(mean)) if both else np.full(len(mean), -np.inf)
            result = learned(plant, {"rows": rows_of(plant, low, high), "each": alpha}, d=d, affine=True)
            tangents = []
            if both and result is not None:
                for row, m in enumerate(plant.means(d, result)):
                    tangents.append((row, *tangent(low[row], high[row], m, alpha), m))
            limits = high + (1e9 if both else 0)
            if both and result is None:  # no means to take tangents at
                self.impossible += 1
                continue
            self.compare(plant.free_cost(d), *plant.solve_with_offset(d, limits, norm.isf(alpha), tangents), result,
                         3e-6)


def room(low, high, mean, alpha):
    """The largest deviation."""
    return brentq(lambda s: norm.sf((high - mean) / s) + norm.cdf((low - mean) / s) - alpha, 1e-9, 1e3, xtol=1e-14)


def tangent(low, high, mean, alpha):
    """Value and slope of room() in the mean."""
    tau = room(low, high, mean, alpha)
    a, b = (high - mean) / tau, (mean - low) / tau
    return tau, (norm.pdf(b) - norm.pdf(a)) / (a * norm.pdf(a) + b * norm.pdf(b))


if __name__ == "__main__":
    unittest.main()

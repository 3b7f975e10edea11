#!/usr/bin/python3
"""The tables of docs/reproduction.md that `loopcert reproduce` does not print: gamma, the deltas, the
start, the basis, and where the oracle's descent is stopped.

    PYTHONPATH=build/python docs/scripts/reproduction_tables.py [gamma] [deltas] [start] [basis] [oracle]

Without arguments all of them, in a few minutes. Needs the Python package, numpy and scipy.
"""

import sys

import numpy as np
from scipy.optimize import minimize

import loopcert as lc
from radius_collapse import operators

SEEDS, SIZES = range(20), (10, 20, 40, 100, 400)
PAPER = {
    "name": "double integrator",
    "horizon": 10,
    "system": {"A": [[1, 1], [0, 1]], "B": [[0.5], [1]]},
    "cost": {"Q": [1, 0.1], "R": [0.5], "P": [2, 0.2]},
    "disturbance": {"scale_bound": 0.1, "covariance": 0.1},
    "certificate": {"delta": {"pac_bayes": 0.025, "covariance": 0.025}},
}
RIDGE = {10: (4.96, 4.19), 20: (4.47, 3.20), 40: (3.69, 1.64), 100: (3.32, 1.14), 400: (3.18, 0.99)}
DATA = {10: 97.51, 20: 44.48, 40: 22.57, 100: 11.19, 400: 5.68}


def row(*cells):
    print("| " + " | ".join(str(cell) for cell in cells) + " |")


def means(tree, n, method, **options):
    """Means over the seeds: expected cost, sensitivity, certificate."""
    problem, rows = lc.Problem.from_dict(tree), []
    for seed in SEEDS:
        result = lc.learn(problem, problem.sample(n, seed=seed), method=method, **options)
        rows.append((result.population_cost, result.sensitivity,
                     result.certificate.value if result.certificate else np.nan))
    return np.mean(rows, axis=0)


def gamma_table():
    gammas = (0.001, 0.003, 0.005, 0.01, 0.02, 0.03, 0.1)
    row("n", "the paper", *(f"gamma = {g:g}" for g in gammas))
    row(*["---"] * (2 + len(gammas)))
    distance = np.zeros(len(gammas))
    for n in SIZES:
        cells = [means(PAPER, n, "ridge", gamma=g) for g in gammas]
        for i, (cost, C, _) in enumerate(cells):
            distance[i] += np.log(cost / RIDGE[n][0]) ** 2 + np.log(C / RIDGE[n][1]) ** 2
        row(n, "{:.2f}, {:.2f}".format(*RIDGE[n]), *(f"{c[0]:.2f}, {c[1]:.2f}" for c in cells))
    row("rms of log ratios", "", *(f"{np.sqrt(d / 10):.3f}" for d in distance))


def delta_table():
    pairs = ((0.025, 0.025), (0.05, 0.05), (0.01, 0.01), (0.005, 0.005), (0.1, 0.1))
    row("n", "the paper", *(f"{a:g}, {b:g}" for a, b in pairs))
    row(*["---"] * (2 + len(pairs)))
    trees = [dict(PAPER, certificate={"delta": {"pac_bayes": a, "covariance": b}}) for a, b in pairs]
    for n in SIZES:
        row(n, DATA[n], *(f"{means(t, n, 'pac-bayes', certificate='data-driven')[2]:.2f}"
                          for t in trees))


def start_table():
    choices = [(s, b) for s in ("min-norm", "lqr") for b in ("orthonormal", "input", "cost")]
    row("n", "the paper", *(f"{s}, {b}" for s, b in choices))
    row(*["---"] * (2 + len(choices)))
    for n in (10, 40, 400):
        trees = [dict(PAPER, response={"start": s, "basis": b}) for s, b in choices]
        row(n, DATA[n], *(f"{means(t, n, 'pac-bayes', certificate='data-driven')[2]:.2f}"
                          for t in trees))


def oracle_table():
    """Mean and standard deviation of C where the oracle's descent is stopped after k iterations."""
    counts = (2, 4, 6, 10, 15, 10**6)
    row("n", *(f"{k} iterations" if k < 10**6 else "converged, both starts" for k in counts))
    row(*["---"] * (1 + len(counts)))
    problem = lc.Problem.from_dict(PAPER)
    for n in (10, 20, 100, 400):
        cells = []
        for count in counts:
            C = [lc.learn(problem, problem.sample(n, seed=seed), method="oracle-pac-bayes",
                          callback=lambda step, k=count: step.iteration < k).sensitivity
                 for seed in SEEDS]
            cells.append(f"{np.mean(C):.3f}, {np.std(C, ddof=1):.3f}")
        row(n, *cells)


class RotatedBound:
    """The data-driven bound of one data set with beta = Q'alpha, dense and without the library."""

    def __init__(self, w, Q, P, N_0, K_0, free):
        self.n, d_w = w.shape
        self.P, self.N_0, self.K_0 = P, N_0, K_0
        self.Sigma = w.T @ w / self.n
        a = np.sqrt(d_w / self.n) + np.sqrt(2 * np.log(2 / 0.025) / self.n)
        self.epsilon = 0.1 * (2 * a + a * a)
        self.U = self.Sigma + self.epsilon * np.eye(d_w)
        self.D = np.zeros((Q.shape[1], *P.shape[:1], d_w))  # direction k as a change of Z
        self.D[:, free] = Q.T
        root = np.linalg.cholesky(self.U)
        E = np.linalg.cholesky(P).T @ self.D @ root
        X = np.einsum("kia,lib->klab", E, E, optimize=True)
        G = np.einsum("kkab->kab", X)
        self.W = (np.einsum("kab,lab->kl", G, G) + np.einsum("klab,klba->kl", X, X, optimize=True)
                  + np.einsum("klab,klab->kl", X, X, optimize=True))
        self.size = np.einsum("kia,ij,kja->k", self.D, P, self.D, optimize=True)  # ||M_k||_F^2
        self.gram = np.einsum("kia,ij,kjb->kab", self.D, P, self.D, optimize=True)
        self.DU = self.D @ self.U
        self.outer = np.einsum("kia,kja->kij", self.DU, self.D, optimize=True)  # D_k U D_k'

    def __call__(self, x):
        p, U, P = len(self.D), self.U, self.P
        beta, v = x[:p], np.exp(2 * x[p:])
        Z = np.tensordot(beta, self.D, 1)
        H = self.N_0 + P @ Z
        K = self.K_0 + self.N_0.T @ Z + Z.T @ H
        UKU = U @ K @ U
        T = self.DU @ H.T  # (D_k U H')
        linear = (2 * np.einsum("ab,kab->k", UKU, self.gram)
                  + 2 * np.einsum("kij,ji->k", self.outer, H @ U @ H.T)
                  + 2 * np.einsum("kij,kji->k", T, T))
        C = np.sum(UKU * K) + linear @ v + v @ self.W @ v
        kl = 0.5 * np.sum(v + beta**2 - 1 - np.log(v))
        rate = (kl + np.log(self.n / 0.025)) / (self.n - 1)
        complexity = 2 * np.sqrt(C * rate)
        value = (np.sum((self.K_0 + self.N_0.T @ Z + Z.T @ H) * self.Sigma) + complexity
                 + self.epsilon * self.size @ v)
        Gv, Av = np.tensordot(v, self.gram, 1), np.tensordot(v, self.outer, 1)
        dC = 4 * H @ (UKU + U @ Gv @ U) + P @ (
            4 * Av @ H @ U + 4 * np.einsum("k,kij,kjb->ib", v, T, self.DU, optimize=True))
        by_C, by_kl = complexity / (2 * C), complexity / (2 * rate * (self.n - 1))
        d_beta = np.einsum("ia,kia->k", 2 * H @ self.Sigma + by_C * dC, self.D) + by_kl * beta
        d_v = by_C * (linear + 2 * self.W @ v) + self.epsilon * self.size + by_kl * 0.5 * (1 - 1 / v)
        return value, np.concatenate([d_beta, 2 * v * d_v])

    def smallest(self):
        start = np.concatenate([np.zeros(len(self.D)), np.full(len(self.D), -1.5)])
        options = {"maxiter": 5000, "maxfun": 10000, "ftol": 1e-13, "gtol": 1e-8}
        return minimize(self, start, jac=True, method="L-BFGS-B", options=options).fun


def basis_table():
    P, N_0, K_0, free = operators()
    problem = lc.Problem.from_dict(PAPER)
    p = int(free.sum())
    rows, cols = np.nonzero(free)
    gram = P[np.ix_(rows, rows)] * (cols[:, None] == cols)  # (M_G)_kl = tr(M_k'M_l)
    eigenbasis = np.linalg.eigh(gram)[1]
    rng = np.random.default_rng(7)
    turns = [np.linalg.qr(rng.standard_normal((p, p)))[0] for _ in range(3)]
    row("n", "the paper", "the program", "NumPy, the same basis", "rotated at random, 3 times",
        "eigenbasis of M_G")
    row(*["---"] * 6)
    for n in (10, 40, 400):
        ours, same, turned, eigen = [], [], [], []
        for seed in SEEDS:
            data = problem.sample(n, seed=seed)
            ours.append(lc.learn(problem, data, method="pac-bayes",
                                 certificate="data-driven").certificate.value)
            w = np.asarray(data.w)
            same.append(RotatedBound(w, np.eye(p), P, N_0, K_0, free).smallest())
            turned.append([RotatedBound(w, Q, P, N_0, K_0, free).smallest() for Q in turns])
            eigen.append(RotatedBound(w, eigenbasis, P, N_0, K_0, free).smallest())
        each = np.mean(turned, axis=0)
        row(n, DATA[n], f"{np.mean(ours):.4f}", f"{np.mean(same):.4f}",
            f"{each.min():.4f} to {each.max():.4f}", f"{np.mean(eigen):.4f}")


if __name__ == "__main__":
    tables = {"gamma": gamma_table, "deltas": delta_table, "start": start_table,
              "basis": basis_table, "oracle": oracle_table}
    for name in sys.argv[1:] or tables:
        print(f"\n{name}\n")
        tables[name]()

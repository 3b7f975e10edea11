#!/usr/bin/python3
"""The table of docs/theory/improvement.md: routes to a certified difference of two costs.

    improvement_routes.py [SEEDS]

Double integrator of the examples under AR(1) noise (0.8, variance 0.1). Half of n trajectories go to
the minimizer of the cost under their shrunk covariance, the other half to the certificate on its
cost minus LQR's. Prints mean certificate and the share of the seeds on which it is negative, at
confidence 0.95. Needs numpy and scipy; the seed is fixed; shares no code with the program.
"""

import sys

import numpy as np
from scipy import linalg, optimize, stats

T, DELTA, SHRINK = 10, 0.05, 0.3
A, B = np.array([[1.0, 1.0], [0.0, 1.0]]), np.array([0.5, 1.0])
D_W = 2 * (T + 1)


def states(w, u):
    x = [w[:2]]
    for t in range(T):
        x.append(A @ x[t] + B * u[t] + w[2 * t + 2:2 * t + 4])
    return np.concatenate(x)


F = np.array([states(e, np.zeros(T)) for e in np.eye(D_W)]).T
S_X = np.array([states(np.zeros(D_W), e) for e in np.eye(T)]).T
Q_ROOT = np.diag(np.sqrt([1, 0.1] * T + [2, 0.2]))
S = np.vstack([Q_ROOT @ S_X, np.sqrt(0.5) * np.eye(T)])
M_0 = np.vstack([Q_ROOT @ F, np.zeros((T, D_W))])
CAUSAL = np.arange(D_W) // 2 <= np.arange(T)[:, None]
R = np.linalg.cholesky((S.T @ S)[::-1, ::-1])[::-1, ::-1]  # upper triangular, S'S = R R'


def gram_of_minimizer(second):
    """M'M of the causal response that minimizes the cost under this second moment."""
    L = np.linalg.cholesky(second)
    Y = np.where(CAUSAL, np.linalg.solve(R, S.T @ M_0 @ L), 0)
    M = M_0 - S @ np.linalg.solve(R.T, Y) @ np.linalg.inv(L)
    return M.T @ M


def ar1(coefficient, variance):
    time = np.arange(T)
    noise = np.kron(coefficient ** np.abs(time - time[:, None]), np.eye(2))
    return variance * linalg.block_diag(np.eye(2), noise)


def parts(D, metric, second):
    """Means of w'D_+w and w'D_-w."""
    root = np.linalg.cholesky(metric)
    e, U = np.linalg.eigh(root.T @ D @ root)
    X = np.linalg.solve(root.T, U)
    squares = np.einsum("ij,ik,kj->j", X, second, X)
    return np.maximum(e, 0) @ squares, np.maximum(-e, 0) @ squares


def f(x):
    return x - 0.5 * np.log1p(2 * x)


def margin(rate, psi, end):
    """inf over 0 < lambda < end of (rate + psi)/lambda, on a grid and then finer."""
    logs = np.log(end) + np.linspace(-9, -1e-9, 500)
    values = [(rate + psi(np.exp(s))) / np.exp(s) for s in logs]
    i = int(np.argmin(values))
    fine = optimize.minimize_scalar(lambda s: (rate + psi(np.exp(s))) / np.exp(s), method="bounded",
                                    bounds=(logs[max(i - 1, 0)], logs[min(i + 1, 499)]))
    return min(values[i], fine.fun)


def upper(m, delta):
    return optimize.brentq(lambda x: x - 1 - np.log(x) - 2 * np.log(1 / delta) / m, 1, 1e4)


def lower(m, delta):
    return optimize.brentq(lambda x: x - 1 - np.log(x) - 2 * np.log(1 / delta) / m, 1e-12, 1)


def separate(P, N, m, exact):
    factor = stats.chi2.ppf(1 - DELTA / 2, m) / m if exact else upper(m, DELTA / 2)
    return m * P / stats.chi2.ppf(DELTA / 2, m) - N / factor


def joint(P, N, m):
    P_up, N_up = (m * v / stats.chi2.ppf(0.15 * DELTA, m) for v in (P, N))
    return P - N + margin(np.log(1 / (0.7 * DELTA)) / m, lambda t: f(t * P_up) + f(-t * N_up),
                          1 / (2 * N_up))


def region(P, N, m, exact):
    """One event, with all of delta for each of the three factors."""
    if exact:
        x = stats.f.ppf(DELTA, m, m)
        up, low = stats.chi2.ppf(1 - DELTA, m) / m, stats.chi2.ppf(DELTA, m) / m
    else:
        q = np.sqrt(1 - DELTA ** (2 / m))
        x, up, low = (1 - q) / (1 + q), upper(m, DELTA), lower(m, DELTA)
    return -(N - P / x) / up if P < x * N else (P - x * N) / low


def ratio(P, N, m, exact):
    half = DELTA / 2
    if exact:
        x = stats.f.ppf(half, m, m)
        up, low = stats.chi2.ppf(1 - 0.9 * half, m) / m, stats.chi2.ppf(0.1 * half, m) / m
    else:
        q = np.sqrt(1 - half ** (2 / m))
        x, up, low = (1 - q) / (1 + q), upper(m, 0.9 * half), lower(m, 0.1 * half)
    k = P / N / x
    return -(1 - k) * N / up if k < 1 else (1 - 1 / k) * P / low


def scale(D, difference, m, bound):
    e = bound * np.linalg.eigvalsh(D)
    return difference + margin(np.log(1 / DELTA) / m, lambda t: f(t * e).sum(), 1 / (2 * -e.min()))


def main(seeds):
    Sigma = ar1(0.8, 0.1)
    L, lqr = np.linalg.cholesky(Sigma), gram_of_minimizer(np.eye(D_W))
    rows = {}
    for n in (50, 100, 200, 400):
        found = {}
        for seed in range(seeds):
            w = np.random.default_rng([seed, n]).standard_normal((n, D_W)) @ L.T
            learned, second = (half.T @ half / len(half) for half in np.split(w, 2))
            metric = (1 - SHRINK) * learned + SHRINK * np.trace(learned) / D_W * np.eye(D_W)
            D, m = gram_of_minimizer(metric) - lqr, n // 2
            P, N = parts(D, np.eye(D_W), second)
            values = {
                "true difference": np.trace(D @ Sigma),
                "P and N apart, N by exponential moments": separate(P, N, m, False),
                "P and N apart, exact quantiles": separate(P, N, m, True),
                "upper bounds of P and N, joint cumulant": joint(P, N, m),
                "ratio and scale apart, any mean": ratio(P, N, m, False),
                "ratio and scale apart, exact quantiles": ratio(P, N, m, True),
                "`improvement-mean`": region(P, N, m, False),
                "`improvement`": region(P, N, m, True),
                "`improvement`, metric of the first half": region(*parts(D, metric, second), m, True),
                "`improvement-scale`, bound 0.55": scale(D, P - N, m, 0.5502),
            }
            for name, value in values.items():
                found.setdefault(name, []).append(value)
        for name, values in found.items():
            cell = f"{np.mean(values):.2f}, {np.mean(np.array(values) < 0):.0%}"
            rows.setdefault(name, []).append(cell)
    for name, cells in rows.items():
        print(f"| {name} | " + " | ".join(cells) + " |")


main(int(sys.argv[1]) if len(sys.argv) > 1 else 100)

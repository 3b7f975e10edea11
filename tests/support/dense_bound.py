"""PAC-Bayes bounds for any Gaussian posterior and prior by NumPy, on plain arrays: covariances are
p x p matrices, A_rho and the quartic moment sums over every M_k. Shares nothing with the program.

The free entries of Z are numbered column by column, M[k] = S e_i e_j' for entry k = (i, j)."""

import math

import numpy as np


def pack(free, Z):
    """The free entries column by column."""
    return np.asarray(Z).T[np.asarray(free).T]


def unpack(free, entries):
    Z = np.zeros(np.shape(free)[::-1])
    Z[np.asarray(free).T] = entries
    return Z.T


def stack(problem):
    """Every M_k of a dense.DenseProblem, in the order of pack."""
    order = np.zeros(problem.free.shape, int)
    order[problem.free] = np.arange(problem.free.sum())
    return problem.M[pack(problem.free, order)]


def responses(free, turn=None, turn_of=None, mix=None, full=None):
    """p x p: column k is what the k-th independent number does to pack(Z), as posterior.npz has it:
    E = [F_1 xi_1, F_2 xi_2, ...] mix with F_j = turn[turn_of[j]][f:, f:], or pack(E) = full xi."""
    if full is not None:
        return np.asarray(full, float)
    rows, columns = free.shape
    turns = np.eye(rows)[None] if turn is None else np.reshape(turn, (-1, rows, rows))
    which = np.zeros(columns, int) if turn_of is None else np.ravel(turn_of).astype(int)
    mix = np.eye(columns) if mix is None else np.asarray(mix)
    found = []
    for j in range(columns):
        first = rows - free[:, j].sum()
        for i in range(first, rows):
            E = np.zeros((rows, columns))
            E[first:, j] = turns[which[j]][first:, i]
            found.append(pack(free, E @ mix))
    return np.array(found).T


def covariance(free, variance, **frame):
    """p x p, of the posterior of posterior.npz; `frame` is what responses takes."""
    R = responses(free, **frame)
    return R * pack(free, variance) @ R.T


def prior_covariance(free, scale, covariance="isotropic", P=None, arrays=None):
    """p x p. `arrays` holds prior_deviation, prior_rows and prior_columns, or prior_full; the
    precision of "cost" is M_G / scale^2, whose entries are P_ik within a column."""
    p = int(np.sum(free))
    if covariance == "isotropic":
        return scale ** 2 * np.eye(p)
    if covariance == "cost":
        i, j = (pack(free, index) for index in np.indices(np.shape(free)))
        return scale ** 2 * np.linalg.inv(P[np.ix_(i, i)] * (j[:, None] == j))
    if covariance == "diagonal":
        return scale ** 2 * np.diag(pack(free, arrays["prior_deviation"]) ** 2)
    if covariance == "full":
        return scale ** 2 * arrays["prior_full"] @ arrays["prior_full"].T
    maps = []  # kronecker: D = rows Xi columns
    for k in range(p):
        unit = unpack(free, np.eye(p)[k])
        maps.append(pack(free, arrays["prior_rows"] @ unit @ arrays["prior_columns"]))
    return scale ** 2 * np.array(maps).T @ np.array(maps)


def kl(step, cov, prior):
    """KL(N(step, cov) || N(0, prior))."""
    def log_det(matrix):
        return np.linalg.slogdet(matrix)[1]
    return 0.5 * (np.trace(np.linalg.solve(prior, cov)) + step @ np.linalg.solve(prior, step)
                  - len(step) - log_det(cov) + log_det(prior))


def mean_map(M_0, M, mean):
    return M_0 + np.tensordot(mean, M, 1)


def directions(M, cov):
    """N_r with sum_k E_k M_k = sum_r eta_r N_r for independent standard eta."""
    values, vectors = np.linalg.eigh((cov + cov.T) / 2)
    return np.tensordot((vectors * np.sqrt(np.maximum(values, 0))).T, M, 1)


def a_rho(M, cov):
    """A_rho = sum_kl Cov_kl M_k'M_l."""
    return np.einsum("kab,kac->bc", M, np.tensordot(cov, M, 1), optimize=True)


def quartic(M_0, M, mean, cov, A, B):
    """E tr(M'M A M'M B) by Wick's theorem in independent directions."""
    X, N = mean_map(M_0, M, mean), directions(M, cov)
    K, spread = X.T @ X, np.einsum("kab,kac->bc", N, N)
    linear = X.T @ N + np.swapaxes(N, 1, 2) @ X
    total = np.trace((K + spread) @ A @ (K + spread) @ B)
    total += np.einsum("kij,kji->", linear @ A, linear @ B)
    for N_k in N:
        pair = N_k.T @ N  # N_k'N_l for all l
        total += np.einsum("lij,lji->", pair @ A, pair @ B)
        total += np.einsum("lij,lji->", pair @ A, np.swapaxes(pair, 1, 2) @ B)
    return total


def risk(M_0, M, mean, second):
    """tr(K second) at one response."""
    X = mean_map(M_0, M, mean)
    return np.trace(X.T @ X @ second)


def pac_bayes_rate(kl_value, n, delta, priors=1):
    kappa = (n - 1) / n if priors == 1 else min((n - 1) / n, 0.95)
    return (kl_value + math.log(priors / delta / (1 - kappa))) / (kappa * n)


def covariance_radius(scale, d, n, delta):
    t = math.sqrt(d / n) + math.sqrt(2 * math.log(2 / delta) / n)
    return scale * (2 * t + t * t)


def complexity(rate, C, rank=None, lam=None):
    """(value, lambda) of (rate + psi(lambda))/lambda, at its minimum or at the lambda given; psi is
    lambda^2 C, or with a rank r f(lambda sqrt(C/r)), f(x) = x - log(1 + 2x)/2."""
    def at(log_lambda):
        l = math.exp(log_lambda)
        if rank is None:
            return (rate + l * l * C) / l
        x = l * math.sqrt(C / rank)
        return (rate + rank * (x - math.log1p(2 * x) / 2)) / l
    if lam is not None:
        return at(math.log(lam)), lam
    best = math.log(rate / C) / 2  # of the quadratic one, at most that of the other
    low, high = (best, best) if rank is None else (best - 1, best + 20)
    for _ in range(200):
        first, second = low + 0.382 * (high - low), low + 0.618 * (high - low)
        low, high = (low, second) if at(first) < at(second) else (first, high)
    return at(low), math.exp(low)


def bound(M_0, M, w, mean, cov, step, prior, U, spread, delta, B=None, rank=None, priors=1,
          lam=None):
    """Lhat(mean) + tr(A_rho spread) + complexity, without a constant: `step` is mean - center, U
    above the covariance of w, B above mu mu'. Vectors and covariances as pack orders them."""
    n = len(w)
    divergence = kl(step, cov, prior)
    rate = pac_bayes_rate(divergence, n, delta, priors)
    C = quartic(M_0, M, mean, cov, U, U)
    if B is not None:
        C += 2 * quartic(M_0, M, mean, cov, U, B)
    comp, lam = complexity(rate, C, rank, lam)
    terms = [risk(M_0, M, mean, w.T @ w / n), np.sum(a_rho(M, cov) * spread), comp]
    return {"value": sum(terms), "terms": terms, "kl": divergence, "rate": rate, "C": C,
            "lambda": lam}


def data_driven(M_0, M, w, mean, cov, step, prior, scale, deltas, randomized=False,
                rank_aware=False, **more):
    """Kinds data-driven, data-driven-randomized and data-driven-rank-aware, mean zero."""
    n, d = w.shape
    second = w.T @ w / n
    eps = covariance_radius(scale, d, n, deltas["covariance"])
    spread = second if randomized else eps * np.eye(d)
    A = a_rho(M, cov)
    if rank_aware and np.abs(A - np.diag(np.diag(A))).max() <= 1e-12 * A.max():
        spread = np.diag(np.minimum(eps, np.diag(second)))
    return bound(M_0, M, w, mean, cov, step, prior, second + eps * np.eye(d), spread, deltas["pac_bayes"],
                 rank=d if rank_aware else None, **more)


def mean_deployment(M_0, M, w, mean, cov, step, prior, U, delta, **more):
    """Kinds scale, relative, one-sided, white and known-covariance: U is their envelope."""
    return bound(M_0, M, w, mean, cov, step, prior, U, w.T @ w / len(w), delta, rank=w.shape[1],
                 **more)


def oracle(M_0, M, w, mean, cov, step, prior, Sigma, delta, mu=None, randomized=False, **more):
    """Kinds oracle and oracle-randomized under N(mu, Sigma)."""
    second = w.T @ w / len(w)
    mu = np.zeros(w.shape[1]) if mu is None else np.asarray(mu)
    spread = second if randomized else second - Sigma - np.outer(mu, mu)
    return bound(M_0, M, w, mean, cov, step, prior, Sigma, spread, delta,
                 B=np.outer(mu, mu) if mu.any() else None, **more)

#!/usr/bin/python3
"""Item 1 of docs/theory/improvement.md attacked: how often the claim about L - L_0 is false, for random
covariances and differences, single directions among them, with mean zero and not. Shares no code with the
program. The largest rates over delta, with three deviations of chance:

    docs/scripts/improvement_attack.py [seed]
"""

import sys

import numpy as np
from scipy import optimize, stats


def factors(m, delta, centred):
    if centred:
        return (min(stats.f.ppf(delta, m, m), (m - 2) / (m + 2)),
                max(stats.chi2.ppf(1 - delta, m) / m, 1 + 2 / m),
                min(stats.chi2.ppf(delta, m) / m, (m - 2) / (m + 5)))
    q = np.sqrt(1 - delta ** (2 / m))
    root = lambda low, high: optimize.brentq(lambda x: x - 1 - np.log(x) + 2 * np.log(delta) / m, low, high)
    return (1 - q) / (1 + q), root(1, 1e4), root(1e-14, 1)


def problem(draws, d):
    """Eigenvalues of D_+ and D_- in the identity metric, and a root of the covariance."""
    root = draws.standard_normal((d, d)) * draws.exponential(size=d) ** draws.choice([0, 1, 3])
    if draws.random() < 0.4:
        root = np.diag(np.r_[1, draws.uniform(0.1, 3), np.zeros(d - 2)])
    e = draws.standard_normal(d) * draws.exponential(size=d) ** 2
    e[0], e[1] = abs(e[0]), -abs(e[1]) * draws.choice([0.1, 1, 1, 10])
    return e, root


def rate(draws, m, delta, centred, sets=4000):
    d = draws.integers(2, 6)
    e, root = problem(draws, d)
    mean = np.zeros(d) if centred else draws.standard_normal(d) * draws.choice([0, 1, 5])
    second = root @ root.T + np.outer(mean, mean)
    P, N = np.maximum(e, 0) @ np.diag(second), np.maximum(-e, 0) @ np.diag(second)
    w = draws.standard_normal((sets, m, d)) @ root.T + mean
    squares = (w**2).mean(1)
    P_hat, N_hat = squares @ np.maximum(e, 0), squares @ np.maximum(-e, 0)
    x, up, low = factors(m, delta, centred)
    claim = np.where(P_hat < x * N_hat, -(N_hat - P_hat / x) / up, (P_hat - x * N_hat) / low)
    return (claim < P - N).mean()


def main():
    draws = np.random.default_rng(int(sys.argv[1]) if len(sys.argv) > 1 else 1)
    for centred in (True, False):
        for delta in (0.4, 0.2, 0.05):
            rates = [rate(draws, draws.choice([3, 4, 6, 10, 30]), delta, centred) for _ in range(60)]
            limit = delta + 3 * np.sqrt(delta * (1 - delta) / 4000)
            print(f"{'mean zero' if centred else 'any mean'}, delta = {delta}: at most {max(rates):.4f}"
                  f" (chance: {limit:.4f})")


if __name__ == "__main__":
    main()

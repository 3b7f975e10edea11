#!/usr/bin/python3
"""The exponent kappa n of docs/theory/pac-bayes-chernoff.md attacked. First (1 - kappa) E exp(kappa n Lambda*) for
costs with one direction, which may not exceed 1; then how often the event of all posteriors fails at
delta = 0.5, for a prior over responses whose costs have one to eight directions. Shares no code with the program.

    docs/scripts/exponent_attack.py [seed]
"""

import sys

import numpy as np
from scipy import optimize, special, stats

DELTA, SETS = 0.5, 6000


def one_direction(n, kappa):
    """Lambda* = (x - 1 - log x)/2 below the mean, x = Lhat/L = chi2_n/n = e^v: there the density of v times
    exp(kappa n Lambda*) is a constant times exp(b (v - e^v)), whose integral up to 0 is a gamma function."""
    a, b = n / 2, (1 - kappa) * n / 2
    below = a * np.log(a) - special.gammaln(a) - kappa * a - b * np.log(b) + special.gammaln(b)
    return (1 - kappa) * (np.exp(below) * special.gammainc(b, b) + stats.chi2.sf(n, n))


def rate_function(s, a):
    """sup of lambda a - sum f(lambda s_i) over lambda >= 0; a is below sum s_i."""
    if a <= 0:
        return 0.0
    slope = lambda x: a - np.sum(s * (1 - 1 / (1 + 2 * x * s)))
    high = 1 / s.max()
    while slope(high) > 0:
        high *= 2
    x = optimize.brentq(slope, 0, high)
    return x * a - np.sum(x * s - np.log1p(2 * x * s) / 2)


def failures(random, n, kappa, responses=5):
    """Of log E_pi exp(kappa n Lambda*) <= log(1/((1 - kappa) delta)), all on the same data."""
    d = 8
    roots = [random.normal(size=(random.integers(1, d + 1), d)) * random.exponential(size=d)
             for _ in range(responses)]
    spectra = [np.linalg.eigvalsh(M @ M.T) for M in roots]
    count, sets = 0, SETS // (1 + n // 10)
    for _ in range(sets):
        w = random.normal(size=(n, d))
        h = [kappa * n * rate_function(s, s.sum() - np.mean(np.sum((w @ M.T)**2, axis=1)))
             for M, s in zip(roots, spectra)]
        count += np.logaddexp.reduce(h) - np.log(responses) > -np.log((1 - kappa) * DELTA)
    return count, sets


def main():
    worst = max((one_direction(n, kappa), n, kappa) for n in (1, 2, 5, 20, 100, 1000)
                for kappa in (0.01, 0.3, 0.5, 0.8, 0.9, 0.95, 0.99))
    print("one direction: at most {:.4f} (n = {}, kappa = {})".format(*worst))
    random = np.random.default_rng(int(sys.argv[1]) if len(sys.argv) > 1 else 1)
    for n in (1, 2, 10):
        for kappa in (0.3, 0.95):
            count, sets = failures(random, n, kappa)
            print(f"n = {n}, kappa = {kappa}: {count} of {sets} fail, {DELTA * sets:.0f} may")


if __name__ == "__main__":
    main()

#!/usr/bin/python3
"""docs/theory/frobenius.md attacked. How often sum w_i G_i <= t, by item 5 of the chi-square page, for spectra
of many shapes; and counted on whole samples, how often the bound fails. Shares no code with the program:

    docs/scripts/frobenius_attack.py [seed]
"""

import sys

import numpy as np
from quantile_attack import chance_below
from scipy import stats


def multiple(m, delta):
    single = m / min(stats.chi2.ppf(delta, m), m) - 1
    return single if m == 1 else max(single, np.sqrt(2) / m)


def spectrum(draws):
    r = draws.integers(1, 9)
    s = [draws.random(r) + 1e-2, np.ones(r), draws.uniform(0.2, 1) ** np.arange(r),
         np.r_[1, np.full(r - 1, draws.uniform(0.01, 1))]][draws.integers(4)]
    return s / np.linalg.norm(s)


def by_inversion(draws):
    worst = 0.0
    for _ in range(3000):
        m, delta = draws.choice([4, 5, 6, 8, 10, 20, 40, 100, 400]), draws.choice([0.5, 0.43, 0.3, 0.1, 0.05, 0.01])
        s = spectrum(draws)
        k = multiple(m, delta)
        worst = max(worst, chance_below(s + k * s * s, m / 2, m / 2 * s.sum()) / delta)
    print(f"inversion: at most {worst:.4f} times delta")


def counted(draws, sets=20000):
    for m in (1, 2, 3, 10, 40):
        for delta in (0.43, 0.2):
            rates = []
            for s in (np.ones(1), np.r_[1, 0.05, 0.05], np.ones(2), 0.6 ** np.arange(8), np.ones(22)):
                y = draws.standard_normal((sets, m, len(s))) * np.sqrt(s)
                gram = y @ y.transpose(0, 2, 1) if m < len(s) else y.transpose(0, 2, 1) @ y
                size = np.sqrt((gram**2).sum((1, 2))) / m
                mean = (y**2).sum((1, 2)) / m
                rates.append((s.sum() >= mean + multiple(m, delta) * size).mean())
            print(f"m = {m}, delta = {delta}: one, nearly one, two equal, geometric, 22 equal",
                  " ".join(f"{rate:.4f}" for rate in rates))


def main():
    draws = np.random.default_rng(int(sys.argv[1]) if len(sys.argv) > 1 else 1)
    by_inversion(draws)
    counted(draws)


if __name__ == "__main__":
    main()

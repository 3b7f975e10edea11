#!/usr/bin/python3
"""Bounds on the mean of costs in [0, 1] on eight laws, and how often they fail, for
docs/theory/measured.md.

    python3 docs/scripts/measured_table.py

Shares no code with the program. Half a minute.
"""

import numpy as np
from scipy import stats

DELTA = 0.05
LAWS = {  # draws, and their mean
    "coin, 0.1": (lambda r, shape: (r.random_sample(shape) < 0.1) * 1.0, 0.1),
    "coin, 0.5": (lambda r, shape: (r.random_sample(shape) < 0.5) * 1.0, 0.5),
    "Beta(2, 5)": (lambda r, shape: r.beta(2, 5, shape), 2 / 7),
    "Beta(50, 200)": (lambda r, shape: r.beta(50, 200, shape), 0.2),
    "uniform": (lambda r, shape: r.random_sample(shape), 0.5),
    "chi-square, 4 degrees, /20, cut at 1": (
        lambda r, shape: np.minimum(r.chisquare(4, shape) / 20, 1),
        (4 * stats.chi2.cdf(20, 6) + 20 * stats.chi2.sf(20, 4)) / 20),
    "lognormal(0, 1/2), /30, cut at 1": (
        lambda r, shape: np.minimum(r.lognormal(0, 0.5, shape) / 30, 1),
        np.exp(0.125) * stats.norm.cdf(2 * np.log(30) - 0.5) / 30 + stats.norm.sf(2 * np.log(30))),
    "0.05, rarely 1": (lambda r, shape: np.where(r.random_sample(shape) < 0.01, 1, 0.05),
                       0.05 * 0.99 + 0.01),
    "always 0.2": (lambda r, shape: np.full(shape, 0.2), 0.2),
}
SIZES = (20, 100, 1000)


def kl(a, p):
    with np.errstate(divide="ignore", invalid="ignore"):
        return (np.where(a > 0, a * np.log(a / p), 0) +
                np.where(a < 1, (1 - a) * np.log((1 - a) / (1 - p)), 0))


def bisect(low, high, is_low):
    """Where is_low ends, place by place."""
    for _ in range(60):
        middle = (low + high) / 2
        below = is_low(middle)
        low, high = np.where(below, middle, low), np.where(below, high, middle)
    return high


def coin(x, delta):
    mean, rate = x.mean(-1), np.log(1 / delta) / x.shape[-1]
    return bisect(mean, np.ones_like(mean), lambda m: kl(mean, m) <= rate)


def log_capital(x, m, delta):
    """log K(m) of the theory page, m one for each row."""
    n = x.shape[-1]
    m = np.broadcast_to(np.asarray(m, float), x.shape[:-1])
    rate = 1.03 * np.log(1 / delta) / n
    a = bisect(np.zeros_like(m), m, lambda a: kl(a, m) > rate)
    a = np.where(kl(np.zeros_like(m), m) <= rate, 0, a)
    w = delta**0.03
    others = [2.0**-j for j in range(40) if 4**j <= n]
    r = (1 - x) / (1 - m)[..., None]
    logs = []
    with np.errstate(divide="ignore"):
        for weight, b in [(w, 1 - a / m)] + [((1 - w) / len(others), np.full_like(m, b))
                                             for b in others]:
            logs.append(np.log(weight) + np.log(1 - b[..., None] + b[..., None] * r).sum(-1))
    return np.logaddexp.reduce(logs)


def betting(x, delta):
    mean = x.mean(-1)
    high = np.minimum(coin(x, delta**1.03), 1 - 1e-12)
    return bisect(mean, high, lambda m: log_capital(x, m, delta) < np.log(1 / delta))


def hoeffding(x, delta):
    return np.minimum(1, x.mean(-1) + np.sqrt(np.log(1 / delta) / (2 * x.shape[-1])))


def bernstein(x, delta):
    """Empirical Bernstein, Maurer and Pontil 2009."""
    n, log = x.shape[-1], np.log(2 / delta)
    return np.minimum(1, x.mean(-1) + np.sqrt(2 * x.var(-1, ddof=1) * log / n) +
                      7 * log / (3 * (n - 1)))


def clopper_pearson(x, delta):
    n, k = x.shape[-1], x.sum(-1)
    return np.where(k == n, 1, stats.beta.ppf(1 - delta, k + 1, np.maximum(n - k, 1)))


def draws(law, shape, seed=1):
    return LAWS[law][0](np.random.RandomState(seed), shape)


def bounds_rows(sets=40):
    for law in LAWS:
        for n in SIZES:
            x = draws(law, (sets, n))
            bet, of_coin = betting(x, DELTA), coin(x, DELTA)
            binary = clopper_pearson(x, DELTA).mean() if law.startswith("coin") else None
            yield (law, n, x.mean(), bet.mean(), (bet / of_coin).max(), of_coin.mean(),
                   hoeffding(x, DELTA).mean(), bernstein(x, DELTA).mean(), binary)


def failure_rows(sets=10000):
    """How often the mean is above the bound: where the capital against it reaches 1/delta."""
    for law, (_, mean) in LAWS.items():
        for delta in (0.05, 0.5):
            shares = []
            for n in (1, 2, 5, 20, 100):
                x = draws(law, (sets, n), seed=2)
                shares.append((log_capital(x, mean, delta) >= np.log(1 / delta)).mean())
            yield law, delta, shares


if __name__ == "__main__":
    print("| law | n | mean | betting | coin | Hoeffding | Bernstein | Clopper-Pearson |")
    print("|---|---|---|---|---|---|---|---|")
    for law, n, mean, bet, ratio, of_coin, hoef, bern, binary in bounds_rows():
        print(f"| {law} | {n} | {mean:.4f} | {bet:.4f} ({ratio:.3f}) | {of_coin:.4f} | {hoef:.4f} | "
              f"{bern:.4f} | {'' if binary is None else format(binary, '.4f')} |")
    print("\n| law | delta | n = 1 | 2 | 5 | 20 | 100 |")
    print("|---|---|---|---|---|---|---|")
    for law, delta, shares in failure_rows():
        print(f"| {law} | {delta} | " + " | ".join(f"{100 * s:.2f}" for s in shares) + " |")

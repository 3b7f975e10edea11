#!/usr/bin/python3
"""Item 6 of docs/theory/chi-square.md attacked: how often L - Lhat reaches the margin of a spectrum S,
for spectra s below S, by item 5. Shares no code with the program. The largest probabilities over delta,
with the margin and with the quantile alone:

    docs/scripts/quantile_attack.py [seed]
"""

import sys

import numpy as np


def saddle(s, a, t):
    """lambda of the saddle point, one over the deviation at least."""
    least = 1 / np.sqrt(a * np.sum(s * s))
    low, high = 0.0, 1 / s.max()
    mean = lambda x: a * np.sum(s / (1 + x * s))
    if mean(0) <= t:
        return least
    while mean(high) > t:
        low, high = high, 2 * high
    for _ in range(60):
        middle = (low + high) / 2
        low, high = (middle, high) if mean(middle) > t else (low, middle)
    return max(high, least)


def chance_below(s, a, t, terms=1024):
    """P(sum s_i G_i <= t), 1e-9 more at most where a is not small."""
    x = saddle(s, a, t)
    period = 36 / x + min(2 * x * a * np.sum(s * s), t)
    u = 2 * np.pi / period * np.arange(1, terms + 1)
    r = s / (1 + x * s)
    ur = u[:, None] * r
    size = np.exp(-a / 2 * np.log1p(ur**2).sum(1)) / np.hypot(x, u)
    angle = u * t - a * np.arctan(ur).sum(1) - np.arctan2(u, x)
    falls = (a * ur**2 / (1 + ur**2)).sum(1) + u**2 / (x**2 + u**2) - 1
    total = 1 / (2 * x) + np.sum(size * np.cos(angle)) + size[-1] * terms / falls[-1]
    return 2 / period * np.exp(x * t - a * np.log1p(x * s).sum()) * total


def quantile(s, a, delta):
    low, high = 1e-9 * a * s.sum(), a * s.sum()
    for _ in range(50):
        middle = (low + high) / 2
        low, high = (middle, high) if chance_below(s, a, middle) <= delta else (low, middle)
    return low


def main():
    draws = np.random.default_rng(int(sys.argv[1]) if len(sys.argv) > 1 else 1)
    worst = {"margin": 0.0, "quantile alone": 0.0}
    for _ in range(1500):
        d, a = draws.integers(1, 7), draws.integers(3, 60) / 2
        delta = draws.choice([0.5, 0.5, 0.3, 0.1, 0.05, 0.01])
        S = draws.exponential(size=d) ** draws.choice([0.5, 1, 2, 3])
        alone = S.sum() - quantile(S, a, delta) / a
        margins = {"margin": max(alone, S.max() / a), "quantile alone": alone}
        for k in range(8):
            part = draws.random(d)
            part = [(part > 0.5) * 1.0, 1 - 0.1 * part, np.where(draws.random(d) > 0.5, 1, part),
                    part][k % 4]
            s = S * part
            if s.max() == 0:
                continue
            s = s[s > 1e-12 * s.max()]
            for name, margin in margins.items():
                t = a * (s.sum() - margin)
                if t > 0:
                    worst[name] = max(worst[name], chance_below(s, a, t) / delta)
    for name, ratio in worst.items():
        print(f"{name}: at most {ratio:.4f} times delta")


if __name__ == "__main__":
    main()

#!/usr/bin/python3
"""The tables of docs/theory/limits.md: how often certificates of limits are wrong.

    limits_attack.py [SETS]

Each line draws SETS data sets (20,000 unless said otherwise) from a law with a known truth, chosen
to make the claim fail as often as it can, and counts false claims at two deltas (counts of failures
are enumerated instead). Lines that begin
with "not valid" are claims that the page does not make: they show that the count can find a false
one. The second table compares the learning part with numerical differentiation and enumeration.
Needs numpy and scipy; seeds are fixed; shares no code with the program.
"""

import sys

import numpy as np
from scipy import optimize, special, stats

SETS = int(sys.argv[1]) if len(sys.argv) > 1 else 20000
DELTAS = (0.05, 0.5)
sf, isf = stats.norm.sf, stats.norm.isf


def violation(low, high, m, sigma):
    """Item 1; the bound is 1 where m is not inside."""
    value = sf((high - m) / sigma) + sf((m - low) / sigma)
    return np.where((low < m) & (m < high), value, 1)


def count_bound(k, m, delta):
    """Item 3: Clopper and Pearson."""
    return np.where(k >= m, 1, special.betaincinv(k + 1, np.maximum(m - k, 1), 1 - delta))


def side_bound(t, m, delta):
    """Item 2: upper bound on P(value > limit), t = sqrt(m) (limit - mean) / s."""
    theta = np.linspace(-2, 7, 181)
    with np.errstate(all="ignore"):
        knots = stats.nct.ppf(1 - delta, m - 1, theta * np.sqrt(m))
    assert np.isfinite(knots).all() and (np.diff(knots) > 0).all()
    return sf(np.interp(t, knots, theta, left=-np.inf))  # beyond the table: 1, and its last knot


def correlated(C, rho):
    return np.linalg.cholesky(rho ** np.abs(np.subtract.outer(np.arange(C), np.arange(C))) + 1e-12 * np.eye(C))


def draws(seed, m, root):
    rng = np.random.default_rng(seed)
    for start in range(0, SETS, 2000):
        yield rng.standard_normal((min(2000, SETS - start), m, len(root))) @ root.T


def row(name, m, false):
    cells = [f"{100 * np.mean(f):.2f} %" if np.size(f) else "-" for f in false]
    print(f"| {name} | {m} | " + " | ".join(cells) + " |", flush=True)


LOW, HIGH = np.array([-2.2, -9, -2.5, -2.8, -3, -2.1]), np.array([2.4, 2.0, 2.5, 2.2, 9, 2.6])


def tolerance(m, rho):
    """All rows at once, and the sum; zero mean, asymmetric limits, truth sigma = 1."""
    C, rows, joint = 6, [[], []], [[], []]
    true = violation(LOW, HIGH, 0, 1).sum()
    for v in draws([1, m], m, correlated(C, rho)):
        s2 = (v**2).mean(1)
        for i, delta in enumerate(DELTAS):
            up = np.sqrt(s2 * m / stats.chi2.ppf(delta / C, m))
            rows[i].append((up < 1).any(1))
            joint[i].append(violation(LOW, HIGH, 0, up).sum(1) < true)
    return [np.concatenate(f) for f in rows], [np.concatenate(f) for f in joint]


def tolerance_each(m, rho):
    """The largest violation of any row, every row with the whole delta: item 2."""
    false = [[], []]
    sd = np.array([1, 1, 1, 0.99, 1, 0.98])
    true = violation(LOW, HIGH, 0, sd).max()
    for v in draws([2, m], m, sd[:, None] * correlated(6, rho)):
        for i, delta in enumerate(DELTAS):
            up = np.sqrt((v**2).sum(1) / stats.chi2.ppf(delta, m))
            false[i].append(violation(LOW, HIGH, 0, up).max(1) < true)
    return [np.concatenate(f) for f in false]


def tolerance_mean(m, mean, level=lambda d: d):
    """Unknown mean; finite sides share delta: two rows with both sides, two with one."""
    low, high = np.array([-2, -1.5, -np.inf, -1]), np.array([2, 3, 1.8, np.inf])
    sides, false = np.isfinite(low).sum() + np.isfinite(high).sum(), [[], []]
    true = (sf(high - mean) + sf(mean - low)).sum()
    for v in draws([3, m], m, correlated(4, 0.9)):
        v = v + mean
        centre, s = v.mean(1), v.std(1, ddof=1)
        for i, delta in enumerate(DELTAS):
            share = level(delta / sides)
            value = 0
            for c in range(4):
                for gap in (high[c] - centre[:, c], centre[:, c] - low[c]):
                    if np.isfinite(gap).all():
                        value = value + side_bound(np.sqrt(m) * gap / s[:, c], m, share)
            false[i].append(value < true)
    return [np.concatenate(f) for f in false]


def one_side(m, limit):
    """One row, one side, unknown mean: no union, so the claim is exact."""
    false = [[], []]
    for v in draws([14, m], m, np.eye(1)):
        t = np.sqrt(m) * (limit - v.mean(1)) / v.std(1, ddof=1)
        for i, delta in enumerate(DELTAS):
            false[i].append(side_bound(t[:, 0], m, delta) < sf(limit) * (1 - 1e-9))
    return [np.concatenate(f) for f in false]


def count(m, k):
    """The worst law for k failures: a probability just above the bound at k."""
    found, false = np.arange(m + 1), []
    for delta in DELTAS:
        p = min(count_bound(np.array(k), m, delta) * (1 + 1e-9), 1)
        false.append(stats.binom.pmf(found, m, p) @ (count_bound(found, m, delta) < p))
    return false


def count_each(m, k):
    """Largest count of four rows with the whole delta; rows of one probability, nested failures."""
    rng, false = np.random.default_rng([5, m]), []
    for delta in DELTAS:
        p = count_bound(np.array(k), m, delta) * (1 + 1e-9)
        same = rng.binomial(m, p, SETS)
        other = rng.binomial(m, 0.5 * p, (SETS, 3)).max(1)
        false.append(count_bound(np.maximum(same, other), m, delta) < p)
    return false


def scaled_count(m, rho, C, r, k):
    """Episodes beyond rho times the limits, then the tail of one slab (item 10)."""
    root, rng, found = correlated(C, r), np.random.default_rng([6, m, C]), np.arange(m + 1)
    worst = np.sort(np.abs(rng.standard_normal((400000, C)) @ root.T).max(1))
    false = []
    for delta in DELTAS:
        p = count_bound(np.array(k), m, delta) * (1 + 1e-9)  # of more than rho h
        h = isf(p / 2) / rho if C == 1 else np.quantile(worst, 1 - p) / rho
        true = 2 * sf(h) if C == 1 else (worst > h).mean()
        beyond = p if C == 1 else (worst > rho * h).mean()
        value = 2 * sf(isf(count_bound(found, m, delta) / 2) / rho)
        false.append(stats.binom.pmf(found, m, beyond) @ (value < true * (1 - 1e-9)))
    return false


def envelope(m, d):
    """The row that is chosen after the data, the worst of all: route 2 of the Wishart floor."""
    false = []
    for delta in DELTAS:
        k = (m - d + 1) / 2
        log_c = (k - 1) * np.log(2) + special.gammaln((m + 1) / 2) - special.gammaln(d / 2) - special.gammaln(m - d + 1)
        level = delta / np.exp(log_c + k * np.log(2) + special.gammaln(k))
        q = 2 * special.gammaincinv(k, min(level, 1)) / m
        bad = [np.linalg.eigvalsh(np.einsum("smi,smj->sij", v, v) / m)[:, 0] < q
               for v in draws([7, m], m, np.eye(d))]
        false.append(np.concatenate(bad))
    return false


def cross(m, K):
    """Each fold's row is the one of 8 that looks smallest on the other folds; means are deployed."""
    rng, d, false, naive = np.random.default_rng([8, m, K]), 4, [[], []], [[], []]
    rows = rng.standard_normal((8, d))
    rows /= np.linalg.norm(rows, axis=1)[:, None]
    for start in range(0, SETS, 2000):
        v = rng.standard_normal((2000, K, m, d)) @ rows.T
        s2 = (v**2).mean(2)                                   # sets x folds x rows
        others = s2.sum(1, keepdims=True) - s2
        picked = others.argmin(2)
        a = rows[picked].mean(1)
        s = np.sqrt(np.take_along_axis(s2, picked[:, :, None], 2)[:, :, 0])
        sigma = np.linalg.norm(a, axis=1)
        all_data = np.sqrt(np.einsum("skmd,sd->skm", v @ np.linalg.pinv(rows.T), a).__pow__(2).mean((1, 2)))
        for i, delta in enumerate(DELTAS):
            false[i].append(s.mean(1) * np.sqrt(m / stats.chi2.ppf(delta / K, m)) < sigma)
            naive[i].append(all_data * np.sqrt(m * K / stats.chi2.ppf(delta, m * K)) < sigma)
    return [np.concatenate(f) for f in false], [np.concatenate(f) for f in naive]


def path(m, J, own, first, rest):
    """J controllers with independent rows, violations `first` and `rest` times the target."""
    rng, target, false = np.random.default_rng([9, m]), 0.05, []
    for delta in DELTAS:
        true = np.array([first] + [rest(delta)] * (J - 1)) * target
        sigma = 1 / isf(true / 2)                             # limits at +-1
        s = sigma * np.sqrt(rng.chisquare(m, (SETS, J)) / m)
        bound = 2 * sf(1 / (s * np.sqrt(m / stats.chi2.ppf(delta, m))))
        passed = np.cumprod(bound <= target, 1).sum(1)
        place = np.maximum(passed - 1, 0)
        at = np.arange(SETS)
        claim = bound[at, place] if own else np.where(passed > 0, target, bound[:, 0])
        false.append(claim < true[place])
    return false


def any_order(m, J):
    rng, target, false = np.random.default_rng([10, m]), 0.05, []
    for delta in DELTAS:
        s = np.sqrt(rng.chisquare(m, (SETS, J)) / m) * 1.0001 / isf(target / 2)
        bound = 2 * sf(1 / (s * np.sqrt(m / stats.chi2.ppf(delta, m))))
        false.append((bound <= target).any(1))
    return false


def best(m, C, share):
    """The smaller of tolerance and count, shares fixed; truth the sum over independent rows."""
    false, h = [[], []], 2.3
    p = 2 * sf(h)
    for v in draws([11, m], m, np.eye(C)):
        for i, delta in enumerate(DELTAS):
            up = np.sqrt((v**2).sum(1) / stats.chi2.ppf(share * delta / C, m))
            value = (2 * sf(h / up)).sum(1)
            failures = (np.abs(v) > h).any(2).sum(1)
            value = np.minimum(value, count_bound(failures, m, (1 - share) * delta))
            false[i].append(value < 1 - (1 - p)**C)
    return [np.concatenate(f) for f in false]


def cost_and_limits(m):
    """Both claims with delta/2 each, one row that is also the cost."""
    false = [[], []]
    for v in draws([12, m], m, np.eye(1)):
        s2, failures = (v[:, :, 0]**2).sum(1), (np.abs(v[:, :, 0]) > 1.5).sum(1)
        for i, delta in enumerate(DELTAS):
            cost = s2 / stats.chi2.ppf(delta / 2, m) < 1
            false[i].append(cost | (count_bound(failures, m, delta / 2) < 2 * sf(1.5)))
    return [np.concatenate(f) for f in false]


def pass_level(m):
    """Truth, as a share of the target, at which a test of level delta passes every second time."""
    def level(delta):
        need = isf(0.025) * np.sqrt(stats.chi2.ppf(0.5, m) / stats.chi2.ppf(delta, m))
        return min(2 * sf(need) / 0.05, 0.999)
    return level


def attacks():
    print("| attack | m | false, delta = 0.05 | false, delta = 0.5 |\n|---|---|---|---|")
    for m, rho in ((2, 0.0), (3, 0.95), (5, 0.5), (20, 0.95), (20, 1.0)):
        rows, joint = tolerance(m, rho)
        row(f"tolerance, 6 rows, correlation {rho}: any row", m, rows)
        row("the same: the sum", m, joint)
    for m, rho in ((2, 0.0), (5, 0.95), (20, 1.0), (20, 0.0)):
        row(f"tolerance `each`, whole delta, correlation {rho}", m, tolerance_each(m, rho))
    for m, mean in ((2, 0.3), (3, 0.0), (5, -0.4), (20, 0.3)):
        row(f"tolerance, unknown mean ({mean})", m, tolerance_mean(m, mean))
    for m, limit in ((2, 1.0), (5, 1.6), (20, 2.0)):
        row(f"one side, unknown mean, limit {limit}", m, one_side(m, limit))
    row("not valid: unknown mean with delta for 1 - delta", 20, tolerance_mean(20, 0.3, lambda d: 1 - d))
    for m, k in ((2, 0), (5, 1), (59, 0), (100, 3)):
        row(f"count, the worst law for {k} failures", m, count(m, k))
    row("count `each`, whole delta", 20, count_each(20, 1))
    for m, C, r, k in ((5, 1, 0, 1), (50, 1, 0, 2), (50, 10, 0.0, 2), (50, 10, 0.9, 2)):
        row(f"scaled count (0.85), {C} rows, correlation {r}", m, scaled_count(m, 0.85, C, r, k))
    for m, d in ((3, 2), (5, 2), (5, 4), (40, 4)):
        row(f"envelope, the worst of all rows in {d} dimensions", m, envelope(m, d))
    for m, K in ((2, 2), (10, 2), (3, 5)):
        false, naive = cross(m, K)
        row(f"cross, {K} folds, smallest of 8 rows", m, false)
        row("not valid: the mean response on all data", m * K, naive)
    row("path of 5, unsafe from the second on", 40, path(40, 5, False, 0.2, lambda d: 1.0001))
    row("path of 5, all unsafe", 40, path(40, 5, False, 1.0001, lambda d: 1.0001))
    row("path of 5, half of the tests pass", 40, path(40, 5, False, 0.01, pass_level(40)))
    row("not valid: its own bound for the one selected", 40, path(40, 5, True, 0.01, pass_level(40)))
    row("not valid: any of 5 unsafe ones that passes", 40, any_order(40, 5))
    for m, C in ((3, 2), (60, 4)):
        row(f"best of tolerance and count, {C} rows", m, best(m, C, 8 / 9))
    row("cost and limits together", 10, cost_and_limits(10))


# The learning part: double integrator of the examples, |u_t| and one mixed row.
T, A, B = 10, np.array([[1.0, 1.0], [0.0, 1.0]]), np.array([0.5, 1.0])
D_W, FREE = 2 * (T + 1), 2 * T


def states(w, u):
    x = [w[:2]]
    for t in range(T):
        x.append(A @ x[t] + B * u[t] + w[2 * t + 2:2 * t + 4])
    return np.concatenate(x)


F = np.array([states(e, np.zeros(T)) for e in np.eye(D_W)]).T
S_X = np.array([states(np.zeros(D_W), e) for e in np.eye(T)]).T
Q = np.diag([1, 0.1] * T + [2, 0.2])
P, N, K0 = S_X.T @ Q @ S_X + 0.5 * np.eye(T), S_X.T @ Q @ F, F.T @ Q @ F
CAUSAL = np.arange(FREE) // 2 <= np.arange(T)[:, None]
p = np.vstack([np.eye(T), S_X[4] + 0.5 * np.eye(T)[2]])        # rows: u_t, and x_2 + u_2 / 2
a0 = np.vstack([np.zeros((T, D_W)), F[4]])


class Dual:
    def __init__(self, Sigma, tau2, p=p, a0=a0):
        self.Sigma, self.tau2, self.p, self.a0 = Sigma, tau2, p, a0
        self.L = np.linalg.cholesky(Sigma[:FREE, :FREE])

    def __call__(self, lam):
        P_l, N_l = P + (self.p.T * lam) @ self.p, N + (self.p.T * lam) @ self.a0
        self.R = np.linalg.cholesky(P_l[::-1, ::-1])[::-1, ::-1]
        X = np.linalg.solve(self.L, np.linalg.solve(self.R, (N_l @ self.Sigma)[:, :FREE]).T).T * CAUSAL
        self.Z = np.zeros((T, D_W))
        self.Z[:, :FREE] = -np.linalg.solve(self.R.T, np.linalg.solve(self.L.T, X.T).T)
        self.a = self.a0 + self.p @ self.Z
        self.s2 = np.einsum("ij,jk,ik->i", self.a, self.Sigma, self.a)
        Z = self.Z
        self.cost = np.sum((K0 + N.T @ Z + Z.T @ N + Z.T @ P @ Z) * self.Sigma)
        return self.cost + lam @ (self.s2 - self.tau2)

    def hessian(self):
        r = np.linalg.solve(self.R, self.p.T).T
        b = np.linalg.solve(self.L, (self.a @ self.Sigma)[:, :FREE].T).T
        H, G = np.zeros((len(r),) * 2), np.zeros((len(r),) * 2)
        for t in range(T):
            G = G + b[:, 2 * t:2 * t + 2] @ b[:, 2 * t:2 * t + 2].T
            H += np.outer(r[:, t], r[:, t]) * G
        return -2 * H

    def barrier(self, lam, mu):
        """Newton on d + mu sum log lambda, to rounding."""
        for _ in range(200):
            self(lam)
            g = self.s2 - self.tau2 + mu / lam
            if np.abs(g * lam).max() < 1e-12 * self.cost:
                break
            step = np.linalg.solve(np.diag(mu / lam**2) - self.hessian(), g)
            size = min(1, 0.9 / max(1e-300, (-step / lam).max()))
            lam = lam + size * step
        return lam


def expansion_ratio():
    """Item 4, autoregressive: largest variance of a row over the ellipsoid, over its bound."""
    rng, n, steps, worst = np.random.default_rng(15), 2, 8, 0
    d, s = n * (steps + 1), 2 * n                              # w = (x_0, w_0, ...), s = (x_0, w_0)

    def unrolled(Phi):
        Z_Phi = np.zeros((d, d))
        for t in range(2, steps + 1):
            Z_Phi[n * t:n * t + n, n * t - n:n * t] = Phi
        return np.linalg.inv(np.eye(d) - Z_Phi)

    for _ in range(40):
        Phi, a, beta = rng.uniform(-0.5, 0.6, (n, n)), rng.standard_normal(d), rng.uniform(0.5, 4)
        X = rng.standard_normal((n, n)) * 0.5
        root_v, G = np.linalg.cholesky(X @ X.T + 0.1 * np.eye(n)), rng.standard_normal((n, n)) * 0.08
        X = rng.standard_normal((s, s))
        D = np.zeros((d, d))
        D[:s, :s] = X @ X.T
        for t in range(2, steps + 1):
            D[n * t:n * t + n, n * t:n * t + n] = root_v @ root_v.T
        Lam, times = unrolled(Phi), range(2, steps + 1)        # block t holds w_{t-1}
        H = {t: (a @ Lam)[n * t:n * t + n] for t in times}
        R = {t: Lam[n * t - n:n * t] for t in times}           # its regressor
        h = {t: root_v.T @ H[t] for t in times}
        Nn = {(t, k): np.outer(h[t], G @ R[k] @ D @ Lam.T @ a) for t in times for k in times}
        Wn = {(t, k): G @ R[t] @ D @ R[k].T @ G.T for t in times for k in times}
        ell = {(t, k): G @ R[t][:, n * k:n * k + n] @ root_v for t in times for k in times if k < t}
        g = sum(Nn[t, t] for t in times).T.ravel()             # columns of F one after the other
        G11 = sum(np.kron(Wn[t, k], np.outer(h[t], h[k])) for t in times for k in times)
        X4 = sum(np.einsum("ji,al->ajil", Nn[tk], ell[tk]) for tk in ell)  # row (a, j), column (i, l)
        G2 = G11 + X4.reshape(n * n, -1) + X4.reshape(n * n, -1).T
        e1 = np.array([beta * np.sqrt(max(np.linalg.eigvalsh(Wn[t, t])[-1], 0)) for t in times])
        C = np.array([[beta * np.linalg.norm(ell[t, k], 2) if k < t else 0 for k in times] for t in times])
        size = np.array([np.linalg.norm(h[t]) for t in times])  # |K_tk| = |h_t| |h_k|: one row
        e2 = C @ e1
        e3 = np.linalg.solve(np.eye(len(C)) - C, e1) - e1 - e2
        J0 = a @ Lam @ D @ Lam.T @ a
        n0, n1 = np.sqrt(J0), beta * np.sqrt(max(np.linalg.eigvalsh(G11)[-1], 0))
        n2, n3 = size @ e2, size @ e3
        top = max(np.linalg.eigvalsh(G2)[-1], 0)
        sup = min(nu * beta**2 + g @ np.linalg.solve(nu * np.eye(n * n) - G2, g)
                  for nu in top + np.geomspace(1e-4, 1e4, 400) * (np.linalg.norm(g) / beta + 1e-9))
        bound = J0 + sup + 2 * n1 * n2 + n2**2 + 2 * (n0 + n1 + n2) * n3 + n3**2

        def variance(f):
            f = f * min(1, beta / np.linalg.norm(f))
            c = a @ unrolled(Phi + root_v @ f.reshape(n, n).T @ G)
            return c @ D @ c
        for _ in range(6):
            f = rng.standard_normal(n * n)
            found = optimize.minimize(lambda x: -variance(x), beta * f / np.linalg.norm(f), method="BFGS")
            worst = max(worst, -found.fun / bound)
    return worst


def concavity():
    """Item 9, affine: the room of a row at the middle of two (mean, excess), against the mean of both rooms."""
    rng, worst = np.random.default_rng(16), -np.inf

    def room(low, high, mean, alpha):
        return optimize.brentq(lambda s: sf((high - mean) / s) + sf((mean - low) / s) - alpha, 1e-9, 1e9, xtol=1e-15)
    for _ in range(2000):
        alpha = 10**rng.uniform(-6, -0.31)
        low, high = -rng.uniform(0.5, 2), rng.uniform(0.5, 2)
        ends = []
        for _ in range(2):
            e = rng.uniform(0, 1)
            mean = rng.uniform(low - e, high + e)
            ends.append((low - e, high + e, mean))
        middle = np.mean(ends, axis=0)
        worst = max(worst, 1 - room(*middle, alpha) / np.mean([room(*end, alpha) for end in ends]))
    return worst


def learning():
    rng = np.random.default_rng(13)
    time = np.arange(T + 1)
    Sigma = np.kron(0.1 * 0.8 ** np.abs(time - time[:, None]), np.eye(2)) + 0.01 * np.eye(D_W)
    tau = np.append(np.full(T, 0.43), 0.6)
    dual = Dual(Sigma, tau**2)
    lam = rng.uniform(0.1, 2, len(p))
    dual(lam)
    H, gradient = dual.hessian(), dual.s2 - tau**2
    e = 1e-5
    numeric, slope = np.zeros_like(H), np.zeros(len(p))
    for c in range(len(p)):
        step = e * np.eye(len(p))[c]
        up, s_up = dual(lam + step), dual.s2
        down, s_down = dual(lam - step), dual.s2
        numeric[c], slope[c] = (s_up - s_down) / (2 * e), (up - down) / (2 * e)
    print("\n| learning | |\n|---|---|")
    print("| gradient of the dual against differences | "
          f"{np.abs(slope - gradient).max() / np.abs(gradient).max():.1e} |")
    print(f"| Hessian against differences | {np.abs(numeric - H).max() / np.abs(H).max():.1e} |")
    lam = np.full(len(p), 1.0)
    for mu in 10.0 ** np.arange(0, -9, -1):
        lam = dual.barrier(lam, mu)
        if mu in (1e-2, 1e-8):
            d = dual(lam)
            print(f"| gap over C mu at mu = {mu:.0e}; rows below their limits | "
                  f"{(dual.cost - d) / (len(p) * mu):.6f}; {int((dual.s2 < tau**2).sum())} of {len(p)} |")
    price, cost = lam.copy(), dual.cost
    c = int(np.argmax(price[:T]))
    values = []
    for sign in (1, -1):
        other = Dual(Sigma, tau**2 + sign * 1e-5 * np.eye(len(p))[c])
        l = price.copy()
        for mu in (1e-4, 1e-6, 1e-8):
            l = other.barrier(np.maximum(l, 1e-6), mu)
        values.append(other.cost)
    print(f"| price of a limit against differences of the optimal cost | "
          f"{-(values[0] - values[1]) / 2e-5 / price[c]:.5f} |")
    # E v^2 <= V: nothing off centre is worse beyond sqrt(3) deviations.
    x = np.linspace(np.sqrt(3), 8, 400)[:, None]
    m = np.linspace(0, 0.999, 400)[None, :]
    s = np.sqrt(1 - m**2)
    print(f"| second moment alone, largest ratio to the centred tail | "
          f"{((sf((x - m) / s) + sf((x + m) / s)) / (2 * sf(x))).max():.6f} |")
    print(f"| autoregressive: largest row variance of the ellipsoid over its bound | {expansion_ratio():.4f} |")
    print(f"| affine rows: largest share by which a room at a middle is below the mean of both | {concavity():.1e} |")
    # Clipped and unclipped loops: one event.
    K = dual.Z @ np.linalg.inv(F + S_X @ dual.Z)
    same = 0
    W = rng.standard_normal((4000, D_W)) @ np.linalg.cholesky(Sigma).T
    for w in W:
        free = np.abs(dual.Z @ w).max() <= 0.9
        x, clipped = [w[:2]], False
        for t in range(T):
            u = K[t, :2 * t + 2] @ np.concatenate(x)
            clipped |= abs(u) > 0.9
            x.append(A @ x[t] + B * np.clip(u, -0.9, 0.9) + w[2 * t + 2:2 * t + 4])
        same += free == (not clipped)
    print(f"| episodes in which both loops agree on whether anything clips | {same} of 4000 |")


def power():
    """How often each kind reaches 5 % for any |u_t| > 1.5, designs of several back-offs."""
    rng, h, delta = np.random.default_rng(17), 1.5, 0.05
    time = np.arange(T + 1)
    Sigma = np.kron(0.1 * 0.8 ** np.abs(time - time[:, None]), np.eye(2))
    root = np.linalg.cholesky(Sigma)
    print("\n| back-off, cost, union, product, true | m | tolerance | count | scaled 0.85 | scaled 0.95 |")
    print("|---|---|---|---|---|---|")
    for back_off in (1.0, 1.1, 1.2, 1.3):
        tau2 = np.full(T, (h / back_off / isf(0.0025))**2)
        dual, lam = Dual(Sigma, tau2, p[:T], a0[:T]), np.full(T, 1.0)
        for mu in (1, 1e-1, 1e-2, 1e-3, 1e-4, 1e-5, 1e-6):
            lam = dual.barrier(lam, mu)
        row_p = 2 * sf(h / np.sqrt(dual.s2))
        big = np.abs(rng.standard_normal((400000, D_W)) @ (root.T @ dual.a.T)).max(1)
        label = f"{back_off}, {dual.cost:.3f}, {row_p.sum():.4f}, {1 - np.prod(1 - row_p):.4f}, {(big > h).mean():.4f}"
        for m in (50, 100, 200):
            sets = max(SETS // 10, 100)
            v = (rng.standard_normal((sets * m, D_W)) @ (root.T @ dual.a.T)).reshape(sets, m, T)
            up = np.sqrt((v**2).sum(1) / stats.chi2.ppf(delta / T, m))
            values = [(2 * sf(h / up)).sum(1)]
            for rho in (1, 0.85, 0.95):
                bound = count_bound((np.abs(v).max(2) > rho * h).sum(1), m, delta)
                values.append(2 * sf(isf(bound / 2) / rho))
            print(f"| {label} | {m} | " + " | ".join(f"{np.mean(x <= 0.05):.0%}" for x in values) + " |", flush=True)


if __name__ == "__main__":
    attacks()
    learning()
    power()

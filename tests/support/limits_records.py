"""Honest certificates that limits hold, made by NumPy and SciPy alone from random plants: what
loopcert-verify is held against. A Run has the files of `loopcert learn` or `certify` in memory."""

import copy
import functools

import numpy as np
from scipy import integrate, optimize, special, stats

import honest_runs

LENGTH = 8  # of a path


# --- closed loops ---------------------------------------------------------------------------------

class Loop:
    """Phi = (phi, Phi): column 0 answers to the constant 1, the others to w."""

    def __init__(self, problem, U):
        system, T = problem["system"], problem["horizon"]
        A, B = np.array(system["A"]), np.array(system["B"])
        n_x, n_u = B.shape
        d = np.array(system.get("d", np.zeros((T, n_x))))
        self.U, self.X = U, np.zeros(((T + 1) * n_x, 1 + (T + 1) * n_x))
        self.X[:n_x, 1:1 + n_x] = np.eye(n_x)
        for t in range(T):
            step = A @ self.X[t * n_x:(t + 1) * n_x] + B @ U[t * n_u:(t + 1) * n_u]
            step[:, 0] += d[t]
            step[:, 1 + (t + 1) * n_x:1 + (t + 2) * n_x] += np.eye(n_x)
            self.X[(t + 1) * n_x:(t + 2) * n_x] = step

    @staticmethod
    def of_gains(problem, K, k):
        """u = K x + k, K block lower triangular."""
        T, n_u = problem["horizon"], np.array(problem["system"]["B"]).shape[1]
        U = np.zeros((T * n_u, 1 + K.shape[1]))
        for t in range(T):
            X = Loop(problem, U).X
            U[t * n_u:(t + 1) * n_u] = K[t * n_u:(t + 1) * n_u] @ X
            U[t * n_u:(t + 1) * n_u, 0] += k[t * n_u:(t + 1) * n_u]
        return Loop(problem, U)

    def gains(self):
        K = np.linalg.solve(self.X[:, 1:].T, self.U[:, 1:].T).T
        return K, self.U[:, 0] - K @ self.X[:, 0]


def mean_loop(problem, loops):
    return Loop(problem, sum(loop.U for loop in loops) / len(loops))


class Rows:
    """m + a'w of every row at its steps, and its limits."""

    def __init__(self, problem, loop):
        n_x, n_u = np.array(problem["system"]["B"]).shape
        values, self.low, self.high = [], [], []
        for row in problem["limits"]["rows"]:
            for t in range(row["steps"][0], row["steps"][1] + 1):
                value = np.array(row["x"]) @ loop.X[t * n_x:(t + 1) * n_x]
                if np.any(row["u"]):
                    value = value + np.array(row["u"]) @ loop.U[t * n_u:(t + 1) * n_u]
                values.append(value)
                self.low.append(row.get("min", -np.inf))
                self.high.append(row.get("max", np.inf))
        values = np.array(values)
        self.m, self.a = values[:, 0], values[:, 1:]
        self.low, self.high = np.array(self.low), np.array(self.high)

    def violations(self, deviations):
        inside = (self.low < self.m) & (self.m < self.high)
        with np.errstate(divide="ignore"):
            tails = (stats.norm.sf((self.high - self.m) / deviations) +
                     stats.norm.sf((self.m - self.low) / deviations))
        return np.where(inside, np.minimum(tails, 1), 1.0)


# --- lemmas ---------------------------------------------------------------------------------------

@functools.lru_cache(maxsize=None)
def wishart_floor(d, n, delta):
    """The delta-quantile of the smallest eigenvalue over n, of a standard Wishart of size 1 or 2."""
    if d == 1:
        return min(1, stats.chi2.ppf(delta, n) / n)
    s = (n - 1) / 2  # density (l1 l2)^(s-1) e^(-(l1+l2)/2) (l1-l2), in halves x of the eigenvalues

    def density(x, scale):
        return np.exp((s - 1) * np.log(x) - x - scale) * (
            special.gammaincc(s + 1, x) * s - x * special.gammaincc(s, x))

    scale = special.gammaln(s)

    def above(x):
        return integrate.quad(density, x, np.inf, args=(scale,), epsabs=0, epsrel=1e-12, limit=500)[0]

    all_of_it = integrate.quad(density, 0, s, args=(scale,), epsabs=0, epsrel=1e-12, limit=500)[0] + above(s)

    def below(x):
        return integrate.quad(density, 0, x, args=(scale,), epsabs=0, epsrel=1e-12, limit=500)[0]

    root = optimize.brentq(lambda x: below(x) / all_of_it - delta, 1e-9 * n, n / 2, xtol=1e-14 * n)
    return 2 * root / n


def tail_above(k, n, delta):
    """The bound on P(v > h) from k = (h - mean)/s of n draws."""
    def chance(z):
        nu = n - 1
        density = lambda s: np.exp(np.log(2) + nu / 2 * np.log(nu / 2) - special.gammaln(nu / 2) +
                                   (nu - 1) * np.log(s) - nu / 2 * s * s)
        width = 9 / np.sqrt(2 * nu)
        points = np.linspace(max(1e-12, 1 - width), 1 + width + (3 if nu < 20 else 0), 16)
        return sum(integrate.fixed_quad(
            lambda s: density(s) * stats.norm.sf(np.sqrt(n) * (k * s - z)), a, b, n=24)[0]
            for a, b in zip(points, points[1:]))
    z = optimize.brentq(lambda z: chance(z) - delta, -abs(k) - 30, abs(k) + 30, xtol=1e-13)
    return stats.norm.sf(z)


def count_above(k, n, delta):
    return 1.0 if k == n else stats.beta.ppf(1 - delta, k + 1, n - k)


def together(limits, each):
    return min(1.0, float(np.max(each) if "each" in limits else np.sum(each)))


def colour_variances(w, a, T, deltas):
    """One state, w_t = Theta w_{t-1} + v_t: docs/theory/identified-cost.md for the cost (a'w)^2, row
    by row; and what the events say."""
    n, N = len(w), len(w) * (T - 1)
    V = np.sum(w[:, 1:T]**2)
    V_0 = 0.35 * (T - 1) * np.sum(w[:, 1]**2)
    yr, yy = np.sum(w[:, 2:] * w[:, 1:T]), np.sum(w[:, 2:]**2)
    Theta = yr / V
    beta_2 = 2 * np.log(1 / deltas[0]) + np.log(1 + V / V_0)
    q = wishart_floor(1, N, deltas[1])
    root = np.sqrt((yy - Theta * yr) / (N * q - (1 + V_0 / V) * beta_2))
    G = np.sqrt((V + V_0)) / V
    q_0 = wishart_floor(2, n, deltas[2])
    D = np.eye(T + 1)  # of (x_0, w_0, e_1, ..., e_{T-1})
    D[:2, :2] = w[:, :2].T @ w[:, :2] / n / q_0
    Lambda = np.zeros((T + 1, T + 1))
    Lambda[:2, :2] = np.eye(2)
    for t in range(1, T):
        Lambda[t + 1] = Theta * Lambda[t]
        Lambda[t + 1, t + 1] = root
    R = G * Lambda[1:T]  # r_t
    W, L = R @ D @ R.T, R[:, 2:]
    beta, variances = np.sqrt(beta_2), []
    for row in a:
        h = row @ Lambda
        e = h[2:]
        cost = h @ D @ h
        N_tj = np.outer(e, h @ D @ R.T)
        g = np.trace(N_tj)
        own = np.sum(W * np.outer(e, e))
        second = own + 2 * np.sum(np.tril(N_tj * L, -1))
        e_1 = beta * np.sqrt(np.diag(W))
        C = beta * np.abs(np.tril(L, -1))
        e_2, e_3 = C @ e_1, np.zeros(T - 1)
        for t in range(T - 1):
            e_3[t] = C[t, :t] @ (e_2 + e_3)[:t]
        norms = np.outer(np.abs(e), np.abs(e))
        n_1, n_2, n_3 = (np.sqrt(x @ norms @ x) for x in (e_1, e_2, e_3))
        n_1 = min(n_1, beta * np.sqrt(own))
        # sup of 2 g f + second f^2 over |f| <= beta, by the best multiplier, which is not negative
        nu = max(abs(g) / beta + second, 0)
        two = nu * beta_2 + (g * g / (nu - second) if g != 0 else 0)
        variances.append(cost + two + 2 * n_1 * n_2 + n_2**2 + 2 * (np.sqrt(cost) + n_1 + n_2) * n_3 +
                         n_3**2)
    statements = [{"id": "model-ellipsoid", "parameters": {"beta": beta}},
                  {"id": "noise-floor", "parameters": {"q": q, "transitions": N}},
                  {"id": "start-floor", "parameters": {"q": q_0, "lags": 1}}]
    return np.array(variances), statements


# --- kinds ----------------------------------------------------------------------------------------

def statement(name, **parameters):
    return {"id": name, "parameters": parameters}


def event(name, delta, said, fold=None, choices=1):
    return {"kind": None, "fold": fold, "id": name, "delta": delta, "choices": choices,
            "statement": said}


class Says:
    def __init__(self, value, events, assumptions):
        self.value, self.events = float(value), events
        self.assumptions = [a if isinstance(a, dict) else statement(a) for a in assumptions]


def tolerance(problem, rows, fresh, delta, first="controller-fixed", choices=1):
    limits, (m, C) = problem["limits"], (len(fresh), len(rows.m))
    sharing = 1 if "each" in limits else C  # only the worst row can make a claim about it false
    if problem["disturbance"]["zero_mean"]:
        q = min(1, stats.chi2.ppf(delta / choices / sharing, m) / m)
        s = np.sqrt(np.mean((fresh @ rows.a.T)**2, axis=0) / q)
        said = statement("tolerance", rows=sharing, n=m, q=q)
        return Says(together(limits, rows.violations(s)),
                    [event("tolerance", delta, said, choices=choices)],
                    [first, "gaussian-zero-mean", "model"])
    values = rows.m + fresh @ rows.a.T
    mean, s = values.mean(axis=0), values.std(axis=0, ddof=1)
    each = []
    for c in range(C):
        sides = [(rows.high[c] - mean[c]) / s[c], (mean[c] - rows.low[c]) / s[c]]
        each.append(min(1, sum(tail_above(k, m, delta / choices / 2 / sharing) for k in sides if np.isfinite(k))))
    said = statement("tolerance-mean", rows=sharing, n=m)
    return Says(together(limits, each), [event("tolerance", delta, said, choices=choices)],
                [first, "gaussian", "model"])


def count(problem, rows, fresh, delta, first="controller-fixed"):
    values, m = rows.m + fresh @ rows.a.T, len(fresh)
    out = (values < rows.low) | (values > rows.high)
    k = int(out.sum(axis=0).max() if "each" in problem["limits"] else out.any(axis=1).sum())
    said = statement("count", violations=k, n=m)
    return Says(count_above(k, m, delta), [event("count", delta, said)], [first, "any-law", "model"])


def envelope(problem, rows, data, delta):
    law, T, n_x = problem["disturbance"], problem["horizon"], len(problem["system"]["A"])
    n, S = len(data), data.T @ data / len(data)
    if law["white"]:
        shared = law["stationary"]
        each = delta / (2 if shared else T + 1)
        q_0 = wishart_floor(n_x, n, each)
        q = wishart_floor(n_x, n * T, each) if shared else q_0
        parts = [S[t * n_x:(t + 1) * n_x, t * n_x:(t + 1) * n_x] for t in range(T + 1)]
        U = np.zeros_like(S)
        for t in range(T + 1):
            part = parts[0] / q_0 if t == 0 else (sum(parts[1:]) / T if shared else parts[t]) / q
            U[t * n_x:(t + 1) * n_x, t * n_x:(t + 1) * n_x] = part
        said, assumed = statement("covariance-white", q_0=q_0, q=q), ["white"]
        assumed += ["stationary"] if shared else []
    elif "autoregressive" in law:
        variances, said = colour_variances(data, rows.a, T, [delta / 3] * 3)
        events = [event(name, delta / 3, one) for name, one in zip(("model", "noise", "start"), said)]
        return Says(together(problem["limits"], rows.violations(np.sqrt(variances))), events,
                    ["gaussian-zero-mean", statement("autoregressive", lags=1), "model"])
    else:
        q = wishart_floor(n_x * (T + 1), n, delta)
        U, said, assumed = S / q, statement("covariance-relative", q=q), []
    s = np.sqrt(np.einsum("ci,ij,cj->c", rows.a, U, rows.a))
    return Says(together(problem["limits"], rows.violations(s)),
                [event("covariance", delta, said)], ["gaussian-zero-mean", *assumed, "model"])


def assumed(problem, rows):
    law = problem["disturbance"]
    if "covariance_bound" in law:
        U, said = np.array(law["covariance_bound"]), statement("covariance-bound")
    else:
        U = law["scale_bound"] * np.eye(rows.a.shape[1])
        said = statement("scale-bound", scale=law["scale_bound"])
    s = np.sqrt(np.einsum("ci,ij,cj->c", rows.a, U, rows.a))
    return Says(together(problem["limits"], rows.violations(s)), [], ["gaussian-zero-mean", said, "model"])


def robust(problem, rows):
    limits, n_x = problem["limits"], len(problem["system"]["A"])
    steps = rows.a.reshape(len(rows.a), -1, n_x)
    if "box" in limits:
        reach = np.abs(steps) @ np.array(limits["box"])
        reach, said = reach.sum(axis=1), statement("bounded-box", bound=max(limits["box"]))
    elif "step_radius" in limits:
        reach = limits["step_radius"] * np.linalg.norm(steps, axis=2).sum(axis=1)
        said = statement("bounded-steps", radius=limits["step_radius"])
    else:
        radius = problem["disturbance"]["radius"]
        reach, said = radius * np.linalg.norm(rows.a, axis=1), statement("bounded-radius", radius=radius)
    kept = np.all(rows.m + reach <= rows.high) and np.all(rows.m - reach >= rows.low)
    return Says(0 if kept else 1, [], [said, "model"])


def one(kind, problem, loop, fresh, data, delta, **more):
    rows = Rows(problem, loop)
    if kind == "limits-tolerance":
        return tolerance(problem, rows, fresh, delta, **more)
    if kind == "limits-count":
        return count(problem, rows, fresh, delta, **more)
    if kind == "limits-envelope":
        return envelope(problem, rows, data, delta)
    return assumed(problem, rows) if kind == "limits-assumed" else robust(problem, rows)


def folds(problem, loops, data):
    """limits-tolerance for the mean of one response for each fold."""
    K, delta = len(loops), problem["limits"]["delta"] / len(loops)
    mean, deviations, events = Rows(problem, mean_loop(problem, loops)), 0, []
    for k, loop in enumerate(loops):
        rows, fresh = Rows(problem, loop), data[k::K]
        q = min(1, stats.chi2.ppf(delta / len(rows.m), len(fresh)) / len(fresh))
        deviations = deviations + np.sqrt(np.mean((fresh @ rows.a.T)**2, axis=0) / q) / K
        events.append(event("tolerance", delta, statement("tolerance", rows=len(rows.m), n=len(fresh), q=q),
                            fold=k + 1))
    return Says(together(problem["limits"], mean.violations(deviations)), events,
                ["responses-fixed", "gaussian-zero-mean", "model"])


def shares(problem, m, C, way):
    """The rule of limits-best."""
    law, limits = problem["disturbance"], problem["limits"]
    if "robust" in limits:
        return {}
    gaussian, centred, single = law["model"] == "gaussian", law["zero_mean"], way not in ("cross", "whole")
    target, delta, mostly = limits.get("each", limits.get("probability")), limits["delta"], 0.8
    sharing = 1 if "each" in limits else C
    stretch = np.sqrt(min(1, stats.chi2.ppf(mostly, m) / m) / min(1, stats.chi2.ppf(delta / sharing, m) / m))
    of_tolerance = 2 * sharing * stats.norm.sf(stats.norm.isf(target / (2 * sharing)) * stretch)
    most = sum(count_above(k, m, delta) <= target for k in range(m))  # failures that still certify, and one
    of_count = stats.beta.ppf(1 - mostly, most, m - most + 1) if most else 0
    counts = single and of_count > of_tolerance
    weights = {}
    if gaussian and (single or (way == "cross" and centred)):
        weights["limits-tolerance"] = 1 if counts else 8
    if gaussian and centred and (
            way == "whole" or law["white"] or ("autoregressive" in law and not counts)):
        weights["limits-envelope"] = 8
    if single:
        weights["limits-count"] = 8 if counts else 1
    total = sum(weights.values())
    return {kind: limits["delta"] * weight / total for kind, weight in weights.items()}


def best(problem, loop, fresh, data, way, **more):
    """(chosen kind, what it says, events of all)"""
    C = len(Rows(problem, loop).m)
    found = {}
    for kind, delta in shares(problem, len(fresh), C, way).items():
        some = {} if kind == "limits-envelope" else more
        found[kind] = one(kind, problem, loop, fresh, data, delta, **some)
    law = problem["disturbance"]
    if "robust" in problem["limits"]:
        found["limits-robust"] = one("limits-robust", problem, loop, fresh, data, 0)
    elif law["model"] == "gaussian" and law["zero_mean"] and (
            "covariance_bound" in law or "scale_bound" in law):
        found["limits-assumed"] = one("limits-assumed", problem, loop, fresh, data, 0)
    chosen = min(found, key=lambda kind: found[kind].value)
    events = [{**e, "kind": kind} for kind, says in found.items() for e in says.events]
    return chosen, found[chosen], events


# --- problems, data and runs ----------------------------------------------------------------------

def problem_of(random, n_x=2, n_u=1, T=4, law=None, limits=None, offset=False, kind="limits-best",
               method="shrinkage"):
    """As loopcert writes it into a record."""
    A = np.round(np.eye(n_x) + 0.3 * random.normal(size=(n_x, n_x)), 4)
    B = np.round(random.normal(size=(n_x, n_u)), 4)
    tree = {"name": "limits", "horizon": T, "system": {"A": A.tolist(), "B": B.tolist()},
            "cost": {"Q": np.eye(n_x).tolist(), "R": np.eye(n_u).tolist(), "P": np.eye(n_x).tolist()},
            "response": {"affine": False, "start": "lqr", "basis": "cost"},
            "disturbance": {"model": "gaussian", "white": False, "stationary": False,
                            "zero_mean": True, **(law or {})},
            "learning": {"method": method, "gamma": "cv",
                         "prior": {"center": "start", "scale": 1.0, "fraction": 0.5, "method": "ridge"}},
            "certificate": {"kind": "best", "delta": 0.05, "fraction": 0.5, "folds": 3}}
    if offset:
        tree["system"]["d"] = np.round(0.1 * random.normal(size=(T, n_x)), 4).tolist()
    rows = [{"name": f"u{i}", "x": [0.0] * n_x, "u": [float(i == j) for j in range(n_u)],
             "steps": [0, T - 1], "min": -3.0, "max": 3.0} for i in range(n_u)]
    rows += [{"name": f"x{i}", "x": [float(i == j) for j in range(n_x)], "u": [0.0] * n_u,
              "steps": [1, T], "min": -6.0, "max": 7.0} for i in range(n_x)]
    rows += [{"name": "one side", "x": np.round(random.normal(size=n_x), 4).tolist(), "u": np.round(random.normal(size=n_u), 4).tolist(),
              "steps": [1, T - 1 if T > 1 else 1], "max": 5.0}][:T > 1]
    tree["limits"] = {"rows": rows, "delta": 0.05, "kind": kind, **(limits or {"probability": 0.05})}
    return tree


def random_gains(random, problem, size=0.3):
    T, (n_x, n_u) = problem["horizon"], np.array(problem["system"]["B"]).shape
    K = size * random.normal(size=(T * n_u, (T + 1) * n_x))
    for t in range(T):
        K[t * n_u:(t + 1) * n_u, (t + 1) * n_x:] = 0
    return K


def lqr_gains(problem):
    A, B = np.array(problem["system"]["A"]), np.array(problem["system"]["B"])
    (n_x, n_u), T = B.shape, problem["horizon"]
    Q, R, V = (np.array(problem["cost"][key]) for key in "QRP")
    K = np.zeros((T * n_u, (T + 1) * n_x))
    for t in reversed(range(T)):
        gain = -np.linalg.solve(R + B.T @ V @ B, B.T @ V @ A)
        V = Q + A.T @ V @ (A + B @ gain)
        K[t * n_u:(t + 1) * n_u, t * n_x:(t + 1) * n_x] = gain
    return K


def data_of(random, problem, n, scale=0.3):
    law, d = problem["disturbance"], (problem["horizon"] + 1) * len(problem["system"]["A"])
    w = scale * random.normal(size=(n, d))
    if "autoregressive" in law:  # one state
        for t in range(2, d):
            w[:, t] += 0.6 * w[:, t - 1]
    if not law["zero_mean"]:
        w += 0.2 * random.normal(size=d)
    if "robust" in problem["limits"]:
        w = np.clip(w, -0.3, 0.3) / np.sqrt(len(problem["system"]["A"]))
    return w


def run_of(problem, kind, chosen, says, events, n, data, loop, inputs, responses=None):
    K, k = loop.gains()
    (n_x, n_u), T = np.array(problem["system"]["B"]).shape, problem["horizon"]
    for t in range(T):
        K[t * n_u:(t + 1) * n_u, (t + 1) * n_x:] = 0
    if "d" not in problem["system"]:
        k = np.zeros_like(k)
    run = object.__new__(honest_runs.Run)
    run.controller = {"format": "loopcert controller 1", "horizon": T, "n_x": n_x, "n_u": n_u,
                      "K": K.tolist(), "k": k.tolist()}
    run.data, run.arrays = data, {"responses": responses} if responses else {}
    run.certificate = {
        "format": "loopcert certificate 2", "kind": kind, "chosen": chosen, "subject": "controller",
        "functional": statement("violation-each" if "each" in problem["limits"] else "violation"),
        "oracle": False, "value": says.value,
        "confidence": 1 - sum(e["delta"] for e in events),
        "terms": [{"id": "violation", "value": says.value}], "events": events,
        "assumptions": says.assumptions, "n": n, "kl": None, "lambda": None, "solver": None, "all": [],
        "inputs": {"problem": problem, **inputs}}
    run.rehash()
    return run


def arrays_of(loops, names):
    found = {}
    for loop, name in zip(loops, names):
        found[f"Phi_u_{name}"], found[f"phi_u_{name}"] = loop.U[:, 1:], loop.U[:, :1]
    return found


def deployed(method, way):
    return {"deployment": {"method": method, "way": way}, "responses": "responses.npz"}


def given(random, problem, data):
    """certify: a controller from elsewhere."""
    loop = Loop.of_gains(problem, random_gains(random, problem), np.zeros(
        problem["horizon"] * np.array(problem["system"]["B"]).shape[1]))
    inputs, limits = {"controller": "controller.json"}, problem["limits"]
    if limits["kind"] == "limits-best":
        chosen, says, events = best(problem, loop, data, data, "")
        return run_of(problem, "limits-best", chosen, says, events, len(data), data, loop, inputs)
    says = one(limits["kind"], problem, loop, data, data, limits["delta"])
    return run_of(problem, limits["kind"], None, says, says.events, len(data), data, loop, inputs)


def fixed(problem, data):
    """learn with method lqr."""
    loop = Loop.of_gains(problem, lqr_gains(problem), np.zeros(
        problem["horizon"] * np.array(problem["system"]["B"]).shape[1]))
    kind, inputs = problem["limits"]["kind"], deployed("lqr", "fixed")
    says = one(kind, problem, loop, data, data, problem["limits"]["delta"])
    return run_of(problem, kind, None, says, says.events, len(data), data, loop, inputs,
                  arrays_of([loop], "0"))


def cross(random, problem, data):
    K, problem = problem["certificate"]["folds"], copy.deepcopy(problem)
    base = random_gains(random, problem)
    zero = np.zeros(len(base))
    loops = [Loop.of_gains(problem, base + random_gains(random, problem, 0.05), zero) for _ in range(K)]
    if problem["limits"]["kind"] == "limits-tolerance":
        says = folds(problem, loops, data)
    else:
        says = one(problem["limits"]["kind"], problem, mean_loop(problem, loops), data, data,
                   problem["limits"]["delta"])
    return run_of(problem, problem["limits"]["kind"], None, says, says.events, len(data), data,
                  mean_loop(problem, loops), deployed("shrinkage", "cross"),
                  arrays_of(loops, map(str, range(K))))


def path(random, problem, data, place):
    """A path of controllers that grow bolder, with limits between two of them; place 0: all fail."""
    problem = copy.deepcopy(problem)
    limits = problem["limits"]
    target = limits.get("each", limits.get("probability"))
    fresh = data[int(np.floor(problem["certificate"]["fraction"] * len(data))):]
    base, zero = random_gains(random, problem), 0
    loops = [Loop.of_gains(problem, size * base, np.zeros(len(base))) for size in np.linspace(0.3, 1, LENGTH)]
    limits["rows"] = [row for row in limits["rows"] if np.any(row["u"]) and not np.any(row["x"])]

    def value(loop):
        if limits["kind"] == "limits-best":
            return best(problem, loop, fresh, data, "hold-out")[1].value
        return one(limits["kind"], problem, loop, fresh, data, limits["delta"]).value

    for h in np.geomspace(0.05, 20, 150):
        for row in limits["rows"]:
            row["min"], row["max"] = -round(float(h), 4), round(float(h), 4)
        values = [value(loop) for loop in loops]
        passed = next((i for i, v in enumerate(values) if v > target), LENGTH)
        if passed == place:
            break
    else:
        raise RuntimeError("no limits between these controllers")
    at = max(place, 1)
    inputs = deployed("shrinkage", "hold-out")
    inputs["limits_path"] = {"length": LENGTH, "place": at, "passed": place > 0}
    kind, chosen = limits["kind"], None
    if kind == "limits-best":
        chosen, says, events = best(problem, loops[at - 1], fresh, data, "hold-out")
    else:
        says = one(kind, problem, loops[at - 1], fresh, data, limits["delta"])
        events = says.events
    if place > 0:
        says.value = target
    if says.assumptions[0]["id"] == "controller-fixed":
        says.assumptions[0] = statement("controllers-fixed")
    n = len(data) if chosen or kind == "limits-envelope" else len(fresh)
    return run_of(problem, kind, chosen, says, events, n, data, loops[at - 1], inputs,
                  arrays_of(loops[:at], [f"path_{i}" for i in range(1, at + 1)]))


def cost_of_path(random, problem, data):
    """The cost of what a path deploys: one of LENGTH controllers, no more trajectories than entries."""
    fresh = data[int(np.floor(problem["certificate"]["fraction"] * len(data))):]
    if len(fresh) > fresh.shape[1]:
        raise ValueError("more trajectories than entries: other kinds have shares, too")
    loop = Loop.of_gains(problem, random_gains(random, problem), np.zeros(
        problem["horizon"] * np.array(problem["system"]["B"]).shape[1]))
    costly = np.hstack([fresh @ loop.X[:, 1:].T, fresh @ loop.U[:, 1:].T])  # all weights are one
    delta, m = problem["certificate"]["delta"], len(fresh)
    mean, single = np.sum(costly**2) / m, m / stats.chi2.ppf(delta / LENGTH, m) - 1
    margin = max(single, np.sqrt(2) / m) * np.linalg.norm(costly @ costly.T / m)
    says = Says(mean + margin, [event("spread", delta, statement("spread"), choices=LENGTH)],
                ["controllers-fixed", "gaussian", "model", "zero-mean"])
    inputs = deployed("shrinkage", "hold-out")
    inputs["limits_path"] = {"length": LENGTH, "place": 2, "passed": True}
    names = ["path_1", "path_2"]
    first = Loop(problem, 0.5 * loop.U)
    run = run_of(problem, "best", "hold-out-frobenius", says,
                 [{**e, "kind": "hold-out-frobenius"} for e in says.events], len(data), data, loop,
                 inputs, arrays_of([first, loop], names))
    run.certificate["functional"] = statement("cost")
    run.certificate["terms"] = [{"id": "empirical-controller", "value": mean},
                                {"id": "margin", "value": margin}]
    return run

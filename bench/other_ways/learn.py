"""Minimizing the bound with SciPy's L-BFGS-B, from the same posterior as loopcert."""

import time

import numpy as np
from scipy.linalg import cholesky, solve_triangular
from scipy.optimize import minimize

from problem import upper_cholesky

# Tight enough to end within 1e-8 of the minimum (the default, 2e-9 on the value, is not always);
# 12 remembered pairs, as loopcert keeps. The gradient test is left to the one on the value.
OPTIONS = {"ftol": 1e-12, "gtol": 0, "maxcor": 12, "maxiter": 5000, "maxfun": 5000}


def start(form):
    """The prior's centre, and four damped steps towards the stationary variances."""
    p = form.p
    x = np.concatenate([np.zeros(p), np.full(p, 0.5 * np.log(0.01))])
    for _ in range(4):
        _, gradient, per_kl, _ = form.evaluate(x)
        V = np.exp(2 * x[p:])
        rest = 0.5 * (gradient[p:] + per_kl) / V  # d bound / dV without its 1/V part
        target = np.where(rest > 0.5 * per_kl, 0.5 * per_kl / np.maximum(rest, 1e-300), 1.0)
        x[p:] = 0.25 * np.log(V * target)
    return x


class Scaled:
    """Z = Z_0 + R^-T Y L^-1 and log sigma = eta / c: the bound looks round (docs/benchmarks.md)."""

    def __init__(self, form, x):
        problem, space, p = form.problem, form.problem.space, form.p
        self.form, self.space, self.p = form, space, p
        value, _, per_kl, per_C = form.evaluate(x)
        Z, V = space.unpack(x[:p]), space.unpack(np.exp(2 * x[p:]))
        P, U = space.P, problem.U
        p_bar, d_bar = P.diagonal().mean(), (V @ U.diagonal()).mean()
        cross = (space.N_0 + 0.5 * P @ Z).T @ Z
        K = space.K_0 + cross + cross.T + np.diag(P.diagonal() @ V)
        Gamma = 2 * problem.Sigma_hat + 4 * per_C * (U @ K @ U + p_bar * d_bar * U)
        Gamma += per_kl / p_bar * np.eye(len(U))
        R, L = upper_cholesky(P), cholesky(Gamma / value, lower=True)
        self.R_inverse = solve_triangular(R, np.eye(len(R)))
        self.L_inverse = solve_triangular(L, np.eye(len(L)), lower=True)
        self.c, self.unit, self.center = np.sqrt(2 * per_kl / value), value, x[:p].copy()
        self.first = np.concatenate([np.zeros(p), self.c * x[p:]])

    def plain(self, y):
        step = self.R_inverse.T @ self.space.unpack(y[:self.p]) @ self.L_inverse
        return np.concatenate([self.center + self.space.pack(step), y[self.p:] / self.c])

    def __call__(self, y):
        value, gradient = self.form(self.plain(y))
        slopes = self.R_inverse @ self.space.unpack(gradient[:self.p]) @ self.L_inverse.T
        scaled = np.concatenate([self.space.pack(slopes), gradient[self.p:] / self.c])
        return value / self.unit, scaled / self.unit


def learn(make_form, scaled):
    """CPU seconds, evaluations and bound of one run, and the trace of every evaluation."""
    begin = time.process_time()
    form = make_form()
    setup = time.process_time() - begin
    x = start(form)
    unit = 1.0
    function = form
    if scaled:
        function = Scaled(form, x)
        x, unit = function.first, function.unit
    trace = []

    def objective(x):
        value, gradient = function(x)
        trace.append((value * unit, time.process_time() - begin))
        return value, gradient

    found = minimize(objective, x, jac=True, method="L-BFGS-B", options=OPTIONS)
    return {"seconds": time.process_time() - begin, "setup": setup, "bound": found.fun * unit,
            "evaluations": found.nfev, "status": str(found.message), "trace": trace}

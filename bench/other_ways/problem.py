"""The response space and the certificate's numbers from plant, cost and data alone.

Nothing here comes from loopcert: F, S_x, the orthonormal coordinates and the covariance radius are
computed from their definitions (docs/theory/coordinates.md, docs/theory/data-driven.md).
"""

import numpy as np
from scipy.linalg import block_diag, cholesky, solve_triangular, sqrtm


def causal_mask(n_x, n_u, T):
    """Row block t, the input u_t, may use the column blocks 0 ... t."""
    row_block = np.arange(T * n_u)[:, None] // n_u
    column_block = np.arange((T + 1) * n_x)[None, :] // n_x
    return column_block <= row_block


def upper_cholesky(matrix):
    """U upper triangular with U U' = matrix."""
    return cholesky(matrix[::-1, ::-1], lower=True)[::-1, ::-1]


class Space:
    """M = M_0 + S Z over the causal Z: coordinates orthonormal in the stacked response."""

    def __init__(self, system):
        A, B, Q, R, P = (np.array(system[name]) for name in "ABQRP")
        T, (n_x, n_u) = system["T"], B.shape
        d_w, d_u = (T + 1) * n_x, T * n_u
        F, S_x = np.eye(d_w), np.zeros((d_w, d_u))
        for t in range(T):
            now, after = slice(t * n_x, (t + 1) * n_x), slice((t + 1) * n_x, (t + 2) * n_x)
            F[after] += A @ F[now]
            S_x[after] = A @ S_x[now]
            S_x[after, t * n_u:(t + 1) * n_u] += B
        self.mask = causal_mask(n_x, n_u, T)
        U = upper_cholesky(np.eye(d_u) + S_x.T @ S_x)
        T_u = solve_triangular(U, np.eye(d_u)).T
        Phi_u0 = -T_u @ np.where(self.mask, solve_triangular(U, S_x.T @ F), 0)
        root_Q = block_diag(*[np.real(sqrtm(Q))] * T, np.real(sqrtm(P)))
        root_R = block_diag(*[np.real(sqrtm(R))] * T)
        self.M_0 = np.vstack([root_Q @ (F + S_x @ Phi_u0), root_R @ Phi_u0])
        self.S = np.vstack([root_Q @ S_x, root_R]) @ T_u
        self.P, self.N_0, self.K_0 = self.S.T @ self.S, self.S.T @ self.M_0, self.M_0.T @ self.M_0
        # Free entries column by column: position k of alpha is the entry (rows[k], columns[k]).
        self.columns, self.rows = np.nonzero(self.mask.T)
        self.flat = self.rows * d_w + self.columns
        self.shape, self.p = (d_u, d_w), len(self.rows)

    def unpack(self, alpha):
        Z = np.zeros(self.shape)
        Z.reshape(-1)[self.flat] = alpha
        return Z

    def pack(self, Z):
        return Z.reshape(-1)[self.flat]


def covariance_radius(scale_bound, d_w, n, delta):
    t = np.sqrt(d_w / n) + np.sqrt(2 * np.log(2 / delta) / n)
    return scale_bound * (2 * t + t * t)


class Problem:
    """The paper's data-driven bound with the prior N(0, I): all but the posterior."""

    def __init__(self, space, answer, scale_bound=0.1):
        self.space, self.n, self.delta = space, answer["n"], answer["delta"]
        self.Sigma_hat = np.array(answer["Sigma_hat"])
        d_w = len(self.Sigma_hat)
        self.eps = covariance_radius(scale_bound, d_w, self.n, self.delta)
        self.U = self.Sigma_hat + self.eps * np.eye(d_w)

    def kl(self, alpha, log_sigma, V):
        return 0.5 * (V.sum() + alpha @ alpha - len(alpha)) - log_sigma.sum()

    def complexity(self, kl, C):
        """2 sqrt(rate C), and its derivatives in KL and in C."""
        rate = (kl + np.log(self.n / self.delta)) / (self.n - 1)
        lam = np.sqrt(rate / C)
        return 2 * lam * C, 1 / (lam * (self.n - 1)), lam

"""The bound and its gradient with small matrices only (docs/theory/quartic-moment.md)."""

import numpy as np


class MatrixForm:
    """Value and gradient in x = (alpha, log sigma); a dozen products, no loop over entries."""

    def __init__(self, problem):
        space, U = problem.space, problem.U
        self.problem, self.space, self.p = problem, space, space.p
        self.P, self.N_0, self.K_0 = space.P, space.N_0, space.K_0
        self.Sigma_hat, self.U = problem.Sigma_hat, U
        self.constant = np.vdot(self.K_0, self.Sigma_hat)
        self.N_Sigma = self.N_0 @ self.Sigma_hat
        self.UU, self.PP = U * U, self.P * self.P
        self.diag_P, self.diag_U = self.P.diagonal().copy(), U.diagonal().copy()
        self.spread = problem.eps * self.diag_P[space.rows]  # of the packed variances

    def evaluate(self, x):
        """Value, gradient, and the derivatives of the bound in KL and in the quartic term."""
        space, U, problem = self.space, self.U, self.problem
        alpha, log_sigma = x[:self.p], x[self.p:]
        packed_V = np.exp(2 * log_sigma)
        Z, V = space.unpack(alpha), space.unpack(packed_V)
        PZ = self.P @ Z
        H = self.N_0 + PZ
        H_Sigma = H @ self.Sigma_hat
        empirical = self.constant + np.vdot(self.N_Sigma + H_Sigma, Z)

        cross = (self.N_0 + 0.5 * PZ).T @ Z
        KU = (self.K_0 + cross + cross.T) @ U
        HU = H @ U
        a, d = self.diag_P @ V, V @ self.diag_U
        UU_a, PP_d = self.UU @ a, self.PP @ d
        pairs = self.PP @ (V @ self.UU)
        diag_UKU = (U * KU).sum(axis=0)
        diag_HUH = (HU * H).sum(axis=1)
        slope = np.outer(self.diag_P, diag_UKU)
        slope += HU * HU
        slope += np.outer(diag_HUH, self.diag_U)
        C = (np.vdot(KU, KU.T) + 2 * np.vdot(V, slope) + a @ UU_a + np.vdot(V, pairs) + d @ PP_d)
        slope += np.outer(self.diag_P, UU_a)
        slope += pairs
        slope += np.outer(PP_d, self.diag_U)

        complexity, per_kl, per_C = problem.complexity(problem.kl(alpha, log_sigma, packed_V), C)
        value = empirical + self.spread @ packed_V + complexity

        KU += a[:, None] * U
        d_Z = HU @ KU
        inner = (V * HU) @ U
        inner += d[:, None] * HU
        d_Z += self.P @ inner
        d_Z *= 4 * per_C
        d_Z += 2 * H_Sigma
        d_V = (2 * per_C) * space.pack(slope) + self.spread + 0.5 * per_kl
        gradient = np.concatenate([space.pack(d_Z) + per_kl * alpha, 2 * packed_V * d_V - per_kl])
        return value, gradient, per_kl, per_C

    def __call__(self, x):
        return self.evaluate(x)[:2]

"""The bound and its gradient with the paper's dense tensors: every direction M_k a full matrix.

With U = L L', A_k = M_k L and Y = M L, the quartic term is E ||Y Y'||^2 for Y = Ybar + sum e_k A_k.
Contractions over pairs of coordinates are p x p matrices, made once per data set, or, by
DirectDenseForm, wherever the formula has them.
"""

import numpy as np


def directions(space):
    """The tensor of all M_k, p x d_y x d_w, each the change of M by one free entry."""
    M = np.zeros((space.p, *space.M_0.shape))
    M[np.arange(space.p), :, space.columns] = space.S.T[space.rows]
    return M


class DenseForm:
    def __init__(self, problem, M):
        """M is `directions(space)`: it depends on the plant only and is shared by all data sets."""
        space, (p, d_y, d_w) = problem.space, M.shape
        self.problem, self.p = problem, p
        M_Sigma = M @ problem.Sigma_hat
        flat = M.reshape(p, -1)
        self.G = M_Sigma.reshape(p, -1) @ flat.T  # Lhat = alpha'G alpha + 2 g'alpha + c
        self.g = M_Sigma.reshape(p, -1) @ space.M_0.ravel()
        self.c = np.vdot(space.M_0 @ problem.Sigma_hat, space.M_0)
        self.spread = problem.eps * np.einsum("ki,ki->k", flat, flat)  # eps diag(M_G)

        L = np.linalg.cholesky(problem.U)
        self.A_0, self.A = space.M_0 @ L, M @ L
        self.flat = self.A.reshape(p, -1)
        self.stacked = self.A.reshape(p * d_y, d_w)
        self.inner = (self.A.transpose(0, 2, 1) @ self.A).reshape(p, -1)  # A_k'A_k
        self.outer = (self.A @ self.A.transpose(0, 2, 1)).reshape(p, -1)  # A_k A_k'
        self.prepare_pairs()

    def prepare_pairs(self):
        self.W = self.pairs()

    def pairs(self):
        """The three pairings of e_k e_l e_m e_n, p x p: degree four is v'W v."""
        return self.outer @ self.outer.T + self.inner @ self.inner.T + self.crossed()

    def crossed(self):
        """tr(A_k'A_l A_k'A_l) for every pair: row by row, all at once would be p^2 d_w^2."""
        p, d_y, d_w = self.A.shape
        side_by_side = np.ascontiguousarray(self.A.transpose(1, 0, 2)).reshape(d_y, p * d_w)
        W = np.empty((p, p))
        for k in range(p):
            X = (self.A[k].T @ side_by_side).reshape(d_w, p, d_w)
            W[k] = np.einsum("alb,bla->l", X, X)
        return W

    def apply_pairs(self, v):
        return self.W @ v

    def sensitivity(self, alpha, v):
        """C and its derivatives in alpha and v."""
        p, d_y, d_w = self.A.shape
        Y = self.A_0 + (alpha @ self.flat).reshape(d_y, d_w)
        outer, inner = Y @ Y.T, Y.T @ Y
        B = (self.stacked @ Y.T).reshape(p, d_y, d_y)  # A_k Y'
        # degree two: v_k (2 ||A_k Y'||^2 + 2 <Y Y', A_k A_k'> + 2 tr(A_k Y' A_k Y'))
        slope = 2 * (self.inner @ inner.ravel() + self.outer @ outer.ravel()
                     + np.einsum("kab,kba->k", B, B))
        W_v = self.apply_pairs(v)
        C = np.vdot(inner, inner) + v @ slope + v @ W_v

        B *= v[:, None, None]
        d_Y = B.transpose(1, 0, 2).reshape(d_y, p * d_y) @ self.stacked  # sum v_k A_k Y' A_k
        d_Y += Y @ (v @ self.inner).reshape(d_w, d_w)
        d_Y += ((v @ self.outer).reshape(d_y, d_y) + outer) @ Y
        return C, 4 * (self.flat @ d_Y.ravel()), slope + 2 * W_v

    def evaluate(self, x):
        """Value, gradient, and the derivatives of the bound in KL and in the quartic term."""
        problem, alpha, log_sigma = self.problem, x[:self.p], x[self.p:]
        v = np.exp(2 * log_sigma)
        G_alpha = self.G @ alpha
        C, dC_alpha, dC_v = self.sensitivity(alpha, v)
        complexity, per_kl, per_C = problem.complexity(problem.kl(alpha, log_sigma, v), C)
        value = alpha @ (G_alpha + 2 * self.g) + self.c + self.spread @ v + complexity
        d_alpha = 2 * (G_alpha + self.g) + per_C * dC_alpha + per_kl * alpha
        d_v = self.spread + per_C * dC_v + 0.5 * per_kl
        return value, np.concatenate([d_alpha, 2 * v * d_v - per_kl]), per_kl, per_C

    def __call__(self, x):
        return self.evaluate(x)[:2]


class DirectDenseForm(DenseForm):
    """The formula as it stands: sums over all pairs of coordinates at every evaluation."""

    def prepare_pairs(self):
        pass

    def apply_pairs(self, v):
        return self.pairs() @ v

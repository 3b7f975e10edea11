"""Certificates by NumPy from the problem, the data and posterior.npz: every M_k as a full matrix,
moments of the posterior by sums over pairs of coordinates. Shares nothing with the program."""

import numpy as np


def root(weight):
    values, vectors = np.linalg.eigh(weight)
    return vectors * np.sqrt(np.maximum(values, 0)) @ vectors.T


class DenseProblem:
    """A time-invariant plant without offset; `affine` adds the constant as column 0."""

    def __init__(self, T, A, B, Q, R, P, affine=False):
        A, B, Q, R, P = (np.array(matrix, float) for matrix in (A, B, Q, R, P))
        (self.n_x, self.n_u), self.T, self.affine = B.shape, T, affine
        self.d_w, self.d_u = (T + 1) * self.n_x, T * self.n_u
        # The response of the states to each disturbance and each input, run by run.
        F = np.array([self.run(A, B, w, np.zeros(self.d_u)) for w in np.eye(self.d_w)]).T
        S_x = np.array([self.run(A, B, np.zeros(self.d_w), u) for u in np.eye(self.d_u)]).T
        if affine:
            F = np.hstack([np.zeros((self.d_w, 1)), F])
        self.free = np.array([[self.is_free(i, j) for j in range(F.shape[1])]
                              for i in range(self.d_u)])
        # Coordinates: Phi_u = Phi_u0 + T_u Z with I + S_x'S_x = U U', U upper triangular.
        flip = np.eye(self.d_u)[::-1]
        gram = np.eye(self.d_u) + S_x.T @ S_x
        T_u = np.linalg.inv(flip @ np.linalg.cholesky(flip @ gram @ flip) @ flip).T
        Phi_u0 = np.zeros((self.d_u, F.shape[1]))
        for j in range(F.shape[1]):  # smallest norm of (Phi_x, Phi_u), column by column
            rows = self.free[:, j]
            design = np.vstack([S_x[:, rows], np.eye(self.d_u)[:, rows]])
            target = np.concatenate([F[:, j], np.zeros(self.d_u)])
            Phi_u0[rows, j] = -np.linalg.lstsq(design, target, rcond=None)[0]
        self.T_u, self.Phi_u0 = T_u, Phi_u0
        Q_root = np.kron(np.eye(T + 1), root(Q))
        Q_root[-self.n_x:, -self.n_x:] = root(P)
        R_root = np.kron(np.eye(T), root(R))
        self.M_0 = np.vstack([Q_root @ (F + S_x @ Phi_u0), R_root @ Phi_u0])
        S = np.vstack([Q_root @ S_x, R_root]) @ T_u
        self.M = np.zeros((self.free.sum(), *self.M_0.shape))
        for k, (i, j) in enumerate(np.argwhere(self.free)):
            self.M[k, :, j] = S[:, i]

    def run(self, A, B, w, u):
        w, u = w.reshape(-1, self.n_x), u.reshape(-1, self.n_u)
        x = [w[0]]
        for t in range(self.T):
            x.append(A @ x[t] + B @ u[t] + w[t + 1])
        return np.concatenate(x)

    def is_free(self, row, column):
        """Input u_t may use the constant and x_0, w_0, ..., w_{t-1}."""
        if self.affine and column == 0:
            return True
        return (column - self.affine) // self.n_x <= row // self.n_u

    def extended(self, on_w):
        full = np.zeros((self.M_0.shape[1],) * 2)
        full[self.affine:, self.affine:] = on_w
        return full


def quartic(problem, mean, variance, A, B):
    """E tr(M'M A M'M B), M = M_0 + sum_k (mean_k + sigma_k e_k) M_k: Wick's theorem."""
    X = problem.M_0 + np.tensordot(mean, problem.M, 1)
    K = X.T @ X
    linear = X.T @ problem.M + np.swapaxes(problem.M, 1, 2) @ X
    spread = np.einsum("k,kij,kil->jl", variance, problem.M, problem.M)
    total = np.trace(K @ A @ K @ B) + np.einsum("k,kij,kji->", variance, linear @ A, linear @ B)
    total += np.trace(spread @ A @ K @ B) + np.trace(K @ A @ spread @ B)
    total += np.trace(spread @ A @ spread @ B)
    for v, M_k in zip(variance, problem.M):
        pair = M_k.T @ problem.M  # (kl) for all l
        total += v * np.einsum("l,lij,lji->", variance, pair @ A, pair @ B)
        total += v * np.einsum("l,lij,lji->", variance, pair @ A, np.swapaxes(pair, 1, 2) @ B)
    return total


def certificate(problem, w, posterior, scale, deltas, unknown_mean=False):
    """The data-driven certificate, and data-driven-mean; prior N(0, I)."""
    n, d = w.shape
    mean, variance = (posterior[name][problem.free] for name in ("mean", "variance"))
    kl = 0.5 * np.sum(variance + mean ** 2 - 1 - np.log(variance))
    rate = (kl + np.log(n / deltas["pac_bayes"])) / (n - 1)
    samples = n - 1 if unknown_mean else n
    a = np.sqrt(d / samples) + np.sqrt(2 * np.log(2 / deltas["covariance"]) / samples)
    eps = scale * (2 * a + a ** 2)
    z = np.hstack([np.ones((n, 1)), w]) if problem.affine else w
    z_bar = z.mean(axis=0)
    centred = w - w.mean(axis=0) if unknown_mean else w
    U = problem.extended(centred.T @ centred / samples + eps * np.eye(d))
    squares = np.einsum("kij,kij->kj", problem.M, problem.M)  # diagonals of M_k'M_k
    a_j = (variance @ squares)[problem.affine:]
    value = np.mean(np.sum((z @ (problem.M_0 + np.tensordot(mean, problem.M, 1)).T) ** 2, axis=1))
    value += eps * a_j.sum()
    if unknown_mean:
        r = np.sqrt(scale) * (np.sqrt(d / n) + np.sqrt(2 * np.log(1 / deltas["mean"]) / n))
        c = r / np.linalg.norm(z_bar)
        B = (1 + c) * np.outer(z_bar, z_bar) + problem.extended((1 + 1 / c) * r ** 2 * np.eye(d))
        value += 2 * r * np.linalg.norm(a_j * w.mean(axis=0))
    else:
        B = np.zeros_like(U)
        B[0, 0] = problem.affine
    phi = quartic(problem, mean, variance, U, U) + 2 * quartic(problem, mean, variance, U, B)
    return value + 2 * np.sqrt(phi * rate)

"""Certificates by NumPy from the problem, the data and posterior.npz: every M_k as a full matrix,
moments of the posterior by sums over pairs of coordinates. Shares nothing with the program."""

import numpy as np


def root(weight):
    values, vectors = np.linalg.eigh(weight)
    return vectors * np.sqrt(np.maximum(values, 0)) @ vectors.T


def per_step(matrix, T):
    matrix = np.array(matrix, float)
    return matrix if matrix.ndim == 3 else np.array([matrix] * T)


class DenseProblem:
    """A plant, each matrix for all steps or one a step; `affine` adds the constant as column 0."""

    def __init__(self, T, A, B, Q, R, P, affine=False, d=None, start="min-norm",
                 basis="orthonormal"):
        self.A, self.B, self.Q, self.R = (per_step(matrix, T) for matrix in (A, B, Q, R))
        self.P, (_, self.n_x, self.n_u) = np.array(P, float), self.B.shape
        self.T, self.affine = T, affine
        self.d_w, self.d_u = (T + 1) * self.n_x, T * self.n_u
        self.d = np.zeros(self.d_w - self.n_x) if d is None else np.ravel(d)
        # The response of the states to each disturbance and each input, run by run.
        F = np.array([self.run(w, np.zeros(self.d_u)) for w in np.eye(self.d_w)]).T
        S_x = np.array([self.run(np.zeros(self.d_w), u) for u in np.eye(self.d_u)]).T
        if affine:
            F = np.hstack([F[:, self.n_x:] @ self.d[:, None], F])
        self.free = np.array([[self.is_free(i, j) for j in range(F.shape[1])]
                              for i in range(self.d_u)])
        self.T_u = self.basis(S_x) if basis == "orthonormal" else np.eye(self.d_u)
        self.Phi_u0 = {"min-norm": self.smallest, "lqr": self.lqr, "zero-input": self.nothing}[start](
            F, S_x)
        Q_root = np.zeros((self.d_w,) * 2)
        for t, weight in enumerate([*self.Q, self.P]):
            Q_root[t * self.n_x:, t * self.n_x:][:self.n_x, :self.n_x] = root(weight)
        R_root = np.zeros((self.d_u,) * 2)
        for t, weight in enumerate(self.R):
            R_root[t * self.n_u:, t * self.n_u:][:self.n_u, :self.n_u] = root(weight)
        self.M_0 = np.vstack([Q_root @ (F + S_x @ self.Phi_u0), R_root @ self.Phi_u0])
        S = np.vstack([Q_root @ S_x, R_root]) @ self.T_u
        self.M = np.zeros((self.free.sum(), *self.M_0.shape))
        for k, (i, j) in enumerate(np.argwhere(self.free)):
            self.M[k, :, j] = S[:, i]

    def basis(self, S_x):
        """T_u with Phi_u = Phi_u0 + T_u Z: I + S_x'S_x = U U', U upper triangular."""
        flip = np.eye(self.d_u)[::-1]
        gram = np.eye(self.d_u) + S_x.T @ S_x
        return np.linalg.inv(flip @ np.linalg.cholesky(flip @ gram @ flip) @ flip).T

    def nothing(self, F, S_x):
        return np.zeros((self.d_u, F.shape[1]))

    def smallest(self, F, S_x):
        """Smallest norm of (Phi_x, Phi_u), column by column."""
        Phi_u0 = self.nothing(F, S_x)
        for j in range(F.shape[1]):
            rows = self.free[:, j]
            design = np.vstack([S_x[:, rows], np.eye(self.d_u)[:, rows]])
            target = np.concatenate([F[:, j], np.zeros(self.d_u)])
            Phi_u0[rows, j] = -np.linalg.lstsq(design, target, rcond=None)[0]
        return Phi_u0

    def lqr(self, F, S_x):
        """Inputs of the Riccati recursion, cost-to-go x'Vx + 2v'x, for each column of F."""
        V, v, gains = self.P, np.zeros(self.n_x), []
        for A, B, Q, R, d in list(zip(self.A, self.B, self.Q, self.R,
                                      self.d.reshape(self.T, -1)))[::-1]:
            G = np.linalg.inv(R + B.T @ V @ B)
            K, k = -G @ B.T @ V @ A, -G @ B.T @ (V @ d + v)
            v, V = A.T @ (V @ (B @ k + d) + v), Q + A.T @ V @ (A + B @ K)
            gains.insert(0, (K, k))
        U = np.zeros((self.d_u, F.shape[1]))
        for t, (K, k) in enumerate(gains):
            X = (F + S_x @ U)[t * self.n_x:(t + 1) * self.n_x]
            U[t * self.n_u:(t + 1) * self.n_u] = K @ X
            if self.affine:
                U[t * self.n_u:(t + 1) * self.n_u, 0] += k
        return U

    def run(self, w, u):
        w, u = w.reshape(-1, self.n_x), u.reshape(-1, self.n_u)
        x = [w[0]]
        for t in range(self.T):
            x.append(self.A[t] @ x[t] + self.B[t] @ u[t] + w[t + 1])
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
        c = r / np.hypot(np.sqrt(scale) * problem.affine, np.linalg.norm(w.mean(axis=0)))
        B = (1 + c) * np.outer(z_bar, z_bar) + problem.extended((1 + 1 / c) * r ** 2 * np.eye(d))
        value += 2 * r * np.linalg.norm(a_j * w.mean(axis=0))
    else:
        B = np.zeros_like(U)
        B[0, 0] = problem.affine
    phi = quartic(problem, mean, variance, U, U) + 2 * quartic(problem, mean, variance, U, B)
    return value + 2 * np.sqrt(phi * rate)

"""LQR and ERM by other means: recursions in NumPy, Riccati solvers, least-squares solvers."""

import ctypes
import ctypes.util

import numpy as np
import scipy.linalg
import scipy.sparse
from scipy.sparse.linalg import LinearOperator, lsmr

# --- LQR ------------------------------------------------------------------------------------------


def riccati_gains(A, B, Q, R, P, T):
    """The finite-horizon gains K_0 ... K_{T-1}, u_t = K_t x_t."""
    V, gains = P, []
    for _ in range(T):
        VB = V @ B
        K = -scipy.linalg.solve(R + B.T @ VB, VB.T @ A, assume_a="pos")
        V = Q + A.T @ V @ (A + B @ K)
        V = 0.5 * (V + V.T)
        gains.append(K)
    return gains[::-1]


def closed_loop(A, B, gains):
    """Phi_u of these gains."""
    T, (n_x, n_u) = len(gains), B.shape
    Phi_x, Phi_u = np.eye((T + 1) * n_x), np.zeros((T * n_u, (T + 1) * n_x))
    for t, K in enumerate(gains):
        now, after = t * n_x, (t + 1) * n_x
        X = Phi_x[now:after, :after]
        Phi_u[t * n_u:(t + 1) * n_u, :after] = U = K @ X
        Phi_x[after:after + n_x, :after] = A @ X + B @ U
    return Phi_u


def gain_of(A, B, R, V):
    return -np.linalg.solve(R + B.T @ V @ B, B.T @ V @ A)


def scipy_limit(A, B, Q, R):
    return gain_of(A, B, R, scipy.linalg.solve_discrete_are(A, B, Q, R))


def slicot():
    """SLICOT's library, or None where it is not installed."""
    name = ctypes.util.find_library("slicot") or "libslicot.so.0"
    try:
        return ctypes.CDLL(name)
    except OSError:
        return None


def slicot_limit(library, A, B, Q, R):
    """SB02MD: Schur vectors, X = A'X (I + G X)^-1 A + Q with G = B R^-1 B'. It works on the inverse
    of the closed loop's matrix, so the stabilizing solution comes from the unstable part."""
    n = len(A)
    integer = lambda value: ctypes.byref(ctypes.c_int(value))
    data = lambda array: array.ctypes.data_as(ctypes.c_void_p)
    a, x = np.asfortranarray(A.copy()), np.asfortranarray(Q.copy())
    g = np.asfortranarray(B @ np.linalg.solve(R, B.T))
    real, work = np.zeros((2, 2 * n)), np.zeros(64 * n)
    schur, vectors = np.zeros((2, 2 * n, 2 * n))
    whole, logical = np.zeros((2, 2 * n), dtype=np.int32)
    condition, info = ctypes.c_double(), ctypes.c_int()
    letters = [ctypes.c_char_p(letter) for letter in (b"D", b"D", b"U", b"N", b"U")]
    library.sb02md_(*letters, integer(n), data(a), integer(n), data(g), integer(n), data(x),
                    integer(n), ctypes.byref(condition), data(real[0]), data(real[1]), data(schur),
                    integer(2 * n), data(vectors), integer(2 * n), data(whole), data(work),
                    integer(len(work)), data(logical), ctypes.byref(info), 1, 1, 1, 1, 1)
    if info.value:
        raise RuntimeError(f"SB02MD: info = {info.value}")
    return gain_of(A, B, R, x)


# --- ERM: argmin over causal Z of ||(M_0 + S Z) L||_F^2, Sigma = L L' -----------------------------

# Loose: the risk is flat at its minimum, so this ends within 1e-8 of it.
LSMR = {"atol": 1e-6, "btol": 1e-6, "conlim": 0, "maxiter": 100000}


def risk(space, Sigma, alpha):
    M = space.M_0 + space.S @ space.unpack(alpha)
    return np.vdot(M @ Sigma, M)


def normal_equations(space, Sigma):
    """G alpha = -g with the p x p curvature G = P (x) Sigma on the free entries."""
    i, j = space.rows, space.columns
    G = space.P[np.ix_(i, i)] * Sigma[np.ix_(j, j)]
    g = space.pack(space.N_0 @ Sigma)
    return scipy.linalg.solve(G, -g, assume_a="pos", overwrite_a=True), 1


def stacked_operator(space, Sigma):
    """The sparse matrix of alpha -> S Z L, row by row, and the right-hand side -M_0 L."""
    L = np.linalg.cholesky(Sigma)
    whole = scipy.sparse.kron(scipy.sparse.csc_matrix(space.S), scipy.sparse.csc_matrix(L.T), "csc")
    return whole[:, space.flat].tocsr(), -(space.M_0 @ L).ravel()


def sparse_least_squares(operator, right):
    alpha, _, iterations = lsmr(operator, right, **LSMR)[:3]
    return alpha, iterations


def matrix_free_least_squares(space, Sigma):
    L = np.linalg.cholesky(Sigma)
    shape = space.M_0.shape
    operator = LinearOperator(
        (space.M_0.size, space.p),
        matvec=lambda alpha: (space.S @ (space.unpack(alpha) @ L)).ravel(),
        rmatvec=lambda y: space.pack(space.S.T @ y.reshape(shape) @ L.T))
    return sparse_least_squares(operator, -(space.M_0 @ L).ravel())

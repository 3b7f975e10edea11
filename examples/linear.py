"""What the examples' scripts share: linear systems driven by noise, sampled exactly, and files.

numpy only. Random numbers come from numpy.random.RandomState, whose stream is frozen, so that a
script writes the same files everywhere, up to rounding in the last digits.
"""

import numpy as np


def exponential(M):
    """The matrix exponential by scaling and squaring."""
    squarings = max(0, int(np.ceil(np.log2(max(np.linalg.norm(M, 1), 1e-30)))) + 4)
    M = M / 2.0**squarings
    result, term = np.eye(len(M)), np.eye(len(M))
    for k in range(1, 16):
        term = term @ M / k
        result = result + term
    for _ in range(squarings):
        result = result @ result
    return result


def hold(A, B, period):
    """x' = A x + B u with u constant over a period: x_{t+1} = A_d x_t + B_d u_t."""
    n, m = B.shape
    E = exponential(period * np.block([[A, B], [np.zeros((m, n + m))]]))
    return E[:n, :n], E[:n, n:]


def noise_step(A, G, period):
    """x' = A x + G e, e white of intensity I: x_{t+1} = F x_t + noise of covariance V.

    By Van Loan's block exponential.
    """
    n = len(A)
    E = exponential(period * np.block([[-A, G @ G.T], [np.zeros((n, n)), A.T]]))
    F = E[n:, n:].T
    V = F @ E[:n, n:]
    return F, (V + V.T) / 2


def stationary(F, V):
    """S = F S F' + V by doubling."""
    S, power = V, F
    for _ in range(40):
        S, power = S + power @ S @ power.T, power @ power
    return S


def factor(S):
    """R with R R' = S, S positive semidefinite; scaled first, because units differ by much. A
    symmetric root does not depend on the signs that eigenvectors happen to have."""
    scale = np.sqrt(np.maximum(np.diag(S), 1e-300))
    values, vectors = np.linalg.eigh(S / np.outer(scale, scale))
    return scale[:, None] * vectors * np.sqrt(np.maximum(values, 0)) @ vectors.T


def toml_matrix(M, digits=9):
    """A matrix as TOML rows."""
    rows = ["[" + ", ".join(f"{value:.{digits}g}" for value in row) + "]" for row in M]
    return "[\n  " + ",\n  ".join(rows) + ",\n]"


def rounded(M, digits=9):
    """What a reader of toml_matrix gets: simulate with this, not with more digits than are told."""
    return np.array([[float(f"{value:.{digits}g}") for value in row] for row in M])


def write_csv(path, header, rows, digits):
    """Lines of numbers; the header names the columns."""
    with open(path, "w", encoding="ascii", newline="\n") as file:
        file.write(",".join(header) + "\n")
        for row in rows:
            file.write(",".join(v if isinstance(v, str) else f"{v:.{digits}g}" for v in row) + "\n")


def trajectory_names(T, n_x):
    """The header of a trajectory file, as `loopcert sample` writes it."""
    return [f"{name}_{i}" for name in ["x0"] + [f"w{t}" for t in range(T)] for i in range(n_x)]

#!/usr/bin/python3
"""LQR that expects the last disturbance to come again, at every step that is left.

    persist.py problem.toml FOLDER

Writes FOLDER/controller.json. It is what one would build by hand against slow disturbances; it uses
no data, so any data may certify it. The last disturbance is x_t - A x_{t-1} - B u_{t-1} - d_{t-1}.
"""

import json
import pathlib
import sys

import numpy as np

from compare import read_problem


def gains(problem):
    """u_t = K_t x_t + L_t w + l_t is optimal when every disturbance to come is w."""
    T, A, B, d, Q, R, P = problem
    V, M, m = P, np.zeros(A.shape), np.zeros(len(A))  # cost to go x'V x + 2 x'(M w + m) + ...
    result = []
    for t in reversed(range(T)):
        S = -np.linalg.solve(R + B.T @ V @ B, B.T)
        K = S @ V @ A
        result.append((K, S @ (V + M), S @ (V @ d[t] + m)))
        closed = A + B @ K
        M, m, V = closed.T @ (V + M), closed.T @ (V @ d[t] + m), Q + A.T @ V @ closed
    return result[::-1]


def controller(problem):
    T, A, B, d, *_ = problem
    n_x, n_u = B.shape
    K, k = np.zeros((T * n_u, (T + 1) * n_x)), np.zeros(T * n_u)
    for t, (K_t, L_t, l_t) in enumerate(gains(problem)):
        now, before = slice(n_u * t, n_u * (t + 1)), slice(n_u * (t - 1), n_u * t)
        K[now, n_x * t:n_x * (t + 1)] = K_t
        k[now] = l_t
        if t > 0:  # nothing is known of a disturbance before the first step
            K[now, n_x * t:n_x * (t + 1)] += L_t
            K[now, n_x * (t - 1):n_x * t] -= L_t @ A
            K[now] -= L_t @ B @ K[before]
            k[now] -= L_t @ (B @ k[before] + d[t - 1])
    return {"format": "loopcert controller 1", "horizon": T, "n_x": n_x, "n_u": n_u,
            "K": K.tolist(), "k": k.tolist()}


if __name__ == "__main__":
    folder = pathlib.Path(sys.argv[2])
    folder.mkdir(parents=True, exist_ok=True)
    text = json.dumps(controller(read_problem(sys.argv[1])))
    (folder / "controller.json").write_text(text + "\n")

#!/usr/bin/python3
"""Runs controllers on the same held-out trajectories and compares each with the first.

    compare.py problem.toml test.npy lqr/controller.json auto/controller.json ...

Costs on one trajectory go up and down together, so the difference is far better known than either
cost: its standard error is that of the differences, trajectory by trajectory.
"""

import json
import pathlib
import sys
import tomllib

import numpy as np


def read_problem(path):
    """The numbers of a problem file: A, B, d, Q, R, P, one matrix per step where needed."""
    tree = tomllib.loads(pathlib.Path(path).read_text())
    T, system, cost = tree["horizon"], tree["system"], tree["cost"]
    A, B = np.array(system["A"], float), np.array(system["B"], float)
    d = np.broadcast_to(np.array(system.get("d", np.zeros(len(A))), float), (T, len(A)))

    def weight(value):
        value = np.array(value, float)
        return np.diag(value) if value.ndim == 1 else value

    Q, R = weight(cost["Q"]), weight(cost["R"])
    return T, A, B, d, Q, R, weight(cost.get("P", cost["Q"]))


def read_trajectories(path):
    if pathlib.Path(path).suffix == ".npy":
        return np.load(path).astype(float)
    return np.loadtxt(path, delimiter=",", skiprows=1, ndmin=2)


def rollout(problem, controller, w):
    """States n x (T+1) x n_x, inputs n x T x n_u and costs of the closed loop, step by step."""
    T, A, B, d, Q, R, P = problem
    n_x, n_u = B.shape
    K, k = np.array(controller["K"]), np.array(controller["k"])
    x, u = np.zeros((len(w), (T + 1) * n_x)), np.zeros((len(w), T * n_u))
    x[:, :n_x] = w[:, :n_x]
    for t in range(T):
        now, then = slice(n_x * t, n_x * (t + 1)), slice(n_x * (t + 1), n_x * (t + 2))
        inputs = slice(n_u * t, n_u * (t + 1))
        u[:, inputs] = x @ K[inputs].T + k[inputs]
        x[:, then] = x[:, now] @ A.T + u[:, inputs] @ B.T + d[t] + w[:, then]
    x, u = x.reshape(len(w), T + 1, n_x), u.reshape(len(w), T, n_u)
    cost = np.einsum("ntx,xy,nty->n", x[:, :T], Q, x[:, :T]) + np.einsum("ntu,uv,ntv->n", u, R, u)
    return x, u, cost + np.einsum("nx,xy,ny->n", x[:, T], P, x[:, T])


def costs(problem, controller_file, w):
    return rollout(problem, json.loads(pathlib.Path(controller_file).read_text()), w)[2]


def mean_and_error(values):
    return values.mean(), values.std(ddof=1) / np.sqrt(len(values))


def main():
    problem, w = read_problem(sys.argv[1]), read_trajectories(sys.argv[2])
    files = sys.argv[3:]
    names = [pathlib.Path(file).parent.name for file in files]
    baseline = costs(problem, files[0], w)
    print(f"{len(w)} held-out trajectories")
    print(f"{'controller':<12}{'mean cost':>12}{'s.e.':>10}{'minus ' + names[0]:>14}{'s.e.':>10}")
    for name, file in zip(names, files):
        cost = costs(problem, file, w)
        numbers = [*mean_and_error(cost), *mean_and_error(cost - baseline)]
        texts = [f"{value:#.4g}" for value in numbers[:2 if file == files[0] else 4]]
        widths = (12, 10, 14, 10)
        print(f"{name:<12}" + "".join(f"{t:>{n}}" for t, n in zip(texts, widths)))


if __name__ == "__main__":
    main()

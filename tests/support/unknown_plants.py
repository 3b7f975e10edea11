"""Plants that nobody knows, and logs of them: for tests and tools that learn and certify on these."""

import hashlib

import numpy as np


def simulate(A, B, n, steps, seed, offset=0.0, noise=0.3, gain=None):
    """x: n x (steps + 1) x n_x, u: n x steps x n_u; noise for each row."""
    draw = np.random.RandomState(seed)
    A, B = np.array(A), np.array(B)
    x, u = np.zeros((n, steps + 1, len(A))), np.zeros((n, steps, B.shape[1]))
    x[:, 0] = 0.5 * draw.normal(size=(n, len(A)))
    for t in range(steps):
        u[:, t] = draw.normal(size=(n, B.shape[1]))
        if gain is not None:
            u[:, t] += x[:, t] @ np.array(gain).T
        x[:, t + 1] = x[:, t] @ A.T + u[:, t] @ B.T + offset + noise * draw.normal(size=(n, len(A)))
    return x, u


def arx(steps, seed, offset=0.1):
    """One output that follows from the last two and the last two inputs."""
    draw = np.random.RandomState(seed)
    y, u = np.zeros(steps + 1), 0.7 * draw.normal(size=steps)
    for t in range(1, steps):
        y[t + 1] = (1.5 * y[t] - 0.6 * y[t - 1] + 0.3 * u[t] + 0.2 * u[t - 1] + offset
                    + 0.2 * draw.normal())
    return y, u


def in_order(x, u):
    """Episodes in the order of their starts: x_0 and u_0, entry by entry. One log as it is."""
    if x.ndim < 3 or len(x) == 0:
        return x, u
    order = sorted(range(len(x)), key=lambda i: (*x[i, 0], *u[i, 0]))
    return x[order], u[order]


def hash_of(x, u):
    x, u = in_order(x, u)
    return hashlib.sha256(np.asarray(x, "<f8").tobytes() + np.asarray(u, "<f8").tobytes()).hexdigest()


A_2, B_2 = [[0.9, 0.2], [-0.1, 0.8]], [[0.0], [1.0]]
A_2U = [[1.0, 1.0], [0.0, 1.0]]
A_3 = [[0.8, 0.1, 0], [0, 0.7, 0.3], [0.1, 0, 0.6]]
B_3 = [[1, 0], [0, 0.5], [0.2, 1]]
A_KNOWN, B_KNOWN = [[1, 0.1], [-0.5, 0.8]], [[0], [1]]


def problem(horizon, n_x, n_u, **system):
    return {"name": "unknown", "horizon": horizon,
            "system": {"identify": True, "states": n_x, "inputs": n_u, **system},
            "cost": {"Q": [1] + [0.5] * (n_x - 1), "R": [0.2] * n_u}}


def known_rows(d=None):
    tree = problem(6, 2, 1)
    tree["system"] = {"identify": [2], "A": [A_KNOWN[0], [0, 0]], "B": B_KNOWN}
    if d is not None:
        tree["system"]["d"] = [d, 0]
    return tree


def noise_in_the_second(d=0.0):
    return simulate(A_KNOWN, B_KNOWN, 80, 6, 4, offset=np.array([d, 0]), noise=np.array([0, 0.3]))


PLANTS = {
    "two states": (problem(6, 2, 1), lambda: simulate(A_2, B_2, 80, 6, 1)),
    "three states": (problem(5, 3, 2), lambda: simulate(A_3, B_3, 150, 5, 2)),
    "few logs": (problem(4, 2, 1), lambda: simulate(A_2, B_2, 45, 4, 8)),
    "chosen rows": (known_rows(), noise_in_the_second),
    "chosen rows with an offset": (known_rows(0.3), lambda: noise_in_the_second(0.3)),
    "offset": (problem(6, 2, 1, offset=True), lambda: simulate(A_2, B_2, 80, 6, 3, offset=0.2)),
    "for ever": (problem("infinite", 2, 1),
                 lambda: tuple(part[0] for part in simulate(A_2, B_2, 1, 1500, 5))),
    "for ever, offset": (problem("infinite", 2, 1, offset=True),
                         lambda: tuple(p[0] for p in simulate(A_2, B_2, 1, 1500, 6, offset=0.2))),
    "for ever, three states": (problem("infinite", 3, 2),
                               lambda: tuple(p[0] for p in simulate(A_3, B_3, 1, 2000, 7))),
    "outputs": (problem("infinite", 1, 1, lags=2), lambda: arx(3000, 5, 0)),
    "outputs, offset": (problem("infinite", 1, 1, lags=2, offset=True), lambda: arx(3000, 6)),
    "unstable": (problem(6, 2, 1), lambda: simulate(A_2U, B_2, 150, 6, 1, gain=[[-0.2, -0.5]])),
    "unstable, offset": (problem(6, 2, 1, offset=True),
                         lambda: simulate(A_2U, B_2, 150, 6, 3, offset=0.2, gain=[[-0.2, -0.5]])),
    "few unstable": (problem(12, 2, 1),
                     lambda: simulate(A_2U, B_2, 20, 12, 1, gain=[[-0.2, -0.5]])),
    "for ever, few steps": (problem("infinite", 2, 1),
                            lambda: tuple(p[0] for p in simulate(A_2, B_2, 1, 180, 9))),
    "for ever, few steps, offset": (problem("infinite", 2, 1, offset=True),
                                    lambda: tuple(p[0] for p in simulate(A_2, B_2, 1, 200, 9,
                                                                         offset=0.2))),
}
IMPROVED = ["unstable", "unstable, offset"]
FINITE = [name for name, (tree, _) in PLANTS.items() if tree["horizon"] != "infinite"]

"""Plants under disturbances that follow from a few before them, and their trajectories."""

import numpy as np


def plant(A, B, horizon, lags, units=None, **more):
    """A problem file; a state that is worth 1 in its own units costs 1."""
    A, B = np.array(A, float), np.array(B, float)
    units = np.ones(len(A)) if units is None else np.array(units, float)
    return {"name": "coloured", "horizon": horizon,
            "system": {"A": (units[:, None] * A / units).tolist(),
                       "B": (units[:, None] * B).tolist()},
            "cost": {"Q": (1 / units**2).tolist(), "R": [0.5] * B.shape[1],
                     "P": (2 / units**2).tolist()},
            "disturbance": {"autoregressive": lags, **more}}


def trajectories(n, horizon, Phi, root, seed):
    """(x_0, w_0, ..., w_{T-1}) in rows: w_t = Phi_1 w_{t-1} + ... + root e_t, from x_0 = e and zeros
    before w_0 on."""
    random, d = np.random.default_rng(seed), len(root)
    rows = np.zeros((n, (horizon + 1) * d))
    for row in rows:
        w = [np.zeros(d)] * len(Phi)
        for t in range(-10, horizon):
            now = sum(F @ w[-1 - k] for k, F in enumerate(Phi)) + root @ random.normal(
                size=root.shape[1])
            w.append(now)
            if t >= 0:
                row[(t + 1) * d:(t + 2) * d] = now
        row[:d] = np.abs(root).sum(axis=1) * random.normal(size=d)
    return rows


DOUBLE = [[1, 1], [0, 1]], [[0.5], [1]]
TRIPLE = [[1, 0.2, 0], [0, 0.9, 0.3], [0.1, 0, 0.8]], [[0.2, 0], [1, 0], [0, 1]]
# name: (problem, Phi, factor of the covariance of the innovations, n)
PLANTS = {
    "one state": (plant([[1]], [[1]], 6, 1), [np.array([[0.8]])], 0.3 * np.eye(1), 60),
    "one state, two lags": (plant([[1]], [[1]], 8, 2), [np.array([[1.1]]), np.array([[-0.3]])],
                            0.3 * np.eye(1), 60),
    "two states": (plant(*DOUBLE, 6, 1), [np.array([[0.8, 0.1], [0, 0.6]])], 0.3 * np.eye(2), 80),
    "two states, two lags": (plant(*DOUBLE, 8, 2),
                             [np.array([[0.7, 0.1], [0, 0.6]]), np.array([[0.1, 0], [0.1, 0.1]])],
                             0.3 * np.eye(2), 150),
    "three states": (plant(*TRIPLE, 8, 1), [0.6 * np.eye(3) + 0.05],
                     np.array([[0.3, 0, 0], [0.1, 0.2, 0], [0, 0.1, 0.3]]), 120),
    "one direction": (plant(*DOUBLE, 6, 1), [0.8 * np.eye(2)], np.array([[0.15], [0.3]]), 60),
    "two directions": (plant(*TRIPLE, 8, 1), [0.7 * np.eye(3)],
                       np.array([[0.3, 0], [0.1, 0.2], [0.2, -0.1]]), 120),
    "a state at rest": (plant(*DOUBLE, 6, 1), [0.8 * np.eye(2)], np.array([[0.0], [0.3]]), 60),
    # Costs of many steps: kind best takes what knows the law.
    "long": (plant([[1]], [[1]], 20, 1), [np.array([[0.8]])], 0.3 * np.eye(1), 100),
    "other units": (plant(*DOUBLE, 6, 1, units=[1e6, 1e-4]),
                    [np.diag([1e6, 1e-4]) @ np.array([[0.8, 0.1], [0, 0.6]]) @ np.diag([1e-6, 1e4])],
                    np.diag([0.3e6, 0.3e-4]), 80),
}


def draw(name, seed, n=None):
    problem, Phi, root, size = PLANTS[name]
    return trajectories(n or size, problem["horizon"], Phi, root, seed)

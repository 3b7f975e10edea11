"""Plants that no test was written for: random, physical, logged under a mediocre controller.

A Plant knows its matrices, its disturbances and its cost, and simulates itself with NumPy alone; nothing
here uses loopcert. Adding a family is one function and its name in FAMILIES.
"""

import numpy as np


def exponential(M):
    """e^M by scaling and squaring of its series"""
    halvings = max(0, int(np.ceil(np.log2(max(np.abs(M).sum(axis=1).max(), 1e-300)))) + 4)
    X, term, total = M / 2.0**halvings, np.eye(len(M)), np.eye(len(M))
    for k in range(1, 18):
        term = term @ X / k
        total = total + term
    for _ in range(halvings):
        total = total @ total
    return total


def held(A, B, h):
    """x+ = A x + B u with u held over the step h"""
    n, m = B.shape
    joined = exponential(np.block([[A, B], [np.zeros((m, n + m))]]) * h)
    return joined[:n, :n], joined[:n, n:]


def log_uniform(rng, low, high, *size):
    return 10.0 ** rng.uniform(low, high, size if size else None)


def drive_train(rng):
    """masses in a row, coupled by springs and dampers, a motor on the first; position and speed of each"""
    k = int(rng.integers(1, 4))
    mass, spring = log_uniform(rng, -2, 1, k), log_uniform(rng, -1, 3, k)
    damper = 0.1 * np.sqrt(spring * mass) * log_uniform(rng, -1, 1, k)
    stiff, loss = np.zeros((k, k)), np.diag(0.05 * np.sqrt(spring * mass))
    for i in range(1, k):
        pair = np.zeros(k)
        pair[i - 1], pair[i] = 1, -1
        stiff += spring[i] * np.outer(pair, pair)
        loss += damper[i] * np.outer(pair, pair)
    A = np.block([[np.zeros((k, k)), np.eye(k)], [-stiff / mass[:, None], -loss / mass[:, None]]])
    force = np.vstack([np.zeros((k, k)), np.diag(1 / mass)])
    fastest = max(1.0, np.sqrt(np.abs(np.linalg.eigvals(stiff / mass[:, None])).max()))
    return dict(A=A, B=force[:, :1], G=force, h=0.4 / fastest)


def building(rng):
    """rooms in a row with heaters in some of them, weather on all; one step is half an hour"""
    k = int(rng.integers(2, 5))
    capacity, walls = log_uniform(rng, 0, 1, k), log_uniform(rng, -1, 0, k + 1)
    A = -np.diag(walls[1:] / capacity)
    for i in range(1, k):
        flow = walls[i]
        for a, b in ((i - 1, i), (i, i - 1)):
            A[a, a] -= flow / capacity[a]
            A[a, b] += flow / capacity[a]
    heaters = int(rng.integers(1, k + 1))
    return dict(A=A, B=np.eye(k)[:, :heaters] / capacity[:, None], G=np.diag(1 / capacity), h=0.5)


def reactor(rng):
    """one slowly unstable mode among stable ones, seen through a random mixture"""
    k, inputs = int(rng.integers(2, 5)), int(rng.integers(1, 4))
    mixture = rng.normal(size=(k, k)) + 2 * np.eye(k)
    modes = -log_uniform(rng, -1, 0.5, k)
    modes[0] = log_uniform(rng, -1.5, -0.5)
    return dict(A=mixture @ np.diag(modes) @ np.linalg.inv(mixture), B=rng.normal(size=(k, inputs)),
                G=np.eye(k), h=0.2)


def positioner(rng):
    """position and speed by Euler steps: the row of the position is exact and has no noise at all"""
    axes = int(rng.integers(1, 3))
    h, friction = log_uniform(rng, -2, 0), log_uniform(rng, -1, 0.5, axes)
    I, Z = np.eye(axes), np.zeros((axes, axes))
    return dict(A=np.block([[I, h * I], [Z, np.diag(np.exp(-friction * h))]]), B=np.vstack([Z, h * I]),
                G=np.vstack([Z, h * I]), h=None)


def long_episode(rng):
    """two tanks over a hundred steps"""
    a, b = log_uniform(rng, -2, -0.5, 2)
    return dict(A=np.array([[-a, 0], [a, -b]]), B=np.array([[1.0], [0.0]]), G=np.eye(2), h=1.0,
                steps=int(rng.integers(50, 80)))


def crane(rng):
    """a known constant load on every step: x+ = A x + B u + d + w"""
    plant = drive_train(rng)
    plant["load"] = log_uniform(rng, -1, 1)
    return plant


def drifting(rng):
    """disturbances whose mean is not zero and not known"""
    plant = building(rng)
    plant["mean"] = rng.normal(size=plant["G"].shape[1])
    return plant


FAMILIES = [drive_train, building, reactor, positioner, long_episode, crane, drifting]


def riccati(A, B, Q, R, P, T):
    V, gains = P, []
    for _ in range(T):
        K = -np.linalg.solve(R + B.T @ V @ B, B.T @ V @ A)
        V = Q + A.T @ V @ (A + B @ K)
        gains.append(K)
    return gains[::-1]


class Plant:
    def __init__(self, seed):
        rng = np.random.default_rng([seed, 1])
        family = FAMILIES[seed % len(FAMILIES)]
        made = family(rng)
        self.name = family.__name__
        self.T = made.get("steps") or int(rng.integers(8, 31))
        self.n = int(rng.choice([30, 60, 120, 240]))
        if made["h"] is None:
            self.A, self.B, self.G = made["A"], made["B"], made["G"]
        else:
            self.A, joined = held(made["A"], np.hstack([made["B"], made["G"]]), made["h"])
            self.B, self.G = np.split(joined, [made["B"].shape[1]], axis=1)
        self.n_x, self.n_u = self.B.shape
        forces = self.G.shape[1]
        self.level = log_uniform(rng, -2, 1)
        self.colour = [(0.0,), (rng.uniform(0.3, 0.98),), (1.6 * rng.uniform(0.5, 1), -0.8)][seed // 7 % 3]
        self.mean = self.level * made.get("mean", np.zeros(forces))
        self.d = self.G @ np.full(forces, made["load"] * self.level) if "load" in made else np.zeros(self.n_x)
        self.start = 0.3 * self.level * np.abs(self.G).sum(axis=1) + 1e-3 * self.level * np.abs(self.G).max()
        free, _ = self.run(lambda t, X: np.zeros((len(X), self.n_u)), 400, rng)
        size = np.sqrt((free**2).mean(axis=(0, 1)))
        self.Q = np.diag(log_uniform(rng, -1, 1, self.n_x) / size**2)
        need = np.sqrt(((free[:, -1] @ np.linalg.pinv(self.B).T) ** 2).mean(axis=0)) + 1e-9 * size.max()
        self.R = np.diag(log_uniform(rng, -1, 1, self.n_u) / need**2)
        self.P = 2 * self.Q
        timid = riccati(self.A, self.B, self.Q, 20 * self.R, self.P, self.T)
        self.X, self.U = self.run(
            lambda t, X: X[:, t] @ timid[t].T + 0.2 * need * rng.normal(size=(len(X), self.n_u)), self.n, rng)

    def forces(self, N, rng):
        """N x T x forces: white, AR(1) or AR(2), of one size, started long ago"""
        total, before = 60 + self.T, len(self.colour)
        f = rng.normal(size=(N, total, self.G.shape[1]))
        for t in range(before, total):
            for lag, a in enumerate(self.colour, 1):
                f[:, t] += a * f[:, t - lag]
        return self.mean + self.level * f[:, 60:] / np.sqrt((f[:, 60:] ** 2).mean())

    def run(self, control, N, rng):
        X, U = np.zeros((N, self.T + 1, self.n_x)), np.zeros((N, self.T, self.n_u))
        X[:, 0] = self.start * rng.normal(size=(N, self.n_x))
        pushed = self.forces(N, rng) @ self.G.T + self.d
        for t in range(self.T):
            U[:, t] = control(t, X)
            X[:, t + 1] = X[:, t] @ self.A.T + U[:, t] @ self.B.T + pushed[:, t]
        return X, U

    def cost(self, X, U):
        def part(Z, W):
            return np.einsum("nti,ij,ntj->n", Z, W, Z)
        return part(X[:, :-1], self.Q) + part(U, self.R) + part(X[:, -1:], self.P)

    def lqr(self):
        """the affine law of the Riccati recursion with the known load"""
        V, v, gains = self.P, np.zeros(self.n_x), []
        for _ in range(self.T):
            H = self.R + self.B.T @ V @ self.B
            K = -np.linalg.solve(H, self.B.T @ V @ self.A)
            k = -np.linalg.solve(H, self.B.T @ (V @ self.d + v))
            v = self.A.T @ (V @ (self.B @ k + self.d) + v)
            V = self.Q + self.A.T @ V @ (self.A + self.B @ K)
            gains.append((K, k))
        gains.reverse()
        return lambda t, X: X[:, t] @ gains[t][0].T + gains[t][1]

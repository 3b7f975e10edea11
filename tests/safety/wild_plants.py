"""Plants, laws and controllers that are not tame, from a seed.

Units that are powers of ten apart, weights that are definite or symmetric only nearly, whole numbers
that no double holds, laws that contradict a bound or the data, copies of one recording, kinds that do
not go with a given controller, texts that draw on a terminal. wild_bench.py forges certificates of them.
"""

import random

import numpy as np

from forgery import fractions

ONE_KINDS = ("assumed-covariance", "assumed-scale", "hold-out-scale-free", "hold-out-chi-square",
             "hold-out", "hold-out-known", "hold-out-white", "hold-out-relative")
DIFFERENCES = ("improvement", "improvement-mean", "improvement-scale")
FAKE = "VERIFIED controller: 0.1 at confidence 0.999"


def lqr_gains(problem):
    """In fractions. Where the weights do not give one: zero, which costs no less than LQR does."""
    A, B = fractions(problem["system"]["A"]), fractions(problem["system"]["B"])
    Q, R, P = ((W + W.T) / 2 for W in (fractions(problem["cost"][key]) for key in "QRP"))
    T, (n_x, n_u) = problem["horizon"], B.shape
    K, V = fractions(np.zeros((T * n_u, (T + 1) * n_x)).tolist()), P
    for t in reversed(range(T)):
        G, F = R + B.T @ V @ B, B.T @ V @ A
        det = G[0, 0] if n_u == 1 else G[0, 0] * G[1, 1] - G[0, 1] * G[1, 0]
        if det == 0:
            return 0 * K
        if n_u == 1:
            gain = -F / det
        else:
            gain = -(np.array([[G[1, 1], -G[0, 1]], [-G[1, 0], G[0, 0]]]) @ F) / det
        V = Q + A.T @ V @ (A + B @ gain)
        K[t * n_u:(t + 1) * n_u, t * n_x:(t + 1) * n_x] = gain
    return K


class Wild:
    """One plant, one law, one controller, all from one seed."""

    def __init__(self, seed):
        rng = self.rng = random.Random(seed)
        self.n_x, self.n_u, self.T = rng.choice((1, 2, 2)), rng.choice((1, 1, 2)), rng.choice((1, 2))
        self.d = (self.T + 1) * self.n_x
        self.x_unit = np.array([10.0**rng.randint(-9, 9) for _ in range(self.n_x)])
        self.u_unit = np.array([10.0**rng.randint(-6, 6) for _ in range(self.n_u)])
        normal = np.random.RandomState(seed % 2**32).normal
        self.normal = normal
        x, u = self.x_unit, self.u_unit
        A = normal(size=(self.n_x, self.n_x)) * x[:, None] / x
        B = normal(size=(self.n_x, self.n_u)) * x[:, None] / u
        if rng.random() < 0.3:
            B *= 0
        K = np.zeros((self.T * self.n_u, self.d))
        for t in range(self.T):
            for s in range(t + 1):
                K[t * self.n_u:(t + 1) * self.n_u, s * self.n_x:(s + 1) * self.n_x] = (
                    normal(size=(self.n_u, self.n_x)) * u[:, None] / x)
        self.K, self.k = K.tolist(), [0.0] * (self.T * self.n_u)
        root = normal(size=(self.d, self.d)) if rng.random() < 0.4 else np.diag(
            np.abs(normal(size=self.d)) * (rng.random() > 0.2))
        units = np.tile(x, self.T + 1)
        self.root = root * units[:, None]
        S = self.root @ self.root.T
        S = (S + S.T) / 2
        dense = np.count_nonzero(S - np.diag(np.diag(S)))
        self.covariance = S.tolist() if dense else np.diag(S).tolist()
        self.rows = normal(size=(30, self.d)) @ self.root.T
        law = {"covariance": self.covariance, "white": not dense,
               "scale_bound": float(np.linalg.eigvalsh(S)[-1]) * 1.01 or 1.0,
               "covariance_bound": (1.01 * S).tolist()}
        self.problem = {"horizon": self.T, "system": {"A": A.tolist(), "B": B.tolist()},
                        "cost": {"Q": self.weight(1 / x), "R": self.weight(1 / u, True),
                                 "P": self.weight(1 / x)}, "disturbance": law}

    def weight(self, unit, definite=False):
        """In the given units: of full rank, of rank one, or wrong by a tolerance."""
        n, rng = len(unit), self.rng
        F = self.normal(size=(n, n))
        W = F @ F.T + np.eye(n)
        way = rng.randrange(5)
        if n == 2 and way < 3:
            least = (0.0, -(10.0**rng.uniform(-17, -10)), 10.0**rng.uniform(-17, -10))[way]
            W = np.array([[1 + least, -1.0], [-1.0, 1 + least]])
        W = W * unit[:, None] * unit
        W = (W + W.T) / 2
        if n == 2 and way == 3 and rng.random() < 0.5:
            W[0, 1] *= 1 + 10.0**rng.uniform(-17, -10)
        return W.tolist()

    # Ways to contradict oneself; each returns True if no bound at all may be accepted.

    def as_is(self):
        return False

    def along_the_null_direction(self):
        """A plant that moves where a weight is below zero by a tolerance, and nearly only there."""
        if self.n_x == 1:
            return False
        x, law, rng = self.x_unit, self.problem["disturbance"], self.rng
        self.problem["system"]["A"] = [[1e-6, x[0] / x[1]], [-1e-6 * x[1] / x[0], 1.0]]
        self.problem["system"]["B"] = np.zeros((2, self.n_u)).tolist()
        least = 1e12 - 10.0**rng.uniform(-3, 0)
        self.problem["cost"].update(Q=[[0.0, 0.0], [0.0, 0.0]],
                                    P=[[least / x[0]**2, -1e12 / x[0] / x[1]],
                                       [-1e12 / x[0] / x[1], least / x[1]**2]])
        sigma = np.zeros(self.d)
        sigma[:2] = x * ((1, 0) if self.kind.startswith("assumed") else (1e-3, 1))
        self.rows = self.normal(size=(25, self.d)) * sigma
        law["covariance"] = self.covariance = (sigma**2).tolist()
        bound = sigma**2
        bound[:2] = x**2
        law.update(covariance_bound=bound.tolist(), scale_bound=float(max(bound)), white=True)
        return False

    def skew_weights(self):
        """LQR of the symmetric part, held against LQR: symmetric in units of the largest entry."""
        if self.n_x == 1:
            return False
        self.kind = self.rng.choice(DIFFERENCES)
        self.problem["system"].update(A=[[1.0, 0.0], [0.0, 1.0]],
                                      B=[[0.0] * self.n_u, [1.0] + [0.0] * (self.n_u - 1)])
        W = [[1e12, self.rng.uniform(0.1, 0.99)], [0.0, 1.0]]
        self.problem["cost"].update(Q=W, P=W, R=np.eye(self.n_u).tolist())
        self.problem["disturbance"] = {"covariance": 1.0, "scale_bound": 1.0}
        self.covariance, self.rows = [1.0] * self.d, self.normal(size=(30, self.d))
        self.K = lqr_gains(self.problem).astype(float).tolist()
        return False

    def whole_numbers(self):
        a = self.rng.randrange(2**62, 2**63)
        self.problem["system"]["A"][0][0] = a
        self.problem["system"]["B"] = np.zeros((self.n_x, self.n_u)).tolist()
        self.problem["system"]["B"][0][0] = 1
        for t in range(self.T):
            self.K[t * self.n_u][t * self.n_x] = -(a & ~(2**self.rng.choice((1, 10, 11, 12)) - 1))
        return False

    def a_bound_below_the_law(self):
        """In one entry, by a little or by much: beside a larger one in other units it is hard to see."""
        law, j = self.problem["disturbance"], self.rng.randrange(self.d)
        self.kind = self.rng.choice(("assumed-covariance", "assumed-covariance", "hold-out-known"))
        factor = 1 - 10.0**self.rng.choice((self.rng.uniform(-11, -1), -1e-3))
        bound = np.array(law["covariance"])
        bound = np.diag(bound) if bound.ndim == 1 else bound
        bound[j] *= factor
        bound[:, j] *= factor
        law["covariance_bound"] = bound.tolist()
        return False

    def linked_steps(self):
        law = self.problem["disturbance"]
        self.kind = self.rng.choice(("hold-out-white", self.kind))
        S = np.array(law["covariance"])
        S = np.diag(S if S.ndim == 1 else np.diag(S))
        j = int(np.argmin(self.x_unit))
        for a in range(self.T + 1):
            for b in range(a):
                i, k = a * self.n_x + j, b * self.n_x + j
                S[i, k] = S[k, i] = np.sqrt(S[i, i] * S[k, k]) * (1 - 1e-9)
        law.update(white=True, covariance=S.tolist(), covariance_bound=(2 * S).tolist())
        law["scale_bound"] = float(np.linalg.eigvalsh(S)[-1]) * 2 or 1.0
        self.covariance = S.tolist()
        return self.kind == "hold-out-white" and bool(np.count_nonzero(S - np.diag(np.diag(S))))

    def copies(self):
        one = self.rows[:1] if self.rows[0].any() else np.ones((1, self.d))
        way = self.rng.randrange(3)
        rows = np.repeat(one, 60, 0)
        if way == 1:
            rows = rows * (1 + 2e-16 * np.arange(60)[:, None])
        if way == 2:
            rows = rows * np.linspace(0.8, 1.2, 60)[:, None]
        self.rows = rows
        self.problem["data"] = {"repeated": "keep"}
        return not self.kind.startswith("assumed")

    def another_law(self):
        """Data that are 10^5 times as large as the law allows that the kind rests on."""
        if not np.any(self.rows):
            return False
        law = self.problem["disturbance"]
        rests = {"hold-out": "scale_bound", "improvement-scale": "scale_bound",
                 "hold-out-known": "covariance_bound"}.get(self.kind)
        for key in ("scale_bound", "covariance_bound", "covariance"):
            law[key] = (np.array(law[key]) * 1e-10).tolist()
        if rests == "scale_bound":  # one unit for all of them: only the largest entry can tell
            law["scale_bound"] = float(np.square(self.rows).mean(0).max()) * 1e-10
        if self.kind.startswith("assumed"):  # about the law that is stated; the others are about the data's
            self.covariance = law["covariance"]
        return rests is not None

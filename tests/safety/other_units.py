"""Random plants, and the same plants with states, inputs and costs in other units."""

import numpy as np

# Kinds that use scale_bound: one number for all states, so it goes with one unit for all of them.
SCALED_KINDS = ("hold-out", "cross", "assumed-scale", "data-driven-mean", "improvement-scale")


class Units:
    """x' = x_unit x, u' = u_unit u, cost' = cost_unit cost."""

    def __init__(self, plant, rng=None, one=False):
        def draw(count):
            return np.ones(count) if rng is None else 10.0**rng.uniform(-6, 6, count)

        self.x = np.repeat(draw(1), plant.n_x) if one else draw(plant.n_x)
        self.u, self.cost = draw(plant.n_u), float(draw(1)[0])
        self.one = one
        self.w = np.tile(self.x, plant.T + 1)


class Plant:
    """Everything is drawn from the seed: sizes, plant, weights, law, what is granted, data."""

    def __init__(self, seed):
        rng = np.random.default_rng(seed)
        self.n_x, self.n_u, self.T = (int(rng.integers(1, high)) for high in (4, 3, 5))
        self.d_w = (self.T + 1) * self.n_x
        self.A = rng.normal(size=(self.n_x, self.n_x))
        self.A *= rng.uniform(0.3, 1.2) / np.max(np.abs(np.linalg.eigvals(self.A)))
        self.B = rng.normal(size=(self.n_x, self.n_u))
        self.d = rng.normal(size=self.n_x) if rng.random() < 0.3 else None
        self.Q, self.R, self.P = (self.weight(rng, size) for size in (self.n_x, self.n_u, self.n_x))
        self.riccati = rng.random() < 0.2
        self.affine = rng.random() < 0.3
        self.zero_mean = rng.random() < 0.7
        self.white = rng.random() < 0.4
        self.stationary = self.white and rng.random() < 0.5
        step = [self.root(rng, self.n_x) for _ in range(self.T + 1)]
        if self.stationary:
            step[1:] = step[1:2] * self.T
        colour = np.eye(self.T + 1) if self.white else self.colour(rng.choice((0.0, 0.5, 0.8, 1.0)))
        blocks = np.zeros((self.d_w, self.d_w))
        for t, part in enumerate(step):
            blocks[t * self.n_x:(t + 1) * self.n_x, t * self.n_x:(t + 1) * self.n_x] = part
        root = blocks if self.white else np.kron(colour, np.eye(self.n_x)) @ blocks
        self.covariance = root @ root.T
        self.covariance = (self.covariance + self.covariance.T) / 2
        if self.stationary:  # products of blocks may differ in the last bit
            first = slice(self.n_x, 2 * self.n_x)
            for t in range(2, self.T + 1):
                at = slice(t * self.n_x, (t + 1) * self.n_x)
                self.covariance[at, at] = self.covariance[first, first]
        self.states_the_law = rng.random() < 0.5
        self.mean = np.zeros(self.d_w) if self.zero_mean else rng.normal(size=self.d_w)
        self.bounds = {key: rng.random() < 0.5 for key in ("scale_bound", "covariance_bound")}
        # Wrong claims, where no law contradicts them: the same warnings in all units.
        wrong = not self.states_the_law and rng.random() < 0.3
        self.bound = 0.2 if wrong else 1.1
        self.white_told = self.white or wrong
        self.n = int(rng.integers(4, 90))
        self.data = self.mean + rng.normal(size=(self.n, self.d_w)) @ root.T

    def weight(self, rng, size):
        root = self.root(rng, size)
        return root @ root.T

    @staticmethod
    def root(rng, size):
        return rng.normal(size=(size, size)) + np.eye(size)

    def colour(self, a):
        """w_t = a w_(t-1) + v_t, without a link to x_0."""
        steps = np.arange(self.T + 1)
        L = np.where(steps[:, None] >= steps, a**np.maximum(steps[:, None] - steps, 0.0), 0.0)
        L[1:, 0] = 0
        return L

    def tree(self, units):
        x, u, w, cost = units.x, units.u, units.w, units.cost
        system = {"A": (x[:, None] * self.A / x).tolist(), "B": (x[:, None] * self.B / u).tolist()}
        if self.d is not None:
            system["d"] = (x * self.d).tolist()

        def weight(W, unit):
            return (cost * W / np.outer(unit, unit)).tolist()

        covariance = self.covariance * np.outer(w, w)
        told = {"zero_mean": self.zero_mean, "white": self.white_told, "stationary": self.stationary}
        if self.bounds["scale_bound"]:
            shape = self.covariance * (w[0]**2 if units.one else np.outer(w, w))
            told["scale_bound"] = self.bound * float(np.linalg.eigvalsh(shape)[-1])
        if self.bounds["covariance_bound"]:
            told["covariance_bound"] = (self.bound * covariance).tolist()
        if self.states_the_law:
            told["covariance"] = covariance.tolist()
            told["mean"] = (w * self.mean).tolist()
        return {"name": "units", "horizon": self.T, "system": system, "disturbance": told,
                "cost": {"Q": weight(self.Q, x), "R": weight(self.R, u),
                         "P": "riccati" if self.riccati else weight(self.P, x)},
                "response": {"affine": self.affine},
                "data": {"axes": ["episode", "step", "component"]}}

    def trajectories(self, units):
        return (self.data * units.w).reshape(self.n, self.T + 1, self.n_x)

#!/usr/bin/python3
"""The tables of docs/coverage.md about identified plants.

    PYTHONPATH=build/python docs/scripts/identified_coverage.py [sets [sets of the negative controls]]

Draws logs of known plants, learns and certifies on each, and counts certificates below the cost of
the deployed controller on the true plant, which this file computes itself. Negative controls violate
an assumption: certificates should fail, be refused, or come with a warning.
"""

import sys
import warnings
from concurrent.futures import ThreadPoolExecutor

import loopcert as lc
import numpy as np

SETS = int(sys.argv[1]) if len(sys.argv) > 1 else 5000
CONTROLS = int(sys.argv[2]) if len(sys.argv) > 2 else 1000
A, B = np.array([[1.0, 0.5], [-0.3, 0.8]]), np.array([[0.1], [1.0]])
DEVIATION = np.array([0.2, 0.3])
Q, R = np.diag([1, 0.2]), np.array([[0.3]])


def linear(x, rng):
    return -0.4 * x[:, 1:] + 0.5 * rng.normal(size=(len(x), 1))


def saturated(x, rng):
    """Nonlinear, nearly the best one, with little of its own."""
    return np.clip(-0.5 * x[:, :1] - 0.9 * x[:, 1:], -0.6, 0.6) + 0.2 * rng.normal(size=(len(x), 1))


def states(rng, episodes, steps, plant, controller):
    """x and u of a plant A(t / steps), which may drift."""
    x, u = np.zeros((episodes, steps + 1, 2)), np.zeros((episodes, steps, 1))
    x[:, 0] = DEVIATION * rng.normal(size=(episodes, 2))
    for t in range(steps):
        u[:, t] = controller(x[:, t], rng)
        x[:, t + 1] = (x[:, t] @ plant(t / steps).T + u[:, t] @ B.T +
                       DEVIATION * rng.normal(size=(episodes, 2)))
    return x, u


def two_lags(first, second):
    """y_{t+1} = first y_t + second y_{t-1} + 0.3 u_t + 0.2 u_{t-1}, of (y_t, y_{t-1}, u_{t-1})."""
    return np.array([[first, second, 0.2], [1.0, 0.0, 0.0], [0.0, 0.0, 0.0]])


DAMPED, RINGING = two_lags(1.5, -0.6), two_lags(1.8, -0.9)
ARX_INPUT = np.array([[0.3], [0.0], [1.0]])


def outputs(rng, steps, plant):
    """y and u of a plant with two lags."""
    z, y, u = np.zeros(3), np.zeros((1, steps + 1, 1)), 0.7 * rng.normal(size=(1, steps, 1))
    for t in range(steps):
        z = plant @ z + ARX_INPUT @ u[0, t]
        z[0] += 0.2 * rng.normal()
        y[0, t + 1] = z[0]
    return y, u


def average(loop, weight, noise):
    """Of a step, for ever: infinite where the loop is not stable."""
    if np.abs(np.linalg.eigvals(loop)).max() >= 1:
        return np.inf
    S, power = weight.copy(), loop.copy()
    while np.abs(power).max() > 1e-20:
        S, power = S + power.T @ S @ power, power @ power
    return noise @ np.diagonal(S)


def true_cost(K, horizon):
    """Of gains on the plant A, B; of an episode, or of a step."""
    if horizon == "infinite":
        return average(A + B @ K, Q + K.T @ R @ K, DEVIATION**2)
    S, noise = Q.copy(), 0.0
    for t in reversed(range(horizon)):
        gain = K[t:t + 1, 2 * t:2 * t + 2]
        noise += DEVIATION**2 @ np.diagonal(S)
        loop = A + B @ gain
        S = Q + gain.T @ R @ gain + loop.T @ S @ loop
    return DEVIATION**2 @ np.diagonal(S) + noise


def true_cost_of_outputs(K, plant):
    """y_t costs 1, u_t = K y_t costs 0.3."""
    gain = np.array([[K[0, 0], 0.0, 0.0]])
    return average(plant + ARX_INPUT @ gain, np.diag([1.0, 0, 0]) + 0.3 * gain.T @ gain,
                   np.array([0.04, 0, 0]))


def trial(cell, seed, delta):
    """(value, true cost, whether it was warned), or nothing when refused."""
    _, horizon, draw, cost = cell
    x, u = draw(np.random.default_rng(seed))
    problem = lc.Problem(Q=[1, 0.2][:x.shape[2]], R=[0.3], horizon=horizon, identify=True,
                         states=x.shape[2], inputs=1, delta=delta)
    try:
        result = lc.learn(problem, lc.rollouts(x, u))
    except lc.InputError:
        return None
    return result.certificate.value, cost(np.array(result.controller.K), horizon), any(
        w.id != "uncertain-plant" for w in result.warnings)


def constant(share):
    return A


def other(share):
    return A - 0.3 * np.eye(2)


def drifting(share):
    """The deployed plant only at the end."""
    return A - 0.6 * (1 - share) * np.eye(2)


HOLD = [
    ("40 episodes of 8 steps, feedback and excitation", 8,
     lambda rng: states(rng, 40, 8, constant, linear), true_cost),
    ("40 episodes of 8 steps, saturated feedback and less excitation", 8,
     lambda rng: states(rng, 40, 8, constant, saturated), true_cost),
    ("one of 800 steps, feedback and excitation", "infinite",
     lambda rng: states(rng, 1, 800, constant, linear), true_cost),
    ("one of 800 steps, saturated feedback and less excitation", "infinite",
     lambda rng: states(rng, 1, 800, constant, saturated), true_cost),
]
FAIL = [
    ("one of 800 steps, of another plant than the deployed one", "infinite",
     lambda rng: states(rng, 1, 800, other, linear), true_cost),
    ("one of 800 steps, of a plant that drifts to the deployed one", "infinite",
     lambda rng: states(rng, 1, 800, drifting, linear), true_cost),
    ("40 episodes of 8 steps, of a plant that drifts in each to the deployed one", 8,
     lambda rng: states(rng, 40, 8, drifting, linear), true_cost),
    ("one of 800 steps, a damped output of two lags, claimed `lags = 1`", "infinite",
     lambda rng: outputs(rng, 800, DAMPED), lambda K, _: true_cost_of_outputs(K, DAMPED)),
    ("one of 800 steps, a ringing output of two lags, claimed `lags = 1`", "infinite",
     lambda rng: outputs(rng, 800, RINGING), lambda K, _: true_cost_of_outputs(K, RINGING)),
]


def main():
    warnings.simplefilter("ignore")
    print("| kind | logs | delta | sets | refused | warned | violations | median value/true |\n"
          "|---|---|---|---|---|---|---|---|")
    for cells, sets in ((HOLD, SETS), (FAIL, CONTROLS)):
        for cell in cells:
            for delta in (0.5, 0.05):
                with ThreadPoolExecutor(2) as pool:
                    found = list(pool.map(lambda seed: trial(cell, seed, delta), range(sets)))
                given = [one for one in found if one]
                wrong = sum(value < cost for value, cost, _ in given)
                warned = sum(warned for _, _, warned in given)
                ratio = np.median([value / cost for value, cost, _ in given]) if given else float("nan")
                kind = "identified" if cell[1] != "infinite" else "identified-average"
                print(f"| `{kind}` | {cell[0]} | {delta} | {sets} | {sets - len(given)} | {warned} | {wrong} | "
                      f"{ratio:.2f} |",
                      flush=True)


if __name__ == "__main__":
    main()

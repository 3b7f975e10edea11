#!/usr/bin/python3
"""A pendulum on a cart, as it is: nonlinear, in gusts of wind. Runs a controller on it.

    pendulum.py CONTROLLER EPISODES SEED --costs FILE.csv [--worn]

writes one cost for each episode; with --worn the bearing of the pendulum has dried out.

Needs numpy and the package loopcert. The state is measured: position of the cart [m], angle [rad],
and their rates; the input is the force on the cart [N]. An episode that costs more than 60 is counted
as 60.
"""

import argparse

import loopcert as lc
import numpy as np

CART, BOB, LENGTH, GRAVITY = 1.0, 0.3, 0.5, 9.81  # kg, kg, m, m/s^2
DRAG, BEARING, DRY_BEARING = 0.5, 0.01, 0.25  # N s/m; N m s/rad
PERIOD, STEPS = 0.05, 40  # s
TILT, RATE = 0.15, 0.2  # standard deviations of a start: rad, rad/s
GUST, LASTS = 0.25, 0.9  # N on the bob; how much of a gust is left at the next step
MOST = 60.0


def accelerations(state, force, wind, bearing):
    """Of cart and angle, zero upright: M(angle) q'' = forces."""
    _, angle, speed, rate = state
    coupling = BOB * LENGTH * np.cos(angle)
    mass = np.array([[CART + BOB, coupling], [coupling, BOB * LENGTH**2]])
    push = force + wind - DRAG * speed + BOB * LENGTH * np.sin(angle) * rate**2
    turn = BOB * GRAVITY * LENGTH * np.sin(angle) + wind * LENGTH * np.cos(angle) - bearing * rate
    return np.linalg.solve(mass, [push, turn])


def advance(state, force, wind, bearing=BEARING):
    """One period under a constant force, by Runge and Kutta."""
    def rates(s):
        return np.concatenate([s[2:], accelerations(s, force, wind, bearing)])

    k1 = rates(state)
    k2 = rates(state + 0.5 * PERIOD * k1)
    k3 = rates(state + 0.5 * PERIOD * k2)
    k4 = rates(state + PERIOD * k3)
    return state + PERIOD / 6 * (k1 + 2 * k2 + 2 * k3 + k4)


class Pendulum:
    """With reset and step, as gymnasium has them."""

    def __init__(self, bearing=BEARING):
        self.bearing = bearing

    def reset(self, seed):
        self.random = np.random.RandomState(seed)
        self.state = np.array([0, TILT, 0, RATE]) * self.random.normal(size=4)
        self.wind = GUST * self.random.normal()
        return self.state.copy(), {}

    def step(self, u):
        self.state = advance(self.state, u[0], self.wind, self.bearing)
        self.state = np.clip(self.state, -1e3, 1e3)  # if it ever falls
        self.wind = LASTS * self.wind + np.sqrt(1 - LASTS**2) * GUST * self.random.normal()
        return self.state.copy(), 0.0, False, False, {}


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("controller")
    parser.add_argument("episodes", type=int)
    parser.add_argument("seed", type=int)
    parser.add_argument("--costs", required=True)
    parser.add_argument("--worn", action="store_true")
    given = parser.parse_args()
    problem = lc.Problem.read("problem.toml")
    episodes = lc.rollouts(Pendulum(DRY_BEARING if given.worn else BEARING),
                           lc.Controller.read(given.controller), given.episodes, given.seed,
                           cost=problem)
    episodes.cost = np.minimum(episodes.cost, MOST)
    episodes.save_costs(given.costs)
    print(f"{episodes.n} episodes, mean cost {episodes.mean:.4f}, largest {episodes.cost.max():.4f}, "
          f"largest angle {np.abs(episodes.x[:, :, 1]).max():.4f} rad")


if __name__ == "__main__":
    main()

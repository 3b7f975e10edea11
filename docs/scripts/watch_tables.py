#!/usr/bin/python3
"""The tables of docs/watch.md: false alarms, and how soon a change is found.

    PYTHONPATH=build/python docs/scripts/watch_tables.py [streams [changes]]

(0 leaves out the first or the second table.)

False alarms: `streams` streams of 10,000 costs (default 10,000) whose mean is exactly the claim, at
alpha = 0.1 and 0.01. Delays: the claim is true for 1,000 costs, then the costs are r times as large;
the mean number of costs until the alarm over `changes` runs (default 500), beside a CUSUM that knows
both laws and whose threshold gives a false alarm within 10,000 costs with the same probability. That
threshold comes from the maxima of CUSUM over 2,000 streams of 10,000 true costs: their tail is
1 - exp(-C exp(-h)), C from the median.

Steps: the drive of examples/drive, learned from its logs, runs under its controller in episodes of
25 steps. After 40 episodes something changes; the steps until the alarm, median and largest of 30
runs, and false alarms before it.
"""

import sys
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from tempfile import TemporaryDirectory

import loopcert as lc
import numpy as np

STREAMS = int(sys.argv[1]) if len(sys.argv) > 1 else 10_000
CHANGES = int(sys.argv[2]) if len(sys.argv) > 2 else 500
COSTS, CHANGE, ALPHA = 10_000, 1_000, 0.01


def chi_square(degrees):
    """Costs of a Gaussian loop with so many equal directions."""
    return lambda rng, size: rng.chisquare(degrees, size) / degrees


def two_point(p):
    return lambda rng, size: (rng.random(size) < p) / p


LAWS = {  # all of mean 1
    "chi-square, 1 direction": chi_square(1),
    "chi-square, 10 directions": chi_square(10),
    "log-normal, sigma = 1.5": lambda rng, size: rng.lognormal(-1.125, 1.5, size),
    "Pareto, index 1.5": lambda rng, size: (rng.pareto(1.5, size) + 1) / 3,
    "0 or 100": two_point(0.01),
    "0 or 2": two_point(0.5),
}


def count_alarms(law, degrees, streams, seed):
    rng, late = np.random.default_rng(seed), np.zeros(2, int)
    for _ in range(streams):
        watch = lc.Watch(1.0, alpha=0.01, degrees=degrees)
        watch.extend(LAWS[law](rng, COSTS))
        late += np.array([watch.largest >= 10, watch.rejected])
    return late


def false_alarms(pool):
    cases = [(law, 0) for law in LAWS]
    cases += [("chi-square, 1 direction", 1), ("chi-square, 10 directions", 10)]
    parts = 8
    print("| law at the claim | `--degrees` | alpha = 0.1 | alpha = 0.01 |")
    print("|---|---|---|---|")
    for law, degrees in cases:
        jobs = [pool.submit(count_alarms, law, degrees, STREAMS // parts, [1, part])
                for part in range(parts)]
        found = sum(job.result() for job in jobs)
        print(f"| {law} | {degrees or '-'} | {found[0]} | {found[1]} |", flush=True)


def log_ratio(degrees, r):
    """Of two chi-square laws, the second r times as large."""
    return lambda x: -degrees / 2 * np.log(r) + degrees / 2 * x * (1 - 1 / r)


def log_normal_ratio(r):
    return lambda x: (np.log(x) + 0.5) * np.log(r) - np.log(r) ** 2 / 2


def two_point_ratio(p, r):
    return lambda x: np.where(x > 0, np.log(r), np.log((1 - r * p) / (1 - p)))


def scaled(law, r):
    return lambda rng, size: r * law(rng, size)


CASES = {}  # name: before, after, log-likelihood ratio, degrees to try
for _k in (1, 10, 50):
    for _r in (1.25, 1.5, 2.0, 4.0):
        CASES[f"chi-square, {_k} direction{'s' * (_k > 1)}", _r] = (
            chi_square(_k), scaled(chi_square(_k), _r), log_ratio(_k, _r), _k)
for _r in (1.5, 2.0, 4.0):
    _law = lambda rng, size: rng.lognormal(-0.5, 1, size)  # noqa: E731
    CASES["log-normal, sigma = 1", _r] = (_law, scaled(_law, _r), log_normal_ratio(_r), 0)
for _p, _r in ((0.1, 2.0), (0.1, 4.0), (0.5, 1.5)):
    CASES[f"0 or {1 / _p:.0f}, more often", _r] = (
        two_point(_p), lambda rng, size, p=_p, r=_r: (rng.random(size) < r * p) / p,
        two_point_ratio(_p, _r), 0)


def cusum_threshold(before, ratio, rng):
    sums, largest = np.zeros(2000), np.zeros(2000)
    for _ in range(COSTS):
        sums = np.maximum(sums, 0) + ratio(before(rng, 2000))
        largest = np.maximum(largest, sums)
    return np.log(np.log(2) * np.exp(np.median(largest)) / -np.log(1 - ALPHA))


def cusum_delay(after, ratio, threshold, start, rng):
    """From the sums that are there at the change."""
    sums, delay = start.copy(), np.zeros(len(start), int)
    while (delay == 0).any():
        sums = np.maximum(sums, 0) + ratio(after(rng, len(sums)))
        cusum_delay.steps += 1
        delay[(delay == 0) & (sums >= threshold)] = cusum_delay.steps
    return delay.mean()


def watch_delay(before, after, degrees, rng):
    delays = []
    for _ in range(CHANGES):
        watch = lc.Watch(1.0, alpha=ALPHA, degrees=degrees)
        watch.extend(before(rng, CHANGE))
        while not watch.rejected:
            watch.extend(after(rng, 1000))
        if watch.rejected_at > CHANGE:
            delays.append(watch.rejected_at - CHANGE)
    return np.mean(delays)


def delay_row(case):
    before, after, ratio, degrees = CASES[case]
    rng = np.random.default_rng(2)
    threshold = cusum_threshold(before, ratio, rng)
    start = np.zeros(2000)
    for _ in range(CHANGE):
        start = np.maximum(start, 0) + ratio(before(rng, 2000))
    cusum_delay.steps = 0
    cusum = cusum_delay(after, ratio, threshold, start, rng)
    any_law = watch_delay(before, after, 0, rng)
    row = f"| {case[0]} | {case[1]:g} | {cusum:.1f} | {any_law:.1f} ({any_law / cusum:.2f}) |"
    if not degrees:
        return row + " - |"
    known = watch_delay(before, after, degrees, rng)
    return row + f" {known:.1f} ({known / cusum:.2f}) |"


def delays(pool):
    print("| costs | times larger | CUSUM | watch (ratio) | with `--degrees` (ratio) |")
    print("|---|---|---|---|---|")
    for row in pool.map(delay_row, CASES):
        print(row, flush=True)


DRIVE = Path(__file__).resolve().parents[2] / "examples/drive"
A, B, NOISE = np.array([[1, 0.02], [-0.3, 0.95]]), np.array([0.0, 1.0]), 0.1  # its truth.toml
CHANGES_OF_PLANT = {  # what changes in the second row: A, B, constant, factor of the noise
    "the motor gives 70 % of its torque": (A, 0.7 * B, 0, 1),
    "the motor gives no torque": (A, 0 * B, 0, 1),
    "friction is four times as large": (np.array([[1, 0.02], [-0.3, 0.80]]), B, 0, 1),
    "a constant torque of one standard deviation": (A, B, NOISE, 1),
    "the noise is 1.5 times as large": (A, B, 0, 1.5),
    "the noise is twice as large": (A, B, 0, 2),
}


def steps_until(watch, K, plant, rng, steps):
    """Episodes of the drive; how many steps it took, or None."""
    A, B, constant, factor = plant
    for t in range(steps):
        if t % 25 == 0:
            x = np.array([0.12, 0.5]) * rng.normal(size=2)
            watch.restart()
        u = K[t % 25] @ x
        if watch.update(x, [u]):
            return t + 1
        x = A @ x + B * u + np.array([0, constant + factor * NOISE * rng.normal()])
    return None


def steps():
    problem = lc.Problem.read(DRIVE / "problem.toml")
    logs = lc.Rollouts.read(problem, DRIVE / "logs.csv")
    print("| what changes | median | largest | before the change |")
    print("|---|---|---|---|")
    with TemporaryDirectory() as folder:
        result = lc.learn(problem, logs)
        result.save(folder)
        gains = result.controller.K
        K = [gains[t, 2 * t: 2 * t + 2] for t in range(25)]
        for name, plant in CHANGES_OF_PLANT.items():
            rng, found, early = np.random.default_rng(3), [], 0
            for _ in range(30):
                watch = lc.PlantWatch(Path(folder) / "certificate.json", logs)
                if steps_until(watch, K, (A, B, 0, 1), rng, 1000):
                    early += 1
                    continue
                found.append(steps_until(watch, K, plant, rng, 5000) or np.inf)
            print(f"| {name} | {np.median(found):.0f} | {np.max(found):.0f} | {early} of 30 |",
                  flush=True)


def main():
    with ProcessPoolExecutor(2) as pool:
        if STREAMS:
            false_alarms(pool)
            print()
        if CHANGES:
            delays(pool)
            print()
    steps()


if __name__ == "__main__":
    main()

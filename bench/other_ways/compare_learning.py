"""Learning, and one value with gradient, by every way that fits in memory and patience."""

import time

import numpy as np

from dense_form import DenseForm, DirectDenseForm, directions
from learn import learn, start
from matrix_form import MatrixForm
from problem import Problem, Space

PAPER, LARGER, LARGEST = (2, 1, 10), (4, 2, 20), (12, 4, 50)
CLOSE = 1e-8  # to the smallest bound found by any of them, relative


def cpu_seconds_of(work):
    """The mean over at least 50 milliseconds of calls."""
    begin, calls = time.process_time(), 0
    while time.process_time() - begin < 0.05:
        work()
        calls += 1
    return (time.process_time() - begin) / calls


# --- one value with gradient ----------------------------------------------------------------------


def evaluation_ways(reference, sizes, data, problem, x):
    ways = {"loopcert": lambda: reference.ask("evaluate", sizes, **data, x=list(x))["seconds"]}
    matrix = MatrixForm(problem)
    ways["NumPy, matrix form"] = lambda: cpu_seconds_of(lambda: matrix(x))
    if sizes == PAPER:
        dense = DenseForm(problem, directions(problem.space))
        direct = DirectDenseForm(problem, directions(problem.space))
        ways["NumPy, dense tensors"] = lambda: cpu_seconds_of(lambda: dense(x))
        ways["NumPy, dense, pairs anew"] = lambda: cpu_seconds_of(lambda: direct(x))
        ways["C++, dense, automatic"] = lambda: reference.ask("evaluate dual", sizes, **data,
                                                              x=list(x))["seconds"]
    return ways


def compare_evaluations(reference, quick):
    print(f"\none value and gradient\n{'p':>6}  {'way':<26}{'x loopcert':>12}")
    rows = []
    for sizes, n in ((PAPER, 40), (LARGER, 60), (LARGEST, 200))[:2 if quick else 3]:
        data = {"n": n, "seed": 1}
        answer = reference.ask("problem", sizes, **data)
        problem = Problem(Space(answer), answer)
        ways = evaluation_ways(reference, sizes, data, problem, start(MatrixForm(problem)))
        best = dict.fromkeys(ways, np.inf)
        for _ in range(2 if quick else 7):
            for way, seconds in ways.items():
                best[way] = min(best[way], seconds())
        for way in ways:
            row = {"p": problem.space.p, "way": way, "ratio": best[way] / best["loopcert"]}
            rows.append(row)
            print(f"{row['p']:>6}  {way:<26}{row['ratio']:>12.2f}")
    return rows


# --- whole runs -----------------------------------------------------------------------------------


class Way:
    """One way to learn, its best time over the rounds for each data set."""

    def __init__(self, name, run, rounds=None, seeds=None):
        self.name, self.run, self.rounds, self.seeds = name, run, rounds, seeds
        self.results = {}

    def take_turn(self, seed, round_):
        if round_ >= (self.rounds or np.inf) or seed >= (self.seeds or np.inf):
            return
        result = self.run(seed)
        best = self.results.get(seed)
        if best is None or result["seconds"] < best["seconds"]:
            self.results[seed] = result


def learning_ways(reference, sizes, n, problems):
    def ask(do, seed, **details):
        return reference.ask(do, sizes, n=n, seed=seed, **details)

    def scipy(make, scaled):
        return lambda seed: learn(lambda: make(problems[seed]), scaled)

    ways = [Way("loopcert", lambda seed: ask("learn", seed))]
    for coordinates in ("scaled", "plain"):
        ways.append(Way(f"SciPy, matrix form, {coordinates}",
                        scipy(MatrixForm, coordinates == "scaled")))
    if sizes == PAPER:
        tensors = directions(problems[0].space)  # of the plant, like loopcert's response space
        for coordinates in ("scaled", "plain"):
            ways.append(Way(f"SciPy, dense tensors, {coordinates}",
                            scipy(lambda problem: DenseForm(problem, tensors),
                                  coordinates == "scaled")))
        for coordinates in ("scaled", "plain"):
            ways.append(Way(f"SciPy, dense, pairs anew, {coordinates}",
                            scipy(lambda problem: DirectDenseForm(problem, tensors),
                                  coordinates == "scaled"), rounds=2, seeds=3))
        x = lambda seed: list(start(MatrixForm(problems[seed])))
        ways.append(Way("C++, dense, automatic, plain",
                        lambda seed: ask("learn dual", seed, x=x(seed)), rounds=1, seeds=1))
    return ways


def seconds_to_reach(result, target):
    """CPU time until the bound is that small; all of it for those that keep no trace."""
    return next((seconds for value, seconds in result.get("trace", []) if value <= target),
                result["seconds"])


def summary(way, ours, smallest):
    """Means over the data sets that this way was run on, against loopcert on the same ones."""
    seeds = sorted(way.results)
    results = [way.results[seed] for seed in seeds]
    own = np.mean([ours.results[seed]["seconds"] for seed in seeds])
    near = [seconds_to_reach(way.results[s], smallest[s] * (1 + CLOSE)) for s in seeds]
    return {"way": way.name, "data_sets": len(seeds),
            "ratio": np.mean([r["seconds"] for r in results]) / own,
            "ratio_to_1e-8": np.mean(near) / own,
            "setup_share": np.mean([r.get("setup", 0) / r["seconds"] for r in results]),
            "evaluations": np.mean([r["evaluations"] for r in results]),
            "largest_excess": max(r["bound"] / smallest[s] - 1 for s, r in zip(seeds, results)),
            "ends": sorted({r["status"] for r in results})}


def compare_learning(reference, quick):
    print(f"\nlearning\n{'p':>6}{'n':>5}  {'way':<34}{'x loopcert':>11}{'to 1e-8':>9}{'evals':>7}"
          f"{'excess':>9}{'data sets':>11}")
    rows = []
    for sizes, n, seeds, rounds in ((PAPER, 40, 10, 5), (PAPER, 400, 10, 5), (LARGER, 60, 5, 5)):
        if quick:
            seeds, rounds = 2, 1
        answers = [reference.ask("problem", sizes, n=n, seed=seed) for seed in range(seeds)]
        space = Space(answers[0])
        problems = [Problem(space, answer) for answer in answers]
        ways = learning_ways(reference, sizes, n, problems)
        for round_ in range(rounds):
            for seed in range(seeds):
                for way in ways:
                    way.take_turn(seed, round_)
        # loopcert once more with a tight tolerance: the smallest bound should not be in doubt
        smallest = [min([reference.ask("learn", sizes, n=n, seed=seed, tolerance=1e-9)["bound"]] +
                        [way.results[seed]["bound"] for way in ways if seed in way.results])
                    for seed in range(seeds)]
        for way in ways:
            row = {"p": space.p, "n": n, **summary(way, ways[0], smallest)}
            rows.append(row)
            print(f"{row['p']:>6}{n:>5}  {row['way']:<34}{row['ratio']:>11.1f}"
                  f"{row['ratio_to_1e-8']:>9.1f}{row['evaluations']:>7.1f}"
                  f"{row['largest_excess']:>9.0e}{row['data_sets']:>11}")
    return rows

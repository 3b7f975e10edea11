"""LQR and ERM against recursions, Riccati solvers and least-squares solvers."""

import time

import numpy as np

import controllers
from compare_learning import cpu_seconds_of
from problem import Space

SIZES = ((2, 1, 10), (4, 2, 20), (12, 4, 50))
LARGEST_MATRIX = 2000  # free entries: beyond it a p x p or stacked matrix is not tried


def relative(found, expected):
    found, expected = np.array(found), np.array(expected)
    return float(abs(found - expected).max() / abs(expected).max())


def compare_lqr(reference):
    library = controllers.slicot()
    if library is None:
        print("\nSLICOT: left out, libslicot is not installed")
    print(f"\nLQR\n{'n_x n_u   T':>12}  {'way':<36}{'x loopcert':>11}{'difference':>12}")
    rows = []
    for sizes in SIZES:
        answer = reference.ask("lqr", sizes, response=True)
        A, B, Q, R, P = (np.array(answer["system"][name]) for name in "ABQRP")

        def recursion():
            return controllers.closed_loop(A, B, controllers.riccati_gains(A, B, Q, R, P, sizes[2]))

        # The limit of a long horizon, on the random plant of this size; the plant of (2, 1, 10) is
        # another one.
        limit = reference.ask("lqr", (*sizes[:2], 400), response=False)
        a, b, q, r = (np.array(limit["system"][name]) for name in "ABQR")
        ways = {"NumPy, recursion and response": (recursion, answer["Phi_u"]),
                "SciPy, infinite horizon": (lambda: controllers.scipy_limit(a, b, q, r),
                                            limit["K"][0])}
        if library:
            ways["SLICOT SB02MD, infinite horizon"] = (
                lambda: controllers.slicot_limit(library, a, b, q, r), limit["K"][0])
        best = dict.fromkeys(ways, np.inf)
        own = np.inf
        for _ in range(3):
            own = min(own, reference.ask("lqr", sizes, response=True)["seconds"])
            for way, (work, _) in ways.items():
                best[way] = min(best[way], cpu_seconds_of(work))
        for way, (work, expected) in ways.items():
            row = {"sizes": sizes, "way": way, "ratio": best[way] / own,
                   "difference": relative(work(), expected)}
            rows.append(row)
            print("{:>4}{:>4}{:>4}".format(*sizes) + f"  {way:<36}{row['ratio']:>11.1f}"
                  f"{row['difference']:>12.0e}")
    return rows


def erm_ways(space, Sigma):
    ways = {}
    if space.p <= LARGEST_MATRIX:
        ways["NumPy, normal equations p x p"] = lambda: controllers.normal_equations(space, Sigma)
        stacked = controllers.stacked_operator(space, Sigma)  # not counted
        ways["SciPy LSMR, stacked sparse"] = lambda: controllers.sparse_least_squares(*stacked)
    free = controllers.matrix_free_least_squares
    return ways | {"SciPy LSMR, matrix products": lambda: free(space, Sigma)}


def compare_erm(reference, quick):
    print(f"\nERM\n{'p':>6}  {'way':<36}{'x loopcert':>11}{'iterations':>12}{'excess':>9}")
    rows = []
    for sizes in SIZES[:2] if quick else SIZES:
        answer = reference.ask("erm", sizes, seed=1)
        space, Sigma = Space(answer["system"]), np.array(answer["Sigma"])
        own = answer["seconds"]
        for way, work in erm_ways(space, Sigma).items():
            own = min(own, reference.ask("erm", sizes, seed=1)["seconds"])
            begin = time.process_time()
            alpha, iterations = work()
            seconds = time.process_time() - begin
            if seconds < 1:
                seconds = min(seconds, cpu_seconds_of(work))
            row = {"p": space.p, "way": way, "ratio": seconds / own, "iterations": int(iterations),
                   "excess": float(controllers.risk(space, Sigma, alpha) / answer["risk"] - 1)}
            rows.append(row)
            print(f"{space.p:>6}  {way:<36}{row['ratio']:>11.1f}{row['iterations']:>12}"
                  f"{row['excess']:>9.0e}", flush=True)
    return rows

"""Certificates that limits hold, of every kind and way, that tests and tools/tamper start from."""

import numpy as np

import limits_records as records

EACH = {"each": 0.05}
BOX = {"robust": True, "box": [0.3, 0.3]}
WHITE, STATIONARY = {"white": True}, {"white": True, "stationary": True}
COLOURED = {"autoregressive": 1}
ANY_MEAN, ANY_LAW = {"zero_mean": False}, {"model": "any"}

# label: (trajectories, what problem_of() is asked for)
GIVEN = {
    "tolerance": (60, {"kind": "limits-tolerance"}),
    "tolerance, each": (60, {"kind": "limits-tolerance", "limits": EACH}),
    "tolerance, offset": (60, {"kind": "limits-tolerance", "offset": True}),
    "tolerance, one trajectory": (1, {"kind": "limits-tolerance", "limits": EACH}),
    "any mean": (60, {"kind": "limits-tolerance", "T": 2, "law": ANY_MEAN}),
    "any mean, each": (9, {"kind": "limits-tolerance", "T": 2, "law": ANY_MEAN, "limits": EACH}),
    "any mean, offset": (40, {"kind": "limits-tolerance", "T": 2, "law": ANY_MEAN, "offset": True}),
    "count": (60, {"kind": "limits-count"}),
    "count, each": (60, {"kind": "limits-count", "limits": EACH}),
    "count, any law": (90, {"kind": "limits-count", "law": ANY_LAW}),
    "white": (60, {"kind": "limits-envelope", "law": WHITE}),
    "white, each, two inputs": (60, {"kind": "limits-envelope", "law": WHITE, "limits": EACH, "n_u": 2}),
    "stationary": (40, {"kind": "limits-envelope", "law": STATIONARY}),
    "stationary, offset": (40, {"kind": "limits-envelope", "law": STATIONARY, "offset": True}),
    "relative": (30, {"kind": "limits-envelope", "n_x": 1, "T": 1}),
    "coloured": (200, {"kind": "limits-envelope", "n_x": 1, "T": 6, "law": COLOURED}),
    "coloured, each": (150, {"kind": "limits-envelope", "n_x": 1, "T": 8, "law": COLOURED, "limits": EACH}),
    "scale": (20, {"kind": "limits-assumed", "law": {"scale_bound": 0.2}}),
    "covariance": (20, {"kind": "limits-assumed",
                        "law": {"covariance_bound": (0.1 * np.eye(10) + 0.02).tolist()}}),
    "box": (20, {"kind": "limits-robust", "limits": BOX}),
    "steps": (20, {"kind": "limits-robust", "limits": {"robust": True, "step_radius": 0.45}}),
    "radius": (20, {"kind": "limits-robust", "limits": {"robust": True}, "law": {"radius": 0.9}}),
    "best": (60, {"law": {**WHITE, "scale_bound": 0.5}}),
    "best, coloured": (150, {"n_x": 1, "T": 6, "law": COLOURED}),
    "best, each": (60, {"limits": EACH}),
    "best, any mean": (60, {"T": 2, "law": ANY_MEAN}),
    "best, many": (400, {}),
    "best, any law": (100, {"law": ANY_LAW}),
    "best, robust": (20, {"limits": BOX}),
}
FIXED = {"tolerance": {"kind": "limits-tolerance"},
         "any mean": {"kind": "limits-tolerance", "T": 2, "law": ANY_MEAN},
         "count": {"kind": "limits-count"},
         "count, any law": {"kind": "limits-count", "law": ANY_LAW},
         "white": {"kind": "limits-envelope", "law": WHITE},
         "scale": {"kind": "limits-assumed", "law": {"scale_bound": 0.2}},
         "box": {"kind": "limits-robust", "limits": BOX}}
CROSS = {"tolerance": {"kind": "limits-tolerance"},
         "tolerance, each": {"kind": "limits-tolerance", "limits": EACH},
         "white": {"kind": "limits-envelope", "law": WHITE}}
PATHS = {"tolerance": {"kind": "limits-tolerance"},
         "tolerance, each": {"kind": "limits-tolerance", "limits": EACH},
         "count": {"kind": "limits-count"},
         "white": {"kind": "limits-envelope", "law": WHITE},
         "best": {},
         "best, white": {"law": WHITE}}


def honest(seed, groups=("given", "fixed", "cross", "path")):
    """(label, run) of every kind and way."""
    for group in groups:
        table = {"given": GIVEN, "fixed": FIXED, "cross": CROSS, "path": PATHS}[group]
        for i, (label, asked) in enumerate(table.items()):
            random = np.random.default_rng([seed, i])
            n, options = asked if group == "given" else ({"fixed": 60, "cross": 90, "path": 300}[group], asked)
            method = "lqr" if group == "fixed" else "shrinkage"
            problem = records.problem_of(random, method=method, **options)
            data = records.data_of(random, problem, n)
            if group == "given":
                yield f"given, {label}", records.given(random, problem, data)
            elif group == "fixed":
                yield f"fixed, {label}", records.fixed(problem, data)
            elif group == "cross":
                yield f"cross, {label}", records.cross(random, problem, data)
            else:
                place = (3, 1, 5, 0)[i % 4]
                yield f"path, {label}, {place}", records.path(random, problem, data, place)

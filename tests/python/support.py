"""What the tests of the Python package share."""

import json
import os
import subprocess
from pathlib import Path

import numpy as np

import loopcert as lc

SOURCE = Path(os.environ["LOOPCERT_SOURCE"])
PROGRAM = os.environ["LOOPCERT"]
EXAMPLES = SOURCE / "examples"

DOUBLE_INTEGRATOR = {
    "A": [[1, 1], [0, 1]],
    "B": [[0.5], [1]],
    "Q": [[1, 0], [0, 0.1]],
    "R": [[0.5]],
    "P": [[2, 0], [0, 0.2]],
}


def small_problem(**options):
    """Two states, one input, six steps; coloured noise unless told otherwise."""
    options.setdefault("covariance", {"ar1": 0.8, "variance": 0.1})
    return lc.Problem(**DOUBLE_INTEGRATOR, horizon=6, name="small", **options)


def program(*arguments, check=True):
    """Runs the program; returns the finished process."""
    done = subprocess.run([PROGRAM, *map(str, arguments)], capture_output=True, text=True)
    if check and done.returncode != 0:
        raise AssertionError(f"loopcert {arguments}: {done.stderr}")
    return done


def program_json(*arguments):
    return json.loads(program(*arguments, "--json").stdout)


def without_times(tree):
    """A record without what the clock put there."""
    if isinstance(tree, dict):
        return {k: without_times(v) for k, v in tree.items() if k != "seconds"}
    if isinstance(tree, list):
        return [without_times(v) for v in tree]
    return tree


def same_bits(a, b):
    a, b = np.asarray(a, float), np.asarray(b, float)
    return a.shape == b.shape and a.tobytes() == b.tobytes()

#!/usr/bin/python3
"""A .csv log with one row per step as .npz, which is what loopcert-verify reads.

    npz.py LOG.csv OUT.npz STATES

Columns: run, step, states, inputs, or the same without run; the last step of a run has no inputs.
"""

import pathlib
import sys

import numpy as np


def arrays(path, states):
    """x and u: episode x step x component, or step x component without runs."""
    with open(path, encoding="ascii") as file:
        runs = file.readline().startswith("run,")
    table = np.genfromtxt(path, delimiter=",", skip_header=1)
    if not runs:
        return table[:, 1:1 + states], table[:-1, 1 + states:]
    steps = int(table[:, 1].max()) + 1
    table = table.reshape(-1, steps, table.shape[1])
    return table[:, :, 2:2 + states], table[:, :-1, 2 + states:]


if __name__ == "__main__":
    log, out, states = sys.argv[1:]
    pathlib.Path(out).parent.mkdir(parents=True, exist_ok=True)
    x, u = arrays(log, int(states))
    np.savez(out, x=x, u=u)

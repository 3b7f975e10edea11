#!/usr/bin/python3
"""What no data tell: exact costs of the examples under the laws that their scripts sample from.

    example_laws.py

Prints, for the pages in docs/examples, the expected cost of LQR and the smallest expected cost of
any controller of this kind. LOOPCERT names the program (default: loopcert). Needs numpy.
"""

import importlib.util
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import tomllib

ROOT = pathlib.Path(__file__).resolve().parents[2]
PROGRAM = os.environ.get("LOOPCERT", "loopcert")


def script(name):
    """The module examples/NAME/make_data.py."""
    path = ROOT / "examples" / name / "make_data.py"
    spec = importlib.util.spec_from_file_location("make_" + name.replace("-", "_"), path)
    module = importlib.util.module_from_spec(spec)
    sys.dont_write_bytecode = True
    spec.loader.exec_module(module)
    return module


def problem(name):
    tree = tomllib.loads((ROOT / "examples" / name / "problem.toml").read_text())
    tree.pop("data", None)
    tree.pop("learning", None)  # no certificate is asked for
    return tree


def costs(tree, covariance=None, mean=None):
    """(LQR, optimum) under the law; that of the problem file when none is given."""
    if covariance is not None:
        tree["disturbance"]["covariance"] = covariance.tolist()
    if mean is not None:
        tree["disturbance"]["mean"] = mean.tolist()
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / "problem.json"
        path.write_text(json.dumps(tree))
        done = subprocess.run([PROGRAM, "learn", path, "--method", "lqr", "--json"],
                              capture_output=True, text=True, check=True)
    run = json.loads(done.stdout)
    return run["lqr_cost"], run["optimal_cost"]


def quadrotor():
    return costs(problem("quadrotor"), script("quadrotor").law())


def quarter_car(speed=None, patch=None, tyre=None):
    """At another speed, with another contact patch, or with another weight of the tyre deflection."""
    car = script("quarter-car")
    speed, patch = car.SPEED if speed is None else speed, car.PATCH if patch is None else patch
    tree = problem("quarter-car")
    if tyre is not None:
        tree["cost"]["Q"][2] = tyre
    return costs(tree, car.law(speed, patch))


def building(told=False):
    """told: LQR knows the mean of the disturbances, as part of the offset d."""
    tree, (mean, covariance) = problem("building"), script("building").law()
    if told:
        T, n_x = tree["horizon"], len(tree["system"]["A"])
        steps = mean[n_x:].reshape(T, n_x)
        tree["system"]["d"] = (steps + tree["system"]["d"]).tolist()
        mean = mean.copy()
        mean[n_x:] = 0
    return costs(tree, covariance, mean)


def lines():
    def row(name, pair):
        gain = 100 * (1 - pair[1] / pair[0])
        return f"{name:<44} LQR {pair[0]:7.4g}   optimum {pair[1]:7.4g}   {gain:5.1f} %"

    yield row("quadrotor", quadrotor())
    for patch in (0.2, 0.0):
        for speed in (2.5, 5, 10, 20):
            name = f"quarter car, {speed:g} m/s, contact patch {patch:g} m"
            yield row(name, quarter_car(speed, patch))
    for tyre in (10, 3, 1):
        yield row(f"quarter car, tyre weight {tyre} instead of 30", quarter_car(tyre=tyre))
    yield row("building", building())
    yield row("building, LQR told the mean", building(told=True))


if __name__ == "__main__":
    print("\n".join(lines()))

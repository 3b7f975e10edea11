"""Problem files that are one edit away from a good one: (key, value, message)."""

import copy

from program import WHITE_TREE


def edited(path, value):
    """The good tree with the value at "section.key" replaced, or removed when it is `...`."""
    tree = copy.deepcopy(WHITE_TREE)
    *sections, key = path.split(".")
    at = tree
    for section in sections:
        at = at.setdefault(section, {})
    if value is ...:
        del at[key]
    else:
        at[key] = value
    return tree


PROBLEMS = [
    ("horizon", ..., "found nothing"), ("horizon", 0, "at least 1"), ("horizon", -3, "at least 1"),
    ("horizon", 2.5, "an integer"), ("horizon", "ten", "an integer"), ("horizon", True, "integer"),
    ("horizon", 10**9, "needs about"), ("horizon", 2**63, "integer"), ("name", 3, "a text"),
    ("horizn", 3, "did you mean 'horizon'?"), ("system", [], "a table"),
    ("system.A", ..., "a matrix"), ("system.A", 1, "list"), ("system.A", [], "empty"),
    ("system.A", [[1, 1], [0]], "system.A"), ("system.A", [[1, 1]], "system.A"),
    ("system.A", [[1, "x"], [0, 1]], "a number"), ("system.A", [[1, None], [0, 1]], "a number"),
    ("system.A", [[[1, 1], [0, 1]]] * 3, "10"), ("system.B", [[0.5], [1], [2]], "B"),
    ("system.B", [[], []], "B"), ("system.d", [1, 2, 3], "d"), ("system.d", "none", "d"),
    ("system.C", 1, "a matrix"), ("cost.Q", ..., "found nothing"), ("cost.Q", [-1, 0.1], "Q"),
    ("cost.Q", [[1, 2], [0, 1]], "Q"), ("cost.Q", [1, 2, 3], "Q"), ("cost.R", [0], "R"),
    ("cost.R", [-1], "R"), ("cost.R", [[1, 0], [0, 1]], "R"), ("cost.P", [[1]], "P"),
    ("cost.weights", 1, "unknown key"), ("response.affine", 1, "true or false"),
    ("response.start", "minnorm", "did you mean 'min-norm'?"), ("response.basis", 3, "one of"),
    ("disturbance.model", "gausian", "did you mean 'gaussian'?"),
    ("disturbance.scale_bound", 0, "positive"), ("disturbance.scale_bound", -1, "positive"),
    ("disturbance.scale_bound", "0,1", "a number"), ("disturbance.radius", 0, "positive"),
    ("disturbance.white", "yes", "true or false"), ("disturbance.kurtosis", 0.5, "kurtosis"),
    ("disturbance.covariance", [1, 2], "(T + 1) n_x"), ("disturbance.covariance", -1, "covariance"),
    ("disturbance.covariance", {"ar1": 2, "variance": 1}, "ar1"),
    ("disturbance.covariance", {"x0": 1}, "found nothing"),
    ("disturbance.mean", [1, 2, 3], "(T + 1) n_x"), ("disturbance.distribution", "cauchy", "one of"),
    ("disturbance.covarance", 1, "did you mean 'covariance'?"),
    ("learning.method", "auot", "did you mean 'auto'?"), ("learning.gamma", 0, "positive"),
    ("learning.gamma", "vc", "cv"), ("learning.prior", 3, "a table"),
    ("learning.prior", {"center": "zero"}, "one of"), ("learning.prior", {"scale": -1}, "positive"),
    ("learning.prior", {"fraction": 1.5}, "fraction"),
    ("certificate.kind", "tight", "kind"), ("certificate.delta", 0, "delta"),
    ("certificate.delta", 1, "delta"), ("certificate.delta", {"pac_bayes": 2}, "delta"),
    ("certificate.folds", 1, "folds"), ("certificate.fraction", 0, "fraction"),
    ("data.states", ["a"], "found a list of 1, expected 2 = n_x"), ("data.states", "a", "a list"),
    ("data.states", ["a", "a"], "occurs twice"), ("data.states", ["a", ""], "a name"),
    ("data.states", ["a", {"column": "b", "factor": 0}], "other than 0"),
    ("data.states", ["a", {"column": "b", "zero": "ten"}], "a number"),
    ("data.states", ["a", {"name": "b"}], "unknown key"), ("data.inputs", ["a", "b"], "n_u"),
    ("data.disturbances", ["a"], "n_x"), ("data.layout", "tall", "one of wide, long"),
    ("data.layout", "long", "neither step nor time is given"), ("data.episode", "run", "long"),
    ("data.pattern", "{name}", "{step}"), ("data.axes", ["step", "episode"], "in the order"),
    ("data.axes", ["episode", "step", "steps"], "did you mean 'step'?"),
    ("data.axes", ["step", "step", "component"], "in the order"), ("data.axes", [], "in the order"),
    ("data.variables", {"y": "a"}, "unknown key"), ("data.variables", {"x": 3}, "a text"),
    ("data.longer", "cut", "one of refuse, first, windows"), ("data.gap", 3, "windows"),
    ("data.gap", -1, "at least 0"), ("data.repeated", True, "one of"),
    ("data.last_input", "yes", "true or false"), ("data.colums", 1, "unknown key"),
    ("data.period", 0.1, "long"),
]

TEXTS = [
    ("empty.toml", "", "found nothing"), ("cut.toml", "horizon = [1, 2", "cut.toml"),
    ("twice.toml", "horizon = 3\nhorizon = 4\n", "twice.toml"),
    ("date.toml", "horizon = 2020-01-01\n", "date.toml"),
    ("bytes.toml", b"horizon = 3\n\xff = 1\n", "bytes.toml"),
    ("nul.toml", b"horizon = 3\n\0\n", "nul.toml"),
    ("deep.toml", "a = " + "[" * 100 + "]" * 100 + "\n", "deep.toml"),
    ("list.json", "[1, 2]", "a table"), ("cut.json", "{\"horizon\": 3", "cut.json"),
    ("deep.json", "[" * 5000 + "]" * 5000, "deep.json"),
    ("nan.json", "{\"horizon\": NaN}", "nan.json"), ("problem.yaml", "horizon: 3\n", "extension"),
    ("twice.json", "{\"horizon\": 3, \"horizon\": 4}", "twice.json"),
]

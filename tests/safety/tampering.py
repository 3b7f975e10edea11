"""Changes of one thing in the files of a run, drawn from a random stream."""

import numpy as np

from honest_runs import ALL_KINDS, sha256


def leaves(tree, path=()):
    """(path, value) of everything in a JSON tree that is no object and no list."""
    items = tree.items() if isinstance(tree, dict) else enumerate(tree)
    for key, value in items:
        if isinstance(value, (dict, list)):
            yield from leaves(value, (*path, key))
        else:
            yield (*path, key), value


def put(tree, path, value):
    for key in path[:-1]:
        tree = tree[key]
    tree[path[-1]] = value


def other(value, rng):
    """Another value of the same type."""
    if isinstance(value, bool):
        return not value
    if isinstance(value, int):
        return value + rng.choice((-1, 1, 7))
    if isinstance(value, float):
        factor = 1 + rng.choice((-1, 1)) * 10.0 ** rng.uniform(-8, 0.5)
        return value * factor if value else rng.choice((-1, 1)) * 10.0 ** rng.uniform(-6, 1)
    if isinstance(value, str):
        at = rng.randrange(len(value) + 1)
        new = value[:at] + rng.choice("aelx017. ") + value[at + rng.randrange(2):]
        return new if new != value else value + "x"
    return rng.choice((0.5, "x", True))


# Each takes a run and a random stream, changes one thing, and may return what `holds` needs.

def change_value(run, rng):
    run.certificate["value"] = other(run.certificate["value"], rng)


def change_confidence(run, rng):
    run.certificate["confidence"] = 1 - other(1 - run.certificate["confidence"], rng)


def change_term(run, rng):
    term = rng.choice(run.certificate["terms"])
    term["value"] = other(term["value"], rng)


def change_lambda(run, rng):
    if "lambdas" in run.certificate:
        each = run.certificate["lambdas"]
        place = rng.randrange(len(each))
        each[place] = other(each[place], rng)
    else:
        run.certificate["lambda"] = other(run.certificate["lambda"] or 1.0, rng)


def change_delta(run, rng):
    if not run.certificate["events"]:
        change_confidence(run, rng)
        return
    event = rng.choice(run.certificate["events"])
    event["delta"] = other(event["delta"], rng)


def change_kind(run, rng):
    kinds = [kind for kind in ALL_KINDS if kind != run.certificate["kind"]]
    run.certificate["kind"] = rng.choice(kinds)


def remove_assumption(run, rng):
    listed = run.certificate["assumptions"]
    listed.pop(rng.randrange(len(listed)))


def change_words(run, rng):
    places = [(path, value) for path, value in leaves(run.certificate)
              if path[0] in ("assumptions", "subject", "functional", "format") or
              path[0] in ("events", "terms") and path[-1] not in ("delta", "value")]
    path, value = rng.choice(places)
    put(run.certificate, path, other(value, rng))


def remove_key(run, rng):
    tree = run.certificate
    while True:
        key = rng.choice(sorted(tree))
        inner = tree[key]
        if not isinstance(inner, dict) or not inner or rng.random() < 0.3:
            del tree[key]
            return
        tree = inner


def change_hash(run, rng):
    inputs = run.certificate["inputs"]
    key = rng.choice([key for key in inputs if key.endswith("sha256")])
    inputs[key] = sha256(rng.randbytes(8))


def change_prior(run, rng):
    prior = run.certificate["inputs"].get("prior") or run.certificate["inputs"].setdefault(
        "deployment", {"way": "fixed", "method": "lqr"})
    key = rng.choice(sorted(prior))
    prior[key] = other(prior[key], rng)


def change_problem(run, rng):
    path, value = rng.choice(list(leaves(run.certificate["inputs"]["problem"])))
    put(run.certificate["inputs"]["problem"], path, other(value, rng))


def change_array(run, rng):
    name = rng.choice(sorted(run.arrays)) if run.arrays else None
    if not name:
        change_gain(run, rng)
        return
    part = run.arrays[name]
    array = part[rng.choice(sorted(part))]
    place = tuple(rng.randrange(size) for size in array.shape)
    array[place] = other(float(array[place]), rng)


def change_gain(run, rng):
    key = rng.choice(("K", "K", "K", "k"))
    row = rng.randrange(len(run.controller[key]))
    if key == "k":
        run.controller["k"][row] = other(run.controller["k"][row], rng)
        return
    column = rng.randrange(len(run.controller["K"][row]))
    run.controller["K"][row][column] = other(float(run.controller["K"][row][column]), rng)


def change_data(run, rng):
    way = rng.randrange(4)
    row = rng.randrange(len(run.data))
    if way == 0:
        run.data = np.delete(run.data, row, axis=0)
    elif way == 1:
        run.data[row] = run.data[rng.randrange(len(run.data))]
    else:
        column = rng.randrange(run.data.shape[1])
        run.data[row, column] = other(float(run.data[row, column]), rng)


def swap_rows(run, rng):
    a, b = rng.sample(range(len(run.data)), 2)
    run.data[[a, b]] = run.data[[b, a]]


def then_rehash(change):
    """The same change by someone who also repairs the hashes."""
    def both(run, rng):
        change(run, rng)
        run.rehash()
    return both


CHANGES = {
    "value": change_value,
    "confidence": change_confidence,
    "term": change_term,
    "lambda": change_lambda,
    "delta of an event": change_delta,
    "kind": change_kind,
    "assumption removed": remove_assumption,
    "words": change_words,
    "key removed": remove_key,
    "hash": change_hash,
    "prior or deployment": change_prior,
    "problem": change_problem,
    "problem, hashes repaired": then_rehash(change_problem),
    "posterior or responses": change_array,
    "posterior or responses, hashes repaired": then_rehash(change_array),
    "gain of the controller": change_gain,
    "data": change_data,
    "data, hashes repaired": then_rehash(change_data),
    "rows exchanged, hashes repaired": then_rehash(swap_rows),
}

"""Each thing that loopcert-verify checks, broken alone in an honest run, and what it says then."""

import numpy as np

import tampering


def event(name, statement, delta, kind=None):
    return {"kind": kind, "fold": None, "id": name, "delta": delta, "choices": 1,
            "statement": {"id": statement, "parameters": {}}}


def put(*path):
    """Sets the entry of the certificate at path[:-1] to path[-1]."""
    return lambda run: tampering.put(run.certificate, path[:-1], path[-1])


def problem(*path):
    return put("inputs", "problem", *path)


def drop(*path):
    def change(run):
        tree = run.certificate
        for key in path[:-1]:
            tree = tree[key]
        del tree[path[-1]]
    return change


def all_of(*changes):
    def change(run):
        for one in changes:
            one(run)
    return change


def law(**entries):
    return lambda run: run.certificate["inputs"]["problem"]["disturbance"].update(entries)


# Steps that go together; eigenvalues from 0.1 to 0.18.
LINKED = (0.1 * np.eye(8) + 0.01 * np.ones((8, 8))).tolist()


def forget(key):
    return drop("inputs", "problem", "disturbance", key)


def array(name, key, value):
    def change(run):
        run.arrays[name][key] = value(run.arrays[name][key])
    return change


def without(name, key):
    return lambda run: run.arrays[name].pop(key)


def rows(count):
    def change(run):
        run.data = run.data[:count]
        run.certificate["n"] = count
    return change


def gain(key, value):
    return lambda run: run.controller.update({key: value})


def repeat_row(run):
    run.data[1] = run.data[0]


def shift_delta(run):
    """From the event on a covariance to that on the mean cost."""
    one, two = [event for event in run.certificate["events"]
                if event["kind"] in ("hold-out-all", "hold-out-white")]
    two["delta"] /= 2
    one["delta"] += two["delta"]


def rename_chosen(run):
    for event in run.certificate["events"]:
        if event["kind"] == "hold-out-all":
            event["id"] = "kept"


def one_fold(run):
    """A controller that pretends to be the mean of one response, certified by all data."""
    run.certificate.update(kind="cross", n=len(run.data))
    run.certificate["events"][0]["fold"] = 1
    run.certificate["inputs"]["problem"]["certificate"].update(kind="cross", folds=1)
    run.certificate["inputs"]["deployment"]["way"] = "cross"


def three_events(run):
    run.certificate["inputs"]["problem"]["certificate"]["delta"] = {
        "pac_bayes": 0.025, "covariance": 0.025, "mean": 0.01}
    run.certificate["events"].append(event("mean", "mean-radius", 0.01))
    run.certificate["confidence"] = 0.94


def ninety_percent(run):
    run.certificate["inputs"]["problem"]["certificate"]["delta"] = 0.9
    run.certificate["events"][0]["delta"] = 0.9
    run.certificate["confidence"] = 0.1


def narrow(run):
    run.data = run.data[:, :7].copy()


def nudge_gains(run):
    """Each by less than the file of responses can tell, all together by more than rounding does."""
    for i, row in enumerate(run.controller["K"]):
        for j in range(2 * (i + 1)):
            row[j] += 9e-7


# (run, change, what the one line says): the hashes fit, so nothing else is wrong.
CHANGED = [
    ("data-driven", put("subject", "controller"), "REFUTED subject"),
    ("data-driven", put("oracle", True), "REFUTED oracle"),
    ("hold-out", put("oracle", True), "REFUTED oracle"),
    ("data-driven", put("kl", None), "REFUTED kl"),
    ("hold-out", put("kl", 1.0), "REFUTED kl"),
    ("data-driven", put("lambda", -1.0), "REFUTED lambda"),
    ("data-driven", put("lambda", None), "REFUTED lambda"),
    ("hold-out", put("lambda", 0.0), "REFUTED lambda"),
    ("cross", drop("lambdas"), "REFUTED lambda"),
    ("cross", put("lambdas", [1.0]), "REFUTED lambda"),
    ("data-driven", put("n", -1), "found -1, expected a whole number"),
    ("data-driven", put("n", 2.5), "found 2.5, expected a whole number"),
    ("data-driven", put("n", 10**10), "expected a whole number"),
    ("data-driven", put("n", 39), "REFUTED n"),
    ("data-driven", put("format", "loopcert certificate 1"), "format"),
    ("data-driven", lambda run: run.certificate["events"].pop(), "REFUTED event"),
    ("data-driven", lambda run: run.certificate["events"].append(
        event("more", "chernoff", 1e-9)), "REFUTED event"),
    ("data-driven", put("events", 0, "id", "covariance"), "REFUTED event"),
    ("data-driven", put("events", 0, "statement", "the"), "statement"),
    ("data-driven", put("events", 1, "statement", "id", "covariance-relative"), "REFUTED event"),
    ("data-driven", put("events", 1, "statement", "parameters", {}), "REFUTED event"),
    ("data-driven", put("events", 1, "statement", "parameters", "eps", 99), "REFUTED event"),
    ("data-driven", put("events", 1, "statement", "parameters", "q", 1), "REFUTED event"),
    ("data-driven", put("events", 1, "statement", "parameters", "eps", "x"), "must be number"),
    ("data-driven", put("events", 1, "choices", 2), "REFUTED event"),
    ("data-driven", put("events", 1, "choices", 0), "choices"),
    ("data-driven", put("events", 1, "fold", 1), "REFUTED event"),
    ("data-driven", put("events", 1, "kind", "scale"), "REFUTED event"),
    ("data-driven", put("functional", "id", "cost-difference"), "REFUTED functional"),
    ("data-driven", put("functional", "parameters", {"row": 1}), "REFUTED functional"),
    ("data-driven", put("assumptions", 1, "parameters", "scale", 0.1), "REFUTED assumptions"),
    ("data-driven", put("assumptions", 0, "id", "gaussian"), "REFUTED assumptions"),
    ("data-driven", put("events", 0, "delta", -0.025), "REFUTED event"),
    ("data-driven", put("events", 0, "delta", 1.5), "REFUTED event"),
    ("data-driven", lambda run: run.certificate["terms"].pop(), "REFUTED terms"),
    ("data-driven", put("terms", 0, "id", "cost"), "REFUTED terms"),
    ("data-driven", lambda run: run.certificate["assumptions"].pop(),
     "REFUTED assumptions: not those of the kind"),
    ("data-driven", all_of(put("kind", "oracle"), put("oracle", True)), "REFUTED"),
    # the inputs
    ("data-driven", put("inputs", "posterior", "../posterior.npz"), "the name of a file next to it"),
    ("data-driven", put("inputs", "posterior", ".."), "the name of a file next to it"),
    ("data-driven", put("inputs", "posterior", "."), "the name of a file next to it"),
    ("data-driven", put("inputs", "posterior", ""), "the name of a file next to it"),
    ("data-driven", put("inputs", "posterior", "none.npz"), "expected a file"),
    ("data-driven", drop("inputs", "posterior"), "REFUTED inputs"),
    ("data-driven", put("inputs", "deployment", {}), "REFUTED inputs"),
    ("hold-out", all_of(drop("inputs", "deployment"), put("inputs", "posterior", "x")),
     "REFUTED inputs"),
    ("hold-out", put("inputs", "deployment", "way", "cross"), "REFUTED inputs.deployment.way"),
    ("cross", put("inputs", "deployment", "way", "hold-out"), "REFUTED inputs.deployment.way"),
    ("data-driven", put("inputs", "prior", "center", "lqr"), "REFUTED prior"),
    ("data-driven", all_of(put("inputs", "prior", "center", "x"),
                           problem("learning", "prior", "center", "x")), "REFUTED prior: center"),
    ("data-driven", put("inputs", "prior", "scale", 2.0), "REFUTED prior"),
    ("data-driven", put("inputs", "prior", "grid", [1.0]), "REFUTED prior"),
    ("data-driven", all_of(put("inputs", "prior", "scale", -1.0),
                           problem("learning", "prior", "scale", -1.0)), "REFUTED prior"),
    ("data-driven", all_of(put("inputs", "prior", "grid", [1.0]),
                           problem("learning", "prior", "scale", "grid")), "REFUTED prior"),
    ("data-driven", all_of(put("inputs", "prior", "grid", [1.0, 0.3, 0.1, 0.03, 0.01]),
                           put("inputs", "prior", "scale", 7.0),
                           problem("learning", "prior", "scale", "grid")), "REFUTED prior"),
    ("split", problem("learning", "prior", "fraction", 0.001), "REFUTED data: no trajectory is left"),
    ("split", problem("learning", "prior", "fraction", 1.0), "learning.prior.fraction: found '1.0'"),
    ("split", without("posterior", "center"), "posterior: center"),
    # the problem
    ("data-driven", problem("certificate", "kind", "scale"), "REFUTED kind"),
    ("data-driven", problem("certificate", "delta", 0.04), "REFUTED event"),
    ("data-driven", problem("certificate", "delta", {"pac_bayes": 0.025, "covariance": 0.02}),
     "REFUTED event"),
    ("data-driven", problem("response", "basis", "x"), "response.basis: found 'x', expected one of orthonormal"),
    ("data-driven", problem("response", "start", "x"), "response.start: found 'x', expected one of min-norm"),
    ("data-driven", problem("horizon", 0), "(T + 1) n_x and T n_u up to 2000"),
    ("data-driven", problem("horizon", 1999), "(T + 1) n_x and T n_u up to 2000"),
    ("data-driven", problem("system", "A", 1.0), "system.A"),
    ("data-driven", problem("system", "A", []), "system.A"),
    ("data-driven", problem("system", "A", [1, 2]), "system.A"),
    ("data-driven", problem("system", "A", [[], []]), "system.A"),
    ("data-driven", problem("system", "A", [[[1, 1], [0, 1]]]), "one a step"),
    ("data-driven", problem("system", "A", [[1, 1, 1], [0, 1, 1]]), "2 x 2 numbers"),
    ("data-driven", problem("system", "B", [[], []]), "content"),
    ("data-driven", problem("system", "d", [[0, 0]]), "3 x 2 numbers"),
    ("data-driven", problem("cost", "Q", [[1, 0.5], [0, 1]]), "a symmetric one"),
    ("data-driven", problem("cost", "Q", [[-1, 0], [0, 1]]), "UNDECIDED an eigenvalue"),
    ("data-driven", problem("cost", "R", [["x"]]), "content"),
    ("data-driven", all_of(problem("data", {"repeated": "drop"}), repeat_row),
     "REFUTED data: trajectory"),
    ("data-driven", law(model="bounded"), "REFUTED assumptions"),
    ("data-driven", law(distribution="uniform"), "REFUTED assumptions"),
    ("data-driven", law(zero_mean=False), "REFUTED assumptions"),
    ("data-driven", law(mean=0.5), "REFUTED assumptions"),
    ("data-driven", law(scale_bound=-1.0), "REFUTED assumptions"),
    ("data-driven", forget("scale_bound"), "REFUTED assumptions"),
    ("white", law(white=False), "REFUTED assumptions"),
    ("white", rows(2), "REFUTED event covariance"),
    ("relative", rows(8), "REFUTED event covariance"),
    ("data-driven-mean", rows(2), "REFUTED n"),
    ("data-driven", rows(1), "REFUTED n"),
    ("hold-out", rows(0), "REFUTED data: no trajectory is left"),
    ("known-covariance", forget("covariance_bound"), "REFUTED assumptions"),
    ("known-covariance", law(covariance_bound=[0.2] * 7), "1 x 8 numbers"),
    ("oracle", forget("covariance"), "REFUTED assumptions"),
    ("oracle", law(mean=[0.1] * 7), "1 x 8 numbers"),
    ("bounded", law(model="any"), "REFUTED assumptions"),
    ("bounded", law(radius=0.5), "REFUTED assumptions: the norm of a trajectory"),
    ("hold-out-fourth-moment", law(kurtosis=0.5), "REFUTED assumptions"),
    ("hold-out-fourth-moment", law(model="gaussian", kurtosis=2.0), "REFUTED assumptions"),
    ("hold-out-fourth-moment", law(kurtosis=1e9), "UNDECIDED a quantile"),
    ("hold-out-chi-square", gain("k", [0.5, 0, 0]), "REFUTED"),
    # the spread of the cost
    ("hold-out-frobenius", gain("k", [0.5, 0, 0]), "REFUTED controller: its response"),
    ("hold-out-frobenius", law(zero_mean=False), "REFUTED assumptions"),
    ("hold-out-frobenius", law(model="any"), "REFUTED assumptions"),
    ("hold-out-frobenius", put("events", 0, "id", "quantile"), "REFUTED"),
    ("hold-out-frobenius", put("events", 0, "statement", "id", "quantile"), "REFUTED event"),
    ("hold-out-frobenius", put("terms", 1, "value", 0.01), "REFUTED"),
    ("hold-out-frobenius", put("events", 0, "delta", 0.01), "REFUTED"),
    ("hold-out-frobenius", problem("certificate", "delta", 0.2), "REFUTED"),
    ("hold-out-frobenius", rows(30), "REFUTED"),
    ("hold-out-frobenius", ninety_percent, "VERIFIED"),
    ("assumed-scale", forget("scale_bound"), "REFUTED assumptions"),
    # the arrays beside it
    ("data-driven", without("posterior", "variance"), "posterior: variance"),
    ("data-driven", array("posterior", "variance", lambda a: a[:, :-1]), "posterior: variance"),
    ("data-driven", array("posterior", "variance", lambda a: a[:-1]), "posterior: variance"),
    ("data-driven", array("posterior", "variance", lambda a: -a), "REFUTED posterior: variance"),
    ("data-driven", array("posterior", "variance", lambda a: a * np.nan), "REFUTED posterior"),
    ("data-driven", array("posterior", "mean", lambda a: a + 1), "REFUTED posterior: mean"),
    ("data-driven", array("posterior", "mean", lambda a: a * 1.5), "REFUTED controller"),
    ("data-driven", array("posterior", "mean", lambda a: a.astype("<i8")), "'<f8' or '<f4'"),
    ("data-driven", array("posterior", "mean", lambda a: a[None, None, :, :]), "one to three small numbers"),
    ("hold-out", lambda run: run.arrays["responses"].clear(), "at least one"),
    ("hold-out", without("responses", "Phi_u_0"), "Phi_u and phi_u"),
    ("hold-out", without("responses", "phi_u_0"), "Phi_u and phi_u"),
    ("hold-out", array("responses", "Phi_u_0", lambda a: a[:, :-1]), "Phi_u and phi_u"),
    ("hold-out", array("responses", "Phi_u_0", lambda a: a[:-1]), "Phi_u and phi_u"),
    ("hold-out", array("responses", "phi_u_0", lambda a: a[:-1]), "Phi_u and phi_u"),
    ("hold-out", array("responses", "phi_u_0", lambda a: np.hstack([a, a])), "Phi_u and phi_u"),
    ("hold-out", array("responses", "Phi_u_0", lambda a: a + 1), "REFUTED responses"),
    ("cross", problem("certificate", "folds", 3), "REFUTED responses"),
    # the controller
    ("data-driven", gain("format", "x"), "format"),
    ("data-driven", gain("horizon", 4), "another size"),
    ("data-driven", gain("n_x", 4), "another size"),
    ("data-driven", gain("n_u", 4), "another size"),
    ("data-driven", gain("K", [[1.0] * 8] * 3), "an input that uses a later state"),
    ("data-driven", gain("K", 1.0), "3 x 8 numbers"),
    ("data-driven", gain("learned_from", ["0123"]), "16 hexadecimal digits"),
    ("data-driven", gain("learned_from", ["0123456789ABCDEF"]), "16 hexadecimal digits"),
    ("data-driven", three_events, "REFUTED events"),
    ("data-driven", lambda run: run.certificate["events"].reverse(), "REFUTED event"),
    ("data-driven", narrow, "columns"),
    ("data-driven", array("posterior", "mean", lambda a: -a), "REFUTED controller"),
    ("data-driven", all_of(problem("response", "start", "lqr"), problem("cost", "R", [[0]]),
                           problem("system", "B", [[0], [0]])), "UNDECIDED a linear system"),
    ("data-driven", law(model="gaussiax"), "expected one of gaussian, bounded, any"),
    ("posterior-localized", put("lambda", 1e9), "UNDECIDED lambda"),
    ("posterior-localized", put("events", 0, "statement", "parameters", "lambda_end", 1e9),
     "UNDECIDED lambda_end"),
    ("posterior-localized", put("events", 0, "statement", "parameters", {}), "REFUTED event"),
    ("posterior-localized", put("events", 0, "statement", "parameters", "lambda_end", -1.0),
     "REFUTED event"),
    ("posterior-localized", put("assumptions", 0, "id", "any-law"), "REFUTED assumptions"),
    ("posterior-localized", law(model="any"), "REFUTED"),
    ("data-driven-given-radius", law(covariance_radius=0.6), "REFUTED"),
    ("data-driven-given-radius", law(covariance_radius=-0.5), "REFUTED assumptions"),
    ("data-driven-given-radius", forget("covariance_radius"), "REFUTED assumptions"),
    ("data-driven-given-radius", law(covariance_radius_delta=0.001), "REFUTED event"),
    ("data-driven-given-radius", put("events", 1, "delta", 0.001), "REFUTED"),
    ("data-driven-given-radius", put("assumptions", 1, "parameters", "eps", 0.1), "REFUTED"),
    ("data-driven-effective-rank", put("events", 1, "statement", "parameters", "eps", 0.01),
     "REFUTED event"),
    ("data-driven-effective-rank", put("events", 1, "statement", "parameters", "trace", 0.01),
     "REFUTED event"),
    ("data-driven-effective-rank", forget("scale_bound"), "REFUTED assumptions"),
    ("hold-out", problem("certificate", "delta", {"chernoff": 0.05}), "VERIFIED"),
    ("hold-out", one_fold, "certificate.folds: found 1, expected at least 2"),
    ("hold-out-chi-square", ninety_percent, "VERIFIED"),
    ("known-covariance", law(covariance_bound=(0.2 * np.eye(8)).tolist()), "VERIFIED"),
    ("known-covariance", law(covariance_bound=np.triu(0.2 * np.ones((8, 8))).tolist()),
     "a symmetric one"),
    # a stated covariance (0.1 I, scale_bound and covariance_bound 0.2) that contradicts a bound
    ("data-driven", law(covariance=0.21), "REFUTED assumptions: disturbance.covariance exceeds"),
    ("data-driven", law(covariance=0.2), "VERIFIED"),
    ("data-driven", law(covariance=LINKED), "VERIFIED"),
    ("data-driven", law(scale_bound=0.0, covariance=0.0), "REFUTED assumptions"),
    ("assumed-scale", law(covariance=(2 * np.array(LINKED)).tolist()), "REFUTED assumptions"),
    ("known-covariance", law(covariance=0.3), "REFUTED assumptions: disturbance.covariance exceeds"),
    ("known-covariance", law(covariance_bound=0.0, covariance=0.1), "REFUTED assumptions"),
    ("white", law(covariance=LINKED), "REFUTED assumptions: kind white needs"),
    ("white", law(covariance=[0.1] * 7 + [0.11]), "REFUTED assumptions: kind white needs"),
    ("white", law(covariance=[0.15] * 2 + [0.1] * 6), "VERIFIED"),
    ("white", forget("covariance"), "VERIFIED"),
    ("bounded", law(kurtosis=0.5), "REFUTED assumptions: disturbance.kurtosis is too small"),
    ("bounded", law(scale_bound=-1.0), "REFUTED assumptions: disturbance.scale_bound is too small"),
    ("bounded-self", rows(2), "REFUTED"),
    ("bounded-self", law(scale_bound=0.05), "REFUTED assumptions"),
    ("bounded-self", law(scale_bound=1e9), "VERIFIED"),
    ("bounded-self", law(scale_bound=0.05, mean=0.5), "VERIFIED"),
    ("cross", nudge_gains, "UNDECIDED what the rounding of K and k costs"),
    ("improvement", problem("system", "d", [[0.1, 0]] * 3), "REFUTED assumptions"),
    ("improvement-scale", put("lambda", 1e9), "UNDECIDED lambda"),
    ("improvement", put("inputs", "baseline", "none.json"), "expected a file"),
    ("improvement", all_of(problem("certificate", "delta", 1 - 1e-10), put("confidence", 1e-10),
                           put("events", 0, "delta", 1 - 1e-10)), "REFUTED events: their deltas"),
    ("improvement", put("events", 0, "delta", 0.1), "REFUTED"),
    ("improvement", put("events", 0, "statement", "id", "chernoff-difference"), "REFUTED event"),
    ("best", problem("certificate", "delta", -0.1), "certificate.delta: found '-0.1'"),
    ("best", problem("certificate", "delta", 1.5), "certificate.delta: found '1.5'"),
    ("difference-hold-out", law(model="any"), "REFUTED events"),
    # an offset that a response does not have
    ("data-driven", gain("k", [1e-9, 0.0, 0.0]), "REFUTED controller: its k"),
    ("best-posterior", gain("k", [0.0, 0.0, 100.0]), "REFUTED controller: its k"),
    ("white-offset", gain("k", [0.1, 0.1, 0.1]), "REFUTED controller: its response"),
    # the portfolio
    # Another kind still has the event on the mean cost; what rounding adds then rests on too little.
    ("best-any", forget("radius"), "UNDECIDED a quantile"),
    ("best", problem("system", "d", [[0.1, 0]] * 3), "REFUTED event"),  # other kinds need none
    ("best", law(distribution="uniform"), "REFUTED event"),
    ("best", shift_delta, "REFUTED event 'hold-out-all"),
    ("best", rename_chosen, "REFUTED event"),
    ("best", put("events", 1, "delta", 1e-4), "REFUTED"),
    ("best", problem("certificate", "folds", 1), "certificate.folds: found 1"),
    ("best", problem("certificate", "folds", 41), "REFUTED event"),
    ("best", problem("certificate", "folds", 2.5), "certificate.folds: found 2.5"),
    ("best", put("events", 0, "delta", 0.0), "REFUTED event"),
    ("best", put("chosen", "scale-exact"), "UNDECIDED kind"),
    ("best", lambda run: run.certificate["events"].pop(), "REFUTED event"),
    ("best", lambda run: run.certificate["events"].append(
        event("pac_bayes", "pac-bayes", 1e-13, "bounded")), "REFUTED events"),
    ("best", problem("certificate", "delta", 0.04), "REFUTED event"),
    ("best", put("inputs", "deployment", "method", "ridge"), "REFUTED event"),
    ("best-lqr", put("inputs", "deployment", "method", "erm"), "REFUTED event"),
]

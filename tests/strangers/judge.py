"""One plant, learned in natural and in scrambled units; what is wrong with the answers.

  fails    the program ends with an error where data and problem are in order
  false    the certificate is below the measured cost (allowed in delta of the plants)
  wrong    the certified change from LQR is below the measured one (allowed in delta)
  units    certificate, change, method or controller differ between the two sets of units
  worse    the deployed controller costs more than LQR by more than 5 %
  loose    the certificate is above three times the measured cost
"""

import json
import pathlib
import subprocess

import numpy as np

KINDS = ("fails", "false", "wrong", "units", "worse", "loose")


def matrix(M):
    return json.dumps(np.asarray(M).tolist())


def problem_text(p, sx, su, sc, extra):
    Ix, Iu = np.diag(1 / sx), np.diag(1 / su)
    Sx = np.diag(sx)
    lines = ['name = "stranger"', f"horizon = {p.T}", "[system]", f"A = {matrix(Sx @ p.A @ Ix)}",
             f"B = {matrix(Sx @ p.B @ Iu)}"]
    if np.any(p.d):
        lines.append(f"d = {matrix(sx * p.d)}")
    lines += ["[cost]", f"Q = {matrix(sc * Ix @ p.Q @ Ix)}", f"R = {matrix(sc * Iu @ p.R @ Iu)}",
              f"P = {matrix(sc * Ix @ p.P @ Ix)}", "[learning]", 'method = "auto"']
    if np.any(p.mean):
        lines += ["[response]", "affine = true", "[disturbance]", "zero_mean = false"]
    return "\n".join(lines) + "\n" + extra


def write_logs(p, sx, su, folder, as_csv):
    """a table with a row a step, or arrays; what [data] says of it"""
    X, U = p.X * sx, p.U * su
    if not as_csv:
        np.savez(folder / "logs.npz", x=X, u=U)
        return folder / "logs.npz", '[data]\naxes = ["episode", "step", "component"]\n'
    states = [f"x{i}" for i in range(p.n_x)]
    inputs = [f"u{i}" for i in range(p.n_u)]
    with open(folder / "logs.csv", "w") as out:
        out.write(",".join(["episode", "step"] + states + inputs) + "\n")
        for i in range(p.n):
            for t in range(p.T + 1):
                u = [repr(float(v)) for v in U[i, t]] if t < p.T else [""] * p.n_u
                out.write(",".join([str(i), str(t)] + [repr(float(v)) for v in X[i, t]] + u) + "\n")
    names = ", ".join(json.dumps(s) for s in states)
    return folder / "logs.csv", (f'[data]\nstates = [{names}]\ninputs = [{", ".join(map(json.dumps, inputs))}]\n'
                                 'layout = "long"\nepisode = "episode"\nstep = "step"\n')


class Answer:
    def __init__(self, program, p, sx, su, sc, folder, extra, as_csv):
        folder.mkdir(parents=True, exist_ok=True)
        logs, data = write_logs(p, sx, su, folder, as_csv)
        problem = folder / "problem.toml"
        problem.write_text(problem_text(p, sx, su, sc, extra) + data)
        run = subprocess.run([program, "learn", str(problem), "--rollouts", str(logs), "--out", str(folder / "out"),
                              "--json"], capture_output=True, text=True)
        self.failure = "" if run.returncode == 0 else f"exit {run.returncode}: {run.stderr.strip()[-160:]}"
        if self.failure:
            return
        tree = json.loads(run.stdout)
        self.value = tree["certificate"]["value"] / sc
        self.kind = tree["certificate"].get("chosen")
        change = tree.get("improvement")
        self.change = None if change is None else change["value"] / sc
        controller = json.loads((folder / "out" / "controller.json").read_text())
        self.K = np.array(controller["K"]) * np.tile(sx, p.T + 1) / np.tile(su, p.T)[:, None]
        self.k = np.array(controller.get("k") or np.zeros(len(self.K))).ravel() / np.tile(su, p.T)

    def control(self, p):
        def law(t, X):
            rows = slice(t * p.n_u, (t + 1) * p.n_u)
            return X.reshape(len(X), -1) @ self.K[rows].T + self.k[rows]
        return law


def differences(p, a, b, fresh_seed):
    """what of the two answers is not the same, to 1e-6"""
    if a.kind != b.kind:
        yield f"{a.kind} or {b.kind}"
    if abs(b.value / a.value - 1) > 1e-6:
        yield f"certificate {a.value:.8g} or {b.value:.8g}"
    if (a.change is None) != (b.change is None) or (
            a.change is not None and abs(a.change - b.change) > 1e-6 * abs(a.value)):
        yield f"change {a.change} or {b.change}"
    runs = [p.run(x.control(p), 50, np.random.default_rng(fresh_seed)) for x in (a, b)]
    apart = p.cost(runs[0][0] - runs[1][0], runs[0][1] - runs[1][1]).mean()
    if apart > 1e-12 * p.cost(*runs[0]).mean():
        yield f"controllers are {np.sqrt(apart / p.cost(*runs[0]).mean()):.1e} apart"


def judge(program, p, seed, folder, fresh=20000, extra="", scramble=3.0):
    """(list of 'kind: text', certificate / cost, cost / cost of LQR)"""
    folder = pathlib.Path(folder)
    rng = np.random.default_rng([seed, 2])
    as_csv = seed % 4 == 3
    natural = Answer(program, p, np.ones(p.n_x), np.ones(p.n_u), 1.0, folder / "natural", extra, as_csv)
    scale = lambda size, most: 10.0 ** rng.uniform(-most, most, size)  # noqa: E731
    other = Answer(program, p, scale(p.n_x, scramble), scale(p.n_u, scramble), float(scale(1, 2 * scramble)[0]),
                   folder / "other", extra, as_csv)
    said = [f"fails: {a.failure}" for a in (natural, other) if a.failure]
    if natural.failure:
        return said, None, None
    c = p.cost(*p.run(natural.control(p), fresh, np.random.default_rng([seed, 3])))
    b = p.cost(*p.run(p.lqr(), fresh, np.random.default_rng([seed, 3])))
    error = lambda x: 3 * x.std() / np.sqrt(len(x))  # noqa: E731
    if natural.value < c.mean() - error(c):
        said.append(f"false: certified {natural.value:.5g}, costs {c.mean():.5g}")
    if natural.change is not None and natural.change < (c - b).mean() - error(c - b):
        said.append(f"wrong: change {natural.change:.5g}, measured {(c - b).mean():.5g}")
    if natural.value > 3 * c.mean():
        said.append(f"loose: certified {natural.value:.5g}, costs {c.mean():.5g}")
    if c.mean() > 1.05 * b.mean():
        said.append(f"worse: costs {c.mean():.5g}, LQR {b.mean():.5g}")
    if not other.failure:
        said += [f"units: {text}" for text in differences(p, natural, other, [seed, 4])]
    return said, natural.value / c.mean(), c.mean() / b.mean()

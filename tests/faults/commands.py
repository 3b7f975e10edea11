"""The commands that write, at their smallest: what each writes, what was there before, and how it is
tried again after a failure."""

import dataclasses
import pathlib
import subprocess

SOURCE = pathlib.Path(__file__).resolve().parents[2]
WHITE = str(SOURCE / "examples/double-integrator/problem.toml")
COLOURED = str(SOURCE / "examples/assumptions/coloured.toml")

SWEEP = """problems = ["{problem}"]
n = [10, 20]
methods = ["lqr", "ridge", "pac-bayes"]
seeds = 2
test = 20
"""
COVERAGE = """sets = 200
[[cells]]
family = "fixed"
problem = "{problem}"
kinds = ["hold-out"]
n = [5, 10]
rule = "exact"
"""


@dataclasses.dataclass
class Command:
    name: str
    arguments: list  # run in a folder of its own; IN/ stands for the folder of the inputs
    before: list     # the command lines that make what is there already, in state "old"
    base: list = dataclasses.field(default_factory=list)   # those that both states need
    again: list = dataclasses.field(default_factory=list)  # after a failure; else the same
    steps: list = dataclasses.field(default_factory=list)  # ends of names that are written together
    store: bool = False  # keeps a SQLite file and a lock beside its results


def learn(*more):
    return ["learn", COLOURED, "--sample", "30", "--seed", "1", "--quiet", *more]


COMMANDS = [
    Command("sample", ["sample", WHITE, "-n", "20", "--seed", "1", "--out", "w.npy"],
            [["sample", WHITE, "-n", "30", "--seed", "2", "--out", "w.npy"]]),
    # The old run has a posterior and no responses, the new one the other way round.
    Command("learn", learn("--out", "run"),
            [["learn", WHITE, "--sample", "20", "--seed", "2", "--quiet", "--out", "run"]]),
    Command("learn lqr", ["learn", WHITE, "--method", "lqr", "--quiet", "--out", "run/lqr"],
            [["learn", WHITE, "--sample", "20", "--seed", "2", "--quiet", "--out", "run/lqr"]]),
    Command("certify", ["certify", WHITE, "--controller", "IN/run/controller.json", "--sample", "20",
                        "--out", "c"],
            [["certify", WHITE, "--controller", "IN/run/controller.json", "--sample", "30", "--out",
              "c", "--certificate", "improvement", "--baseline", "IN/lqr/controller.json"]]),
    Command("simulate", ["simulate", WHITE, "--controller", "IN/run/controller.json", "--sample",
                         "10", "--paths", "paths.csv"],
            [["simulate", WHITE, "--controller", "IN/lqr/controller.json", "--sample", "12",
              "--paths", "paths.csv"]]),
    Command("import", ["import", WHITE, "--rollouts", "IN/log.csv", "--out", "w.csv"],
            [["sample", WHITE, "-n", "7", "--out", "w.csv"]]),
    Command("import .mat", ["import", WHITE, "--rollouts", "IN/log.mat", "--out", "w.npy"],
            [["sample", WHITE, "-n", "7", "--out", "w.npy"]]),
    Command("inspect", ["inspect", WHITE, "--data", "IN/w.npy", "--out", "i"],
            [["inspect", WHITE, "--sample", "50", "--out", "i"]]),
    Command("export c", ["export", "IN/run/controller.json", "--format", "c", "--out", "code"],
            [["export", "IN/lqr/controller.json", "--format", "c", "--out", "code"]]),
    Command("export npy", ["export", "IN/run/controller.json", "--format", "npy", "--out", "K.npy"],
            [["export", "IN/lqr/controller.json", "--format", "npy", "--out", "K.npy"]]),
    Command("export mat", ["export", "IN/run/controller.json", "--format", "mat", "--out", "K.mat"],
            [["export", "IN/lqr/controller.json", "--format", "mat", "--out", "K.mat"]]),
    Command("report", ["report", "run", "--problem", WHITE, "--sample", "20", "--seed", "3"],
            [], base=[["learn", WHITE, "--sample", "20", "--quiet", "--out", "run"]]),
    Command("report of a sweep", ["report", "s"], [],
            base=[["sweep", "IN/sweep.toml", "--out", "s", "--quiet"]], store=True),
    Command("help", ["help", "--man", "--out", "man/man1"], [["help", "--man", "--out", "man/man1"]]),
    Command("coverage", ["coverage", "IN/coverage.toml", "--out", "cov", "--jobs", "2"],
            [["coverage", "IN/coverage.toml", "--sets", "180", "--out", "cov"]]),
    # Without --resume a sweep refuses what is there.
    Command("sweep", ["sweep", "IN/sweep.toml", "--out", "s", "--quiet"], [],
            again=["sweep", "IN/sweep.toml", "--out", "s", "--quiet", "--resume"], store=True),
    Command("sweep --resume", ["sweep", "IN/sweep.toml", "--out", "s", "--quiet", "--resume"],
            [["sweep", "IN/other.toml", "--out", "s", "--quiet"]], store=True),
    Command("sweep --merge", ["sweep", "IN/sweep.toml", "--out", "s", "--quiet", "--merge"], [],
            base=[["sweep", "IN/sweep.toml", "--out", "s", "--quiet", "--shard", "1/2"],
                  ["sweep", "IN/sweep.toml", "--out", "s", "--quiet", "--shard", "2/2"]],
            store=True),
    Command("reproduce", ["reproduce", "--seeds", "1", "--out", "paper"],
            [["reproduce", "--seeds", "2", "--out", "paper"]], store=True,
            steps=[("results.csv", "results.json"), ("tables.json", "report.html")]),
]


def find(name):
    return next(command for command in COMMANDS if command.name == name)


def make_inputs(program, folder):
    """What the commands above read."""
    folder.mkdir()
    (folder / "sweep.toml").write_text(SWEEP.format(problem=WHITE))
    (folder / "other.toml").write_text(SWEEP.format(problem=WHITE).replace("[10, 20]", "[20, 30]"))
    (folder / "coverage.toml").write_text(COVERAGE.format(problem=WHITE))
    for line in (["sample", WHITE, "-n", "20", "--out", "w.npy"],
                 ["learn", WHITE, "--sample", "20", "--quiet", "--out", "run"],
                 ["learn", WHITE, "--method", "lqr", "--quiet", "--out", "lqr"],
                 ["simulate", WHITE, "--controller", "lqr/controller.json", "--sample", "8",
                  "--paths", "log.csv"],
                 ["simulate", WHITE, "--controller", "lqr/controller.json", "--sample", "8",
                  "--paths", "log.mat"]):
        subprocess.run([program, *line], cwd=folder, check=True, capture_output=True)

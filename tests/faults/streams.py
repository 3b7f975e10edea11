"""Standard streams that are full or closed."""

import os
import subprocess

from bench import judge_end, snapshot
from commands import WHITE, Command
from injected import states

PRINTING = [
    Command("plan", ["plan", WHITE, "--target", "50", "--method", "lqr", "--certificate", "hold-out",
                     "--trials", "2", "--max-n", "20"], []),
    Command("help learn", ["help", "learn"], []),
    Command("version", ["--version"], []),
]


def full_stream(bench, command, state):
    """Standard output on a full disk: the files are complete, the status says what is missing."""
    work = bench.fresh(command, state)
    with open("/dev/full", "w") as full:
        done = subprocess.run(bench.line(command.arguments), cwd=work, stdout=full,
                              stderr=subprocess.PIPE, text=True, timeout=60)
    prints = bool(bench.run(command.arguments, bench.fresh(command, state)).stdout)
    complaints = judge_end(done, False)
    if (done.returncode == 6) != prints:
        complaints.append(f"exit status {done.returncode}")
    if snapshot(work, command.store) != bench.state(command, state)[2]:
        complaints.append("other files than with a good standard output")
    return complaints


def closed_streams(bench, command, state, closed):
    """Numbers of streams that are free: nothing that is printed may end in a file."""
    work = bench.fresh(command, state)
    done = subprocess.run(bench.line(command.arguments), cwd=work, timeout=60,
                          preexec_fn=lambda: [os.close(fd) for fd in closed],
                          **{name: subprocess.DEVNULL
                             for fd, name in ((1, "stdout"), (2, "stderr")) if fd not in closed})
    complaints = [] if done.returncode in (0, 6) else [f"exit status {done.returncode}"]
    if snapshot(work, command.store) != bench.state(command, state)[2]:
        complaints.append("other files than with open streams")
    if command.store and any(path.stat().st_size for path in work.rglob("*.lock")):
        complaints.append("something was printed into the lock file")
    return complaints


def streams(bench, commands):
    for command in [*commands, *PRINTING]:
        for state in states(command):
            yield f"{command.name}, {state}, full", full_stream(bench, command, state)
            for closed in ((1,), (2,), (0, 1, 2)):
                yield (f"{command.name}, {state}, {closed} closed",
                       closed_streams(bench, command, state, closed))

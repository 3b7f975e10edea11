"""Two processes on one folder, and ranks of which one dies."""

import os
import pathlib
import shutil
import signal
import subprocess
import time

from bench import hidden, judge_end, snapshot
from commands import find
from injected import fault

RANKS = ["mpirun", "--oversubscribe", "--allow-run-as-root", "-n", "3"]


def finish(process):
    out, error = process.communicate(timeout=120)
    return subprocess.CompletedProcess([], process.returncode, out, error)


def start(bench, arguments, cwd, slow):
    environment = dict(os.environ)
    if slow:  # time between the calls, so that they meet
        environment.update(fault("write", 1, "slow", stays=True), LD_PRELOAD=bench.preload)
    return subprocess.Popen(bench.line(arguments), cwd=cwd, env=environment, text=True,
                            stdout=subprocess.PIPE, stderr=subprocess.PIPE)


def pair(bench, command, rival, slow, delay):
    """The files are those of one of the two, whichever was last or alone."""
    allowed = []
    for lines in ([rival], [command.arguments], [rival, command.arguments],
                  [command.arguments, rival]):
        work = bench.fresh(command, "new")
        for line in lines:
            bench.run(line, work)
        allowed.append(snapshot(work, command.store))
    work = bench.fresh(command, "new")
    first = start(bench, command.arguments, work, slow)
    time.sleep(delay)
    second = start(bench, rival, work, slow)
    done = [finish(first), finish(second)]
    complaints = [line for one in done for line in judge_end(one, False)]
    if all(one.returncode != 0 for one in done):
        complaints.append("both refuse")
    found = snapshot(work, command.store)
    if found not in allowed:
        complaints.append("the files are not those of either")
    shutil.rmtree(work.parent)
    return complaints


def pairs(bench, commands, tries, random):
    for command in commands:
        for rival in [command.arguments, *command.before[-1:]]:
            for number in range(tries):
                delay = random.uniform(0, 0.02)
                what = "itself" if rival is command.arguments else "another"
                yield (f"{command.name} beside {what}, {1000 * delay:.1f} ms later",
                       pair(bench, command, rival, number % 2 == 0, delay))


def ranks_of(process):
    """The children of mpirun that are loopcert."""
    found = []
    for entry in pathlib.Path("/proc").glob("[0-9]*"):
        try:
            parent = int((entry / "stat").read_text().rpartition(")")[2].split()[1])
            if parent == process.pid and (entry / "comm").read_text().strip() == "loopcert":
                found.append(int(entry.name))
        except (OSError, ValueError, IndexError):
            pass  # it ended while we looked
    return sorted(found)


def dead_rank(bench, command, number, seconds, random):
    """One rank is killed; what the others made is kept, and the next run gives the same bytes.
    Returns (whether it was hit, complaints)."""
    work = bench.fresh(command, "new")
    process = subprocess.Popen([*RANKS, *bench.line(command.again)], cwd=work, text=True,
                               stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    end = time.monotonic() + 20
    while not (ranks := ranks_of(process)) and process.poll() is None and time.monotonic() < end:
        time.sleep(0.005)
    time.sleep(seconds)
    hit = False
    if ranks:
        try:
            os.kill(random.choice(ranks), number)
            hit = True
        except ProcessLookupError:
            pass
    finish(process)
    visible = {n: b for n, b in snapshot(work, True).items() if not hidden(n)}
    complaints = [] if visible in ({}, bench.state(command, "new")[2]) else ["half of the results"]
    done = subprocess.run([*RANKS, *bench.line(command.again)], cwd=work, capture_output=True,
                          text=True, timeout=120)
    if done.returncode != 0 or snapshot(work, True) != bench.state(command, "new")[2]:
        complaints.append(f"the next run: {done.returncode}, {done.stderr.strip()}")
    shutil.rmtree(work.parent)
    return hit, complaints


def dead_ranks(bench, tries, random):
    command = find("sweep")
    for number in (signal.SIGKILL, signal.SIGTERM):
        for _ in range(tries):
            hit, complaints = False, []
            while not hit and not complaints:  # it may have been done before the signal came
                hit, complaints = dead_rank(bench, command, number, random.uniform(0, 0.05), random)
            yield f"sweep on 3 ranks, one gets {number.name}", complaints

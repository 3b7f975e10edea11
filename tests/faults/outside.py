"""Faults that come from outside: streams, limits, folders, signals, small disks."""

import contextlib
import os
import resource
import shutil
import signal
import subprocess
import time

from bench import hidden, judge_end, snapshot
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


def limited(bench, command, state, which, size):
    return bench.attempt(command, state, None, preexec_fn=lambda: resource.setrlimit(
        which, (size, size)))


def file_sizes(bench, commands, sizes):
    """No file may grow beyond a size."""
    for command in commands:
        for state in states(command):
            for size in sizes:
                yield (f"{command.name}, {state}, ulimit of {size} bytes",
                       limited(bench, command, state, resource.RLIMIT_FSIZE, size)[1])


def open_files(bench, commands, counts):
    for command in commands:
        for most in counts:
            yield (f"{command.name}, at most {most} open files",
                   limited(bench, command, "new", resource.RLIMIT_NOFILE, most)[1])


def least_memory(bench):
    """Below it the loader of the operating system ends the program, not the program itself."""
    low, high = 1 << 20, 1 << 30
    while high - low > 1 << 16:
        middle = (low + high) // 2
        done = subprocess.run([bench.program, "--version"], capture_output=True,
                              preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_AS,
                                                                    (middle, middle)))
        low, high = (low, middle) if done.returncode != 127 else (middle, high)
    return high


def address_spaces(bench, commands, steps, most):
    least = least_memory(bench)
    for command in commands:
        for step in range(steps):
            size = least + (most * step * step) // (steps * steps)
            yield (f"{command.name}, {size} bytes of memory",
                   limited(bench, command, "new", resource.RLIMIT_AS, size)[1])


@contextlib.contextmanager
def mounted(folder, *options):
    folder.mkdir(exist_ok=True)
    subprocess.run(["mount", *options, str(folder)], check=True)
    try:
        yield folder
    finally:
        subprocess.run(["umount", str(folder)], check=True)


def small_disk(bench, command, size):
    """A disk that is really full, then one with room."""
    disk = bench.folder / "disk"
    with mounted(disk, "-t", "tmpfs", "-o", f"size={size}", "tmpfs"):
        done = bench.run(command.arguments, disk)
        complaints = bench.judge(command, "new", disk, done, False)
        subprocess.run(["mount", "-o", "remount,size=64m", str(disk)], check=True)
        return complaints + bench.recover(command, "new", disk)


def small_disks(bench, commands, sizes):
    for command in commands:
        if command.base:
            continue
        for size in sizes:
            yield f"{command.name}, disk of {size} bytes", small_disk(bench, command, size)


def read_only(bench, command, state):
    work = bench.fresh(command, state)
    with mounted(work, "--bind", "-o", "ro", str(work)):
        done = bench.run(command.arguments, work)
    complaints = bench.judge(command, state, work, done, False)
    if done.returncode == 0:
        complaints.append("exit status 0")
    return complaints + bench.recover(command, state, work)


def in_the_way(bench, command, kind):
    """A file where a folder should be, or a folder where a file should be."""
    work = bench.fresh(command, "new")
    before = set(bench.state(command, "new")[1])
    first = next(n for n in sorted(bench.state(command, "new")[2]) if n not in before)
    path = work / first.rstrip("/")
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("in the way") if kind == "file" else path.mkdir()
    if kind == "file" and not first.endswith("/"):
        return []  # a file is replaced by a file
    done = bench.run(command.arguments, work)
    complaints = judge_end(done, False)
    if kind == "file" and (done.returncode == 0 or path.read_text() != "in the way"):
        complaints.append(f"exit status {done.returncode}, the file is gone or the folder was used")
    if any(hidden(name) for name in snapshot(work, True)):
        complaints.append("something was left behind")
    return complaints


def folders(bench, commands):
    for command in commands:
        for state in states(command):
            yield f"{command.name}, {state}, read-only disk", read_only(bench, command, state)
        if not command.base:
            yield f"{command.name}, a file in the way", in_the_way(bench, command, "file")


def vanishing(bench, command, random):
    """The folder of the results is removed while the command runs."""
    work = bench.fresh(command, "new")
    process = subprocess.Popen(bench.line(command.arguments), cwd=work, stdout=subprocess.PIPE,
                               stderr=subprocess.PIPE, text=True)
    time.sleep(random.uniform(0, 0.1))
    for path in work.iterdir():
        shutil.rmtree(path, ignore_errors=True) if path.is_dir() else path.unlink(missing_ok=True)
    out, error = process.communicate(timeout=60)
    done = subprocess.CompletedProcess([], process.returncode, out, error)
    complaints = judge_end(done, False)
    shutil.rmtree(work)
    shutil.copytree(bench.state(command, "new")[0], work)
    return complaints + bench.recover(command, "new", work)


def vanishings(bench, commands, tries, random):
    for command in commands:
        if not command.base:
            for _ in range(tries):
                yield f"{command.name}, the folder vanishes", vanishing(bench, command, random)


def signalled(bench, command, state, number, seconds):
    work = bench.fresh(command, state)
    process = subprocess.Popen(bench.line(command.arguments), cwd=work, stdout=subprocess.PIPE,
                               stderr=subprocess.PIPE, text=True)
    time.sleep(seconds)
    process.send_signal(number)
    out, error = process.communicate(timeout=60)
    status = process.returncode
    # Where a command does not catch the signal it ends as by SIGKILL.
    done = subprocess.CompletedProcess([], -9 if status == -number else status, out, error)
    complaints = bench.judge(command, state, work, done, True)
    return complaints + bench.recover(command, state, work)


def signals(bench, commands, numbers, tries, random):
    """At random instants of a run."""
    for command in commands:
        for state in states(command):
            start = time.monotonic()
            bench.run(command.arguments, bench.fresh(command, state))
            span = time.monotonic() - start
            for number in numbers:
                for _ in range(tries):
                    at = random.uniform(0, span)
                    yield (f"{command.name}, {state}, {signal.Signals(number).name} at {at:.4f} s",
                           signalled(bench, command, state, number, at))

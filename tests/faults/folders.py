"""Disks that are small or read-only, folders that cannot be made or that vanish."""

import contextlib
import shutil
import subprocess
import time

from bench import judge_end, snapshot
from injected import states


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


def in_the_way(bench, command):
    """A file where a folder should be made, or a folder where a file should be."""
    work = bench.fresh(command, "new")
    after = bench.state(command, "new")[2]
    first = min(after)
    path = work / first.rstrip("/")
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("in the way") if first.endswith("/") else path.mkdir()
    done = bench.run(command.arguments, work)
    complaints = judge_end(done, False)
    if done.returncode != 6:
        complaints.append(f"exit status {done.returncode}")
    steps_before = set(after) if command.steps else set()
    left = set(snapshot(work, True)) - steps_before - {first.rstrip("/")}
    if left or path.is_dir() == first.endswith("/"):
        complaints.append(f"the thing in the way is gone, or something else is there: {left}")
    return complaints


def folders(bench, commands):
    for command in commands:
        for state in states(command):
            yield f"{command.name}, {state}, read-only disk", read_only(bench, command, state)
        if not command.base:
            yield f"{command.name}, something in the way", in_the_way(bench, command)


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

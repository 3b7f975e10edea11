"""What is promised, and the cases that try it. Each yields (what was done, complaints)."""

import errno
import signal

import folders
import injected
import limits
import signals
import streams
import together
from commands import COMMANDS, find

MB = 1 << 20
LONG = [find(name) for name in ("sweep", "sweep --resume", "reproduce", "coverage", "learn")]


def each_write_fails(bench, quick, random):
    for command in COMMANDS:
        yield from injected.write_faults(bench, command, (errno.ENOSPC, errno.EIO),
                                         2 if quick else 70, random)


def each_write_fails_otherwise(bench, quick, random):
    hows = (errno.EDQUOT, errno.EROFS, errno.EACCES, errno.EINTR, "short")
    for command in COMMANDS:
        yield from injected.write_faults(bench, command, hows, 1 if quick else 12, random)


def writes_go_on_failing(bench, quick, random):
    for command in COMMANDS:
        yield from injected.write_faults(bench, command, (errno.ENOSPC, errno.EROFS),
                                         1 if quick else 8, random, stays=True)


def killed_at_each_write(bench, quick, random):
    for command in COMMANDS:
        yield from injected.write_faults(bench, command, ["kill"], 3 if quick else 70, random)


def killed_at_any_time(bench, quick, random):
    return signals.signals(bench, COMMANDS, [signal.SIGKILL], 1 if quick else 20, random)


def told_to_stop(bench, quick, random):
    numbers = (signal.SIGTERM, signal.SIGINT, signal.SIGHUP)
    return signals.signals(bench, LONG, numbers, 1 if quick else 20, random)


def each_read_fails(bench, quick, random):
    for command in COMMANDS:
        yield from injected.other_faults(bench, command, "read", [errno.EIO, errno.EACCES],
                                         1 if quick else 40, random)


def memory_ends(bench, quick, random):
    for command in COMMANDS:
        for stays in (False, True):
            yield from injected.other_faults(bench, command, "memory", [errno.ENOMEM],
                                             1 if quick else 40, random, stays)


def memory_is_limited(bench, quick, random):
    return limits.address_spaces(bench, COMMANDS, 3 if quick else 20, 24 * MB)


def clock_jumps(bench, quick, random):
    for command in COMMANDS:
        yield from injected.other_faults(bench, command, "clock", [-10**6, 10**6],
                                         1 if quick else 5, random)


def bad_streams(bench, quick, random):
    return streams.streams(bench, LONG if quick else COMMANDS)


def small_limits(bench, quick, random):
    sizes = (0, 5000) if quick else (0, 1, 100, 1000, 4096, 10000, 30000, 100000)
    yield from limits.file_sizes(bench, COMMANDS, sizes)
    yield from limits.open_files(bench, COMMANDS, (4,) if quick else range(4, 12))


def bad_folders(bench, quick, random):
    yield from folders.folders(bench, LONG if quick else COMMANDS)
    yield from folders.vanishings(bench, LONG, 1 if quick else 20, random)


def small_disks(bench, quick, random):
    sizes = (4096, 65536) if quick else (4096, 16384, 32768, 65536, 98304, 131072, 196608, 262144)
    return folders.small_disks(bench, COMMANDS, sizes)


def two_processes(bench, quick, random):
    return together.pairs(bench, [c for c in COMMANDS if not c.base], 1 if quick else 20, random)


def ranks(bench, quick, random):
    return together.dead_ranks(bench, 1 if quick else 15, random)


PROMISES = [
    ("a write fails once: disk full, I/O error", each_write_fails),
    ("a write fails once: quota, read-only, rights, interrupted, short", each_write_fails_otherwise),
    ("writes fail from some call on", writes_go_on_failing),
    ("kill -9 before each write", killed_at_each_write),
    ("kill -9 at random instants", killed_at_any_time),
    ("SIGTERM, SIGINT, SIGHUP at random instants", told_to_stop),
    ("a read fails", each_read_fails),
    ("memory: an allocation fails", memory_ends),
    ("memory: limits of address space", memory_is_limited),
    ("the clock jumps", clock_jumps),
    ("standard streams full or closed", bad_streams),
    ("limits of file size and open files", small_limits),
    ("folders read-only, in the way, vanishing", bad_folders),
    ("small disks", small_disks),
    ("two processes at once", two_processes),
    ("a rank of mpirun dies", ranks),
]

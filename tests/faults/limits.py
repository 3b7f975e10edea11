"""Limits that the system sets: sizes of files, open files, memory."""

import resource
import subprocess

from injected import states


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

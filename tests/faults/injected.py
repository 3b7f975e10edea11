"""Faults inside the process: the N-th call fails."""

import errno

# What removes, and the lock without which nobody knows whose a staged file is.
CLEANING = ("unlink", "remove", "rmdir", "flock")


def fault(family, at, how, stays=False, log=None):
    return {"FAULT_FAMILY": family, "FAULT_AT": str(at), "FAULT_HOW": str(how),
            "FAULT_STAYS": "1" if stays else "", "FAULT_LOG": str(log or "")}


def count(bench, command, state, family):
    """The calls of one run: for files a line each, for memory and clock their number."""
    work = bench.fresh(command, state)
    log = work.parent / "log"
    bench.run(command.arguments, work, fault(family, 0, errno.EIO, log=log))
    lines = log.read_text().splitlines()
    return range(int(lines[0])) if family in ("memory", "clock") else lines


def sample(numbers, most, random):
    numbers = list(numbers)
    return numbers if len(numbers) <= most else sorted(random.sample(numbers, most))


def states(command):
    return ("new", "old") if command.before else ("new",)


def allowed(command, how, stays, call):
    """Exit statuses. To SQLite a lock that always fails, or is refused for want of rights or by a signal, is
    one that another program holds: status 3."""
    held = stays or call.startswith("fcntl") and how in (errno.EACCES, errno.EINTR)
    return {0, 6} | ({-9} if how == "kill" else set()) | ({3} if held and command.store else set())


def write_faults(bench, command, hows, most, random, stays=False):
    """Each call that changes a file, failing in each way: (what was done, complaints)."""
    log = bench.folder / "log"

    def call(number):
        """What the call was in the last run: the calls of a sweep are not the same every time."""
        lines = log.read_text().splitlines()
        return lines[number - 1] if number <= len(lines) else "not reached"

    for state in states(command):
        calls = count(bench, command, state, "write")
        for index in sample(range(len(calls)), most, random):
            number = index + 1
            for how in hows:
                if how == "short" and not calls[index].startswith(("write", "pwrite")):
                    continue
                status, complaints = bench.attempt(
                    command, state, fault("write", number, how, stays, log),
                    lambda: stays or how == "kill" or call(number).startswith(CLEANING))
                if status not in allowed(command, how, stays, call(number)):
                    complaints.append(f"exit status {status}, expected 0 or 6")
                yield f"{command.name}, {state}, {how}, call {number}: {call(number)}", complaints


def other_faults(bench, command, family, hows, most, random, stays=False):
    calls = count(bench, command, "new", family)
    for index in sample(range(len(calls)), most, random):
        for how in hows:
            _, complaints = bench.attempt(command, "new", fault(family, index + 1, how, stays))
            yield f"{command.name}, {family}, {how}, call {index + 1} of {len(calls)}", complaints

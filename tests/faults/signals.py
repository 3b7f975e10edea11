"""Signals at random instants of a run."""

import signal
import subprocess
import time

from injected import states


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

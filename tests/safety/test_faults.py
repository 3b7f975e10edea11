"""A part of what tools/faults does: calls that fail, kills, limits, two processes at once."""

import errno
import os
import pathlib
import random
import resource
import sys
import tempfile
import unittest

from program import PROGRAM, SOURCE

sys.path.insert(0, str(SOURCE / "tests/faults"))

import injected  # noqa: E402
import limits  # noqa: E402
import streams  # noqa: E402
import together  # noqa: E402
from bench import Bench  # noqa: E402
from commands import find  # noqa: E402


class Faults(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        # In memory where that is possible: nobody's disk has to be flushed a thousand times.
        memory = pathlib.Path("/dev/shm")
        folder = tempfile.TemporaryDirectory(dir=memory if os.access(memory, os.W_OK) else None)
        cls.addClassCleanup(folder.cleanup)
        cls.bench = Bench(PROGRAM, os.environ["LOOPCERT_FAULTS"], folder.name)

    def check(self, cases, least):
        """Nobody complains about any case, and there were some."""
        results = list(cases)
        self.assertGreaterEqual(len(results), least)
        self.assertEqual([case for case in results if case[1]], [])

    def writes(self, name, how, most, least, **more):
        self.check(injected.write_faults(self.bench, find(name), [how], most, random.Random(1),
                                         **more), least)

    def test_disk_full_at_each_call(self):
        for name, least in (("sample", 14), ("certify", 40)):
            self.writes(name, errno.ENOSPC, 100, least)

    def test_errors_at_some_calls(self):
        for name in ("learn", "sweep --resume", "reproduce", "report"):
            for how in (errno.EIO, errno.EINTR):
                self.writes(name, how, 3, 3)
        self.writes("sample", "short", 100, 2)

    def test_disk_stays_full(self):
        for name in ("learn lqr", "sweep"):
            self.writes(name, errno.ENOSPC, 5, 5, stays=True)

    def test_killed_at_each_call(self):
        self.writes("export npy", "kill", 100, 30)
        self.writes("sweep", "kill", 10, 10)

    def test_memory(self):
        for name in ("sample", "learn", "sweep"):
            for stays in (False, True):
                self.check(injected.other_faults(self.bench, find(name), "memory", [errno.ENOMEM],
                                                 8, random.Random(1), stays), 8)

    def test_clock(self):
        self.check(injected.other_faults(self.bench, find("sweep"), "clock", [-10**6, 10**6], 2,
                                         random.Random(1)), 4)

    def test_streams_and_limits(self):
        commands = [find("learn lqr"), find("sweep --resume")]
        self.check(streams.streams(self.bench, commands), 16)
        self.check(limits.file_sizes(self.bench, commands, (0, 5000)), 8)
        self.check(limits.open_files(self.bench, commands, (4, 6)), 4)

    def test_few_threads(self):
        """A process that may not have another thread works with those that it has."""
        def limit():
            resource.setrlimit(resource.RLIMIT_STACK, (1 << 40, resource.RLIM_INFINITY))
            resource.setrlimit(resource.RLIMIT_AS, (1 << 31, 1 << 31))
        status, complaints = self.bench.attempt(find("coverage"), "new", None, preexec_fn=limit)
        self.assertEqual((status, complaints), (0, []))

    def test_two_processes(self):
        self.check(together.pairs(self.bench, [find("learn"), find("sweep")], 2,
                                  random.Random(1)), 6)

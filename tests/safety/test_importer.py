"""The importer stands between hostile files and the program: it may die, the program may not."""

import os
import resource
import struct
import unittest
from unittest import mock

import numpy as np
from bad_data import npy_bytes, npz_bytes
from bad_foreign import GOOD_MAT
from program import INSTRUMENTED, SOURCE, WHITE_TREE, ProgramTest


class Importer(ProgramTest):
    def setUp(self):
        super().setUp()
        self.write("p.json", WHITE_TREE)
        (self.folder / "w.mat").write_bytes(GOOD_MAT)
        self.stand_in = self.folder / "importer"

    def with_importer(self, script):
        self.stand_in.write_text(f"#!/bin/sh\n{script}\n")
        self.stand_in.chmod(0o755)
        return mock.patch.dict(os.environ, {"LOOPCERT_IMPORTER": str(self.stand_in)})

    def refused(self, script, *says):
        with self.subTest(script), self.with_importer(script):
            self.fails(3, "learn", "p.json", "--data", "w.mat", "--out", "out",
                       says=["w.mat: ", *says])

    def answer(self, content):
        (self.folder / "answer").write_bytes(content)
        return f"cat {self.folder}/answer"

    def test_that_dies(self):
        for name, number in (("SEGV", 11), ("ABRT", 6), ("BUS", 7), ("FPE", 8), ("KILL", 9),
                             ("XCPU", 24)):
            self.refused(f"kill -{name} $$", f"signal {number}")
        self.refused("echo half an answer; kill -SEGV $$", "signal 11")

    def test_that_fails(self):
        self.refused("exit 7", "status 7")
        self.refused("exit 3", "status 3")
        self.refused("printf 'one\\ntwo\\n' >&2; exit 3", "one")
        # What it says goes to a terminal: nothing in it may steer one.
        with self.with_importer("printf '\\033[2J\\007hello\\177\\n' >&2; exit 3"):
            done = self.run_program("learn", "p.json", "--data", "w.mat")
            self.assertEqual(done.stderr, "loopcert: w.mat: ?[2J?hello? (help D)\n")
        self.refused("head -c 300000 /dev/zero >&2; exit 3", "w.mat")

    def test_that_answers_nonsense(self):
        values = npy_bytes(np.zeros((5, 22)))
        self.refused("exit 0", "zip end")
        self.refused("echo nonsense", "zip end")
        self.refused(self.answer(npz_bytes()), "the importer gave no arrays")
        for name in ("1", "w", "-1", "99999999999999999999", "0 "):
            self.refused(self.answer(npz_bytes(**{name + "_npy": values})),
                         "which was not requested")
        self.refused(self.answer(npz_bytes(**{"0_npy": b"hi"})), "w: npy start")
        self.refused(self.answer(npz_bytes(**{"0_npy": npy_bytes(np.full((5, 22), np.nan))})),
                     "w: npy data [0][0]: found nan")

    def test_that_writes_without_end(self):
        """The end comes where a file of this size could not have held more."""
        self.refused("exec cat /dev/zero", "content: the file claims more than a file of its size can hold")

    @unittest.skipIf(INSTRUMENTED, "no limit of memory with sanitizers or counters")
    def test_that_meets_a_claim(self):
        """184 bytes whose name claims 1.3 GB, which libmatio takes and fills with zeros."""
        (self.folder / "w.mat").write_bytes(
            GOOD_MAT[:128] + struct.pack("<12I", 14, 48, 6, 8, 8, 0, 5, 8, 2, 2, 1, 0x4d000000) +
            struct.pack("<2I", 14, 0x03010200))
        self.fails(3, "learn", "p.json", "--data", "w.mat", says="w.mat")
        self.assertLess(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss, 1_200_000)  # KiB

    def test_that_crashes_in_a_library(self):
        """Files that the fuzzer found: they do to libmatio and libhdf5 what their names say."""
        found = sorted((SOURCE / "fuzz/library").iterdir())
        self.assertNotEqual(found, [])
        for path in found:
            with self.subTest(path.name):
                (self.folder / path.name).write_bytes(path.read_bytes())
                self.fails(3, "learn", "p.json", "--data", path.name, "--out", "out",
                           says=path.name + ": ")

    def test_that_is_not_there(self):
        with mock.patch.dict(os.environ, {"LOOPCERT_IMPORTER": "/no/such/program"}):
            self.ok("learn", "p.json", "--data", "w.mat", "--method", "ridge")  # the one beside it
        self.stand_in.write_text("no program\n")
        with mock.patch.dict(os.environ, {"LOOPCERT_IMPORTER": str(self.stand_in)}):
            self.fails(3, "learn", "p.json", "--data", "w.mat", says="could not be started")

    def test_that_works(self):
        """The stand-ins above differ from this one only in what they answer."""
        content = npz_bytes(**{"0_npy": npy_bytes(
            np.random.RandomState(1).normal(size=(5, 22)))})
        with self.with_importer(self.answer(content)):
            self.ok("learn", "p.json", "--data", "w.mat", "--method", "ridge")


if __name__ == "__main__":
    unittest.main()

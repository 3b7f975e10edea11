"""Runs the program as a user would: a command line in, exit status, text and files out."""

import json
import os
import pathlib
import subprocess
import tempfile
import unittest

PROGRAM = os.environ.get("LOOPCERT", "loopcert")
INSTRUMENTED = bool(os.environ.get("LOOPCERT_SANITIZE") or os.environ.get("LOOPCERT_COVERAGE"))
PATIENCE = 1800 if INSTRUMENTED else 600  # seconds
SOURCE = pathlib.Path(os.environ.get("LOOPCERT_SOURCE", pathlib.Path(__file__).parents[2]))
WHITE = SOURCE / "examples/double-integrator/problem.toml"
COLOURED = SOURCE / "examples/double-integrator-coloured/problem.toml"
AFFINE = SOURCE / "examples/scalar-affine/problem.toml"

# The double integrator as the JSON tree of its TOML file.
WHITE_TREE = {
    "name": "double integrator",
    "horizon": 10,
    "system": {"A": [[1, 1], [0, 1]], "B": [[0.5], [1]]},
    "cost": {"Q": [1, 0.1], "R": [0.5], "P": [2, 0.2]},
    "disturbance": {"scale_bound": 0.1, "covariance": 0.1},
}


class ProgramTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def run_program(self, *arguments, **options):
        return subprocess.run([PROGRAM, *map(str, arguments)], capture_output=True, text=True,
                              timeout=PATIENCE, cwd=self.folder, **options)

    def ok(self, *arguments):
        """Standard output of a run that succeeds."""
        done = self.run_program(*arguments)
        self.assertEqual(done.returncode, 0, done.stderr)
        return done.stdout

    def ok_json(self, *arguments):
        """The object of a run that succeeds; standard output must hold it and nothing else."""
        return json.loads(self.ok(*arguments, "--json"))

    def fails(self, status, *arguments, says=()):
        """A run that fails: its status, one line on standard error, nothing on standard output."""
        before = sorted(self.folder.rglob("*"))
        done = self.run_program(*arguments)
        self.assertEqual(done.returncode, status, done.stderr)
        self.assertEqual(done.stdout, "")
        self.assertRegex(done.stderr, r"\Aloopcert: [^\n]+\n\Z")
        for part in [says] if isinstance(says, str) else says:
            self.assertIn(part, done.stderr)
        self.assertEqual(sorted(self.folder.rglob("*")), before, "something was left behind")

    def write(self, name, content):
        path = self.folder / name
        path.write_text(content if isinstance(content, str) else json.dumps(content))
        return path

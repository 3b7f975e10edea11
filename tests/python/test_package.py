"""The package as a wheel in a virtual environment, and as CMake installs it."""

import os
import subprocess
import sys
import tempfile
import unittest
import zipfile
from pathlib import Path

from support import SOURCE

import loopcert as lc

BUILD = Path(os.environ["LOOPCERT_BUILD"])
CHECK = (
    "import loopcert as lc, pathlib, sys;"
    "p = lc.Problem([[1.0]], [[1.0]], [[1.0]], [[1.0]], horizon=3, covariance=0.1);"
    "r = lc.learn(p, p.sample(20), method='auto');"
    "p.sample(3).write(p, 'w.mat'); lc.Disturbances.read(p, 'w.mat');"
    "print(lc.__file__); print(r.certificate.value)"
)


def run(*command, **options):
    done = subprocess.run(
        [str(c) for c in command], capture_output=True, text=True, check=False, **options)
    if done.returncode != 0:
        raise AssertionError(f"{command}: {done.stdout}{done.stderr}")
    return done.stdout


class Package(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)
        # As if nobody had told the shell anything about loopcert.
        hidden = ("PYTHONPATH", "LOOPCERT_IMPORTER")
        self.plain = {k: v for k, v in os.environ.items() if k not in hidden}

    def check(self, python, where, environment):
        lines = run(python, "-c", CHECK, cwd=self.folder, env=environment).split()
        self.assertTrue(lines[0].startswith(str(where)), lines)
        problem = lc.Problem([[1.0]], [[1.0]], [[1.0]], [[1.0]], horizon=3, covariance=0.1)
        here = lc.learn(problem, problem.sample(20), method="auto").certificate.value
        self.assertEqual(float(lines[1]), here)

    def test_wheel_in_a_virtual_environment(self):
        tree = self.folder / "tree"  # pip leaves its traces there
        tree.mkdir()
        for name in ("setup.py", "pyproject.toml", "README.md", "CMakeLists.txt"):
            (tree / name).write_bytes((SOURCE / name).read_bytes())
        (tree / "bindings" / "python").mkdir(parents=True)
        for name in ("loopcert", "loopcert_programs.py"):
            (tree / "bindings" / "python" / name).symlink_to(SOURCE / "bindings" / "python" / name)
        run(sys.executable, "-m", "pip", "wheel", "--no-deps", "--no-build-isolation",
            "--no-index", "-w", self.folder, tree, env={**self.plain, "LOOPCERT_BUILD": str(BUILD)})
        wheel, = self.folder.glob("loopcert-*.whl")
        self.assertIn(f"cp{sys.version_info.major}{sys.version_info.minor}", wheel.name)
        names = set(zipfile.ZipFile(wheel).namelist())
        for name in ("loopcert/__init__.py", "loopcert/py.typed", "loopcert/_core.pyi"):
            self.assertIn(name, names)
        run(sys.executable, "-m", "venv", "--system-site-packages", self.folder / "venv")
        python = self.folder / "venv" / "bin" / "python"
        run(python, "-m", "pip", "install", "--no-deps", "--no-index", wheel, env=self.plain)
        self.check(python, self.folder / "venv", self.plain)
        for command in ("loopcert", "loopcert-verify"):
            said = run(self.folder / "venv" / "bin" / command, "--version", env=self.plain)
            self.assertIn(lc.__version__, said)

    def test_installed_by_cmake(self):
        prefix = self.folder / "prefix"
        run("cmake", "--install", BUILD, "--prefix", prefix)
        site, = prefix.glob("lib/python3*/dist-packages")
        self.check(sys.executable, prefix, {**self.plain, "PYTHONPATH": str(site)})


if __name__ == "__main__":
    unittest.main()

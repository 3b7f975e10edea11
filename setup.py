"""Builds the wheel: CMake makes the package and the programs, setuptools packs them.

    pip install .

The library inside is compiled for any machine of this architecture, from third_party: nothing but a
compiler is needed. SQLite, libmatio with HDF5, and FLINT with OpenSSL are used where they are found
(docs/install.md). With LOOPCERT_BUILD=<folder> what an existing CMake build made is packed instead; with
LOOPCERT_CMAKE_FOLDER=<folder> CMake builds there, so that the library is compiled once for several Pythons.
"""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

from setuptools import Extension, setup
from setuptools.command.build_ext import build_ext

ROOT = Path(__file__).resolve().parent
VERSION = re.search(r"project\(loopcert VERSION ([0-9.]+)", (ROOT / "CMakeLists.txt").read_text())[1]
PROGRAMS = ("loopcert", "loopcert-verify", "loopcert-importer")


def pybind11_options():
    """Where pip put pybind11; else CMake looks for the system's."""
    try:
        import pybind11
    except ImportError:
        return []
    return [f"-Dpybind11_DIR={pybind11.get_cmake_dir()}"]


def build_folder(folder: Path) -> Path:
    """A build of everything a wheel holds, made there unless the user names one that is made."""
    if "LOOPCERT_BUILD" in os.environ:
        return Path(os.environ["LOOPCERT_BUILD"]).resolve()
    options = ["-DCMAKE_BUILD_TYPE=Release", "-DLOOPCERT_UNITY=ON", "-DLOOPCERT_TESTS=OFF",
               "-DLOOPCERT_BINDINGS=ON", "-DLOOPCERT_BUNDLED=ON", f"-DLOOPCERT_PYTHON={sys.executable}"]
    forget = ["-U", "*Python*", "-U", "pybind11*"]  # what another Python left there
    subprocess.run(["cmake", "-S", ROOT, "-B", folder, "-G", "Ninja", *forget, *options, *pybind11_options()],
                   check=True)
    subprocess.run(["cmake", "--build", folder, "--target", "python", "programs"], check=True)
    return folder


class CMakeBuild(build_ext):
    """Copies what CMake built to where setuptools expects the extension."""

    def build_extension(self, extension):
        kept = os.environ.get("LOOPCERT_CMAKE_FOLDER")
        folder = build_folder(Path(kept or Path(self.build_temp) / "cmake").resolve())
        target = Path(self.get_ext_fullpath(extension.name)).resolve().parent
        target.mkdir(parents=True, exist_ok=True)
        files = [file for file in (folder / "python" / "loopcert").iterdir() if file.is_file()]
        files += [folder / "bin" / name for name in PROGRAMS if (folder / "bin" / name).is_file()]
        for file in files:
            shutil.copy2(file, target / file.name)


setup(
    version=VERSION,
    packages=["loopcert"],
    py_modules=["loopcert_programs"],
    package_dir={"": "bindings/python"},
    ext_modules=[Extension("loopcert._core", sources=[])],
    cmdclass={"build_ext": CMakeBuild},
    zip_safe=False,
)

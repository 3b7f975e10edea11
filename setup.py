"""Builds the wheel: CMake makes the package, setuptools packs it.

    pip wheel . --no-deps --no-build-isolation

The library inside is compiled for any machine of this architecture. With LOOPCERT_BUILD=<folder>
the package of an existing CMake build is packed instead.
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


def built_package(folder: Path) -> Path:
    """The package in a build folder, made there unless the user names one that is made."""
    if "LOOPCERT_BUILD" in os.environ:
        return Path(os.environ["LOOPCERT_BUILD"]).resolve() / "python" / "loopcert"
    subprocess.run(
        ["cmake", "-S", ROOT, "-B", folder, "-G", "Ninja", "-DCMAKE_BUILD_TYPE=Release",
         "-DLOOPCERT_UNITY=ON", "-DLOOPCERT_TESTS=OFF", "-DLOOPCERT_BINDINGS=ON",
         f"-DLOOPCERT_PYTHON={sys.executable}"], check=True)
    subprocess.run(["cmake", "--build", folder, "--target", "python"], check=True)
    return folder / "python" / "loopcert"


class CMakeBuild(build_ext):
    """Copies what CMake built to where setuptools expects the extension."""

    def build_extension(self, extension):
        source = built_package(Path(self.build_temp).resolve() / "cmake")
        target = Path(self.get_ext_fullpath(extension.name)).resolve().parent
        target.mkdir(parents=True, exist_ok=True)
        for file in source.iterdir():
            if file.is_file():
                shutil.copy2(file, target / file.name)


setup(
    version=VERSION,
    packages=["loopcert"],
    package_dir={"loopcert": "bindings/python/loopcert"},
    ext_modules=[Extension("loopcert._core", sources=[])],
    cmdclass={"build_ext": CMakeBuild},
    zip_safe=False,
)

"""The commands `loopcert` and `loopcert-verify` of an installed package: the programs in its folder.

Outside the package, which would load NumPy before a program starts."""

import os
import sys
from pathlib import Path


def _become(name, lost):
    program = Path(__file__).with_name("loopcert") / name
    if not program.is_file():
        sys.exit(f"{name}: not in this package: {lost}")
    os.execv(program, [str(program), *sys.argv[1:]])


def loopcert():
    _become("loopcert", "the library was packed without its program")


def verify():
    _become("loopcert-verify", "it was built where FLINT with Arb or OpenSSL was missing")

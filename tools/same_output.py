#!/usr/bin/python3
"""Compares two printed outputs: the same words, and the same numbers up to the last digits.

    same_output.py SAID FOUND    (two files; exit status 1 and the lines that differ)

Kernels sum in another order on another processor, so a number may be off by 1e-6 of itself or by
two units of its last digit.
"""

import pathlib
import re
import sys
from itertools import zip_longest

NUMBER = re.compile(r"(?<![\w.])[-+]?\d+(?:\.\d*)?(?:e[-+]?\d+)?")


def unit(text):
    """One unit of the last digit that is printed; 0 for whole numbers, which are counts."""
    mantissa, _, exponent = text.partition("e")
    if "." not in mantissa and not exponent:
        return 0.0
    return 10.0 ** (int(exponent or 0) - len(mantissa.partition(".")[2]))


def same_line(said, found):
    if NUMBER.sub("#", said).split() != NUMBER.sub("#", found).split():
        return False
    pairs = zip(NUMBER.findall(said), NUMBER.findall(found))
    return all(abs(float(a) - float(b)) <= max(1e-6 * abs(float(b)), 2.01 * unit(b))
               for a, b in pairs)


def differences(said, found):
    """[(line said, line found)]; an absent line is empty."""
    lines = zip_longest(said.rstrip().splitlines(), found.rstrip().splitlines(), fillvalue="")
    return [(a, b) for a, b in lines if not same_line(a, b)]


def main():
    said, found = (pathlib.Path(name).read_text() for name in sys.argv[1:3])
    for a, b in (differing := differences(said, found)):
        print(f"said   {a}\nfound  {b}", file=sys.stderr)
    return 1 if differing else 0


if __name__ == "__main__":
    sys.exit(main())

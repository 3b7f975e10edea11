#!/usr/bin/python3
"""Puts the tables that bench/run left into docs/benchmarks.md:

    docs/scripts/benchmark_tables.py [build/bench]

A section that begins with a program's name in backticks and a full stop has that program's output as
its first block. What the text says about the numbers is to be read again afterwards.
"""

import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
PAGE = ROOT / "docs/benchmarks.md"
SECTION = re.compile(r"^(## .*\n\n`(\w+)`\.(?:(?!^## )[\s\S])*?^```\n)([\s\S]*?)(^```$)", re.M)


def main():
    folder = pathlib.Path(sys.argv[1]) if len(sys.argv) > 1 else ROOT / "build/bench"

    def replace(match):
        path = folder / f"{match[2]}.txt"
        if not path.is_file():
            sys.exit(f"benchmark_tables: {path} is not there; run bench/run")
        lines = [line.rstrip() for line in path.read_text().splitlines()]
        return match[1] + "\n".join(lines) + "\n" + match[4]

    text, count = SECTION.subn(replace, PAGE.read_text())
    PAGE.write_text(text)
    print(f"{count} tables")


if __name__ == "__main__":
    main()

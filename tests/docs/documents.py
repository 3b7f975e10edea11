"""Reads the documents and runs the program that they describe."""

import functools
import json
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).parents[1] / "support"))
from program import COLOURED, PATIENCE, PROGRAM, SOURCE, WHITE  # noqa: E402, F401

PAGES = [SOURCE / name for name in ("README.md", "CHANGELOG.md", "CONTRIBUTING.md")]
PAGES += sorted((SOURCE / "docs").rglob("*.md"))
# What `make docs` installs; the other tests do without.
needs_site_tools = unittest.skipUnless(
    all(shutil.which(name) for name in ("doxygen", "sphinx-build", "node")),
    "the site's tools are missing: tools/setup documents")
NUMBER = re.compile(r"(?<![\w.])[-+]?\d+(?:\.\d+)?(?:e[-+]?\d+)?")


def page(name):
    return (SOURCE / name).read_text()


def blocks(text, language):
    return re.findall(rf"^```{language}\n(.*?)^```", text, re.M | re.S)


def section(text, heading):
    """From this heading to the next one of the same or a higher level."""
    level = len(heading) - len(heading.lstrip("#"))
    start = text.index(f"\n{heading}\n") + 1
    end = re.search(rf"^#{{1,{level}}} ", text[start + len(heading):], re.M)
    return text[start:start + len(heading) + end.start()] if end else text[start:]


def table(text):
    """{name in backticks at the start of a row: the row's other cells}"""
    rows = re.findall(r"^\| `([^`]+)`[^|]*\|(.*)\|$", text, re.M)
    return {name: [cell.strip() for cell in rest.split("|")] for name, rest in rows}


def run(*arguments, cwd=None):
    return subprocess.run([PROGRAM, *map(str, arguments)], capture_output=True, text=True,
                          timeout=PATIENCE, cwd=cwd)


@functools.lru_cache(maxsize=None)
def run_json(*arguments):
    done = run(*arguments, "--json")
    if done.returncode != 0:
        raise AssertionError(done.stderr)
    return json.loads(done.stdout)


def learn(problem, n, *arguments):
    return run_json("learn", problem, "--sample", n, "--seed", 1, *arguments)


def help_section(title, *command):
    """The lines of one section of --help."""
    text = "\n" + run(*command, "--help").stdout
    return re.search(rf"\n{title}\n((?: .*\n|\n)*)", text)[1].splitlines()


def help_options(*command):
    """{option: what --help says of it, on one line}"""
    found, last = {}, None
    for line in help_section("OPTIONS", *command):
        if match := re.match(r" {7}(-[\w, -]*[\w-])", line):
            last = match[1].split(", ")[-1].split()[0]
            found[last] = ""
        elif line.startswith(" " * 15) and last:
            found[last] += " " + line.strip()
    return {name: text.strip() for name, text in found.items()}


def help_list(command, option):
    """The names that --help lists for an option, as in 'a | b | c (default: ...)'."""
    return help_options(command)[option].partition(" (")[0].split(" | ")


class FolderTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

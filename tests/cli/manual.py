"""Reads the manual pages that the program prints."""

import functools
import re
import subprocess

from program import PROGRAM


@functools.lru_cache(maxsize=None)
def page(*command):
    done = subprocess.run([PROGRAM, *command, "--help"], capture_output=True, text=True, timeout=60)
    assert done.returncode == 0, done.stderr
    return done.stdout


def sections(text):
    """{title: lines} of a page."""
    found, title = {}, None
    for line in text.splitlines():
        if line and not line.startswith(" "):
            title = line
            assert title not in found, title
            found[title] = []
        else:
            found[title].append(line)
    return found


def commands():
    lines = sections(page())["COMMANDS"]
    return [line.split()[0] for line in lines if re.match(r" {7}\w", line)]


def options(*command):
    """Every name of every option of the command."""
    names = []
    for line in sections(page(*command))["OPTIONS"]:
        if re.match(r" {7}-", line):
            names += re.findall(r"(?<![\w-])--?[a-z][\w-]*", line)
    return names


def examples(*command):
    """The commands of EXAMPLES, each as one line."""
    text = "\n".join(sections(page(*command)).get("EXAMPLES", []))
    text = re.sub(r" \\\n +", " ", text)
    return [line.strip() for line in text.splitlines() if re.match(r" {11}\S", line)]

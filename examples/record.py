#!/usr/bin/python3
"""Runs the commands of an example in a copy of its folder and prints them with their output.

    record.py FOLDER > FOLDER/expected.txt

Of the program's tables only the results are kept; what is left out changes from run to run
(seconds), or with the wording. LOOPCERT names the program (default: loopcert). The last digits of
the numbers depend on the processor. A line that ends in "# status 4" must end with that status.
"""

import os
import pathlib
import re
import shlex
import shutil
import subprocess
import sys
import tempfile

PROGRAM = os.environ.get("LOOPCERT", "loopcert")
KEPT = ("trajectories ", "empirical cost", "population cost", "certificate ", "change from LQR",
        "change from the baseline", "runs today", "  certified", "  the new one", "smallest population",
        "verdict", "transitions ", "  row ", "row ", "pole ", "with ", "cost of the estimate", "mean cost",
        "claim", "costs ", "false alarms")


def environment():
    """With the package of a build beside its program; an installed one is found anyway."""
    package = pathlib.Path(PROGRAM).absolute().parents[1] / "python"
    known = [str(package)] if (package / "loopcert").is_dir() else []
    paths = known + [path for path in [os.environ.get("PYTHONPATH")] if path]
    return {**os.environ, "PYTHONPATH": os.pathsep.join(paths)} if paths else None


def transcript(folder):
    """[(command, lines of its output)]"""
    folder, steps = pathlib.Path(folder).resolve(), []
    with tempfile.TemporaryDirectory() as name:
        copy = pathlib.Path(name) / folder.name
        shutil.copytree(folder, copy, ignore=shutil.ignore_patterns("out", "__pycache__"))
        for script in ("compare.py", "persist.py", "linear.py"):
            shutil.copy(folder.parent / script, name)
        for line in (folder / "commands.sh").read_text().splitlines():
            if line.startswith("#"):
                continue
            words = shlex.split(line, comments=True)
            words[:1] = {"loopcert": [PROGRAM], "python3": [sys.executable, "-B"]}[words[0]]
            done = subprocess.run(words, cwd=copy, capture_output=True, text=True, env=environment())
            status = re.search(r"# status (\d)$", line)
            if done.returncode != int(status[1] if status else 0):
                raise RuntimeError(f"{line}\n{done.stderr}")
            lines = [text.rstrip() for text in done.stdout.splitlines()]
            steps.append((line, [t for t in lines if words[0] != PROGRAM or t.startswith(KEPT)]))
    return steps


if __name__ == "__main__":
    for command, output in transcript(sys.argv[1]):
        print("\n".join([f"$ {command}", *output]))

#!/usr/bin/python3
"""Draws docs/figures/page.png: the page of the README's run, as a browser shows its top.

    LOOPCERT=build/bin/loopcert docs/scripts/readme_picture.py
"""

import os
import pathlib
import re
import shlex
import subprocess
import tempfile

SOURCE = pathlib.Path(__file__).resolve().parents[2]
PROGRAM = os.path.abspath(os.environ.get("LOOPCERT", SOURCE / "build/bin/loopcert"))
PICTURE = SOURCE / "docs/figures/page.png"


def main():
    commands = re.findall(r"^\$ build/bin/loopcert ((?:init|learn) .*)$",
                          (SOURCE / "README.md").read_text(), re.M)
    with tempfile.TemporaryDirectory() as folder:
        os.symlink(SOURCE / "examples", pathlib.Path(folder) / "examples")
        for command in commands:
            subprocess.run([PROGRAM, *shlex.split(command)], cwd=folder, check=True)
        subprocess.run(["chromium", "--headless", "--no-sandbox", "--hide-scrollbars",
                        "--window-size=1000,950", f"--screenshot={PICTURE}", "drive/report.html"],
                       cwd=folder, check=True, stderr=subprocess.DEVNULL)


if __name__ == "__main__":
    main()

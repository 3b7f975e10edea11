#!/usr/bin/python3
"""The pictures of pages: docs/figures/page-loop.png, identification.png and inspection.png.

    page_figures.py

Runs the examples and lets a browser look at their pages. LOOPCERT names the program (default: loopcert).
Needs chromium and Pillow.
"""

import os
import pathlib
import subprocess
import tempfile

from PIL import Image

ROOT = pathlib.Path(__file__).resolve().parents[2]
PROGRAM = os.environ.get("LOOPCERT", "loopcert")
EXAMPLES = ROOT / "examples"
BROWSER = ["chromium", "--headless", "--no-sandbox", "--disable-gpu", "--hide-scrollbars",
           "--disable-dev-shm-usage", "--virtual-time-budget=3000"]


def run(*arguments):
    subprocess.run([PROGRAM, *map(str, arguments)], check=True, stdout=subprocess.DEVNULL)


def shoot(page, name, width, height):
    """What a window of that size shows of a page, in few colours."""
    picture = ROOT / "docs/figures" / name
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as profile:
        subprocess.run([*BROWSER, f"--user-data-dir={profile}", f"--window-size={width},{height}",
                        f"--screenshot={picture}", page.as_uri()], check=True, capture_output=True)
    image = Image.open(picture)
    small = image.convert("RGB").resize((image.width * 4 // 5, image.height * 4 // 5), Image.LANCZOS)
    small.quantize(192, dither=Image.NONE).save(picture, optimize=True)


def main():
    with tempfile.TemporaryDirectory() as folder:
        out = pathlib.Path(folder)
        setpoint, drive = EXAMPLES / "drive-setpoint", EXAMPLES / "drive"
        run("learn", setpoint / "problem.toml", "--rollouts", setpoint / "logs.csv", "--out", out / "page")
        shoot(out / "page/report.html", "page-loop.png", 1180, 1250)
        run("identify", drive / "problem.toml", "--rollouts", drive / "logs.csv", "--out", out / "look")
        shoot(out / "look/identification.html", "identification.png", 1180, 1500)
        run("sample", EXAMPLES / "double-integrator-coloured/problem.toml", "-n", 100, "--out", out / "data.csv")
        run("inspect", EXAMPLES / "double-integrator/problem.toml", "--data", out / "data.csv", "--out",
            out / "look")
        shoot(out / "look/inspection.html", "inspection.png", 1180, 2900)


if __name__ == "__main__":
    main()

"""The notebooks print what they say they print; the tool that checks it notices a changed output."""

import importlib.util
import json
import re
import subprocess
import sys
import tempfile
import unittest
from importlib.machinery import SourceFileLoader
from pathlib import Path

from support import SOURCE

TOOL = SOURCE / "tools/notebook"
NOTEBOOKS = sorted((SOURCE / "docs/notebooks").glob("*.md"))
PAGES = [*NOTEBOOKS, SOURCE / "docs/python.md"]
LARGEST_PICTURE = 80_000


def load_tool():
    loader = SourceFileLoader("notebook", str(TOOL))
    module = importlib.util.module_from_spec(importlib.util.spec_from_loader("notebook", loader))
    loader.exec_module(module)
    return module


def run(path, *options):
    return subprocess.run([sys.executable, "-B", TOOL, "run", path, *options],
                          capture_output=True, text=True)


class Recorded(unittest.TestCase):
    def test_outputs(self):
        self.assertEqual(len(NOTEBOOKS), 3)
        for page in PAGES:
            with self.subTest(page=page.name):
                done = run(page)
                self.assertEqual((done.returncode, done.stderr), (0, ""))

    def test_pictures_are_small(self):
        for page in PAGES:
            for name in re.findall(r"!\[[^\]]*\]\(([^)]+\.png)\)", page.read_text()):
                self.assertLess((page.parent / name).stat().st_size, LARGEST_PICTURE, name)

    def test_conclusions_quote_the_tables(self):
        """Numbers in the text of the last section are numbers that a cell printed."""
        text = (SOURCE / "docs/notebooks/own-prior.md").read_text()
        printed = "\n".join(re.findall(r"^```text\n(.*?)^```", text, re.M | re.S))
        quoted = re.findall(r"\d+\.\d+", text.partition("## Results")[2])
        self.assertGreater(len(quoted), 10)
        for number in quoted:
            self.assertRegex(printed, rf"(?<![\d.]){re.escape(number)}(?!\d)")


class Tool(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.page = Path(folder.name) / "page.md"

    def write(self, output, picture=""):
        self.page.write_text("# Page\n\n```python\nx = 2 / 3\nprint('x is', x)\n```\n\n"
                             f"```text\n{output}\n```\n{picture}\nWords.\n\n"
                             "```python\nprint(3 * x)\n```\n\n```text\n2.0\n```\n")

    def test_agrees(self):
        self.write("x is 0.6666666666666666")
        self.assertEqual(run(self.page).returncode, 0)

    def test_altered(self):
        for output in ("x is 0.66668", "y is 0.6666666666666666", "", "x is 0.6666666666666666\nmore"):
            self.write(output)
            done = run(self.page)
            self.assertEqual(done.returncode, 1, output)
            self.assertIn("cell at line 4", done.stderr)

    def test_altered_notebook(self):
        text = (SOURCE / "docs/notebooks/tutorial.md").read_text()
        picture_free = re.sub(r"^!\[.*\n", "", text, flags=re.M)
        altered = lambda match: f"{match[1]}{float(match[2]) + 0.001:.5f}"  # noqa: E731
        self.page.write_text(re.sub(r"^(certificate +)(\d+\.\d+)", altered, picture_free, flags=re.M))
        self.assertNotEqual(self.page.read_text(), picture_free)
        done = run(self.page)
        self.assertEqual(done.returncode, 1)
        self.assertEqual(done.stderr.count("found  "), 1, done.stderr)

    def test_error(self):
        self.page.write_text("```python\n1 / 0\n```\n")
        done = run(self.page)
        self.assertEqual(done.returncode, 1)
        self.assertIn("ZeroDivisionError", done.stderr)

    def test_nothing_drawn(self):
        self.write("x is 0.6666666666666666", "\n![Nothing](nothing.png)\n")
        done = run(self.page)
        self.assertEqual(done.returncode, 1)
        self.assertIn("draws nothing", done.stderr)

    def test_update(self):
        self.write("x is 1")
        self.assertEqual(run(self.page, "--update").returncode, 0)
        self.assertIn("```text\nx is 0.6666666666666666\n```", self.page.read_text())
        self.assertEqual(run(self.page).returncode, 0)

    def test_ipynb(self):
        for notebook in NOTEBOOKS:
            out = self.page.with_suffix(".ipynb")
            subprocess.run([sys.executable, "-B", TOOL, "ipynb", notebook, "--out", out], check=True)
            tree = json.loads(out.read_text())
            self.assertEqual((tree["nbformat"], tree["nbformat_minor"]), (4, 5))
            ids = [cell["id"] for cell in tree["cells"]]
            self.assertEqual(len(set(ids)), len(ids))
            code = ["".join(c["source"]) for c in tree["cells"] if c["cell_type"] == "code"]
            words = ["".join(c["source"]) for c in tree["cells"] if c["cell_type"] == "markdown"]
            self.assertEqual(len(code), notebook.read_text().count("```python\n"))
            self.assertNotIn("```text", "".join(words))
            for cell in tree["cells"]:
                if cell["cell_type"] == "code":
                    self.assertEqual((cell["outputs"], cell["execution_count"]), ([], None))

    def test_every_cell_is_found(self):
        tool = load_tool()
        for page in PAGES:
            text = page.read_text()
            self.assertEqual(len(tool.CELL.findall(text)), text.count("\n```python\n"), page.name)


if __name__ == "__main__":
    unittest.main()

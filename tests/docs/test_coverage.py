"""docs/coverage.md: its names are the program's, and its measured tables cover every kind."""

import json
import re
import unittest

from documents import WHITE, FolderTest, blocks, help_list, page, run, section, table


class Coverage(FolderTest):
    def expected(self, **change):
        """The names that the program lists for a key when it meets another one."""
        cell = {"family": "fixed", "problem": str(WHITE), "kinds": ["hold-out"], "n": [10]}
        path = self.folder / "plan.json"
        path.write_text(json.dumps({"cells": [cell | change]}))
        done = run("coverage", path)
        self.assertEqual(done.returncode, 3)
        return re.findall(r"[\w-]+", done.stderr.partition("expected ")[2].removeprefix("one of "))

    def test_names(self):
        text = page("docs/coverage.md")
        self.assertEqual(sorted(table(section(text, "## What is measured"))),
                         sorted(self.expected(family="x")))
        self.assertEqual(sorted(table(section(text, "## A file of cells"))),
                         sorted(self.expected(shape="x")))
        example = blocks(text, "toml")[0]
        for rule in self.expected(rule="x"):
            self.assertIn(rule, re.search(r"^rule .*# (.*)$", example, re.M)[1])
        for key in self.expected(x=1):
            self.assertRegex(example, rf"(?m)^{key} ")

    def test_measured_tables_cover_every_kind(self):
        measured = section(page("docs/coverage.md"), "## Measured")
        rows = set(re.findall(r"^\| (\w+) \| `?([\w-]+)`? \|", measured, re.M))
        fixed = help_list("certify", "--certificate")
        for kind in fixed:
            self.assertIn(("learn" if kind == "best" else "fixed", kind), rows)
        plants = table(section(page("docs/coverage.md"), "## Identified plants"))
        for kind in help_list("learn", "--certificate"):
            if kind not in fixed and not kind.startswith("cross") and kind not in plants:
                self.assertIn(("learn", kind), rows)
        self.assertRegex(measured, r"5000 data sets per cell, delta 0.05, seed \d+: at most 214 ")
        good, total = re.search(r"(\d+) of (\d+) verdicts as expected", measured).groups()
        self.assertEqual(good, total)
        self.assertNotIn("UNEXPECTED", measured)


if __name__ == "__main__":
    unittest.main()

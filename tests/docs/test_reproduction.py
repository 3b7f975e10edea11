"""docs/reproduction.md: a row for every label of the paper, whose files and tests exist, and numbers
that `loopcert reproduce` gives."""

import functools
import pathlib
import re
import tempfile
import unittest

from documents import SOURCE, page, run_json, section

LABELS = (SOURCE / "tests/docs/paper_labels.txt").read_text().split()
TEXT = page("docs/reproduction.md")
ROWS = [[cell.strip() for cell in row.split(" | ")]
        for row in re.findall(r"^\| (.*) \|$", section(TEXT, "## Every label"), re.M)]


class Labels(unittest.TestCase):
    def test_every_label_has_a_row(self):
        first = [row[0].strip("`") for row in ROWS]
        in_notation = set(re.findall(r"`((?:eq|sec|app|prop|thm|cor|lem|ass|fig|tab)[-:][^`]+)`",
                                     page("docs/notation.md")))
        self.assertEqual([name for name in LABELS if name not in first and name not in in_notation],
                         [])
        named = [name for name in first if re.match(r"[a-z-]+:\S", name)]
        self.assertEqual(len(named), len(set(named)))
        self.assertEqual([name for name in named if name not in LABELS], [])
        self.assertEqual([name for name in in_notation if name not in LABELS], [])

    def test_rows_are_whole(self):
        for row in ROWS[2:]:
            self.assertEqual(len(row), 4, row)
            self.assertTrue(all(row), row)
            self.assertNotIn("partial", " ".join(row))

    def test_files_exist(self):
        names = re.findall(r"`([\w/.-]+\.(?:hpp|md|svg|py|toml))`", TEXT)
        self.assertGreater(len(names), 60)
        places = [SOURCE / place for place in ("", "docs", "include/loopcert", "src")]
        for name in set(names):
            self.assertTrue(any((place / name).is_file() for place in places), name)

    def test_tests_exist(self):
        sources = "\n".join(path.read_text() for path in (SOURCE / "tests").rglob("*_test.cpp"))
        known = set(re.findall(r"(?:TEST|TEST_F|TEST_P|RC_GTEST_PROP|RC_GTEST_FIXTURE_PROP)\(\s*(\w+),"
                               r"\s*(\w+)", sources))
        named = set(re.findall(r"`([A-Z]\w+)\.([A-Z]\w+)`", TEXT))
        self.assertGreater(len(named), 40)
        self.assertEqual(sorted(named - known), [])


@functools.lru_cache
def reproduced():
    with tempfile.TemporaryDirectory() as folder:
        return run_json("reproduce", "--out", pathlib.Path(folder) / "r")


class Numbers(unittest.TestCase):
    def setUp(self):
        self.tree = reproduced()
        self.cells = {(table["title"], column["name"], cell["n"]): cell
                      for table in self.tree["tables"] for column in table["columns"]
                      for cell in column["cells"]}

    def mean(self, table, column, n):
        return next(cell["mean"] for (title, name, size), cell in self.cells.items()
                    if title.startswith(table) and (name, size) == (column, n))

    def test_counts_of_seeds(self):
        claims = section(TEXT, "## Claims")
        ridge = [str(entry["wins"]) for entry in self.tree["beats_ridge"]["by_n"]]
        self.assertIn(", ".join(ridge[:4]) + f" of 20, then {ridge[4]} at n = 400", claims)
        for contest in self.tree["contests"]:
            wins = [entry["wins"] for entry in contest["by_n"]]
            if contest["against"] == "raw ERM":
                self.assertEqual(wins[2:], [0, 0, 0])
            else:
                self.assertIn(", ".join(map(str, wins)) + " of 20", claims)

    def test_stars(self):
        for title, means, spreads in (("Table 1", 3, 11), ("Table 2", 0, 1)):
            cells = [cell for (name, _, _), cell in self.cells.items() if name.startswith(title)]
            self.assertEqual(sum(cell["outside"] for cell in cells), means)
            self.assertEqual(sum(cell["deviation_outside"] for cell in cells), spreads)
            self.assertRegex(TEXT, rf"\| {title} \(\d+ cells\) \| {means}\b.*\| {spreads}\b")

    def test_numbers_in_claims(self):
        claims = section(TEXT, "## Claims")
        T1, T2, AR1 = "Table 1: held-out", "Table 2", "Not in the paper"
        said = {
            f"{self.mean(AR1, 'data PB', 40):.3f} against {self.mean(AR1, 'raw ERM', 40):.3f}",
            f"costs {self.mean(T1, 'ridge CV', 10):.2f} there, {self.mean(T1, 'ridge CV', 20):.2f} at",
            f"{self.mean(T2, 'certificate - held-out', 10):.2f} to "
            f"{self.mean(T2, 'certificate - held-out', 400):.2f}",
            f"gamma = 0.01, {self.mean(T1, 'ridge ERM', 10):.2f} at n = 10",
        }
        for words in said:
            self.assertIn(words, claims)

    def test_oracle_column(self):
        text = section(TEXT, "## The oracle column")
        for n, cells in re.findall(r"^\| (\d+) \| .*% \| (.*) \|$", text, re.M):
            found = self.mean("Table 1: deployed", "oracle PB", int(n))
            said = cells.split(" | ")[-1].split(", ")  # C before, now, the paper's
            self.assertAlmostEqual(float(said[1]), found, delta=6e-4)
            paper = self.cells["Table 1: deployed sensitivity C", "oracle PB", int(n)]
            self.assertEqual(float(said[2]), paper["published_mean"])


if __name__ == "__main__":
    unittest.main()

"""Every kind before and after (docs/certificates.md), and auto beside each method (docs/theory/shrinkage.md)."""

import json
import math
import re
import sys
import unittest

from documents import SOURCE, help_list, page, section

sys.path.append(str(SOURCE / "docs/scripts"))
import auto_table  # noqa: E402
import kinds_table  # noqa: E402

N = 40  # the column, and the rows, that are computed again


def close(said, value):
    if value is None:
        return said == "-"
    return said != "-" and math.isclose(float(said), value, rel_tol=1e-3, abs_tol=6e-4)


class Kinds(unittest.TestCase):
    text = section(page("docs/certificates.md"), "### Before and after")
    rows = [(kind, [tuple(cell.strip().split(" → ")) for cell in cells.split("|")])
            for kind, cells in re.findall(r"^\| `([\w-]+)` \| (.*) \|$", text, re.M)]

    def test_all_are_there(self):
        offered = {*help_list("learn", "--certificate"), *help_list("certify", "--certificate"),
                   *kinds_table.offered("measure")} - {"best", "measured-best"}
        self.assertLessEqual(offered, {kind for kind, _ in self.rows})

    def test_one_column_again(self):
        found = kinds_table.all_medians((N,))
        now = [(kind, values[0]) for rows in found.values() for kind, values in rows.items()]
        self.assertEqual([kind for kind, _ in now], [kind for kind, _ in self.rows])
        for (kind, value), (_, cells) in zip(now, self.rows):
            said = cells[kinds_table.SIZES.index(N)][-1]
            self.assertTrue(close(said, value), f"{kind}: {said}, {value}")

    def test_before_is_what_was_kept(self):
        medians = json.loads(kinds_table.BEFORE.read_text())["medians"]
        for rows in medians.values():
            for kind, values in rows.items():
                kept = [kinds_table.shown(value) for value in values]
                self.assertIn(kept, [[cell[0] for cell in cells] for name, cells in self.rows
                                     if name == kind], kind)

    def test_none_is_larger(self):
        for kind, cells in self.rows:
            for before, *now in cells:
                if now and "-" not in (before, *now):
                    self.assertLess(float(now[0]), float(before), kind)


class Auto(unittest.TestCase):
    def test_rows_again_and_two_percent(self):
        text = page("docs/theory/shrinkage.md")
        for line in auto_table.tables((N,)):
            self.assertIn(line, text)
        means = [float(value) for value in re.findall(r"^\| mean of the laws \|.*\| (-?[\d.]+) % \|$", text, re.M)]
        self.assertEqual(len(means), 2 * len(auto_table.SIZES))
        self.assertLess(sum(means) / len(means), 2)
        self.assertLess(max(means), 2)


if __name__ == "__main__":
    unittest.main()

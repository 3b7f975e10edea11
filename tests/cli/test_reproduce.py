"""loopcert reproduce: the paper's tables, recomputed here from the rows it exports."""

import json
import statistics
import unittest

from program import ProgramTest


class Reproduce(ProgramTest):
    def test_tables_follow_from_the_rows(self):
        tree = self.ok_json("reproduce", "--seeds", 3, "--out", "r")
        rows = json.loads((self.folder / "r/results.json").read_text())["results"]
        self.assertEqual(len(rows), 2 * 7 * 5 * 3)
        self.assertEqual(tree, json.loads((self.folder / "r/tables.json").read_text()))
        tables = {table["title"]: table for table in tree["tables"]}
        cost = tables["Table 1: held-out test cost"]
        optimum = cost["columns"].pop()
        self.assertEqual(optimum["name"], "optimum")
        self.assertAlmostEqual(optimum["cells"][0]["mean"], 3.117638784350, places=10)
        for column in cost["columns"]:
            for cell in column["cells"]:
                values = [row["test_cost"] for row in rows
                          if row["problem"] == "double integrator" and row["n"] == cell["n"]
                          and row["label"] == column["name"]]
                self.assertEqual(len(values), 3)
                self.assertAlmostEqual(cell["mean"], statistics.mean(values), delta=1e-9 * cell["mean"])
                self.assertAlmostEqual(cell["median"], statistics.median(values))
                self.assertAlmostEqual(cell["deviation"], statistics.stdev(values),
                                       delta=1e-9 + 1e-9 * cell["mean"])
                if cell["published_mean"] is not None:
                    far = abs(cell["mean"] - cell["published_mean"])
                    self.assertEqual(cell["outside"],
                                     far > 2 * max(cell["published_deviation"], 0.005))
        self.assertEqual({c["name"] for c in cost["columns"] if c["cells"][0]["published_mean"]},
                         {"raw ERM", "ridge ERM", "data PB", "oracle PB"})

    def test_certificates_match_the_paper(self):
        tree = self.ok_json("reproduce", "--seeds", 3, "--out", "r")
        table = next(t for t in tree["tables"] if t["title"].startswith("Table 2"))
        for column in table["columns"]:
            for cell in column["cells"]:  # three seeds: within four deviations of the paper's mean
                self.assertLess(abs(cell["mean"] - cell["published_mean"]),
                                4 * max(cell["published_deviation"], 0.02), column["name"])

    def test_sentence_about_ridge(self):
        tree = self.ok_json("reproduce", "--seeds", 3, "--out", "r")
        rows = json.loads((self.folder / "r/results.json").read_text())["results"]
        cost = {(r["label"], r["n"], r["seed"]): r["test_cost"] for r in rows
                if r["problem"] == "double integrator"}
        for entry in tree["beats_ridge"]["by_n"]:
            wins = sum(cost["data PB", entry["n"], s] < cost["ridge ERM", entry["n"], s]
                       for s in range(3))
            self.assertEqual((entry["wins"], entry["seeds"]), (wins, 3))
        through = [e for e in tree["beats_ridge"]["by_n"] if e["n"] <= 100]
        self.assertEqual(tree["beats_ridge"]["holds"], all(e["wins"] == e["seeds"] for e in through))

    def test_second_run_is_free_and_text_is_for_people(self):
        self.ok("reproduce", "--seeds", 2, "--out", "r")
        before = (self.folder / "r/sweep.sqlite").stat().st_mtime_ns
        text = self.ok("reproduce", "--seeds", 2, "--out", "r")
        self.assertEqual(before, (self.folder / "r/sweep.sqlite").stat().st_mtime_ns)
        for part in ("Table 1", "Table 2", "the paper", "LQR", "minimum norm", "ridge CV", "optimum",
                     "AR(1)", "Beats ridge on every seed", "report.html"):
            self.assertIn(part, text)
        page = (self.folder / "r/report.html").read_text()
        for part in ("<svg", "164.010 +- 489.350", "Table 2", "on every seed"):
            self.assertIn(part, page)


if __name__ == "__main__":
    unittest.main()

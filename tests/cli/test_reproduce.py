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
                    self.assertEqual(cell["deviation_outside"], self.unlike(cell), cell)
        self.assertEqual({c["name"] for c in cost["columns"] if c["cells"][0]["published_mean"]},
                         {"raw ERM", "ridge ERM", "data PB", "oracle PB"})

    def unlike(self, cell):
        """For three seeds the F distribution has a closed form: P(F > f) = (1 + 2 f/19)^-9.5."""
        def largest(chance):
            return (9.5 * (chance ** (-2 / 19) - 1)) ** 0.5
        published = cell["published_deviation"]
        half = 0.005 if published < 1000 else float(f"0.005e{len(str(int(published))) - 1}")
        return (cell["deviation"] > (published + half) * largest(0.025)
                or cell["deviation"] < (published - half) * largest(0.975))

    def test_stars_are_where_the_numbers_differ(self):
        tree = self.ok_json("reproduce", "--seeds", 3, "--out", "r")
        lines = self.ok("reproduce", "--seeds", 3, "--out", "r").splitlines()
        rows = [line for line in lines if " +- " in line and "mean +- sd" not in line]
        cells = [cell for table in tree["tables"] for column in table["columns"]
                 for cell in column["cells"]]
        self.assertEqual(len(rows), len(cells))
        for row, cell in zip(rows, cells):
            mean, deviation = row.split(" +- ")[0], row.split(" +- ")[1].split()[0]
            self.assertEqual(mean.endswith("*"), cell["outside"], row)
            self.assertEqual(deviation.endswith("*"), cell["deviation_outside"], row)

    def test_figures_of_the_page(self):
        tree = self.ok_json("reproduce", "--seeds", 2, "--out", "r")
        page = (self.folder / "r/report.html").read_text()
        for part in ("Figure 1: ", "Figure 2: ", "Left: held-out test cost",
                     "Right: deployed sensitivity", "the paper"):
            self.assertIn(part, page)
        figure_1 = page[page.index("Figure 1: "):page.index("Figure 2: ")]
        figure_2 = page[page.index("Figure 2: "):page.index("Table 1: ")]
        for name in ("raw ERM", "ridge ERM", "data PB", "oracle PB"):
            self.assertIn(f"{name}, n = 10", figure_1)
        for column in tree["tables"][2]["columns"][:3]:  # three curves on one axis
            self.assertIn(f"{column['name']}, n = 400", figure_2)
        self.assertEqual(figure_2.count("role=\"img\""), 1)
        self.assertEqual(figure_2.count("in the paper"), 15)

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

    def test_contests_the_paper_does_not_have(self):
        tree = self.ok_json("reproduce", "--seeds", 3, "--out", "r")
        rows = json.loads((self.folder / "r/results.json").read_text())["results"]
        cost = {(r["problem"], r["label"], r["n"], r["seed"]): r["test_cost"] for r in rows}
        self.assertEqual([c["against"] for c in tree["contests"]],
                         ["ridge CV", "ridge ERM", "raw ERM"])
        for contest in tree["contests"]:
            problem, against = contest["problem"], contest["against"]
            for entry in contest["by_n"]:
                wins = sum(cost[problem, "data PB", entry["n"], s]
                           < cost[problem, against, entry["n"], s] for s in range(3))
                self.assertEqual((entry["wins"], entry["seeds"]), (wins, 3))

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

"""The list of parsers must fit the sources, and tools/coverage must read llvm-cov's counts rightly."""

import importlib.machinery
import importlib.util
import pathlib
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
TOOL = ROOT / "tools/coverage"
EXCUSE = """[[excuse]]
file = "{file}"
line = "{line}"
condition = "a"
never = "{never}"
why = "test"
"""


def tool():
    loader = importlib.machinery.SourceFileLoader("coverage_tool", str(TOOL))
    module = importlib.util.module_from_spec(importlib.util.spec_from_loader("coverage_tool", loader))
    loader.exec_module(module)
    return module


class List(unittest.TestCase):
    def check(self, root):
        done = subprocess.run([sys.executable, "-B", TOOL, "--check", root], capture_output=True,
                              text=True)
        return done.returncode, done.stderr

    def check_list(self, text):
        with tempfile.TemporaryDirectory() as folder:
            root = pathlib.Path(folder)
            (root / "tests/coverage").mkdir(parents=True)
            (root / "tests/coverage/list.toml").write_text('parsers = ["*.cpp"]\n' + text)
            (root / "a.cpp").write_text("  if (a) b();\n  if (c) d();\n  if (c) d();\n")
            return self.check(root)

    def test_the_list_fits_the_sources(self):
        self.assertEqual(self.check(ROOT), (0, ""))

    def test_lists_that_do_not_fit(self):
        good = {"file": "a.cpp", "line": "if (a) b();", "never": "true"}
        self.assertEqual(self.check_list(EXCUSE.format(**good)), (0, ""))
        for change, says in (({"file": "b.cpp"}, "occurs 0 times"),
                             ({"line": "if (gone)"}, "occurs 0 times"),
                             ({"line": "if (c) d();"}, "occurs 2 times"),
                             ({"never": "maybe"}, "never = true, false or reached")):
            with self.subTest(change):
                status, text = self.check_list(EXCUSE.format(**{**good, **change}))
                self.assertEqual(status, 1)
                self.assertIn(says, text)


class Counts(unittest.TestCase):
    def setUp(self):
        self.tool = tool()

    def test_a_line_has_the_largest_count_of_the_regions_on_it(self):
        # A function of lines 1 to 5, seven calls; the block on lines 3 and 4 was never entered.
        segments = [[1, 10, 7, True, True, False], [3, 12, 0, True, True, False],
                    [4, 4, 7, True, False, False], [5, 2, 0, False, False, False]]
        self.assertEqual(self.tool.line_counts(segments), {1: 7, 2: 7, 3: 7, 4: 0, 5: 7})

    def test_conditions_of_several_instances_are_added_and_constants_left_out(self):
        source = ["if (a && b) c();", "while (true) d();", "if constexpr (e) f();"]
        branches = [[1, 5, 1, 6, 2, 0, 0, 0, 4], [1, 5, 1, 6, 0, 3, 0, 0, 4],
                    [1, 10, 1, 11, 0, 5, 0, 0, 4], [2, 8, 2, 12, 0, 0, 0, 0, 4],
                    [3, 15, 3, 16, 0, 0, 0, 0, 4]]
        self.assertEqual([tuple(outcome) for outcome in self.tool.outcomes_of(branches, source)],
                         [(1, "a", "true", 2), (1, "a", "false", 3),
                          (1, "b", "true", 0), (1, "b", "false", 5)])

    def test_a_condition_over_several_lines_reads_as_one(self):
        source = ["if (a ==", "    b) c();"]
        self.assertEqual(self.tool.source_between(source, (1, 5), (2, 6)), "a == b")

    def test_an_outcome_needs_a_test_or_an_excuse(self):
        with tempfile.TemporaryDirectory() as folder:
            self.tool.ROOT = pathlib.Path(folder)
            (self.tool.ROOT / "p.cpp").write_text("if (a) b();\n")
            outcomes = [self.tool.Outcome(1, "a", "true", 0), self.tool.Outcome(1, "a", "false", 4)]
            files = {"p.cpp": self.tool.FileCounts({1: 4}, outcomes)}
            excuse = {"file": "p.cpp", "line": "if (a) b();", "condition": "a", "never": "true"}
            judge = self.tool.judge_parsers
            self.assertEqual(judge(files, ["*.cpp"], []), ["p.cpp:1: never true: a"])
            self.assertEqual(judge(files, ["*.cpp"], [excuse]), [])
            self.assertEqual(judge(files, ["q*.cpp"], []), [])
            idle = {**excuse, "never": "false"}
            self.assertEqual(len(judge(files, ["*.cpp"], [excuse, idle])), 1)

    def test_a_line_needs_a_test_or_an_excuse(self):
        with tempfile.TemporaryDirectory() as folder:
            self.tool.ROOT = pathlib.Path(folder)
            (self.tool.ROOT / "p.cpp").write_text("if (a)\n  throw 1 +\n      2;\nb();\n")
            files = {"p.cpp": self.tool.FileCounts({1: 4, 2: 0, 3: 0, 4: 4}, [])}
            excuse = {"file": "p.cpp", "line": "throw 1 +", "condition": "", "never": "reached"}
            judge = self.tool.judge_parsers
            self.assertEqual(judge(files, ["*.cpp"], []), ["p.cpp:2: never reached: throw 1 +"])
            self.assertEqual(judge(files, ["*.cpp"], [excuse]), [])


if __name__ == "__main__":
    unittest.main()

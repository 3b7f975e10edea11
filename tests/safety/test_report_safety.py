"""Names are words: no string in a problem, a log, a run or a sweep becomes markup in a page.

Two ways to look: the page taken apart beside that of a harmless twin, and a browser. tools/report_safety
tries every string at every place; here all strings are at all places at once.
"""

import html
import pathlib
import re
import tempfile
import unittest

import hostile
import pages
from browser import Server, open_together
from program import PROGRAM

SHORT = ("img-onerror", "svg-script", "script", "end-of-json", "img-single-quote", "more-attributes")
LINE = re.compile(rb"loopcert: [^\x00-\x1f\x7f]+\n")


def escaped(text):
    return html.escape(text).replace("&#x27;", "&#39;")


class ReportSafety(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        cls.folder = pathlib.Path(folder.name)
        cls.server = cls.enterClassContext(Server())
        cls.payloads = hostile.payloads(cls.server.url)
        soup = " ".join(text for name, text in cls.payloads.items() if name != "very-long")
        short = [cls.payloads[name] for name in SHORT]
        bench = pages.Workbench(PROGRAM, folder.name)
        cls.pages = bench.everywhere(soup, short)
        cls.twins = bench.everywhere(pages.TWIN, [pages.TWIN + c for c in "abc"])
        cls.bench = bench

    def setUp(self):
        self.server.asked.clear()

    def write(self, name, text):
        path = self.folder / name
        path.write_text(text)
        return path

    def test_only_words_differ(self):
        for name, page in self.pages.items():
            with self.subTest(page=name):
                self.assertIsNotNone(page, self.bench.refusals[-1:])
                self.assertEqual(pages.faults(page, self.twins[name]), [])
                for payload in ("script", "svg-script", "end-of-json"):
                    self.assertIn(hostile.MARK + payload, page)

    def test_a_very_long_name(self):
        name = self.payloads["very-long"]
        page = self.bench.learned(name=name)
        self.assertEqual(pages.faults(page, self.bench.learned(name=pages.TWIN)), [])
        self.assertIn(f"<h1>{escaped(name)}</h1>", page)

    def test_direction_and_controls_stay_out(self):
        for name, page in self.pages.items():
            self.assertIsNone(re.search("[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069]",
                                        page), name)

    def test_one_escape_forgotten_is_noticed(self):
        noticed = set()
        page, twin = self.pages["learn"], self.twins["learn"]
        heading = page.index("<h1>")
        for name in hostile.LIVE:
            text = self.payloads[name]
            if "<" not in text:
                continue  # needs a script or an attribute around it; see the next two
            bad = page[:heading] + page[heading:].replace(escaped(text), text, 1)
            self.assertNotEqual(bad, page, name)
            self.assertNotEqual(pages.faults(bad, twin), [], name)
            noticed.add(name)
        self.assertGreater(len(noticed), 20)

    def test_one_quote_forgotten_is_noticed(self):
        text = self.payloads["more-attributes"]
        page = self.bench.results(hostile.replaced(pages.Workbench.results_tree(),
                                                   ("results", 0, "label"), text))
        twin = self.bench.results(hostile.replaced(pages.Workbench.results_tree(),
                                                   ("results", 0, "label"), pages.TWIN))
        self.assertEqual(pages.faults(page, twin), [])
        bad = page.replace(f'data-name="{escaped(text)}', f'data-name="{text}')
        self.assertNotEqual(bad, page)
        self.assertNotEqual(pages.faults(bad, twin), [])

    def test_another_policy_or_script_is_noticed(self):
        page, twin = self.pages["learn"], self.twins["learn"]
        for old, new in (("script-src ", "script-src 'unsafe-inline' "), ("default-src 'none'; ", ""),
                         ("form-action 'none'", "form-action *"), ("img-src data:", "img-src *"),
                         ('"use strict";', '"use strict"; alert(1);'), ("<style>", "<style>@import 'x';"),
                         ("\\u003c/script\\u003e", "</script>")):
            with self.subTest(old=old):
                bad = page.replace(old, new, 1)
                self.assertNotEqual(bad, page)
                self.assertNotEqual(pages.faults(bad, twin), [])

    def test_a_browser_runs_nothing_and_asks_for_nothing(self):
        paths = [self.write(f"{name}.html", page) for name, page in self.pages.items()]
        self.assertEqual(open_together(paths, self.folder, self.server), [])
        self.assertEqual(self.server.asked, [])

    def test_a_browser_runs_each_of_them_unguarded(self):
        found = hostile.unguarded(self.server.url)
        paths = [self.write(f"unguarded-{name}.html", page) for name, page in found.items()]
        console = "\n".join(open_together(paths, self.folder, self.server))
        ran = {name for name in found if f"{hostile.MARK}{name}\"" in console or
               any(path.endswith("/" + name) for path in self.server.asked)}
        self.assertEqual(ran, set(hostile.LIVE))

    def test_the_policy_stops_what_was_not_escaped(self):
        page = self.twins["learn"]
        bad = page.replace("<main>", "<main>" + "".join(
            self.payloads[name] for name in ("script", "img-onerror", "svg-onload", "style-sheet")))
        console = open_together([self.write("bad.html", bad)], self.folder, self.server)
        self.assertTrue(any("Content Security Policy" in line for line in console))
        self.assertFalse(any(hostile.MARK in line and "Security" not in line for line in console))
        self.assertEqual(self.server.asked, [])

    def test_a_refusal_is_one_line(self):
        before = len(self.bench.refusals)
        for name in self.payloads:
            self.bench.learned(position=self.payloads[name] + "\n")
            self.bench.learned(problem=pages.path_text(self.payloads[name]))  # no .json at its end
        refusals = self.bench.refusals[before:]
        self.assertGreater(len(refusals), len(self.payloads))
        for line in refusals:
            self.assertTrue(LINE.fullmatch(line), line)


if __name__ == "__main__":
    unittest.main()

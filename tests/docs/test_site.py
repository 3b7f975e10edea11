"""Builds the documentation's site and looks at what came out."""

import html.parser
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

from documents import PAGES, SOURCE, needs_site_tools
from browser import Server, open_together  # documents has it in the path

HEADERS = sorted((SOURCE / "include/loopcert").glob("*/*.hpp"))
VOID = {"area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "source", "wbr"}
# What a reader should never see outside of code: marks of Markdown and TeX, or a failed formula.
LEFT_OVER = re.compile(r"\$(?![A-Z_]{4})|\*\*|\]\(|\\[A-Za-z]+\{|katex-error")


class Prose(html.parser.HTMLParser):
    """The text of a page's article, without code and formulas."""

    def __init__(self, page):
        super().__init__()
        self.open, self.text = [], ""
        self.feed(page)

    def handle_starttag(self, tag, attributes):
        if tag not in VOID:
            classes = (dict(attributes).get("class") or "").split()
            self.open.append("formula" if "katex" in classes else tag)

    def handle_endtag(self, tag):
        if tag not in VOID and self.open:
            self.open.pop()

    def handle_data(self, data):
        if "article" in self.open and not {"pre", "code", "dt", "formula"} & set(self.open):
            self.text += data


@needs_site_tools
class Site(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        cls.done = subprocess.run([sys.executable, SOURCE / "tools/docs", "--build", folder.name],
                                  capture_output=True, text=True)
        cls.site = pathlib.Path(folder.name) / "site"

    def setUp(self):
        self.assertEqual(self.done.returncode, 0, self.done.stdout + self.done.stderr)

    def text(self, page):
        return (self.site / page).read_text()

    def test_nothing_is_warned_of(self):
        self.assertEqual(self.done.stderr, "")

    def test_every_document_is_a_page(self):
        names = {path.relative_to(self.site).as_posix() for path in self.site.rglob("*.html")}
        for path in PAGES:
            page = path.relative_to(SOURCE).as_posix().removeprefix("docs/")
            page = page if "/" in page or path.parent != SOURCE else page.lower()
            self.assertIn(page.removesuffix(".md") + ".html", names)

    def test_every_header_is_in_the_reference(self):
        self.assertGreater(len(HEADERS), 20)
        for header in HEADERS:
            room, text = header.parent.name, header.read_text()
            page = self.text(f"api/{room}.html")
            self.assertIn(f"<h2>{room}/{header.name}", page)
            for name in re.findall(r"^(?:struct|class|enum class) (\w+)(?: final)?[ :{]", text, re.M):
                self.assertRegex(page, rf'class="n"><span class="pre">{name}</span>',
                                 f"{header.name}: {name}")

    def test_rooms_in_their_order(self):
        rooms = [room for room in re.findall(r"^(\w+):", (SOURCE / "cmake/rooms.txt").read_text(), re.M)
                 if (SOURCE / "include/loopcert" / room).is_dir()]
        table = re.search(r"<tbody>.*?</tbody>", self.text("api/index.html"), re.S)[0]
        self.assertEqual(re.findall(r'href="(\w+)\.html"', table), rooms)

    def test_comments_reach_the_reference(self):
        page = " ".join(Prose(self.text("api/certificate.html")).text.split())
        for said in ("1 - sum of the events' deltas",  # behind a member
                     "computed | not-computed | other-deployment",  # above a member
                     "The certificate: one plain type for every kind."):
            self.assertTrue(said in page, said)

    def test_pages_run_without_the_network(self):
        pages = ["index.html", "search.html", "theory/bounded.html", "api/certificate.html"]
        with Server() as server:
            console = open_together([self.site / page for page in pages], self.site.parent, server)
            self.assertEqual((console, server.asked), ([], []))

    def test_formulas_are_set(self):
        self.assertGreater(self.text("theory/bounded.html").count('class="katex-html"'), 50)

    def test_no_marks_are_left_over(self):
        for path in self.site.rglob("*.html"):
            prose = Prose(path.read_text()).text
            for found in LEFT_OVER.finditer(prose):
                around = prose[max(0, found.start() - 40):found.end() + 40]
                self.fail(f"{path.relative_to(self.site)}: {around!r}")


if __name__ == "__main__":
    unittest.main()

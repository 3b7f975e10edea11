"""The parts that build the site: each finds what it is there to find."""

import os
import sys
import unittest

from documents import SOURCE, FolderTest, needs_site_tools

sys.path.insert(0, str(SOURCE / "docs/site"))

from check_links import broken_links  # noqa: E402
from doxygen_comments import convert  # noqa: E402
from plain_docstrings import formatted, short_types  # noqa: E402
from pages import contents, with_header_links, with_site_links  # noqa: E402


class LinkChecker(FolderTest):
    def broken(self, body, style=""):
        (self.folder / "page.html").write_text(f'<html><body id="top">{body}</body></html>')
        (self.folder / "style.css").write_text(style)
        return [line.rsplit(": ", 1)[1] for line in broken_links(self.folder)]

    def test_good(self):
        (self.folder / "a b.html").write_text('<h2 id="here">x</h2><a href="page.html#top">y</a>')
        self.assertEqual(self.broken(
            '<a href="a%20b.html#here">x</a><a href="#top">x</a><a href="https://example.org">x</a>'
            '<img src="data:image/png;base64,AA=="><link href="style.css?v=1">'), [])

    def test_planted(self):
        for body, problem in (('<a href="gone.html">x</a>', "no such file"),
                              ('<a href="page.html#gone">x</a>', "no such anchor"),
                              ('<a href="#gone">x</a>', "no such anchor"),
                              ('<a href="../page.html">x</a>', "leaves the folder"),
                              ('<a href="/page.html">x</a>', "leaves the folder"),
                              ('<img src="gone.png">', "no such file"),
                              ('<script src="https://example.org/x.js"></script>',
                               "loaded from the network"),
                              ('<link href="//example.org/x.css">', "loaded from the network"),
                              ('<p style="background: url(gone.png)">', "no such file")):
            self.assertEqual(self.broken(body), [problem], body)

    def test_planted_in_a_style(self):
        self.assertEqual(self.broken("", "@import url(/x.css);"), ["leaves the folder"])
        self.assertEqual(self.broken("", "@import 'x.css'; a { src: url(http://example.org/f) }"),
                         ["no such file", "loaded from the network"])


class Docstrings(unittest.TestCase):
    def test_words_and_code(self):
        self.assertEqual(formatted(["x_t' Q x_t of `learn_run`, a*b"]),
                         [r"x\_t' Q x\_t of ``learn_run``, a\*b"])

    def test_items(self):
        said = ["What.", "", "Parameters", "----------", "a : one,", "    and more", "b, c : two", "End."]
        self.assertEqual(formatted(said), [
            "What.", "", ".. rubric:: Parameters", "", "``a``", "    one,", "    and more",
            "``b``, ``c``", "    two", "", "End."])

    def test_signature(self):
        said = "(self: loopcert._core.Run, x: numpy.ndarray[numpy.float64[m, n], flags.f_contiguous])"
        self.assertEqual(short_types(said), "(x: array)")


class Comments(unittest.TestCase):
    def assert_becomes(self, said, expected):
        found = convert(said.splitlines(), "g")
        self.assertEqual(found[3:-1], expected.splitlines())

    def test_places(self):
        self.assert_becomes("""// The file.
#pragma once
namespace loopcert {
// Above.
struct A {
  int a = 0;  // behind, "//" and
              // its second line
  // Above the next.
  int b() const { return 0; }  // behind a body
};
// Alone.

}  // namespace loopcert
""", """#pragma once
/**
Above.
*/
struct A {
  int a = 0;  
/**<
behind, \\"//\\" and
its second line
*/
/**
Above the next.
*/
  int b() const { return 0; }  
/**<
behind a body
*/
};

""")

    def test_bodies_are_left_alone(self):
        self.assert_becomes("""inline int f(int a) {
  // Inside.
  return a;  // also inside
}
int g();  // outside""", """inline int f(int a) {
  return a;  
}
int g();  
/**<
outside
*/""")

    def test_escapes_and_shapes(self):
        self.assert_becomes("""#pragma once
// `x` <= 5 % of @y, --z:
//   a   < b
// end
int x;""", """#pragma once
/**
<tt>x</tt> \\<= 5 \\% of \\@y, \\--z:
\\verbatim
  a   < b
\\endverbatim
end
*/
int x;""")


@needs_site_tools
class Formulas(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        import katex_math  # needs Sphinx
        cls.render, cls.typesetter = staticmethod(katex_math.render), staticmethod(katex_math.typesetter)

    @classmethod
    def tearDownClass(cls):
        process = cls.typesetter(os.getpid())
        process.stdin.close()
        process.stdout.close()
        process.wait()

    def test_good_and_bad(self):
        self.assertIn("katex-html", self.render(r"\frac12", True))
        for tex in (r"\frac{1}", r"\nosuchcommand", "x_"):
            with self.assertRaises(ValueError):
                self.render(tex, False)


class Pages(unittest.TestCase):
    def test_links(self):
        pages = {"docs/plan.md": "plan.md", "docs/theory/risk.md": "theory/risk.md",
                 "CHANGELOG.md": "changelog.md"}
        text = "[a](../../CHANGELOG.md#x) [b](../plan.md) [c](../../LICENSE) [d](https://e.org)"
        found, files = with_site_links(SOURCE, pages, "docs/theory/risk.md", text)
        self.assertEqual(found, "[a](../changelog.md#x) [b](../plan.md) [c](../files/LICENSE) "
                                "[d](https://e.org)")
        self.assertEqual(files, {"LICENSE"})

    def test_headers(self):
        self.assertEqual(with_header_links(SOURCE, "theory/risk.md", "`data/law.hpp`, `risk/risk.hpp`"),
                         "[`data/law.hpp`](../api/data.md#datalawhpp), `risk/risk.hpp`")

    def test_contents(self):
        found = contents("# Top\n\n[no](a.md)\n\n## One\n\n- [A page](a.md): x\n- no\n2. [B](b/c.md)\n")
        self.assertIn(":caption: One\n\nA page <a>\nB <b/c>\n", found)
        self.assertNotIn("no", found)


if __name__ == "__main__":
    unittest.main()

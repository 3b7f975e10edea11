"""Sphinx extension: style sheets that load nothing from outside the site."""

import base64
import pathlib
import re

SHARED = pathlib.Path("/usr/share/javascript")  # where Debian keeps what web pages load


def katex_style():
    """KaTeX's style with its fonts inside: not every browser lets a page that was opened from a disk
    load fonts from another folder."""
    folder = SHARED / "katex"

    def inline(found):
        font = base64.b64encode((folder / found[1]).read_bytes()).decode()
        return f'src:url(data:font/woff2;base64,{font}) format("woff2")'
    return re.sub(r"src:url\(([^)]*\.woff2)\)[^;}]*", inline, (folder / "katex.min.css").read_text())


def with_imports(text):
    """Debian's themes import styles from the root of a web server, which a folder does not have."""
    return re.sub(r"@import url\(/javascript/([^)]*)\);",
                  lambda found: (SHARED / found[1]).read_text(), text)


def write_styles(app, error):
    if error:
        return
    static = pathlib.Path(app.outdir) / "_static"
    (static / "katex.css").write_text(katex_style())
    for path in static.rglob("*.css"):
        path.write_text(with_imports(path.read_text()))


def setup(app):
    app.connect("build-finished", write_styles)
    return {"parallel_read_safe": True, "parallel_write_safe": True}

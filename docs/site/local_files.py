"""Sphinx extension: styles and scripts that work in a folder, without a web server."""

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


def without_modules(text, folder):
    """Debian's Furo imports a script as a module, which a page opened from a disk may not do. Run in
    its place, that script defines the same name."""
    return re.sub(r'^import \w+ from "\./([^"]*)";', lambda found: (folder / found[1]).read_text(), text)


def write_files(app, error):
    if error:
        return
    static = pathlib.Path(app.outdir) / "_static"
    (static / "katex.css").write_text(katex_style())
    for path in static.rglob("*.css"):
        path.write_text(with_imports(path.read_text()))
    for path in static.rglob("furo.js"):
        path.write_text(without_modules(path.read_text(), path.parent))


def setup(app):
    app.connect("build-finished", write_files)
    return {"parallel_read_safe": True, "parallel_write_safe": True}

#!/usr/bin/python3
"""Checks a folder of HTML pages: every link and every file that a page loads is there, with its
anchor, and no page loads anything from the network.

    check_links.py FOLDER
"""

import functools
import html.parser
import pathlib
import re
import sys
import urllib.parse


class Page(html.parser.HTMLParser):
    def __init__(self, text):
        super().__init__()
        self.links, self.loads, self.anchors = [], [], set()
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        attributes = dict(attributes)
        self.anchors |= {attributes[key] for key in ("id", "name") if attributes.get(key)}
        for key in ("href", "src", "data", "poster"):
            if (value := attributes.get(key)) is not None:
                (self.links if tag in ("a", "area") else self.loads).append(value)
        for value in re.findall(r"url\(([^)]*)\)", attributes.get("style") or ""):
            self.loads.append(value.strip("'\""))


@functools.lru_cache(maxsize=None)
def read_page(path):
    return Page(path.read_text())


def loads_of_style(text):
    text = re.sub(r"/\*.*?\*/", "", text, flags=re.S)
    found = re.findall(r"url\(\s*(\"[^\"]*\"|'[^']*'|[^)]*?)\s*\)|@import\s+(\"[^\"]*\"|'[^']*')", text)
    return [(a or b).strip("'\"") for a, b in found]


def is_remote(link):
    parts = urllib.parse.urlsplit(link)
    return bool(parts.netloc) or parts.scheme in ("http", "https", "mailto")


def problem_of(folder, page, link):
    """What is wrong with a link to a file, or None."""
    parts = urllib.parse.urlsplit(link)
    if parts.scheme == "data":
        return None
    target = (page.parent / urllib.parse.unquote(parts.path)).resolve() if parts.path else page
    if not target.is_relative_to(folder):
        return "leaves the folder"
    if not target.is_file():
        return "no such file"
    anchor = urllib.parse.unquote(parts.fragment)
    if anchor and target.suffix == ".html" and anchor not in read_page(target).anchors:
        return "no such anchor"
    return None


def broken_links(folder):
    """One line for each."""
    folder = folder.resolve()
    read_page.cache_clear()
    broken = []

    def look(path, links, remote_allowed):
        for link in links:
            if is_remote(link):
                problem = None if remote_allowed else "loaded from the network"
            else:
                problem = problem_of(folder, path, link)
            if problem:
                broken.append(f"{path.relative_to(folder)}: {link}: {problem}")

    for path in sorted(folder.rglob("*.html")):
        look(path, read_page(path).links, True)
        look(path, read_page(path).loads, False)
    for path in sorted(folder.rglob("*.css")):
        look(path, loads_of_style(path.read_text()), False)
    return broken


if __name__ == "__main__":
    found = broken_links(pathlib.Path(sys.argv[1]))
    print("\n".join(found) or "every link leads somewhere")
    sys.exit(bool(found))

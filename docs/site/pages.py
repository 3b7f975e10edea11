"""Copies the documents to where Sphinx reads them. They are plain Markdown for people and Git hosts;
what only the site needs is added here: links that fit its folders, and tables of contents."""

import os
import re
import shutil

PAGES_OUTSIDE_DOCS = {
    "README.md": "readme.md",
    "CHANGELOG.md": "changelog.md",
    "CONTRIBUTING.md": "contributing.md",
    "SECURITY.md": "security.md",
    "fuzz/README.md": "fuzz.md",
}
PYTHON_REFERENCE = "api/python.md"
NO_PACKAGE = "# Python reference\n\nMade only where the Python package is built.\n"
LINK = re.compile(r"\]\(([^)\s#]+)(#[^)\s]*)?\)")
HEADER = re.compile(r"(?<!\[)`(?:include/loopcert/)?((\w+)/(\w+)\.hpp)`")
ENTRY = re.compile(r"^(?:-|\d+\.) \[([^\]]*)\]\(([^)\s]+)\.md\)", re.M)


def documents(root):
    """{path in the repository: path on the site, both relative} for every page."""
    docs = [path.relative_to(root).as_posix() for path in sorted((root / "docs").rglob("*.md"))]
    return {name: name.removeprefix("docs/") for name in docs} | PAGES_OUTSIDE_DOCS


def relative(target, page):
    return os.path.relpath(target, os.path.dirname(page) or ".")


def repository_path(root, document, link):
    """The file that a link in a document names, or None when it is not one of the repository."""
    path = os.path.normpath(os.path.join(os.path.dirname(document), link))
    return path if (root / path).is_file() else None


def place(pages, path):
    """Where a file of the repository is on the site: documents are pages, others are copies."""
    if path in pages:
        return pages[path]
    return path.removeprefix("docs/") if path.startswith("docs/") else f"files/{path}"


def with_site_links(root, pages, document, text):
    """The text with its links changed, and the other files that it names."""
    files = set()

    def change(found):
        path = repository_path(root, document, found[1])
        if path is None:
            return found[0]
        if path not in pages:
            files.add(path)
        return f"]({relative(place(pages, path), pages[document])}{found[2] or ''})"
    return LINK.sub(change, text), files


def with_header_links(root, page, text):
    """Names of public headers lead to the reference."""
    def change(found):
        if not (root / "include/loopcert" / found[1]).is_file():
            return found[0]
        return f"[{found[0]}]({relative(f'api/{found[2]}.md', page)}#{found[2]}{found[3]}hpp)"
    return HEADER.sub(change, text)


def toctree(caption, names):
    return "\n".join(["", "```{toctree}", ":hidden:", f":caption: {caption}", "", *names, "```", ""])


def contents(text):
    """A table of contents for each section of an index whose list begins with links."""
    trees = []
    for section in re.split(r"^## ", text, flags=re.M):
        if entries := ENTRY.findall(section):
            trees.append(toctree(section.partition("\n")[0].lstrip("# "),
                                 [f"{title} <{name}>" for title, name in entries]))
    return "".join(trees)


def write_if_changed(path, text):
    path.parent.mkdir(parents=True, exist_ok=True)
    if not path.exists() or path.read_text() != text:
        path.write_text(text)


def copy_file(source, target):
    target.parent.mkdir(parents=True, exist_ok=True)
    shutil.copy2(source, target)


def write_pages(root, stage, with_package):
    """Returns the paths of all that was written, relative to `stage`. Without the Python package its
    reference cannot be read from it."""
    pages, files = documents(root), set()
    for document, page in pages.items():
        text, named = with_site_links(root, pages, document, (root / document).read_text())
        files |= named
        if page.endswith("index.md"):
            text += contents(text)
        if page == "index.md":
            text += toctree("Reference", ["api/index", "Python reference <api/python>"])
        if page == PYTHON_REFERENCE and not with_package:
            text = NO_PACKAGE
        write_if_changed(stage / page, with_header_links(root, page, text))
    for path in files:
        copy_file(root / path, stage / place(pages, path))
    return {*pages.values(), *(place(pages, path) for path in files)}

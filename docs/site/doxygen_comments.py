#!/usr/bin/python3
"""Doxygen's input filter: turns the plain // comments of a header into Doxygen's own.

    doxygen_comments.py HEADER

The declarations of a file become a group, in place of the namespace around them: Breathe shows no
namespace in a group, so the pages add it. A block right above a declaration, or a comment behind a
member, describes it. Other comments are left out.
"""

import pathlib
import re
import sys

COMMENT_LINE = re.compile(r"( *)// ?(.*)$")
NAMESPACE = re.compile(r"namespace |} +// namespace")  # the lines that open and close it
STRING = r'"(?:\\.|[^"\\])*"' + r"|'(?:\\.|[^'\\])'"
CODE_AND_COMMENT = re.compile(rf"((?:{STRING}|[^\"'/]|/(?!/))*)// ?(.*)$")


def escape(text):
    """Words that Doxygen shows as they are, but for `code`."""
    text = re.sub(r"[\\@&$#<>%\"]", lambda found: "\\" + found[0], text).replace("--", r"\--")
    return re.sub(r"`([^`]*)`", r"<tt>\1</tt>", text)


def doxygen_text(lines):
    """Indented lines are formulas or tables: they keep their shape."""
    result, shaped = [], False
    for line in lines:
        if line.startswith("  ") != shaped and line:
            result.append(r"\endverbatim" if shaped else r"\verbatim")
            shaped = not shaped
        result.append(line if shaped else escape(line))
    if shaped:
        result.append(r"\endverbatim")
    return result


def take_block(lines, start, column=None):
    """The comment lines from `start` on; with a column, only those that begin there."""
    block = []
    for line in lines[start:]:
        found = COMMENT_LINE.match(line)
        if not found or column not in (None, len(found[1])):
            break
        block.append(found[2])
    return block


def first_block(lines):
    """The comment at the top of the file."""
    return take_block(lines, 0)


class Scopes:
    """Knows whether a line stands among declarations or inside a function body."""

    def __init__(self):
        self.stack, self.words = [], ""

    def read(self, code):
        for char in re.sub(STRING, "", code):
            if char == "{":
                self.stack.append(self.opens_declarations())
            if char == "}" and self.stack:
                self.stack.pop()
            self.words = "" if char in "{};" else self.words + char
        self.words += " "

    def opens_declarations(self):
        return "(" not in self.words and bool(
            re.search(r"\b(namespace|struct|class|enum|union)\b", self.words))

    def declarations(self):
        return all(self.stack)


def group(header):
    """The name of a header's group: room_header."""
    return f"{header.parent.name}_{header.stem}"


def convert(lines, name):
    result = [rf"/** \defgroup {name} {name}", "@{", "*/"]
    scopes, i = Scopes(), len(first_block(lines))
    while i < len(lines):
        if block := take_block(lines, i):
            i += len(block)
            if scopes.declarations() and i < len(lines) and lines[i].strip():
                result += ["/**", *doxygen_text(block), "*/"]
            continue
        code, comment = split(lines[i])
        scopes.read(code)
        i += 1
        if NAMESPACE.match(lines[i - 1]):
            continue
        result.append(code)
        if comment is not None and describes_code(code, scopes):
            more = take_block(lines, i, len(code))
            i += len(more)
            result += ["/**<", *doxygen_text([comment, *more]), "*/"]
    return result + ["/** @} */"]


def split(line):
    found = CODE_AND_COMMENT.match(line)
    return (found[1], found[2]) if found else (line, None)


def describes_code(code, scopes):
    code = code.strip()
    return scopes.declarations() and not code.startswith(("#", "}")) and not code.endswith("{")


if __name__ == "__main__":
    path = pathlib.Path(sys.argv[1])
    print("\n".join(convert(path.read_text().splitlines(), group(path))))

"""Writes the pages of the C++ reference: one for each room, in the order the data flows."""

import re

from doxygen_comments import first_block, group
from pages import toctree, write_if_changed


def rooms(root):
    """Those with headers that are installed."""
    names = re.findall(r"^(\w+):", (root / "cmake/rooms.txt").read_text(), re.M)
    return [name for name in names if headers(root, name)]


def headers(root, room):
    return sorted((root / "include/loopcert" / room).glob("*.hpp"))


def purposes(root):
    """{room: what it is for}, as docs/cpp.md says it."""
    rows = re.findall(r"^\| (\w+) \| `.*?` \| (.*) \|$", (root / "docs/cpp.md").read_text(), re.M)
    return dict(rows)


def namespace(header):
    return re.search(r"^namespace ([\w:]+) {", header.read_text(), re.M)[1]


def markdown(text):
    """Plain words of a comment, with code in backticks left as code."""
    parts = re.split(r"(`[^`]*`)", text)
    return "".join(p if p.startswith("`") else re.sub(r"([\\*_<>|$\[\]{}#~^])", r"\\\1", p)
                   for p in parts)


def with_page_links(text):
    return re.sub(r"\bdocs/([\w/-]+)\.md\b", r"[\1](../\1.md)", text)


def about(header):
    """The comment at the top of a header; indented lines keep their shape."""
    lines, shaped = [], False
    for line in first_block(header.read_text().splitlines()):
        if line.startswith("  ") != shaped and line:
            lines += ["```", ""] if shaped else ["", "```text"]
            shaped = not shaped
        lines.append(line if shaped else with_page_links(markdown(line)))
    return lines + ["```"] if shaped else lines


def first_sentence(header):
    text = " ".join(about(header)).partition(" ```")[0].strip()
    return re.split(r"(?<=[.?]) (?=[A-Z])", text)[0].rstrip(":")


def anchor(name):
    """What MyST makes of a heading."""
    return re.sub(r"[^a-z0-9_-]", "", name)


def header_section(room, header):
    return ["", f"## {room}/{header.name}", "", *about(header), "",
            f"```{{cpp:namespace}} {namespace(header)}", "```", "",
            f"```{{doxygengroup}} {group(header)}", ":members:", ":undoc-members:",
            ":content-only:", "```"]


def room_page(root, room, purpose):
    spaces = " and ".join(f"`{name}`" for name in sorted({namespace(h) for h in headers(root, room)}))
    lines = [f"# {room}", "",
             f"{purpose[0].upper()}{purpose[1:]}. Namespace {spaces}, CMake target `loopcert::{room}`.",
             "", "| header | about |", "|---|---|"]
    for header in headers(root, room):
        name = f"{room}/{header.name}"
        lines.append(f"| [{name}](#{anchor(name)}) | {first_sentence(header)} |")
    for header in headers(root, room):
        lines += header_section(room, header)
    return "\n".join(lines) + "\n"


def index_page(root, purpose):
    lines = ["# C++ reference", "",
             "Every header that is installed, room by room, in the order the data flows; a room uses only rooms",
             "above it. [Use from C++](../cpp.md) says how to begin, the {ref}`index <genindex>` has every name.",
             "",
             "| room | what it is for | headers |", "|---|---|---|"]
    lines += [f"| [{room}]({room}.md) | {purpose[room]} | {len(headers(root, room))} |"
              for room in rooms(root)]
    return "\n".join(lines) + "\n" + toctree("Rooms", rooms(root))


def write_reference(root, stage):
    """Returns the paths of the pages, relative to `stage`."""
    purpose = purposes(root)
    write_if_changed(stage / "api/index.md", index_page(root, purpose))
    for room in rooms(root):
        write_if_changed(stage / f"api/{room}.md", room_page(root, room, purpose[room]))
    return {"api/index.md", *(f"api/{room}.md" for room in rooms(root))}

"""Sphinx extension: declarations in the order of their header, where Breathe sorts them by kind."""

import functools
import pathlib
import xml.etree.ElementTree as ElementTree

from docutils import nodes
from sphinx import addnodes


@functools.lru_cache(maxsize=None)
def lines(folder):
    """{Doxygen's id: line in its header}"""
    found = {}
    for path in pathlib.Path(folder).glob("*.xml"):
        for node in ElementTree.parse(path).iter():
            place = node.find("location")
            if node.tag in ("compounddef", "memberdef") and place is not None:
                found[node.get("id")] = int(place.get("line", 0))
    return found


def line_of(declaration, known):
    ids = [name for target in declaration[0].findall(nodes.target) for name in target["ids"]]
    return next((known[name] for name in ids if name in known), 0)


def sort_declarations(app, document):
    if not app.env.docname.startswith("api/"):
        return
    known = lines(app.config.breathe_projects["loopcert"])
    for section in document.findall(nodes.section):
        declared = [i for i, node in enumerate(section) if isinstance(node, addnodes.desc)]
        pairs = [(section[i - 1], section[i]) for i in declared]  # its index entry comes before it
        pairs.sort(key=lambda pair: line_of(pair[1], known))
        for i, (entry, declaration) in zip(declared, pairs):
            section[i - 1], section[i] = entry, declaration


def setup(app):
    app.connect("doctree-read", sort_declarations)
    return {"parallel_read_safe": True, "parallel_write_safe": True}

"""Sphinx extension: formulas become HTML when the site is built, so that a page needs neither a
script nor the network to show them."""

import functools
import json
import os
import pathlib
import subprocess

from docutils.nodes import SkipNode
from sphinx.util import logging

HERE = pathlib.Path(__file__).parent
logger = logging.getLogger(__name__)


@functools.lru_cache(maxsize=None)
def typesetter(_):
    """One process for all formulas of one process of Sphinx; it ends with its input."""
    return subprocess.Popen(["node", HERE / "katex_lines.js"], text=True, bufsize=1,
                            stdin=subprocess.PIPE, stdout=subprocess.PIPE)


def render(tex, display):
    """The HTML of a formula; ValueError says what is wrong with it."""
    process = typesetter(os.getpid())
    process.stdin.write(json.dumps({"tex": tex, "display": display}) + "\n")
    answer = json.loads(process.stdout.readline())
    if "error" in answer:
        raise ValueError(answer["error"])
    return answer["html"]


def show(visitor, node, display):
    try:
        visitor.body.append(render(node.astext(), display))
    except ValueError as error:
        logger.warning("formula: %s", error, location=node)


def show_inline(visitor, node):
    show(visitor, node, False)
    raise SkipNode


def show_block(visitor, node):
    visitor.body.append('<div class="formula">')
    show(visitor, node, True)
    visitor.body.append("</div>\n")
    raise SkipNode


def setup(app):
    app.add_html_math_renderer("katex", (show_inline, None), (show_block, None))
    return {"parallel_read_safe": True, "parallel_write_safe": True}

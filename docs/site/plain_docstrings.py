"""Docstrings of the Python package for Sphinx. They are plain text for `help()`: code in backticks,
lines `name : what it is`, formulas with underscores and stars that mean nothing to a typesetter."""

import re

ITEM = re.compile(r"^([A-Za-z_]\w*(?:, [A-Za-z_]\w*)*) : (.*)$")
ARRAY = re.compile(r"numpy\.ndarray\[numpy\.\w+\[[^\]]*\](?:, [\w.]+)*\]")


def escaped(text):
    """Words as they are, code as code."""
    parts = re.split(r"(`[^`]*`)", text)
    return "".join(f"`{p}`" if p.startswith("`") else re.sub(r"([\\*_|])", r"\\\1", p) for p in parts)


def formatted(lines):
    """Plain text as reStructuredText: items become definitions, underlined words small headings."""
    result, inside = [], False
    for line, following in zip(lines, [*lines[1:], ""]):
        if line and set(line) == {"-"}:
            continue
        if following and set(following) == {"-"}:
            result += [f".. rubric:: {line}", ""]
        elif item := ITEM.match(line):
            # A blank line in front, unless items follow each other.
            result += [] if inside or not result or not result[-1] else [""]
            result += [", ".join(f"``{name}``" for name in item[1].split(", ")), f"    {escaped(item[2])}"]
            inside = True
        elif inside and line.startswith("    "):
            result.append(f"    {escaped(line.strip())}")
        else:
            result += [""] if inside and line else []
            result.append(escaped(line))
            inside = False
    return result


def process_docstring(app, what, name, thing, options, lines):
    lines[:] = formatted(lines)


def short_types(text):
    """Types of the compiled module in a signature, as people say them."""
    text = ARRAY.sub("array", text).replace("loopcert._core.", "")
    return re.sub(r"\bself: \w+(?:, )?", "", text)


def process_signature(app, what, name, thing, options, signature, returns):
    return (short_types(signature) if signature else signature,
            short_types(returns) if returns else returns)


def setup(app):
    app.connect("autodoc-process-docstring", process_docstring)
    app.connect("autodoc-process-signature", process_signature)
    return {"parallel_read_safe": True}

"""Results to read: two aligned columns, or an HTML table."""

from __future__ import annotations

from html import escape
from typing import Iterable, Optional, Tuple

from . import _core

Rows = Iterable[Tuple[str, str]]


def number(value: Optional[float]) -> str:
    """A cost with six digits, as the program prints it."""
    return "-" if value is None else f"{value:.6g}"


def bound_text(value: float) -> str:
    """Six digits, rounded up, as the program prints it."""
    return _core.bound_text(value)


def confidence_text(value: float) -> str:
    """Rounded down, as the program prints it."""
    return _core.confidence_text(value)


def text_table(rows: Rows) -> str:
    rows = list(rows)
    width = max((len(name) for name, _ in rows), default=0)
    return "\n".join(f"{name:<{width}}  {value}".rstrip() for name, value in rows)


def html_table(title: str, rows: Rows) -> str:
    body = "".join(
        f"<tr><th style='text-align:left'>{escape(name)}</th>"
        f"<td style='text-align:left'>{escape(value)}</td></tr>"
        for name, value in rows
    )
    return f"<table><caption>{escape(title)}</caption><tbody>{body}</tbody></table>"


class Readable:
    """`repr` and the notebook's HTML from the rows of one method, `_rows`."""

    def _rows(self) -> Rows:
        raise NotImplementedError

    def __repr__(self) -> str:
        return f"{type(self).__name__}\n{text_table(self._rows())}"

    def _repr_html_(self) -> str:
        return html_table(type(self).__name__, self._rows())

"""Many experiments: problems x methods x certificates x n x seeds."""

from __future__ import annotations

import json
from os import PathLike, fspath
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Dict, Iterable, List, Mapping, Optional, Sequence, Tuple, Union

from . import _core
from .display import Readable, number
from .problem import Problem


class SweepResult(Readable):
    """The rows of a sweep, one per experiment, in the order of its file.

    rows : tables with problem, method, label, n, seed, test_cost, certificate, …
    """

    def __init__(self, record: Dict[str, Any]) -> None:
        self._record = record

    @property
    def name(self) -> str:
        return self._record["name"]

    @property
    def rows(self) -> List[Dict[str, Any]]:
        return self._record["results"]

    def __len__(self) -> int:
        return len(self.rows)

    def column(self, key: str) -> List[Any]:
        """One value per row; None where a row has none."""
        return [row.get(key) for row in self.rows]

    def where(self, **values: Any) -> "SweepResult":
        """The rows with these values: where(label="ridge", n=40)."""
        rows = [r for r in self.rows if all(r.get(k) == v for k, v in values.items())]
        return SweepResult({**self._record, "results": rows})

    @property
    def failures(self) -> Dict[str, int]:
        """Why experiments failed, and how many."""
        counts: Dict[str, int] = {}
        for row in self.rows:
            if row.get("failure"):
                counts[row["failure"]] = counts.get(row["failure"], 0) + 1
        return counts

    def to_dict(self) -> Dict[str, Any]:
        """results.json as plain objects."""
        return self._record

    def report(self) -> str:
        """The page: one self-contained HTML text."""
        return _core.sweep_page(self._record)

    def plot(self, ax: Any = None) -> Any:
        """Certificate and cost against n, one curve per method (matplotlib)."""
        from . import plotting

        return plotting.sweep_curves(self, ax)

    def _rows(self) -> Iterable[Tuple[str, str]]:
        yield "sweep", f"{self.name}: {len(self.rows)} experiments"
        for (problem, label, n), rows in groups(self.rows).items():
            costs = [r["test_cost"] for r in rows if r.get("test_cost") is not None]
            bounds = [b for b in map(certified_value, rows) if b is not None]
            parts = [f"{len(rows)} seeds"]
            if costs:
                parts.append(f"test cost {number(sum(costs) / len(costs))}")
            if bounds:
                parts.append(f"certificate {number(sum(bounds) / len(bounds))}")
            yield f"{problem}, {label}, n = {n}", ", ".join(parts)
        for reason, count in self.failures.items():
            yield f"failed ({count})", reason

    def __reduce__(self) -> Tuple[Any, ...]:
        return SweepResult, (self._record,)


def certified_value(row: Mapping[str, Any]) -> Optional[float]:
    """The certificate of a row, if it has one."""
    certificate = row.get("certificate")
    return certificate["value"] if certificate else None


def groups(rows: Iterable[Dict[str, Any]]) -> Dict[Tuple[str, str, int], List[Dict[str, Any]]]:
    """Rows that differ in their seed alone."""
    found: Dict[Tuple[str, str, int], List[Dict[str, Any]]] = {}
    for row in rows:
        key = (row["problem"], row.get("label") or row["method"], row["n"])
        found.setdefault(key, []).append(row)
    return found


def sweep(
    file: Union[str, PathLike, None] = None,
    *,
    problems: Optional[Sequence[Union[Problem, str, PathLike]]] = None,
    n: Optional[Sequence[int]] = None,
    methods: Optional[Sequence[Union[str, Mapping[str, Any]]]] = None,
    certificates: Optional[Sequence[str]] = None,
    seeds: Union[int, Sequence[int], None] = None,
    test: Optional[int] = None,
    name: Optional[str] = None,
    out: Union[str, PathLike, None] = None,
    jobs: int = 0,
    resume: bool = False,
) -> SweepResult:
    """Runs a sweep file, or the same given by keywords; the keys are those of the file.

    out : folder that keeps the results, so that `resume` can continue after Ctrl-C or a crash;
        None keeps nothing
    jobs : threads; 0 takes the machine's. The results do not depend on it.
    """
    given = {
        "problems": problems,
        "n": n,
        "methods": methods,
        "certificates": certificates,
        "seeds": seeds,
        "test": test,
        "name": name,
    }
    tree = {key: value for key, value in given.items() if value is not None}
    if (file is None) == (not tree):
        raise TypeError("sweep: expected either a file or keywords such as problems, n, methods")
    if problems is not None:
        tree["problems"] = [p.to_dict() if isinstance(p, Problem) else fspath(p) for p in problems]
    core = _core.Sweep.read(fspath(file)) if file is not None else _core.Sweep.from_tree(tree)
    if out is not None:
        return _run(core, Path(fspath(out)), jobs, resume)
    with TemporaryDirectory() as folder:
        return _run(core, Path(folder), jobs, resume)


def _run(core: _core.Sweep, folder: Path, jobs: int, resume: bool) -> SweepResult:
    _core.run_sweep(core, folder, jobs, resume)
    return SweepResult(json.loads((folder / "results.json").read_text()))

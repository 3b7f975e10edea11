"""Plants that nobody knows: logs, what they say, and the controller that comes out."""

from __future__ import annotations

from os import PathLike, fspath
from typing import Any, Dict, Iterable, List, Optional, Sequence, Tuple, Union
import warnings as python_warnings

import numpy as np
from numpy.typing import ArrayLike

from . import _core
from .certificates import Certificate, limits_rows
from .data import DataLike, DataWarning, Paths, _files, recorded
from .display import Readable, bound_text, number
from .problem import Problem

Rollouts = _core.Rollouts
Log = Union[ArrayLike, Sequence[ArrayLike]]


def logged(x: Log, u: Log) -> _core.Rollouts:
    """Logged states (or outputs) and inputs of a plant that is to be identified.

    x : (n, T + 1, n_x) array, or a list of (steps + 1, n_x) arrays of any length, or one of them
    u : (n, T, n_u) array, or a list of (steps, n_u) arrays, or one of them
    """
    return _core.Rollouts(_logs("x", x), _logs("u", u))


def read_rollouts(problem: Problem, *paths: Paths) -> _core.Rollouts:
    """The same from files, as [data] of the problem describes them."""
    return _core.read_logs(problem._core, _files(paths))


def _logs(name: str, value: Log) -> List[np.ndarray]:
    if isinstance(value, (list, tuple)) and np.ndim(value[0]) == 2:
        return [np.asarray(log, dtype=float) for log in value]
    array = np.asarray(value, dtype=float)
    if array.ndim == 2:
        return [array]
    if array.ndim == 3:
        return list(array)
    raise _core.InputError(f"{name}: found {array.ndim} axes, expected logs of steps x components")


class Identification(Readable):
    """What logs say about a plant, or about the colour of a disturbance.

    A, B : the estimate; of a colour: the known plant
    Phi : of a colour, [Phi_1 … Phi_p]; None for a plant
    offset : of the estimate, or None
    intervals : {"A": (n, n, 2) array, …}: all of them hold together with this `confidence`
    radius, transitions : b, and N
    noise, noise_bound : covariance of the innovations: estimate, and a matrix above it
    poles : one table each, with real, imaginary, modulus, reach
    whiteness : one table per lag, with lag, correlation, band, p_value
    checks : tests of the model, as in `inspect`
    certificate : bound on the cost of the estimate's controller, or None
    forecasts : what more logs like these would bring
    """

    def __init__(self, parts: Dict[str, Any]) -> None:
        self._record = parts["record"]
        self._page = parts["page"]
        self.innovations = parts["innovations"]

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_") or name not in self._record:
            if name in ("Phi", "offset"):
                return None
            raise AttributeError(name)
        value = self._record[name]
        if name in ("A", "B", "Phi", "offset", "noise", "noise_bound"):
            return np.array(value)
        if name == "intervals":
            return {key: np.array(rows) for key, rows in value.items()}
        if name == "warnings":
            return [DataWarning(w["id"], w["text"]) for w in value]
        return value

    def to_dict(self) -> Dict[str, Any]:
        """identification.json as plain objects."""
        return self._record

    def report(self) -> str:
        """The page: one self-contained HTML text."""
        return self._page

    def _rows(self) -> Iterable[Tuple[str, str]]:
        yield "problem", self.problem
        yield "identified", self.subject
        yield "transitions", str(self.transitions)
        yield "radius", number(self.radius)
        for check in self.checks:
            yield check["name"], f"{check['verdict']} ({check['assumption']})"
        if self.certificate is not None:
            yield "certificate", bound_text(self.certificate)

    def __reduce__(self) -> Tuple[Any, ...]:
        return Identification, (
            {"record": self._record, "page": self._page, "innovations": self.innovations},
        )


def identify(problem: Problem, data: Union[_core.Rollouts, DataLike]) -> Identification:
    """Estimates what the problem does not know: its plant, or the colour of its disturbance.

    data : `rollouts(x, u)` for a plant that is identified; trajectories of disturbances for a
        plant that is known (`autoregressive`)
    """
    if isinstance(data, _core.Rollouts):
        return Identification(_core.identify(problem._core, data))
    if problem._core.identifies:
        raise _core.InputError("data: a plant is identified from rollouts(x, u)")
    return Identification(_core.identify_colour(problem._core, recorded(data, problem)))


class IdentifiedResult(Readable):
    """The result of `learn` for a plant that is identified.

    controller : a Controller, or a MemoryController for an infinite horizon
    certificate : upper bound on its expected cost: of an episode, or of a step
    limits, limits_certificate, signals : as of `Result`; limits and cost hold together, with the
        confidence of either
    A, B, A_radius, B_radius : the estimate; each entry is within its radius, all at once
    empirical_cost : of the estimate
    population_cost, optimal_cost : under the plant and the law that the problem states, or None
    logged_cost : of the controller that made the logs
    warnings : where the logs contradict the model
    """

    def __init__(
        self, problem: Problem, logs: _core.Rollouts, run: _core.IdentifiedRun
    ) -> None:
        self.problem = problem
        self.logs = logs
        self._run = run
        self._record = run.record

    @property
    def controller(self) -> Union[_core.Controller, _core.MemoryController]:
        return self._run.controller

    @property
    def certificate(self) -> Certificate:
        return Certificate(self._run.certificate, self.save, page=self.report)

    @property
    def limits_certificate(self) -> Optional[Certificate]:
        record = self._run.limits_certificate
        return None if record is None else Certificate(record, self.save, "limits.json", page=self.report)

    @property
    def warnings(self) -> List[DataWarning]:
        return [DataWarning(w["id"], w["text"]) for w in self._record["warnings"]]

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_"):
            raise AttributeError(name)
        if name in ("A", "B", "A_radius", "B_radius", "offset"):
            value = self._record["estimate"].get(name)
            return None if value is None else np.array(value)
        if name in self._record:
            return self._record[name]
        raise AttributeError(name)

    def to_dict(self) -> Dict[str, Any]:
        """run.json as plain objects."""
        return self._record

    def save(self, folder: Union[str, PathLike]) -> List[str]:
        """Writes the files of `loopcert learn --out`; returns the names."""
        return _core.save_identified(fspath(folder), self.problem._core, self.logs, self._run)

    def report(self) -> str:
        """The page of the run: one self-contained HTML text."""
        return _core.identified_page(self.problem._core, self.logs, self._run)

    def _rows(self) -> Iterable[Tuple[str, str]]:
        yield "problem", self.problem.name
        yield "method", self.method
        yield "transitions", str(self.transitions)
        yield "cost of the estimate", number(self.empirical_cost)
        yield from limits_rows(self.limits)
        yield "certificate", f"{bound_text(self.certificate.value)} ({self.certificate.kind})"
        yield from (("  assuming", sentence) for sentence in self.certificate.assumptions)
        yield from (("warning", warning.text) for warning in self.warnings)


def learn_identified(core: _core.Problem, logs: _core.Rollouts) -> IdentifiedResult:
    """From logs; `learn` calls it."""
    run = _core.learn_identified(core, logs)
    result = IdentifiedResult(Problem._of(core), logs, run)
    for warning in result.warnings:
        python_warnings.warn(warning.text, stacklevel=3)
    return result


Rollouts.read = staticmethod(read_rollouts)  # type: ignore[attr-defined]

"""Certificates: what is bounded, by how much, with which confidence and under which assumptions."""

from __future__ import annotations

import json
import warnings
from os import PathLike, fspath
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import (
    Any,
    Callable,
    Dict,
    Iterable,
    List,
    Mapping,
    NamedTuple,
    Optional,
    Tuple,
    Union,
)

from . import _core
from .data import DataLike, DataWarning, as_disturbances, notes_of, recorded
from .display import Readable, bound_text, confidence_text, number
from .problem import Problem


class Term(NamedTuple):
    """One of the numbers that add up to the value."""

    name: str
    symbol: str
    value: float

    @property
    def value_text(self) -> str:
        """Six digits, rounded up."""
        return bound_text(self.value)


class Event(NamedTuple):
    """An event that fails with probability at most delta."""

    name: str
    delta: float
    statement: str


def limits_rows(limits: Optional[Mapping[str, Any]]) -> Iterable[Tuple[str, str]]:
    """What to read of `limits` first: how surely they hold, and how often LQR breaks them."""
    if limits is None:
        return
    if limits["value"] is not None:
        kind = limits["kind"] + (f": {limits['chosen']}" if limits["chosen"] else "")
        yield "limits", f"{_limits_claim(limits)} ({kind})"
        target = limits["probability"]
        if target is not None and limits["value"] > target:
            yield "  not certified", f"the probability of {number(target)} that was asked for"
        if limits["joint"] is not None:
            yield (
                "  cost and limits together",
                f"confidence {confidence_text(limits['joint']['confidence'])}",
            )
        yield "  about", "the controller without clipping"
    shares = limits["episodes"]
    for place, words in (("data", "on the data"), ("law", "under the law")):
        if shares[place] is not None:
            yield (
                f"  {words}" if limits["value"] is not None else f"limits {words}",
                f"broken in {100 * shares[place]:.3g} % of the episodes, "
                f"by LQR in {100 * shares['lqr_' + place]:.3g} %",
            )


def optimum_text(cost: float, limits: Optional[Mapping[str, Any]]) -> str:
    """The smallest cost under the law, and which limits it keeps."""
    if limits is None:
        return number(cost)
    shared = not (limits["robust"] or limits["each"])
    which = "with an equal share of the probability for each limit" if shared else "under the limits"
    return f"{number(cost)} {which}"


def _limits_claim(limits: Mapping[str, Any]) -> str:
    if limits["robust"]:
        if limits["value"] > 0:
            return "not shown to hold for every disturbance of the set"
        return "never broken by a disturbance of the set"
    bound, confidence = bound_text(limits["value"]), confidence_text(limits["confidence"])
    what = "by the worst row in a step" if limits["each"] else "in an episode"
    return f"broken {what} with probability at most {bound}, confidence {confidence}"


class Certificate(Readable):
    """An upper bound that fails with probability at most 1 - confidence.

    It is about an expected cost, or about the probability that limits are broken.

    value : the bound; the sum of `terms`
    value_text, confidence_text : to print; the bound is rounded up, the confidence down, so that
        the printed numbers are valid
    confidence : 1 minus the sum of the deltas of `events`
    kind, chosen : which bound; for kind "best" the one that the value comes from
    subject : what is bounded; "controller minus baseline" may be negative
    assumptions : sentences; the bound holds if they are true
    n : trajectories it stands on
    limits, limits_certificate, signals : of `certify`: what [limits] of the problem come to, how
        surely they hold, and the size of every state and input
    """

    def __init__(
        self,
        record: Dict[str, Any],
        save: Optional[Callable[[str], List[str]]] = None,
        file: str = "certificate.json",
        limits: Optional[Dict[str, Any]] = None,
        page: Optional[Callable[[], str]] = None,
    ) -> None:
        self._record = record
        self._save = save
        self._page = page
        self._file = file
        self._limits = limits

    @property
    def value(self) -> float:
        return self._record["value"]

    @property
    def confidence(self) -> float:
        return self._record["confidence"]

    @property
    def value_text(self) -> str:
        """The bound with six digits, rounded up: other roundings may claim too much."""
        return bound_text(self.value)

    @property
    def confidence_text(self) -> str:
        """The confidence, rounded down."""
        return confidence_text(self.confidence)

    @property
    def kind(self) -> str:
        return self._record["kind"]

    @property
    def chosen(self) -> str:
        return self._record.get("chosen") or ""

    @property
    def subject(self) -> str:
        return _core.certificate_words(self._record)["subject"]

    @property
    def oracle(self) -> bool:
        """Whether it uses the true law: a reference, not available from data."""
        return self._record.get("oracle", False)

    @property
    def terms(self) -> List[Term]:
        return [Term(*term) for term in _core.certificate_words(self._record)["terms"]]

    @property
    def events(self) -> List[Event]:
        return [Event(*event) for event in _core.certificate_words(self._record)["events"]]

    @property
    def assumptions(self) -> List[str]:
        return _core.certificate_words(self._record)["assumptions"]

    @property
    def warnings(self) -> List[DataWarning]:
        """Where the data of `certify` contradict the assumptions or the model."""
        return [DataWarning(w["id"], w["text"]) for w in self._record.get("warnings", [])]

    @property
    def logged_cost(self) -> Optional[float]:
        """Mean cost of the logged controller, if `certify` was given logs."""
        return self._record.get("logged_cost")

    @property
    def limits(self) -> Optional[Dict[str, Any]]:
        """`limits` of the JSON that `certify` prints; None without limits."""
        return self._record.get("limits")

    @property
    def limits_certificate(self) -> Optional["Certificate"]:
        """Upper bound on the probability that limits are broken, or None."""
        if self._limits is None:
            return None
        return Certificate(self._limits, self._save, "limits.json", page=self._page)

    @property
    def signals(self) -> List[Dict[str, Any]]:
        """Of `certify`: mean size, rms and levels of every state and input."""
        return list(self._record.get("signals") or [])

    @property
    def n(self) -> int:
        return self._record["n"]

    @property
    def kl(self) -> Optional[float]:
        return self._record.get("kl")

    @property
    def lambda_(self) -> Optional[float]:
        return self._record.get("lambda")

    @property
    def solver(self) -> Dict[str, Any]:
        return dict(self._record["solver"])

    @property
    def all(self) -> List[Dict[str, Any]]:
        """Of a portfolio: each certificate with its value and share of delta, or what it lacks."""
        return list(self._record.get("all") or [])

    def to_dict(self) -> Dict[str, Any]:
        """certificate.json as plain objects."""
        return self._record

    def save(self, folder: Union[str, PathLike]) -> List[str]:
        """Writes the certificate and the files that `verify` needs; returns the names."""
        if self._save is None:
            raise _core.InputError("certificate: found no files to save, expected one just made")
        return self._save(fspath(folder))

    def report(self) -> str:
        """The page of what it belongs to, a run, a certified controller or measured costs: HTML."""
        if self._page is None:
            raise _core.InputError("certificate: found no page, expected one just made")
        return self._page()

    def plot(self, ax: Any = None) -> Any:
        """How the terms add up: a waterfall (matplotlib)."""
        from . import plotting

        return plotting.waterfall(self, ax)

    def __float__(self) -> float:
        return self.value

    def _rows(self) -> Iterable[Tuple[str, str]]:
        kind = f"{self.kind}: {self.chosen}" if self.chosen else self.kind
        yield "value", f"{bound_text(self.value)} at confidence {confidence_text(self.confidence)}"
        yield "kind", f"{kind}, {self.subject}"
        yield from limits_rows(self.limits)
        for term in self.terms:
            yield "  " + term.name, f"{number(term.value):<12} {term.symbol}"
        if self.chosen:
            total = sum(event.delta for event in self.events)
            yield "  events", f"{len(self.events)}, whose deltas add up to {total:.4g}"
        else:
            for event in self.events:
                yield "  event " + event.name, f"delta {event.delta:.4g}: {event.statement}"
        for sentence in self.assumptions:
            yield "  assuming", sentence
        yield from (("  warning", warning.text) for warning in self.warnings)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Certificate) and self._record == other._record

    __hash__ = None  # type: ignore[assignment]

    def __reduce__(self) -> Tuple[Any, ...]:
        return Certificate, (self._record, None, self._file, self._limits)


class Verification(Readable):
    """Whether a certificate follows from its inputs. It is true or false as a condition.

    reason : why not, in one line
    recorded, recomputed : the two values, when it agrees
    """

    def __init__(
        self,
        agrees: bool,
        reason: str,
        recorded: Optional[float],
        recomputed: Optional[float],
    ) -> None:
        self.agrees = agrees
        self.reason = reason
        self.recorded = recorded
        self.recomputed = recomputed

    def __bool__(self) -> bool:
        return self.agrees

    def to_dict(self) -> Dict[str, Any]:
        return dict(vars(self))

    def _rows(self) -> Iterable[Tuple[str, str]]:
        yield "verdict", "agrees" if self.agrees else "rejected"
        if self.agrees:
            yield "value", number(self.recomputed)
        else:
            yield "reason", self.reason


def certify(
    problem: Problem,
    controller: _core.Controller,
    data: DataLike = None,
    certificate: str = "hold-out-scale-free",
    *,
    baseline: Optional[_core.Controller] = None,
    **options: Any,
) -> Certificate:
    """Certifies a controller that was fixed before these trajectories were seen.

    With the kinds `improvement…` its cost minus that of `baseline` (None: the problem's, else LQR). A controller
    that was learned from one of the trajectories is refused. `options` are those of
    `Problem`.
    """
    core = problem.replace(**options)._core
    known = recorded(data, problem)
    run = _core.certify(
        core, controller, known, certificate, baseline, list(notes_of(known))
    )
    made = Certificate(
        run.certificate,
        lambda folder: _core.save_certificate(folder, run),
        limits=run.limits_certificate,
        page=lambda: _core.certified_page(run),
    )
    for warning in made.warnings:
        warnings.warn(warning.text, stacklevel=2)
    return made


def _is_measured(path: Path) -> bool:
    try:
        record = json.loads(path.read_text())
    except (OSError, ValueError):
        return False  # the library says what is wrong
    return isinstance(record, dict) and str(record.get("kind")).startswith("measured-")


def verify(
    certificate: Union[str, PathLike, Certificate], data: DataLike = None
) -> Verification:
    """Recomputes a certificate in double precision from its inputs and these trajectories.

    certificate : certificate.json with its files in the same folder, its folder, or one just made.
        Measured costs are among its files: no data then.
    """
    if isinstance(certificate, Certificate):
        with TemporaryDirectory() as folder:
            certificate.save(folder)
            return verify(Path(folder) / certificate._file, data)
    path = Path(fspath(certificate))
    if path.is_dir():
        path = path / "certificate.json"
    if data is None and _is_measured(path):
        return Verification(*_core.verify_measured(path))
    problem = Problem._of(_core.problem_of_certificate(path))
    return Verification(*_core.verify(path, as_disturbances(data, problem)))


"""How many trajectories would be enough? An estimate by simulation, never a certificate."""

from __future__ import annotations

from typing import Any, Dict, Iterable, List, Optional, Tuple

from . import _core
from .data import DataLike, recorded
from .display import Readable, number
from .problem import Problem, with_learning


class Plan(Readable):
    """How the certificate shrinks with the number of trajectories, under an assumed law.

    enough : the smallest n tried that is enough; None when none is
    points : for each n tried the certificates of simulated data sets: low, median, high,
        share_below, limits_certified
    answer : in a sentence
    """

    def __init__(self, record: Dict[str, Any], answer: str, notice: str) -> None:
        self._record = record
        self.answer = answer
        self.notice = notice

    @property
    def target(self) -> float:
        return self._record["target"]

    @property
    def enough(self) -> Optional[int]:
        return self._record["enough"]

    @property
    def points(self) -> List[Dict[str, Any]]:
        return list(self._record["points"])

    def to_dict(self) -> Dict[str, Any]:
        """What `loopcert plan --json` prints."""
        return self._record

    def plot(self, ax: Any = None) -> Any:
        """Certificate against n (matplotlib)."""
        from . import plotting

        return plotting.plan_curve(self, ax)

    def _rows(self) -> Iterable[Tuple[str, str]]:
        yield "target", number(self.target)
        for point in self.points:
            found = (
                f"certificate {number(point['median'])}, below the target {point['share_below']:.0%}"
                if point["certified"]
                else "no certificate"
            )
            if point["limits_certified"] is not None:
                found += f", limits certified {point['limits_certified']:.0%}"
            yield f"n = {point['n']}", found
        yield "estimate", self.answer
        yield "note", self.notice

    def __reduce__(self) -> Tuple[Any, ...]:
        return Plan, (self._record, self.answer, self.notice)


def plan(
    problem: Problem,
    target: float,
    pilot: DataLike = None,
    *,
    trials: int = 20,
    max_n: int = 10000,
    share: float = 0.8,
    **options: Any,
) -> Plan:
    """Learns and certifies on simulated data sets of growing size.

    target : upper limit for the certificate, in the fraction `share` of the data sets
    pilot : trajectories from which a law is estimated; None uses the law that the problem states
    options : those of `Problem`, for this call
    """
    core = with_learning(problem, options)
    known = recorded(pilot, problem)
    return Plan(*_core.plan(core, known, target, share, trials, max_n))

"""Certificates after deployment: is a claim on the cost, or on the plant, still true?"""

from __future__ import annotations

import json
from os import PathLike, fspath
from pathlib import Path
from typing import Any, Callable, Dict, Iterable, Iterator, Optional, Tuple, Union

import numpy as np
from numpy.typing import ArrayLike

from . import _core
from .certificates import Certificate
from .display import Readable, number

PathText = Union[str, PathLike]


class _Sequential(Readable):
    """What both watches have in common."""

    _core: Any
    _page: Callable[[Any], str]

    @property
    def n(self) -> int:
        """Costs, or transitions, so far."""
        return self._core.record["n"]

    @property
    def evidence(self) -> float:
        """Against the claim: 1 at first; 1 / alpha rejects it."""
        return self._core.record["evidence"]

    @property
    def largest(self) -> float:
        """Evidence so far."""
        return self._core.record["largest"]

    @property
    def alpha(self) -> float:
        """A true claim is ever rejected with at most this probability."""
        return self._core.record["alpha"]

    @property
    def rejected_at(self) -> Optional[int]:
        """The cost, or transition, from 1, that rejected the claim; or None."""
        return self._core.record["rejected_at"]

    @property
    def rejected(self) -> bool:
        return self.rejected_at is not None

    def to_dict(self) -> Dict[str, Any]:
        """What `loopcert watch --json` prints."""
        return self._core.record

    def save(self, path: PathText) -> None:
        """Writes all it remembers; `load`, or `loopcert watch --state`, goes on from there."""
        self._core.save(fspath(path))

    def report(self) -> str:
        """The page: one self-contained HTML text. It draws what came since `load`."""
        return self._page(self._core)

    def _rows(self) -> Iterable[Tuple[str, str]]:
        yield "seen", str(self.n)
        yield "evidence against it", f"{number(self.evidence)}, {number(self.largest)} at most so far"
        yield "claim rejected", "no" if self.rejected_at is None else f"at {self.rejected_at}"


class Watch(_Sequential):
    """A claim on the mean cost, tested one cost at a time in constant memory.

    claim : the mean cost that the loop is said not to exceed; or a Certificate, or a certificate
        file, whose value it is
    alpha : a true claim is ever rejected with at most this probability
    degrees : 0 for costs of any law, not negative. Otherwise the loop is assumed linear and
        Gaussian, no direction making more than 1/degrees of the mean cost

    Given the costs before it, every cost must have a mean of at most the claim for it to be true.
    """

    _page = staticmethod(_core.watch_page)

    def __init__(
        self,
        claim: Union[float, Certificate, PathText],
        *,
        alpha: float = 0.01,
        degrees: float = 0,
    ) -> None:
        self._core = _core.Watch(_claim_of(claim), alpha, degrees)

    @classmethod
    def load(cls, path: PathText) -> "Watch":
        """From a file of `save`, or of `loopcert watch --state`."""
        watch = cls.__new__(cls)
        watch._core = _core.Watch.load(fspath(path))
        return watch

    @property
    def claim(self) -> float:
        return self._core.record["claim"]

    def update(self, cost: float) -> bool:
        """One cost. True once the claim is rejected: it stays so."""
        return self._core.update(float(cost))

    def extend(self, costs: ArrayLike) -> bool:
        """Costs, until the claim is rejected."""
        return self._core.extend(np.asarray(costs, dtype=float).ravel())

    def over(self, costs: Iterable[float]) -> Iterator[float]:
        """The evidence after each cost; ends with the costs, or once the claim is rejected."""
        for cost in costs:
            rejected = self.update(cost)
            yield self.evidence
            if rejected:
                return

    def to_c(self, prefix: str = "controller") -> Dict[str, str]:
        """The same watch from its beginning as C99: {file name: content}."""
        return self._core.to_c(prefix)

    def _rows(self) -> Iterable[Tuple[str, str]]:
        yield "claim", f"mean cost at most {number(self.claim)}"
        yield from super()._rows()


def _claim_of(claim: Union[float, Certificate, PathText]) -> Union[float, Dict[str, Any]]:
    if isinstance(claim, Certificate):
        return claim.to_dict()
    if isinstance(claim, (str, PathLike)):
        return json.loads(Path(claim).read_text(encoding="utf-8"))
    return float(claim)


class PlantWatch(_Sequential):
    """A plant that was identified from logs, watched step by step.

    certificate : file of a certificate of kind identified or identified-average
    rollouts : the logs that it was made from, `rollouts(x, u)`
    alpha : a true claim is ever rejected with at most this probability, given the certificate's
        events model and noise; `false_alarms` of to_dict() adds what these may fail with

    It is rejected when what the model leaves over is no longer noise as the logs bound it: the plant
    drifted, or the noise grew, whatever controller runs. `cause` of to_dict() says which.
    """

    _page = staticmethod(_core.plant_watch_page)

    def __init__(
        self, certificate: PathText, rollouts: _core.Rollouts, *, alpha: float = 0.01
    ) -> None:
        self._core = _core.PlantWatch(fspath(certificate), rollouts, alpha)

    @classmethod
    def load(cls, path: PathText) -> "PlantWatch":
        """From a file of `save`, or of `loopcert watch --steps --state`."""
        watch = cls.__new__(cls)
        watch._core = _core.PlantWatch.load(fspath(path))
        return watch

    def update(self, y: ArrayLike, u: Optional[ArrayLike] = None) -> bool:
        """What was measured, and the input that followed; none at the end of a run.

        True once the claim is rejected.
        """
        return self._core.update(np.atleast_1d(y), None if u is None else np.atleast_1d(u))

    def over(self, steps: Iterable[Tuple[ArrayLike, Optional[ArrayLike]]]) -> Iterator[float]:
        """The evidence after each pair of what was measured and the input; ends once rejected."""
        for y, u in steps:
            rejected = self.update(y, u)
            yield self.evidence
            if rejected:
                return

    def restart(self) -> None:
        """A new run begins: the next measurement does not follow from the last one."""
        self._core.restart()

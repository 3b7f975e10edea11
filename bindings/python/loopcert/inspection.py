"""Tests of the assumptions on data: a diagnostic, never a certificate."""

from __future__ import annotations

from typing import Any, Dict, Iterable, List, Tuple, Union

import numpy as np

from . import _core
from .data import DataLike, as_disturbances
from .display import Readable
from .problem import Problem


class Inspection(Readable):
    """Tests of the assumptions of a problem on trajectories.

    checks : one table each, with name, assumption, verdict, p_value, meaning, advice
    lag_mean, lag_band : correlation of a coordinate with itself 1, 2, … steps later, and the
        band that white noise leaves with probability 1 %
    deviations : (T + 1, n_x) standard deviations, x_0 first
    """

    def __init__(
        self,
        record: Dict[str, Any],
        lag_mean: np.ndarray,
        lag_band: np.ndarray,
        deviations: np.ndarray,
        page: str,
    ) -> None:
        self._record = record
        self.lag_mean = lag_mean
        self.lag_band = lag_band
        self.deviations = deviations
        self._page = page

    @property
    def checks(self) -> List[Dict[str, Any]]:
        return list(self._record["checks"])

    @property
    def contradicted(self) -> List[str]:
        """Names of the checks that contradict an assumption."""
        return [c["name"] for c in self.checks if c["verdict"] == "contradicted"]

    def to_dict(self) -> Dict[str, Any]:
        """inspection.json as plain objects."""
        return self._record

    def report(self) -> str:
        """The page: one self-contained HTML text."""
        return self._page

    def plot(self) -> Any:
        """Correlation over time, and deviations step by step (matplotlib)."""
        from . import plotting

        return plotting.inspection_figure(self)

    def _rows(self) -> Iterable[Tuple[str, str]]:
        for check in self.checks:
            yield check["name"], f"{check['verdict']} ({check['assumption']})"
            yield "  found", check["meaning"]
            if check.get("advice"):
                yield "  to do", check["advice"]
        yield "note", _core.inspection_notice()

    def __reduce__(self) -> Tuple[Any, ...]:
        parts = (self._record, self.lag_mean, self.lag_band, self.deviations, self._page)
        return Inspection, parts


def inspect(problem: Problem, data: Union[DataLike, _core.Rollouts]) -> Inspection:
    """Tests the assumptions of the problem on trajectories, and its model on logs.

    Of a plant that is identified: what its model leaves over of `rollouts(x, u)`.
    """
    if isinstance(data, _core.Rollouts):
        return Inspection(*_core.inspect_logs(problem._core, data))
    known = as_disturbances(data, problem)
    return Inspection(*_core.inspect(problem._core, known))

"""Certificates from measured costs alone: one number for each episode, and no model."""

from __future__ import annotations

import warnings
from typing import Any, Iterable, Optional, Tuple, Union

import numpy as np

from . import _core
from .certificates import Certificate
from .display import number
from .problem import Problem


class Measurement(Certificate):
    """A certificate from measured costs.

    mean, standard_error : of the costs; against_mean, against_standard_error of those compared with
    costs are saved with it: `save` writes all that `verify` needs
    """

    def __init__(self, run: _core.MeasureResult) -> None:
        super().__init__(
            run.certificate,
            lambda folder: _core.save_measured(folder, run),
            limits=run.limits_certificate,
            page=lambda: _core.measured_page(run),
        )
        self._run = run

    @property
    def mean(self) -> float:
        """Mean of the costs."""
        return self._record["mean"]

    @property
    def standard_error(self) -> float:
        """Standard error of the mean."""
        return self._record["standard_error"]

    @property
    def against_mean(self) -> Optional[float]:
        """Mean of the costs compared with, or None."""
        return self._record.get("against_mean")

    @property
    def against_standard_error(self) -> Optional[float]:
        """Its standard error, or None."""
        return self._record.get("against_standard_error")

    def plan(self, size: float) -> Optional[int]:
        """How many episodes like these it takes until `size` shows, in four of five trials.

        Of one controller a margin above the mean, of two a difference of the costs, or a part of
        their ratio. None: more than 10^9.
        """
        return self._run.plan(size)

    def _rows(self) -> Iterable[Tuple[str, str]]:
        rows = iter(super()._rows())
        yield next(rows)
        yield "mean cost", f"{number(self.mean)} +- {number(self.standard_error)}"
        if self.against_mean is not None:
            error = number(self.against_standard_error)
            yield "mean cost compared with", f"{number(self.against_mean)} +- {error}"
        yield from rows

    def __reduce__(self) -> Tuple[Any, ...]:
        return Certificate, (self._record, None, self._file, self._limits)


def _column(name: str, costs: Any) -> np.ndarray:
    numbers = np.asarray(costs, dtype=float)
    if sum(size != 1 for size in numbers.shape) > 1:
        raise _core.InputError(
            f"{name}: found an array of shape {numbers.shape}, expected one number for each episode"
        )
    return numbers.reshape(-1)


def measure(
    costs: Union[Any, _core.Rollouts],
    against: Any = None,
    *,
    problem: Optional[Problem] = None,
    certificate: str = "",
    delta: float = 0.05,
    largest: Optional[float] = None,
    gaussian: bool = False,
    any_mean: bool = False,
    kurtosis: Optional[float] = None,
    paired: bool = False,
) -> Measurement:
    """Bounds an expected cost by the costs of independent episodes, whatever made them.

    costs : one number for each episode (array, list, column of a table); or logged states and
        inputs, `lc.rollouts(x, u)`, with the `problem` whose cost counts and whose limits are
        watched
    against : costs of another controller; the bound is then on the ratio or the difference
    largest : no cost exceeds it; any plant, any law
    gaussian : the loop is linear, its cost quadratic, its disturbances Gaussian with mean zero
    any_mean : their mean may be another one, and the loop may have an offset
    kurtosis : E J^2 <= kurtosis (E J)^2
    paired : the k-th episodes of both had the same disturbances
    certificate : a kind by name; "" the best that what is assumed allows
    """
    if isinstance(costs, _core.Rollouts):
        if problem is None:
            raise _core.InputError("problem: found None, expected the one whose cost counts")
        if against is not None or paired:
            raise _core.InputError("against: found costs, expected none beside rollouts")
        x, u = np.asarray(costs.x), np.asarray(costs.u)
        run = _core.measure_logs(
            problem._core, x.reshape(len(x), -1), u.reshape(len(u), -1), certificate, delta,
            gaussian, any_mean, largest, kurtosis
        )
    else:
        other = None if against is None else _column("against", against)
        run = _core.measure(
            _column("costs", costs), other, certificate, delta, gaussian, any_mean, largest,
            kurtosis, paired
        )
    made = Measurement(run)
    for warning in made.warnings:
        warnings.warn(warning.text, stacklevel=2)
    return made

"""A controller in closed loop with the plant, trajectory by trajectory."""

from __future__ import annotations

from typing import Any, Dict, Iterable, List, Optional, Tuple, Union

import numpy as np

from . import _core
from .data import DataLike, as_disturbances
from .display import Readable, number
from .learning import Result
from .problem import Problem


def percent(share: float) -> str:
    return f"{100 * share:.4g} %"


class Simulation(Readable):
    """Costs of a closed loop on trajectories of disturbances. It is not a certificate.

    cost : (n,) array
    x, u : (n, T + 1, n_x) and (n, T, n_u) arrays when paths were kept, else None
    mean, standard_error, standard_deviation, median, minimum, maximum : of the costs
    seen : how many of the trajectories are training data of the controller
    violations : with limits in the problem, shares of episodes that violate them: "episodes" (any
        row), "rows"; else None
    clipped : the same loop with inputs that are saturated, a Simulation, when clip=True; else None
    episodes_clipped, steps_clipped : of that one: share of episodes with an input that was clipped,
        and for each input the share of steps; None where nothing is clipped
    """

    def __init__(
        self,
        cost: np.ndarray,
        x: Optional[np.ndarray],
        u: Optional[np.ndarray],
        statistics: Dict[str, Any],
        seen: int,
        more: Optional[Dict[str, Any]] = None,
        clipped: Optional["Simulation"] = None,
    ) -> None:
        self.cost = cost
        self.x = x
        self.u = u
        self.seen = seen
        self.n: int = statistics["n"]
        self.mean: float = statistics["mean"]
        self.standard_error: float = statistics["standard_error"]
        self.standard_deviation: float = statistics["standard_deviation"]
        self.median: float = statistics["median"]
        self.minimum: float = statistics["minimum"]
        self.maximum: float = statistics["maximum"]
        self._statistics = statistics
        self._more = more or {}
        self.violations: Optional[Dict[str, Any]] = self._more.get("violations")
        self.episodes_clipped: Optional[float] = self._more.get("episodes_clipped")
        self.steps_clipped: Optional[List[float]] = self._more.get("steps_clipped")
        self.clipped = clipped

    def to_dict(self) -> Dict[str, Any]:
        """What `loopcert simulate --json` prints."""
        steps = {} if self.u is None else {"steps": self.u.shape[1]}
        tree = {"status": "done", "learned_from": self.seen, **steps, **self._statistics, **self._more}
        if self.clipped is not None:
            tree["clip"] = self.clipped._more
        return tree

    def plot(self) -> Any:
        """Fans of states and inputs (matplotlib)."""
        from . import plotting

        return plotting.fan_figure(self)

    def _rows(self) -> Iterable[Tuple[str, str]]:
        seen = f" ({self.seen} of them are training data of the controller)" if self.seen else ""
        yield "trajectories", f"{self.n}{seen}"
        for name in ("mean", "standard_error", "standard_deviation", "median"):
            yield name.replace("_", " "), number(getattr(self, name))
        yield "smallest", number(self.minimum)
        yield "largest", number(self.maximum)
        if self.violations is not None:
            yield "episodes that violate limits", percent(self.violations["episodes"])
        if self.clipped is None:
            return
        yield "mean, clipped", number(self.clipped.mean)
        yield "standard error, clipped", number(self.clipped.standard_error)
        yield "episodes clipped", percent(self.clipped.episodes_clipped or 0.0)
        if self.clipped.violations is not None:
            yield "episodes that violate, clipped", percent(self.clipped.violations["episodes"])

    def __reduce__(self) -> Tuple[Any, ...]:
        parts = (self.cost, self.x, self.u, self._statistics, self.seen, self._more, self.clipped)
        return Simulation, parts


def simulate(
    problem: Problem,
    controller: Union[_core.Controller, Result],
    data: DataLike = None,
    *,
    n: Optional[int] = None,
    seed: int = 0,
    paths: bool = True,
    clip: bool = False,
) -> Simulation:
    """Runs the closed loop step by step on each trajectory.

    data : trajectories; or n of them are drawn from the problem's law, different from those that
        `Problem.sample` draws for training with the same seed
    paths : keep states and inputs
    clip : also with every input saturated to limits.u of the problem, or to input_limits of the
        controller: `.clipped`. A certificate is about the controller without clipping
    """
    if (data is None) == (n is None):
        raise TypeError("simulate: expected either data or n, the number of trajectories to draw")
    known = problem.sample(n, seed, fresh=True) if n is not None else as_disturbances(data, problem)
    gains = controller.controller if isinstance(controller, Result) else controller
    seen = _core.trajectories_seen(gains, known)

    def run(saturated: bool, clipped: Optional[Simulation] = None) -> Simulation:
        done = _core.simulate(problem._core, gains, known, paths, saturated)
        x, u = (done.x, done.u) if paths else (None, None)
        return Simulation(done.cost, x, u, done.statistics, seen, done.more, clipped)

    return run(False, run(True) if clip else None)

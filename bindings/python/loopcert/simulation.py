"""A controller in closed loop with the plant, trajectory by trajectory."""

from __future__ import annotations

from typing import Any, Dict, Iterable, Optional, Tuple, Union

import numpy as np

from . import _core
from .data import DataLike, as_disturbances
from .display import Readable, number
from .learning import Result
from .problem import Problem


class Simulation(Readable):
    """Costs of a closed loop on trajectories of disturbances. It is not a certificate.

    cost : (n,) array
    x, u : (n, T + 1, n_x) and (n, T, n_u) arrays when paths were kept, else None
    mean, standard_error, standard_deviation, median, minimum, maximum : of the costs
    seen : how many of the trajectories are training data of the controller
    """

    def __init__(
        self,
        cost: np.ndarray,
        x: Optional[np.ndarray],
        u: Optional[np.ndarray],
        statistics: Dict[str, Any],
        seen: int,
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

    def to_dict(self) -> Dict[str, Any]:
        """What `loopcert simulate --json` prints."""
        steps = {} if self.u is None else {"steps": self.u.shape[1]}
        return {"status": "done", "learned_from": self.seen, **steps, **self._statistics}

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

    def __reduce__(self) -> Tuple[Any, ...]:
        return Simulation, (self.cost, self.x, self.u, self._statistics, self.seen)


def simulate(
    problem: Problem,
    controller: Union[_core.Controller, Result],
    data: DataLike = None,
    *,
    n: Optional[int] = None,
    seed: int = 0,
    paths: bool = True,
) -> Simulation:
    """Runs the closed loop step by step on each trajectory.

    data : trajectories; or n of them are drawn from the problem's law, different from those that
        `Problem.sample` draws for training with the same seed
    paths : keep states and inputs
    """
    if (data is None) == (n is None):
        raise TypeError("simulate: expected either data or n, the number of trajectories to draw")
    known = problem.sample(n, seed, fresh=True) if n is not None else as_disturbances(data, problem)
    gains = controller.controller if isinstance(controller, Result) else controller
    run = _core.simulate(problem._core, gains, known, paths)
    return Simulation(
        run.cost,
        run.x if paths else None,
        run.u if paths else None,
        run.statistics,
        _core.trajectories_seen(gains, known),
    )

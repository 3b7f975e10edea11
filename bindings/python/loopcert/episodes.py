"""Episodes of any simulator in closed loop with a controller."""

from __future__ import annotations

import inspect
import multiprocessing
import os
import random
import warnings
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager
from copy import deepcopy
from os import PathLike
from typing import Any, Callable, Iterable, Iterator, List, NamedTuple, Optional, Tuple, Union

import numpy as np
from numpy.typing import ArrayLike

from . import _core
from .display import Readable, number
from .identified import Log, logged
from .problem import Problem


class Episodes(Readable):
    """Episodes of a simulator under a controller.

    cost : (n,) array
    x : (n, T + 1, n_x) array of what the controller saw, and of what came last
    u : (n, T, n_u) array of the inputs
    steps : (n,) array; after the end of an episode that ended early x and u are NaN
    """

    def __init__(self, x: np.ndarray, u: np.ndarray, cost: np.ndarray, steps: np.ndarray) -> None:
        self.x = x
        self.u = u
        self.cost = cost
        self.steps = steps

    @property
    def n(self) -> int:
        return len(self.cost)

    @property
    def mean(self) -> float:
        return float(self.cost.mean())

    @property
    def standard_error(self) -> float:
        return float(self.cost.std(ddof=1) / np.sqrt(self.n)) if self.n > 1 else float("nan")

    def logs(self) -> _core.Rollouts:
        """The same as logs to identify a plant from."""
        pairs = zip(self.x, self.u, self.steps)
        parts = [(x[: steps + 1], u[:steps]) for x, u, steps in pairs]
        return logged([x for x, _ in parts], [u for _, u in parts])

    def save_costs(self, path: Union[str, PathLike]) -> None:
        """One cost in each line, below the name `cost`: for `loopcert measure` and `watch`."""
        with open(path, "w", encoding="ascii") as file:
            file.write("\n".join(["cost", *map(repr, self.cost.tolist())]) + "\n")

    def _rows(self) -> Iterable[Tuple[str, str]]:
        yield "episodes", str(self.n)
        yield "steps", f"{self.steps.min()} to {self.steps.max()}"
        yield "mean cost", number(self.mean)
        yield "standard error", number(self.standard_error)
        yield "largest", number(float(self.cost.max()))


class _Task(NamedTuple):
    """What an episode needs besides its number."""

    simulator: Any
    controller: Any
    seed: int
    steps: int
    start: Any
    cost: Any
    clip: Optional[np.ndarray]


_tasks: List[_Task] = []  # worker processes inherit it: what is in it need not be picklable


def rollouts(
    simulator: Any,
    controller: Any,
    n: Optional[int] = None,
    seed: int = 0,
    *,
    steps: Optional[int] = None,
    start: Any = None,
    cost: Union[Problem, Callable[[np.ndarray, np.ndarray], float], None] = None,
    clip: bool = False,
    workers: Optional[int] = None,
) -> Union[Episodes, _core.Rollouts]:
    """Episodes of a simulator in closed loop with a controller; or, of two arrays, logs.

    rollouts(step, controller, n) runs n episodes and returns Episodes.

    simulator : step(x, u, rng), or step(x, u), that returns the next state; or an object with
        gymnasium's reset and step, which is copied for each episode
    controller : of `learn`, a result that has one, or any function u(x, t)
    seed : episode i draws from numpy.random.default_rng([seed, i]), whatever the number of workers;
        reset of an object gets an integer from it as its seed, and the global generators of numpy
        and random begin each episode with others
    steps : of an episode; by default the controller's horizon
    start : of step(x, u, rng): the first state, or a function start(rng); zeros if left out
    cost : a Problem, whose cost is summed along the episode, which must not end early, or a function
        cost(x, u) of its arrays. If left out, an object's rewards with their sign turned
    clip : inputs are saturated to the controller's input_limits
    workers : processes; by default as many as there are processors, for few episodes one

    rollouts(x, u) are logged states (or outputs) and inputs of a plant that is to be identified:
    x (n, T + 1, n_x) and u (n, T, n_u) arrays, or lists of (steps + 1, n_x) and (steps, n_u) arrays
    of any length, or one of each.
    """
    if not callable(simulator) and not hasattr(simulator, "reset"):
        if n is not None:
            raise TypeError("rollouts: expected a function step(x, u, rng), or reset and step")
        return logged(simulator, controller)
    if n is None or n < 1:
        raise TypeError("rollouts: expected n, the number of episodes")
    task = _task(simulator, controller, seed, steps, start, cost, clip)
    done = _in_order(task, n, workers)
    x, u = (np.full((n, task.steps + more, done[0][part].shape[1]), np.nan)
            for part, more in ((0, 1), (1, 0)))
    for i, (states, inputs, _) in enumerate(done):
        x[i, : len(states)], u[i, : len(inputs)] = states, inputs
    _warn_of_copies(done)
    lengths = np.array([len(inputs) for _, inputs, _ in done])
    return Episodes(x, u, np.array([value for _, _, value in done]), lengths)


def _task(
    simulator: Any, controller: Any, seed: int, steps: Optional[int], start: Any, cost: Any, clip: bool
) -> _Task:
    controller = getattr(controller, "controller", controller)
    finite = isinstance(controller, _core.Controller)
    if steps is None and not finite:
        raise TypeError("rollouts: expected steps, for a controller without a horizon")
    length = controller.horizon if steps is None else steps
    if length < 1 or (finite and length > controller.horizon):
        raise _core.InputError(f"steps: found {length}, expected 1 to the controller's horizon")
    limits = getattr(controller, "input_limits", None)
    if clip and limits is None:
        raise _core.InputError("clip: the controller has no input_limits")
    if isinstance(cost, Problem) and cost.to_dict()["cost"].get("of") == "states":
        raise _core.InputError('cost: a Problem whose cost is of "states", expected one of what the '
                               "controller sees, or a function cost(x, u)")
    if cost is None and not hasattr(simulator, "reset"):
        raise TypeError("rollouts: expected cost, a Problem or a function cost(x, u)")
    if start is None and not hasattr(simulator, "reset"):
        start = np.zeros(_state_size(controller, cost))
    return _Task(simulator, controller, seed, length, start, cost, limits if clip else None)


def _state_size(controller: Any, cost: Any) -> int:
    for owner, name in ((controller, "n_x"), (controller, "n_y"), (cost, "n_x")):
        if hasattr(owner, name):
            return getattr(owner, name)
    raise TypeError("rollouts: expected start, the first state or a function of rng")


def _in_order(task: _Task, n: int, workers: Optional[int]) -> List[Tuple[Any, Any, float]]:
    if workers is None:
        workers = max(1, min(os.cpu_count() or 1, n // 50))
    if workers == 1:
        return [_episode(task, i) for i in range(n)]
    _tasks.append(task)
    try:
        size = max(1, -(-n // (4 * workers)))
        with ProcessPoolExecutor(workers, multiprocessing.get_context("fork")) as pool:
            return list(pool.map(_episode_of_last_task, range(n), chunksize=size))
    finally:
        _tasks.pop()


def _episode_of_last_task(i: int) -> Tuple[Any, Any, float]:
    return _episode(_tasks[-1], i)


class _Loop:
    """A controller from its first step on."""

    def __init__(self, task: _Task) -> None:
        self._limits = task.clip
        controller = task.controller
        if isinstance(controller, _core.Controller):
            self._run: Any = _core.ControllerRun(controller)
        elif isinstance(controller, _core.MemoryController):
            self._run = _core.MemoryRun(controller)
        else:
            self._run = None
            self._function = deepcopy(controller)

    def __call__(self, x: np.ndarray, t: int) -> np.ndarray:
        u = self._run.step(x) if self._run is not None else self._function(x, t)
        u = np.atleast_1d(np.asarray(u, dtype=float))
        if self._limits is not None:
            u = np.clip(u, self._limits[:, 0], self._limits[:, 1])
            if hasattr(self._run, "applied"):
                self._run.applied(u)
        return u


def _warn_of_copies(done: List[Tuple[Any, Any, float]]) -> None:
    copies = len(done) - len({x.tobytes() + u.tobytes() for x, u, _ in done})
    if 4 * copies >= len(done):
        warnings.warn(f"{copies} of {len(done)} episodes are copies of others: does the simulator draw "
                      "from rng, or from the seed that reset gets?", stacklevel=3)


@contextmanager
def _global_draws(seed: int) -> Iterator[None]:
    """Whoever draws from global generators draws other numbers in each episode, and the same again."""
    before = np.random.get_state(), random.getstate()
    np.random.seed(seed)
    random.seed(seed)
    try:
        yield
    finally:
        np.random.set_state(before[0])
        random.setstate(before[1])


def _episode(task: _Task, i: int) -> Tuple[np.ndarray, np.ndarray, float]:
    rng = np.random.default_rng([task.seed, i])
    run = _environment if hasattr(task.simulator, "reset") else _steps
    with _global_draws(int(np.random.SeedSequence([task.seed, i, 1]).generate_state(1)[0])):
        states, inputs, reward = run(task, _Loop(task), rng)
    x, u = np.array(states), np.array(inputs)
    if task.cost is None:
        return x, u, -reward
    if isinstance(task.cost, Problem):
        if len(u) < task.steps:  # a short episode is not a cheap one
            raise _core.InputError(
                f"cost: episode {i} ended after {len(u)} of {task.steps} steps, expected all of them "
                "for the cost of a Problem, or a function cost(x, u)"
            )
        price = _quadratic(task.cost, x, u)
    else:
        price = float(task.cost(x, u))
    if np.isnan(price):
        raise _core.InputError(f"cost: found nan in episode {i}, expected a number")
    return x, u, price


def _steps(task: _Task, loop: _Loop, rng: np.random.Generator) -> Tuple[Any, Any, float]:
    draws = (rng,) if _takes_draws(task.simulator) else ()
    x = task.start(rng) if callable(task.start) else task.start
    states, inputs = [_vector(x)], []
    for t in range(task.steps):
        inputs.append(loop(states[-1], t))
        states.append(_vector(task.simulator(states[-1].copy(), inputs[-1].copy(), *draws)))
    return states, inputs, 0.0


def _environment(task: _Task, loop: _Loop, rng: np.random.Generator) -> Tuple[Any, Any, float]:
    world = deepcopy(task.simulator)
    first, _ = world.reset(seed=int(rng.integers(2**31)))
    states, inputs, total = [_vector(first)], [], 0.0
    for t in range(task.steps):
        inputs.append(loop(states[-1], t))
        seen, reward, terminated, truncated, _ = world.step(inputs[-1].copy())
        states.append(_vector(seen))
        total += float(reward)
        if terminated or truncated:
            break
    return states, inputs, total


def _takes_draws(step: Any) -> bool:
    """step(x, u, rng), not step(x, u)"""
    try:
        inspect.signature(step).bind(None, None, None)
    except TypeError:
        return False
    except ValueError:  # it does not say
        pass
    return True


def _vector(x: ArrayLike) -> np.ndarray:
    return np.atleast_1d(np.asarray(x, dtype=float)).ravel()


def _quadratic(problem: Problem, x: np.ndarray, u: np.ndarray) -> float:
    """sum_t (x_t - r_t)'Q_t(x_t - r_t) + u_t'R_t u_t + (x_T - r_T)'P(x_T - r_T)"""
    T = len(u)
    e = x if problem.reference is None else x - _at_steps(problem.reference, T + 1)
    Q, R = (_at_steps(W if W.ndim == 3 else W[None], T) for W in (problem.Q, problem.R))
    stages = np.einsum("ti,tij,tj", e[:T], Q, e[:T]) + np.einsum("ti,tij,tj", u, R, u)
    return float(stages + e[T] @ problem.P @ e[T])


def _at_steps(values: np.ndarray, count: int) -> np.ndarray:
    """The first `count` of them; what is the same at all steps goes on."""
    if len(values) < count and not (values == values[0]).all():
        raise _core.InputError("cost: it varies with the step, and there are more steps than it has")
    return np.broadcast_to(values[:1], (count,) + values.shape[1:]) if len(values) < count else values[:count]

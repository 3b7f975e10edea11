"""Plant, cost, horizon, and assumptions about the disturbances."""

from __future__ import annotations

from os import PathLike
from typing import TYPE_CHECKING, Any, Dict, Iterable, Mapping, Optional, Tuple, Union

import numpy as np
from numpy.typing import ArrayLike

from . import _core
from .display import Readable

if TYPE_CHECKING:
    from .data import DataLike

# Of [baseline], beside the controller itself.
BASELINE_OPTIONS = ("fallback", "setpoint", "offset")

# Keyword -> (section of the problem file, key there).
OPTIONS: Mapping[str, Tuple[str, str]] = {
    "identify": ("system", "identify"),
    "states": ("system", "states"),
    "inputs": ("system", "inputs"),
    "lags": ("system", "lags"),
    "offset": ("system", "offset"),
    "C": ("system", "C"),
    "delay": ("system", "delay"),
    "test_only": ("system", "test_only"),
    "impulse": ("system", "impulse"),
    "step": ("system", "step"),
    "transfer": ("system", "transfer"),
    "G": ("system", "G"),
    "continuous": ("system", "continuous"),
    "dt": ("system", "dt"),
    "d": ("system", "d"),
    "of": ("cost", "of"),
    "reference": ("cost", "reference"),
    "measurement": ("disturbance", "measurement"),
    "affine": ("response", "affine"),
    "start": ("response", "start"),
    "basis": ("response", "basis"),
    "model": ("disturbance", "model"),
    "scale_bound": ("disturbance", "scale_bound"),
    "covariance_bound": ("disturbance", "covariance_bound"),
    "covariance_radius": ("disturbance", "covariance_radius"),
    "covariance_radius_delta": ("disturbance", "covariance_radius_delta"),
    "radius": ("disturbance", "radius"),
    "kurtosis": ("disturbance", "kurtosis"),
    "white": ("disturbance", "white"),
    "stationary": ("disturbance", "stationary"),
    "autoregressive": ("disturbance", "autoregressive"),
    "zero_mean": ("disturbance", "zero_mean"),
    "covariance": ("disturbance", "covariance"),
    "mean": ("disturbance", "mean"),
    "distribution": ("disturbance", "distribution"),
    "method": ("learning", "method"),
    "gamma": ("learning", "gamma"),
    "prior": ("learning", "prior"),
    "posterior": ("learning", "posterior"),
    "certificate": ("certificate", "kind"),
    "delta": ("certificate", "delta"),
    "fraction": ("certificate", "fraction"),
    "folds": ("certificate", "folds"),
}


def sections(options: Mapping[str, Any]) -> Dict[str, Any]:
    """Keyword arguments as the sections of a problem file."""
    tree: Dict[str, Any] = {}
    for name, value in options.items():
        if name in ("limits", "baseline"):  # sections of their own
            tree[name] = dict(value) if isinstance(value, Mapping) else value
            continue
        if name not in OPTIONS:
            advice = _core.foreign_key_advice(name)
            if advice:
                raise TypeError(f"keyword argument '{name}': {advice}")
            expected = ", ".join([*OPTIONS, "limits", "baseline"])
            raise TypeError(f"unexpected keyword argument '{name}', expected {expected}")
        section, key = OPTIONS[name]
        tree.setdefault(section, {})[key] = value
    return tree


def _is_continuous(system: Any) -> bool:
    """Of an object with A, B and a sampling time, as python-control or SciPy have them."""
    if hasattr(system, "isctime"):
        return bool(system.isctime(strict=True))
    return getattr(system, "dt", True) in (0, None)


def _is_system(value: Any) -> bool:
    """A state space or a transfer function of python-control or SciPy, or something like it."""
    return (
        (hasattr(value, "A") and hasattr(value, "B"))
        or (hasattr(value, "num") and hasattr(value, "den"))
        or hasattr(value, "to_tf")
    )


def _plant_of(system: Any, dt: Optional[float]) -> Dict[str, Any]:
    """The keys of [system] for it. C = I, or no C, is a state that is measured."""
    plant: Dict[str, Any] = {}
    if _is_continuous(system):
        if dt is None:
            raise _core.InputError(
                "A: found a continuous-time system, expected dt=..., the time between two samples"
            )
        plant.update(continuous=True)
    elif dt is not None:
        raise _core.InputError(f"dt: found {dt}, expected none: the system is in discrete time")
    if not hasattr(system, "A"):
        return {**plant, "transfer": _transfer_of(system)}
    if len(np.atleast_2d(np.asarray(system.A))) == 0:
        raise _core.InputError("A: found a system without states")
    if np.any(np.asarray(getattr(system, "D", 0)) != 0):
        raise _core.InputError("D: an input must not act on the outputs of its own step")
    plant.update(A=np.asarray(system.A), B=np.asarray(system.B))
    C = np.asarray(getattr(system, "C", np.eye(len(plant["A"]))))
    return plant if np.array_equal(C, np.eye(len(plant["A"]))) else {**plant, "C": C}


def _transfer_of(system: Any) -> Any:
    """SciPy has one polynomial each, or a row of num for each output; python-control has rows of
    polynomials, a row for each output."""
    if not hasattr(system, "num"):  # zeros, poles and a gain
        system = system.to_tf()

    def channel(num: Any, den: Any) -> Dict[str, Any]:
        return {"num": np.atleast_1d(num).tolist(), "den": np.atleast_1d(den).tolist()}

    if np.ndim(system.num[0]) == 0:
        return channel(system.num, system.den)
    if np.ndim(system.den[0]) == 0:  # one denominator for all outputs
        return [[channel(row, system.den)] for row in system.num]
    return [[channel(*pair) for pair in zip(*row)] for row in zip(system.num, system.den)]


class Problem(Readable):
    """A finite-horizon control problem: x_{t+1} = A_t x_t + B_t u_t + d_t + w_t, t = 0 … T-1.

    Parameters
    ----------
    A : (n_x, n_x) array, or (T, n_x, n_x) when it varies in time; or an object with attributes
        A, B, perhaps C, or num and den, and a sampling time (control.StateSpace,
        control.TransferFunction, scipy.signal.dlti), and no B then; with dt one of continuous time.
    B : (n_x, n_u) or (T, n_x, n_u) array
    Q : state weight, (n_x, n_x), its diagonal, or (T, n_x, n_x)
    R : input weight, (n_u, n_u), its diagonal, or (T, n_u, n_u)
    P : terminal weight; Q when it is left out. "riccati" takes the stationary solution of the Riccati
        equation, which makes the last step like all others (time-invariant A, B, Q, R only)
    horizon : number of steps T; "infinite" for a plant that is identified
    d : known offset, (n_x,) or (T, n_x)
    reference : r_t that x_t is to follow, (n_x,) or (T + 1, n_x)
    name : for people
    identify, states, inputs, lags, offset : a plant that is estimated from `rollouts(x, u)`:
        identify=True (then A and B may be left out, with their sizes in `states` and `inputs`) or
        a list of row numbers, from 1
    C, delay, impulse, step, transfer, G : what is measured, where it is not the state; Q, P and
        limits are then about the outputs, and `rollouts` hold outputs and inputs
    test_only : so many of the outputs, the last ones, are measured in tests alone: they are in the
        cost, and no controller sees them
    continuous, dt : A, B, C or transfer are of continuous time
    data : how recordings look, the section [data] of a problem file: {"repeated": "keep"}, …
    options : what the sections [response], [disturbance], [learning] and [certificate] of a problem
        file hold, by the same names: scale_bound=0.1, white=True, covariance=…, method="auto",
        certificate="best", delta=0.05, prior={"center": "lqr"}, …
    limits : the section [limits]: {"u": [-1.5, 1.5], "probability": 0.05}, …
    baseline : the section [baseline], the controller that runs today: {"gain": K} (u = K y),
        {"pid": {"p": 2.0, "i": 0.5}}, {"file": "controller.json"}, …

    The cost is sum_t (x_t - r_t)'Q_t (x_t - r_t) + u_t'R_t u_t + (x_T - r_T)'P (x_T - r_T).
    """

    def __init__(
        self,
        A: Any = None,
        B: Optional[ArrayLike] = None,
        Q: Optional[ArrayLike] = None,
        R: Optional[ArrayLike] = None,
        P: Union[ArrayLike, str, None] = None,
        *,
        horizon: Union[int, str],
        name: str = "problem",
        data: Optional[Mapping[str, Any]] = None,
        **options: Any,
    ) -> None:
        plant = _given(A=A, B=B)
        if B is None and _is_system(A):
            plant = _plant_of(A, options.get("dt"))
        tree: Dict[str, Any] = dict(sections(_given(**options)))
        tree.update(name=name, horizon=horizon, **_given(data=data))
        tree["system"] = {**plant, **tree.get("system", {})}
        tree["cost"] = {**tree.get("cost", {}), **_given(Q=Q, R=R, P=P)}
        self._core = _core.Problem.from_tree(tree)

    @classmethod
    def _of(cls, core: _core.Problem) -> "Problem":
        problem = cls.__new__(cls)
        problem._core = core
        return problem

    @classmethod
    def read(cls, path: Union[str, PathLike]) -> "Problem":
        """From a problem file, .toml or .json."""
        return cls._of(_core.Problem.read(path))

    @classmethod
    def from_dict(cls, tree: Mapping[str, Any]) -> "Problem":
        """From the keys of a problem file, as plain objects or arrays."""
        return cls._of(_core.Problem.from_tree(dict(tree)))

    def to_dict(self) -> Dict[str, Any]:
        """The keys of a problem file, as plain objects; `from_dict` reads them."""
        return self._core.to_tree()

    def replace(self, **options: Any) -> "Problem":
        """The same problem with some options replaced; None restores the default.

        `limits` and `baseline` are replaced as a whole; None takes them away. Of plant and cost `d`
        and `reference` can be replaced: those of another episode, whose recipe is known.
        """
        tree: Dict[str, Any] = dict(sections(options))
        return Problem._of(self._core.replace(tree)) if tree else self

    def sample(self, n: int, seed: int = 0, fresh: bool = False) -> _core.Disturbances:
        """n trajectories of the law that the problem states (`covariance`, `mean`).

        Those of `loopcert sample` with the same seed; `fresh` draws the others of that seed, on
        which `loopcert simulate` tests.
        """
        return _core.sample(self._core, n, seed, fresh)

    def lqr(self) -> _core.Controller:
        """The controller that is optimal when disturbances are white with mean zero.

        Of outputs: white purified outputs say nothing about later ones, and it gives no feedback.
        """
        return _core.recover_controller(self._core, _core.lqr_response(self._core))

    def response(self, controller: _core.Controller) -> _core.Response:
        """The closed loop of a controller: x = Phi_x w + phi_x, u = Phi_u w + phi_u."""
        return _core.closed_loop_response(self._core, controller)

    def controller(self, response: Union[_core.Response, ArrayLike]) -> _core.Controller:
        """The controller of a response, or of coordinates Z in `space()`."""
        if not isinstance(response, _core.Response):
            response = _core.response_at(self._core, self.space(), np.asarray(response, float))
        return _core.recover_controller(self._core, response)

    def space(self) -> _core.ResponseSpace:
        """All achievable causal responses, with their coordinates."""
        return _core.make_response_space(self._core)

    def long_run(
        self, controller: _core.Controller, after: str = "hold", data: DataLike = None
    ) -> Optional[Dict[str, Any]]:
        """Long-run behaviour of a controller: after="hold" or "restart".

        A table with spectral_radius (per step), stable, average_cost and optimal_cost (per step, of
        this and of the optimal controller), noise (under which disturbances: those of the
        stated law, else of `data`, else white of covariance I) and warning. None when the problem
        varies in time.
        """
        from .data import as_disturbances

        return _core.long_run(self._core, controller, after, as_disturbances(data, self))

    def expected_cost(self, controller: _core.Controller) -> Optional[float]:
        """Under the law that the problem states; None when it states none."""
        return _core.population_cost(self._core, self.response(controller))

    @property
    def name(self) -> str:
        return self._core.name

    @property
    def horizon(self) -> Union[int, str]:
        """Steps T, or "infinite"."""
        return self._core.horizon

    @property
    def n_x(self) -> int:
        return self._core.n_x

    @property
    def n_u(self) -> int:
        return self._core.n_u

    @property
    def d_w(self) -> int:
        """Numbers in a trajectory of disturbances: (T + 1) n_x."""
        return self._core.d_w

    @property
    def A(self) -> Optional[np.ndarray]:
        """None where outputs are measured and the plant is not given by A, B and C."""
        return self._core.A

    @property
    def B(self) -> Optional[np.ndarray]:
        return self._core.B

    @property
    def d(self) -> np.ndarray:
        return self._core.d

    @property
    def Q(self) -> np.ndarray:
        return self._core.Q

    @property
    def R(self) -> np.ndarray:
        return self._core.R

    @property
    def P(self) -> np.ndarray:
        return self._core.P

    @property
    def method(self) -> str:
        return self._core.method

    @property
    def certificate(self) -> str:
        return self._core.certificate

    @property
    def limits(self) -> Optional[Dict[str, Any]]:
        """The section [limits], every row written out; None without limits."""
        return self.to_dict().get("limits")

    @property
    def reference(self) -> Optional[np.ndarray]:
        """(T + 1, n_x), or None."""
        return self._core.reference

    @property
    def baseline(self) -> Optional[_core.Controller]:
        """The controller that runs today, over the horizon; None without a baseline."""
        return self._core.baseline

    @property
    def has_law(self) -> bool:
        """Whether the problem states a law to sample from."""
        return self._core.has_law

    def _rows(self) -> Iterable[Tuple[str, str]]:
        tree = self.to_dict()
        yield "name", self.name
        forms = {"C", "impulse", "step", "transfer", "G"} & set(tree["system"])
        measured = "outputs" if forms else "states"
        yield "sizes", f"horizon {self.horizon}, {self.n_x} {measured}, {self.n_u} inputs"
        for key, value in tree["disturbance"].items():
            yield key, "(array)" if isinstance(value, list) else str(value)
        if "limits" in tree:
            yield "limits", limits_text(tree["limits"])
        if "baseline" in tree:
            yield "baseline", next(key for key in tree["baseline"] if key not in BASELINE_OPTIONS)
        yield "method", self.method
        yield "certificate", self.certificate

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Problem) and self.to_dict() == other.to_dict()

    __hash__ = None  # type: ignore[assignment]

    def __reduce__(self) -> Tuple[Any, ...]:
        return Problem.from_dict, (self.to_dict(),)


def limits_text(limits: Mapping[str, Any]) -> str:
    """What [limits] ask for, in a line."""
    names = ", ".join(row["name"] for row in limits["rows"][:6])
    more = ", …" if len(limits["rows"]) > 6 else ""
    if limits.get("robust"):
        return f"{names}{more} for every disturbance of a set"
    if "each" in limits:
        return f"{names}{more}, each broken with probability at most {limits['each']} in a step"
    return f"{names}{more}, broken in at most {limits['probability']} of the episodes"


def _given(**values: Any) -> Dict[str, Any]:
    return {name: value for name, value in values.items() if value is not None}


def with_learning(problem: Problem, options: Mapping[str, Any]) -> _core.Problem:
    """Options of one call, where method, certificate and gamma work as on the command line."""
    others = dict(options)
    named = [others.pop(name, None) for name in ("method", "certificate", "gamma")]
    core = problem.replace(**others)._core
    if any(value is not None for value in named):
        core = _core.override_learning(core, *named)
    return core

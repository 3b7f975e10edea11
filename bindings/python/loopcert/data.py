"""Recorded disturbances: from arrays, from files, from logged episodes."""

from __future__ import annotations

import warnings
from os import PathLike
from typing import (
    TYPE_CHECKING,
    Any,
    Dict,
    Iterable,
    List,
    NamedTuple,
    Optional,
    Sequence,
    Tuple,
    Union,
)

import numpy as np
from numpy.typing import ArrayLike

from . import _core

if TYPE_CHECKING:
    from .problem import Problem

Disturbances = _core.Disturbances
DataLike = Union[_core.Disturbances, ArrayLike, None]
Path = Union[str, PathLike]
Paths = Union[Path, Iterable[Path]]


class Reconstruction(_core.Disturbances):
    """Disturbances computed from logged episodes.

    `residuals` are the residuals of the model for each state; `logs` are states and inputs, n rows
    each, on which `learn`, `certify` and `inspect` test the model.
    """

    residuals: List[Dict[str, Any]]
    notes: List[str]


class DataWarning(NamedTuple):
    """A contradiction between data and an assumption or the model, or a remark of a method.

    id : a word for programs, for example "gaussian", "scale-bound", "model"
    text : one line to print
    """

    id: str
    text: str

    def __str__(self) -> str:
        return self.text


def from_rollouts(
    problem: "Problem", x: ArrayLike, u: ArrayLike, d: Optional[ArrayLike] = None
) -> _core.Disturbances:
    """w_t = x_{t+1} - A_t x_t - B_t u_t - d_t, with x_0 in front.

    x : (n, T + 1, n_x) states, or with the last two axes merged
    u : (n, T, n_u) inputs, or with the last two axes merged
    d : (n, T, n_x) known offsets, where each episode had its own (a recipe, a forecast); otherwise
        the problem's d holds for all of them

    Of outputs x holds what was measured, and the result is eta_t = y_t - d_t - sum_s G_ts u_s.
    A warning is given when the model predicts a state much worse than "no change".
    """
    states = _episodes("x", x, problem.horizon + 1, problem.n_x)
    inputs = _episodes("u", u, problem.horizon, problem.n_u)
    offsets = None if d is None else _episodes("d", d, problem.horizon, problem.n_x)
    return _reconstruction(*_core.reconstruct(problem._core, states, inputs, offsets))


def read_rollouts(problem: "Problem", *paths: Paths) -> _core.Disturbances:
    """The same from files of logged states and inputs, as [data] of the problem describes them.

    paths : files one after the other, or lists of them
    """
    return _reconstruction(*_core.read_rollouts(problem._core, _files(paths)))


def _reconstruction(
    data: _core.Disturbances,
    residuals: List[Dict[str, Any]],
    notes: List[str],
) -> _core.Disturbances:
    result = Reconstruction(data)  # with what was logged
    result.residuals, result.notes = residuals, notes
    for note in notes:
        warnings.warn(note, stacklevel=3)
    return result


def read(problem: "Problem", *paths: Paths) -> _core.Disturbances:
    """From files (.csv, .npy, .npz, .mat, .h5), as [data] of the problem describes them.

    paths : files one after the other, or lists of them
    """
    return _core.read_disturbances(problem._core, _files(paths))


def _files(paths: Iterable[Paths]) -> List[Path]:
    """Files in their order, from names and from lists of names."""
    found: List[Path] = []
    for item in paths:
        found.extend([item] if isinstance(item, (str, PathLike)) else item)
    if not found:
        raise _core.InputError("paths: no file is named")
    return found


def write(self: _core.Disturbances, problem: "Problem", path: Path) -> None:
    """To a file, by extension: .csv, .npy, .npz or .mat."""
    _core.write_disturbances(problem._core, path, self)


def _episodes(name: str, value: ArrayLike, steps: int, components: int) -> np.ndarray:
    array = np.asarray(value, dtype=float)
    if array.ndim == 3 and array.shape[1:] == (steps, components):
        array = array.reshape(len(array), steps * components)
    if array.ndim != 2 or array.shape[1] != steps * components:
        raise _core.InputError(
            f"{name}: found {_shape(array)}, expected n x {steps} x {components}"
        )
    return array


def _shape(array: np.ndarray) -> str:
    return " x ".join(map(str, array.shape)) or "a number"


def as_disturbances(data: DataLike, problem: "Problem") -> _core.Disturbances:
    """Arrays as Disturbances; nothing as no trajectories. (n, T + 1, n_x) is taken as well."""
    if isinstance(data, _core.Disturbances):
        return data
    if data is None:
        return _core.Disturbances(np.zeros((0, problem.d_w)))
    if isinstance(data, (str, PathLike)) or _are_files(data):
        raise _core.InputError(
            "data: names of files: read them first, with Disturbances.read(problem, files) or "
            "Disturbances.read_rollouts(problem, files)"
        )
    array = np.asarray(data, dtype=float)
    if array.ndim == 3:
        array = _episodes("w", array, problem.horizon + 1, problem.n_x)
    if array.ndim != 2:
        raise _core.InputError(f"w: found {_shape(array)}, expected n x {problem.d_w}")
    return _core.Disturbances(array)


def _are_files(data: Any) -> bool:
    return (
        isinstance(data, (list, tuple))
        and len(data) > 0
        and all(isinstance(item, (str, PathLike)) for item in data)
    )


def recorded(data: DataLike, problem: "Problem") -> _core.Disturbances:
    """The same for certification data: a repeated recording is refused."""
    known = as_disturbances(data, problem)
    if not problem._core.keeps_repeated:
        _core.check_repeated(known, problem._core)
    return known


def reconstruction_of(data: _core.Disturbances) -> Optional[List[Dict[str, Any]]]:
    return getattr(data, "residuals", None)


def notes_of(data: _core.Disturbances) -> Sequence[str]:
    return getattr(data, "notes", ())


def _to_dict(self: _core.Disturbances) -> Dict[str, Any]:
    return {"n": self.n, "w": self.w.tolist()}


def _plot(self: _core.Disturbances, ax: Any = None) -> Any:
    """Correlation of every two coordinates, as a heat map (matplotlib)."""
    from . import plotting

    return plotting.correlations(self, ax)


Disturbances.from_rollouts = staticmethod(from_rollouts)  # type: ignore[attr-defined]
Disturbances.read = staticmethod(read)  # type: ignore[attr-defined]
Disturbances.read_rollouts = staticmethod(read_rollouts)  # type: ignore[attr-defined]
Disturbances.write = write  # type: ignore[attr-defined]
Disturbances.to_dict = _to_dict  # type: ignore[attr-defined]
Disturbances.plot = _plot  # type: ignore[attr-defined]

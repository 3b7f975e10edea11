"""Methods of a Controller for notebooks and scripts."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from . import _core
from .display import html_table

Controller = _core.Controller


def inputs(self: _core.Controller, x: ArrayLike) -> np.ndarray:
    """u = K x + k for whole state trajectories: (n, T + 1, n_x) to (n, T, n_u).

    u_t uses x_0, …, x_t only; the last state is not used.
    """
    states = np.asarray(x, dtype=float)
    shape = (self.horizon + 1, self.n_x)
    if states.ndim < 2 or states.shape[-2:] != shape:
        found = " x ".join(map(str, states.shape)) or "a number"
        raise _core.InputError(f"x: found {found}, expected n x {shape[0]} x {shape[1]}")
    flat = states.reshape(states.shape[:-2] + (-1,))
    return (flat @ self.K.T + self.k).reshape(states.shape[:-2] + (self.horizon, self.n_u))


def run(self: _core.Controller) -> _core.ControllerRun:
    """A loop to step through: `u = loop.step(x)` for the state measured at t = 0, 1, …"""
    return _core.ControllerRun(self)


def _repr_html_(self: _core.Controller) -> str:
    sizes = f"horizon {self.horizon}, {self.n_x} states, {self.n_u} inputs"
    return html_table("Controller", [("sizes", sizes), *sorted(self.provenance.items())])


def plot(self: _core.Controller, ax: Any = None) -> Any:
    """K as a heat map (matplotlib)."""
    from . import plotting

    return plotting.heat_map(self.K, ax, "K", "states $x_0 … x_T$", "inputs $u_0 … u_{T-1}$")


Controller.inputs = inputs  # type: ignore[attr-defined]
Controller.run = run  # type: ignore[attr-defined]
Controller.plot = plot  # type: ignore[attr-defined]
Controller._repr_html_ = _repr_html_  # type: ignore[attr-defined]

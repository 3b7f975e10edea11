"""Plots, with matplotlib if installed. Nothing is shown or saved: the figure is returned."""

from __future__ import annotations

from textwrap import fill
from typing import TYPE_CHECKING, Any, Iterable, List, Mapping, Optional, Tuple

import numpy as np

from .display import bound_text, confidence_text
from .sweeps import certified_value, groups

if TYPE_CHECKING:
    from . import _core
    from .certificates import Certificate
    from .inspection import Inspection
    from .learning import Result
    from .planning import Plan
    from .simulation import Simulation
    from .sweeps import SweepResult

BLUE, ORANGE, GREY = "#2f6f9f", "#c8622d", "#6b7280"
DRAWN = 400  # trajectories of a fan: enough for steady quantiles


def _pyplot() -> Any:
    try:
        import matplotlib.pyplot as plt
    except ImportError as error:
        raise ImportError("plot() needs matplotlib (Debian: python3-matplotlib)") from error
    return plt


def _axes(ax: Any, size: Tuple[float, float] = (6.4, 3.6)) -> Any:
    return _pyplot().subplots(figsize=size, layout="constrained")[1] if ax is None else ax


def fan(paths: np.ndarray, ax: Any, label: str) -> Any:
    """Median and the middle 50 % and 90 % of (n, steps) paths."""
    steps = np.arange(paths.shape[1])
    low, q1, middle, q3, high = np.quantile(paths, [0.05, 0.25, 0.5, 0.75, 0.95], axis=0)
    ax.fill_between(steps, low, high, color=BLUE, alpha=0.2, linewidth=0, label="90 %")
    ax.fill_between(steps, q1, q3, color=BLUE, alpha=0.35, linewidth=0, label="50 %")
    ax.plot(steps, middle, color=BLUE, label="median")
    ax.set_title(label, fontsize="medium")
    ax.set_xlabel("step")
    ax.xaxis.get_major_locator().set_params(integer=True)
    return ax


def _fan_panels(simulation: "Simulation") -> List[Tuple[np.ndarray, str]]:
    if simulation.x is None or simulation.u is None:
        raise ValueError("plot: found no paths, expected simulate(…, paths=True)")
    x, u = simulation.x, simulation.u
    states = [(x[:, :, i], f"state {i}") for i in range(x.shape[2])]
    return states + [(u[:, :, i], f"input {i}") for i in range(u.shape[2])]


def fan_figure(simulation: "Simulation") -> Any:
    """One fan for each state and each input."""
    panels = _fan_panels(simulation)
    columns = min(3, len(panels))
    rows = -(-len(panels) // columns)
    figure, axes = _pyplot().subplots(
        rows, columns, figsize=(3.4 * columns, 2.6 * rows), squeeze=False, layout="constrained"
    )
    for ax in axes.flat[len(panels) :]:
        ax.remove()
    for ax, (paths, label) in zip(axes.flat, panels):
        fan(paths, ax, label)
    axes.flat[0].legend(fontsize="small")
    return figure


def heat_map(
    values: np.ndarray, ax: Any = None, title: str = "", across: str = "", down: str = ""
) -> Any:
    """Signed entries: white is zero."""
    ax = _axes(ax)
    limit = float(np.max(np.abs(values), initial=0.0)) or 1.0
    image = ax.imshow(values, cmap="RdBu_r", vmin=-limit, vmax=limit, aspect="auto")
    ax.figure.colorbar(image, ax=ax, shrink=0.85)
    for axis in (ax.xaxis, ax.yaxis):
        axis.get_major_locator().set_params(integer=True)
    ax.set_title(title, fontsize="medium")
    ax.set_xlabel(across)
    ax.set_ylabel(down)
    return ax


def correlations(data: "_core.Disturbances", ax: Any = None) -> Any:
    """Of the coordinates of a trajectory, x_0 first."""
    with np.errstate(invalid="ignore", divide="ignore"):
        matrix = np.nan_to_num(np.corrcoef(np.asarray(data.w), rowvar=False))
    name = "coordinates of $(x_0, w_0, …)$"
    return heat_map(np.atleast_2d(matrix), ax, "correlation", name, name)


def waterfall(certificate: "Certificate", ax: Any = None) -> Any:
    """The terms, one on top of the other, up to the value."""
    ax = _axes(ax)
    names = [term.name for term in certificate.terms] + ["certificate"]
    bottom = 0.0
    for place, term in enumerate(certificate.terms):
        ax.barh(place, term.value, left=bottom, color=BLUE if term.value >= 0 else ORANGE)
        bottom += term.value
    ax.barh(len(names) - 1, certificate.value, color=GREY)
    ax.set_yticks(range(len(names)), [fill(name, 20) for name in names], fontsize="small")
    ax.invert_yaxis()
    ax.set_xlabel("expected cost")
    ax.set_title(
        f"{bound_text(certificate.value)} at confidence {confidence_text(certificate.confidence)}",
        fontsize="medium",
    )
    return ax


def cost_histogram(simulation: "Simulation", certificate: Optional["Certificate"], ax: Any) -> Any:
    """Costs on trajectories, their mean, and the certificate on the expectation."""
    ax.hist(simulation.cost, bins=40, color=BLUE, alpha=0.5)
    ax.axvline(simulation.mean, color=BLUE, label=f"mean {simulation.mean:.4g}")
    if certificate is not None and certificate.subject != "controller minus baseline":
        label = f"certificate {certificate.value:.4g}"
        ax.axvline(certificate.value, color=ORANGE, linestyle="--", label=label)
    ax.set_title("cost of a trajectory", fontsize="medium")
    ax.legend(fontsize="small")
    return ax


def run_figure(result: "Result") -> Any:
    """First state, first input, K, and the certificate or the costs."""
    from .simulation import simulate

    problem = result.problem
    simulation = (
        simulate(problem, result.controller, n=DRAWN)
        if problem.has_law
        else simulate(problem, result.controller, result.data)
    )
    figure, axes = _pyplot().subplots(2, 2, figsize=(9.6, 6.4), layout="constrained")
    panels = _fan_panels(simulation)
    fan(*_with_axis(panels[0], axes[0, 0]))
    fan(*_with_axis(panels[problem.n_x], axes[0, 1]))
    _draw_limits(problem.limits, "x", axes[0, 0])
    _draw_limits(problem.limits, "u", axes[0, 1])
    axes[0, 1].legend(fontsize="small", loc="upper left", bbox_to_anchor=(1, 1))
    heat_map(result.controller.K, axes[1, 0], "K", "states", "inputs")
    if result.certificate is not None:
        waterfall(result.certificate, axes[1, 1])
    else:
        cost_histogram(simulation, None, axes[1, 1])
    drawn = f"{simulation.n} trajectories " + ("of the law" if problem.has_law else "of the data")
    figure.suptitle(f"{problem.name}: {result.method}, {drawn}")
    return figure


def _draw_limits(limits: Optional[Mapping[str, Any]], kind: str, ax: Any) -> None:
    """Limits on the first state or the first input alone, where they hold."""
    for row in limits["rows"] if limits else []:
        own, other = row[kind], row["u" if kind == "x" else "x"]
        if not own[0] or any(own[1:]) or any(other):
            continue
        for end in (row.get("min"), row.get("max")):
            if end is not None:
                ax.plot(row["steps"], [end / own[0]] * 2, color=ORANGE, linestyle="--", label="limit")


def _with_axis(panel: Tuple[np.ndarray, str], ax: Any) -> Tuple[np.ndarray, Any, str]:
    return panel[0], ax, panel[1]


def _against_n(ax: Any, n: Iterable[int]) -> None:
    """Both axes logarithmic, with plain numbers; a tick for every n that is apart from the last."""
    from matplotlib.ticker import LogLocator, StrMethodFormatter

    ticks: List[int] = []
    for value in sorted(set(n)):
        if not ticks or value > 1.4 * ticks[-1]:
            ticks.append(value)
    ax.set_xscale("log")
    ax.set_yscale("log")
    ax.set_xticks(ticks, [str(value) for value in ticks])
    ax.set_xticks([], minor=True)
    ax.yaxis.set_major_locator(LogLocator(subs=(1, 2, 5)))
    ax.yaxis.set_major_formatter(StrMethodFormatter("{x:g}"))
    ax.set_yticks([], minor=True)
    ax.set_xlabel("trajectories n")


def plan_curve(plan: "Plan", ax: Any = None) -> Any:
    """Certificate against n: median and the middle 80 % of simulated data sets."""
    ax = _axes(ax)
    points = [p for p in plan.points if p["certified"]]
    n = [p["n"] for p in points]
    ax.fill_between(
        n, [p["low"] for p in points], [p["high"] for p in points], color=BLUE, alpha=0.2
    )
    ax.plot(n, [p["median"] for p in points], "o-", color=BLUE, label="certificate")
    ax.plot(n, [p["cost"] for p in points], "s:", color=GREY, label="expected cost")
    ax.axhline(plan.target, color=ORANGE, linestyle="--", label="target")
    _against_n(ax, n)
    ax.set_title(fill(plan.answer, 80), fontsize="small")
    ax.legend(fontsize="small")
    return ax


def sweep_curves(result: "SweepResult", ax: Any = None) -> Any:
    """Mean over seeds: certificates solid, costs dotted, one colour per method."""
    ax = _axes(ax)
    curves: dict = {}
    for (problem, label, n), rows in groups(result.rows).items():
        curves.setdefault(f"{problem}, {label}", []).append((n, rows))
    for place, (label, points) in enumerate(curves.items()):
        colour = f"C{place % 10}"
        for value, style, what in (
            (certified_value, "o-", "certificate"),
            (lambda row: row.get("test_cost"), "s:", "cost"),
        ):
            found = [(n, [v for v in map(value, rows) if v is not None]) for n, rows in points]
            known = [(n, float(np.mean(values))) for n, values in found if values]
            if known:
                ax.plot(*zip(*sorted(known)), style, color=colour, label=f"{label}: {what}")
    _against_n(ax, [row["n"] for row in result.rows])
    ax.set_title(result.name, fontsize="medium")
    ax.legend(fontsize="x-small")
    return ax


def inspection_figure(inspection: "Inspection") -> Any:
    """Correlation over time with the band of white noise; deviations step by step."""
    figure, (left, right) = _pyplot().subplots(1, 2, figsize=(9.6, 3.4), layout="constrained")
    lags = np.arange(1, len(inspection.lag_mean) + 1)
    left.fill_between(lags, -inspection.lag_band, inspection.lag_band, color=GREY, alpha=0.25)
    left.plot(lags, inspection.lag_mean, "o-", color=BLUE)
    left.set_title("correlation over time", fontsize="medium")
    left.set_xlabel("lag in steps")
    left.xaxis.get_major_locator().set_params(integer=True)
    for i, column in enumerate(np.asarray(inspection.deviations).T):
        right.plot(column, "o-", label=f"coordinate {i}")
    right.set_title("standard deviation ($x_0$ first)", fontsize="medium")
    right.set_xlabel("step")
    right.legend(fontsize="small")
    return figure

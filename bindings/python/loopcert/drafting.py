"""A problem file to start from, written from log files."""

from __future__ import annotations

import os
import warnings
from typing import Mapping, Optional, Sequence, Union

from . import _core
from .data import Path, Paths

Names = Union[str, Sequence[str]]


def init_problem(
    logs: Paths,
    *,
    states: Names = (),
    outputs: Names = (),
    inputs: Names = (),
    out: Optional[Path] = None,
    horizon: Union[int, str, None] = None,
    lags: Optional[int] = None,
    largest: Optional[Mapping[str, float]] = None,
    model: Optional[Path] = None,
    time: str = "",
    episode: str = "",
    name: str = "",
) -> str:
    """The text of a problem file with comments, from what log files hold; as `loopcert init`.

    logs : one file, or several with the same columns
    states, inputs : columns that are the state of the plant, and that a controller may choose;
        of arrays the name of one. Not needed where the files have loopcert's own names
    outputs : columns that are measured where the state is not
    out : file to write, too; it is replaced if it is there
    horizon : steps of an episode, or "infinite"; None: as the logs suggest
    lags : last measurements that say what comes, for outputs
    largest : the largest acceptable value of a signal, for its weight by Bryson's rule; where
        nothing is said, the largest in the logs
    model : file whose [system] holds A and B; otherwise the plant is identified
    time, episode : columns that count time and label episodes; otherwise looked for

    What a person should look at is a warning.
    """
    paths = [logs] if isinstance(logs, (str, os.PathLike)) else list(logs)
    infinite = horizon == "infinite"
    if isinstance(horizon, str) and not infinite:
        raise _core.InputError(f"horizon: found {horizon!r}, expected a number or 'infinite'")
    text, remarks = _core.draft_problem(
        [os.fspath(path) for path in paths],
        _names(states),
        _names(outputs),
        _names(inputs),
        time,
        episode,
        None if infinite else horizon,
        infinite,
        lags,
        list((largest or {}).items()),
        model,
        name,
    )
    for remark in remarks:
        warnings.warn(remark, stacklevel=2)
    if out is not None:
        _core.write_text(out, text)
    return text


def _names(names: Names) -> Sequence[str]:
    return [names] if isinstance(names, str) else list(names)

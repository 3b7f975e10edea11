"""Where learning is done: on the processor, or on a GPU."""

from __future__ import annotations

from contextlib import nullcontext
from typing import Any, ContextManager, Dict, Optional

from . import _core


def gpu() -> Dict[str, Any]:
    """Which GPU learning can use, and where it can use none, why.

    found : whether there is one
    name, memory_bytes, free_bytes : of it
    why : None, or a sentence: no plugin, no GPU, an old driver
    plugin : the file libloopcert_cuda.so, or None
    """
    return _core.gpu()


def use_device(name: str) -> None:
    """What learning may use from now on, in all threads of this process.

    name : "cpu", "gpu" (InputError where there is none), or "auto": a GPU where there is one and the
        problem is so large that it pays
    """
    _core.use_device(name)


def chosen(device: Optional[str]) -> ContextManager[Any]:
    """For the calls inside a `with`; None changes nothing."""
    return nullcontext() if device is None else _core.DeviceChoice(device)

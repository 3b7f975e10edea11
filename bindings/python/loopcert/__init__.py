"""loopcert: recorded disturbances to a linear controller with a certificate on its cost.

    import loopcert as lc
    problem = lc.Problem(A, B, Q, R, horizon=10)
    result = lc.learn(problem, w, method="auto")
    result.certificate.value, result.controller.K

The same library as the program of that name; a call and a command give the same numbers.
"""

import os as _os
from pathlib import Path as _Path

# The program that reads .mat and .h5 files is next to this file; the library looks for its name
# in the environment.
if (_importer := _Path(__file__).with_name("loopcert-importer")).exists():
    _os.environ.setdefault("LOOPCERT_IMPORTER", str(_importer))

from ._core import (  # noqa: E402
    Controller,
    ControllerRun,
    Disturbances,
    InputError,
    LearningStep,
    NumericsError,
    OutputError,
    Posterior,
    Prior,
    Response,
    ResponseSpace,
    __version__,
    certificate_kinds,
    certificate_names,
    kl_divergence,
    learn_methods,
)
from . import data as _data  # adds constructors and views to Disturbances  # noqa: F401
from . import controllers as _controllers  # the same for Controller  # noqa: F401
from .data import DataWarning
from .certificates import Certificate, Event, Term, Verification, certify, verify
from .estimator import CertifiedController
from .inspection import Inspection, inspect
from .learning import Result, learn, learn_with_prior
from .planning import Plan, plan
from .problem import Problem
from .simulation import Simulation, simulate
from .sweeps import SweepResult, sweep

__all__ = [
    "Certificate",
    "CertifiedController",
    "Controller",
    "ControllerRun",
    "DataWarning",
    "Disturbances",
    "Event",
    "InputError",
    "Inspection",
    "LearningStep",
    "NumericsError",
    "OutputError",
    "Plan",
    "Posterior",
    "Prior",
    "Problem",
    "Response",
    "ResponseSpace",
    "Result",
    "Simulation",
    "SweepResult",
    "Term",
    "Verification",
    "certificate_kinds",
    "certificate_names",
    "certify",
    "inspect",
    "kl_divergence",
    "learn",
    "learn_methods",
    "learn_with_prior",
    "plan",
    "simulate",
    "sweep",
    "verify",
    "__version__",
]

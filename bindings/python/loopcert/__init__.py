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
    MemoryController,
    MemoryRun,
    NumericsError,
    OutputError,
    Posterior,
    Prior,
    Response,
    ResponseSpace,
    Rollouts,
    TrajectoryLaw,
    Vectorized,
    __version__,
    certificate_kinds,
    certificate_names,
    kl_divergence,
    learn_methods,
)
from . import data as _data  # adds constructors and views to Disturbances  # noqa: F401
from . import controllers as _controllers  # the same for Controller  # noqa: F401
from .data import DataWarning
from .drafting import init_problem
from .certificates import Certificate, Event, Term, Verification, certify, verify
from .devices import gpu, use_device
from .estimator import CertifiedController
from .episodes import Episodes, rollouts
from .identified import Identification, IdentifiedResult, identify
from .inspection import Inspection, inspect
from .learning import Result, learn, learn_with_prior
from .measuring import Measurement, measure
from .paper import (
    Bound,
    Draw,
    Evaluation,
    GlobalMinimum,
    draw,
    evaluate,
    global_minimum,
    lambda_end,
    pointwise_radius,
    trajectory_law,
    vectorized,
)
from .planning import Plan, plan
from .problem import Problem
from .simulation import Simulation, simulate
from .sweeps import SweepResult, sweep
from .watch import PlantWatch, Watch

__all__ = [
    "Bound",
    "Certificate",
    "CertifiedController",
    "Controller",
    "ControllerRun",
    "DataWarning",
    "Disturbances",
    "Draw",
    "Episodes",
    "Evaluation",
    "Event",
    "GlobalMinimum",
    "Identification",
    "IdentifiedResult",
    "InputError",
    "Inspection",
    "LearningStep",
    "Measurement",
    "MemoryController",
    "MemoryRun",
    "NumericsError",
    "OutputError",
    "Plan",
    "PlantWatch",
    "Posterior",
    "Prior",
    "Problem",
    "Response",
    "ResponseSpace",
    "Result",
    "Rollouts",
    "Simulation",
    "SweepResult",
    "Term",
    "TrajectoryLaw",
    "Vectorized",
    "Verification",
    "Watch",
    "certificate_kinds",
    "certificate_names",
    "certify",
    "draw",
    "evaluate",
    "global_minimum",
    "gpu",
    "identify",
    "init_problem",
    "inspect",
    "kl_divergence",
    "lambda_end",
    "learn",
    "learn_methods",
    "learn_with_prior",
    "measure",
    "plan",
    "pointwise_radius",
    "rollouts",
    "simulate",
    "sweep",
    "trajectory_law",
    "use_device",
    "vectorized",
    "verify",
    "__version__",
]

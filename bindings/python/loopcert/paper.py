"""The paper's symbols, one by one: bounds at a posterior, draws, cumulants, the vectorized form."""

from __future__ import annotations

import warnings
from typing import Any, Dict, Iterable, List, NamedTuple, Optional, Tuple, Union

import numpy as np
from numpy.typing import ArrayLike

from . import _core
from .certificates import Certificate
from .data import DataLike, DataWarning, as_disturbances, recorded
from .display import Readable, bound_text, number
from .problem import Problem


class Bound(Readable):
    """One PAC-Bayes bound at a posterior; its complexity term is (rate + psi) / lambda_.

    kind : which bound
    certificate : value, terms, events, assumptions, kl, lambda_; None when it cannot be computed
    missing : why there is none, or an empty text
    rate : (KL + log(n/delta)) / (n - 1), or with a grid of priors that of its exponent
    psi : what stands above the posterior's mean of the cumulant at lambda_
    C : the sensitivity coefficient, E_rho ||M U M'||_F^2; None where psi is not made of it
    mean_term : 2 E_rho tr(M'M U M'M B), what a mean or an offset adds to C
    prior_scale : standard deviation of the prior that KL is to
    cumulant, quadratic : Lambda(lambda_) of the mean response under the stated Gaussian law, and
        lambda_^2 phi, which stands above it; None without one
    """

    def __init__(self, row: Dict[str, Any]) -> None:
        self._row = row
        self.kind: str = row["kind"]
        self.missing: str = row["missing"] or ""
        record = row["certificate"]
        self.certificate = None if record is None else Certificate(record)
        for name in ("rate", "psi", "C", "mean_term", "prior_scale", "cumulant", "quadratic"):
            setattr(self, name, row.get(name))

    rate: Optional[float]
    psi: Optional[float]
    C: Optional[float]
    mean_term: Optional[float]
    prior_scale: Optional[float]
    cumulant: Optional[float]
    quadratic: Optional[float]

    @property
    def value(self) -> Optional[float]:
        return None if self.certificate is None else self.certificate.value

    @property
    def kl(self) -> Optional[float]:
        return None if self.certificate is None else self.certificate.kl

    @property
    def lambda_(self) -> Optional[float]:
        return None if self.certificate is None else self.certificate.lambda_

    @property
    def terms(self) -> Dict[str, float]:
        """The terms of the certificate by their ids; they add up to the value."""
        terms = [] if self.certificate is None else self.certificate.to_dict()["terms"]
        return {term["id"]: term["value"] for term in terms}

    def to_dict(self) -> Dict[str, Any]:
        return self._row

    def _rows(self) -> Iterable[Tuple[str, str]]:
        yield "kind", self.kind
        if self.certificate is None:
            yield "missing", self.missing
            return
        yield "value", bound_text(self.certificate.value)
        for name in ("kl", "lambda_", "rate", "psi", "C", "mean_term", "cumulant", "quadratic"):
            yield name, number(getattr(self, name))


class Evaluation(Readable):
    """Every bound that was asked for at one posterior; `evaluation["data-driven"]` is one of them.

    Each holds at its own confidence; to claim several at once, or the smallest, share delta among
    them (certificate "best").

    bounds : one `Bound` for each kind
    population_cost, sensitivity, phi : of the mean response under the law that the problem states
    lambda_end : E_rho exp(lambda L) is finite for lambda below it; None when it is not known
    pointwise_radius : 1 / (2 ||Sigma_y||) of the mean response
    warnings : where the data contradict assumptions or model
    """

    def __init__(self, tree: Dict[str, Any]) -> None:
        self._tree = tree
        self.n: int = tree["n"]
        self.p: int = tree["p"]
        self.bounds: List[Bound] = [Bound(row) for row in tree["bounds"]]
        law = tree["law"] or {}
        self.population_cost: Optional[float] = law.get("population_cost")
        self.sensitivity: Optional[float] = law.get("sensitivity")
        self.phi: Optional[float] = law.get("phi")
        self.lambda_end: Optional[float] = law.get("lambda_end")
        self.pointwise_radius: Optional[float] = law.get("pointwise_radius")
        self.warnings = [DataWarning(w["id"], w["text"]) for w in tree["warnings"]]

    def __getitem__(self, kind: str) -> Bound:
        for bound in self.bounds:
            if bound.kind == kind:
                return bound
        raise KeyError(kind)

    def to_dict(self) -> Dict[str, Any]:
        """What `loopcert evaluate --json` prints."""
        return self._tree

    def _rows(self) -> Iterable[Tuple[str, str]]:
        yield "trajectories", str(self.n)
        yield "parameters", str(self.p)
        for name in ("population_cost", "sensitivity", "phi", "lambda_end", "pointwise_radius"):
            if getattr(self, name) is not None:
                yield name, number(getattr(self, name))
        for bound in self.bounds:
            if bound.certificate is None:
                yield bound.kind, "- " + bound.missing
            else:
                yield (
                    bound.kind,
                    f"{bound_text(bound.certificate.value)}, KL {number(bound.kl)}, "
                    f"lambda {number(bound.lambda_)}, C {number(bound.C)}",
                )
        yield from (("warning", warning.text) for warning in self.warnings)


def evaluate(
    problem: Problem,
    posterior: _core.Posterior,
    data: DataLike,
    certificate: str = "all",
    *,
    prior: Optional[_core.Prior] = None,
    lambda_: Optional[float] = None,
    **options: Any,
) -> Evaluation:
    """Bounds at a posterior, on these trajectories. They hold for every posterior at once.

    certificate : a PAC-Bayes kind, or "all"
    prior : in place of the problem's; it must not depend on these trajectories
    lambda_ : in place of the best one. Any is valid; kinds with the rank-aware psi then use the
        quadratic one
    options : those of `Problem`

    The numbers are those of `loopcert evaluate`.
    """
    core = problem.replace(**options)._core
    known = recorded(data, problem)
    found = Evaluation(_core.evaluate(core, posterior, known, certificate, prior, lambda_))
    for warning in found.warnings:
        warnings.warn(warning.text, stacklevel=2)
    return found


class Draw(NamedTuple):
    """One controller drawn from a posterior."""

    Z: np.ndarray
    response: _core.Response
    controller: _core.Controller


def draw(
    problem: Problem,
    posterior: _core.Posterior,
    n: int = 1,
    seed: int = 0,
    data: DataLike = None,
) -> List[Draw]:
    """n draws Z ~ rho with their responses and controllers, K = Phi_u Phi_x^-1.

    data : what the posterior was learned from; `certify` then refuses these trajectories
    """
    seen = as_disturbances(data, problem)
    return [Draw(*d) for d in _core.draw_controllers(problem._core, posterior, n, seed, seen)]


def _law(
    problem: Problem,
    mean: Optional[ArrayLike],
    covariance: Optional[ArrayLike],
    gaussian: bool = True,
) -> Tuple[np.ndarray, np.ndarray]:
    """Mean and covariance of w: as given, or those of the problem's law."""
    stated = _core.stated_law(problem._core)
    if covariance is None and stated is None:
        raise _core.InputError(
            "covariance: found nothing, expected one here or in the problem: the law of w"
        )
    if covariance is None and gaussian and stated[2] != "gaussian":
        raise _core.InputError(
            f"distribution: found {stated[2]!r}, expected 'gaussian': the cumulant is that of a "
            "Gaussian law"
        )
    if covariance is None:
        return np.asarray(stated[0] if mean is None else mean, float), stated[1]
    zero = np.zeros(problem.d_w)
    return np.asarray(zero if mean is None else mean, float), np.asarray(covariance, float)


def _response(problem: Problem, response: Union[_core.Response, ArrayLike]) -> _core.Response:
    if isinstance(response, _core.Response):
        return response
    return _core.response_at(problem._core, problem.space(), np.asarray(response, float))


def trajectory_law(
    problem: Problem,
    response: Union[_core.Response, ArrayLike],
    *,
    mean: Optional[ArrayLike] = None,
    covariance: Optional[ArrayLike] = None,
) -> _core.TrajectoryLaw:
    """The law of y = M w + m: `cumulant(lambda_)` is exact, `quadratic_bound(lambda_)` above it.

    response : a response, or its coordinates Z
    mean, covariance : of w; those of the problem's law when covariance is left out
    """
    law = _law(problem, mean, covariance)
    return _core.trajectory_law(problem._core, _response(problem, response), *law)


def pointwise_radius(
    problem: Problem,
    response: Union[_core.Response, ArrayLike],
    *,
    covariance: Optional[ArrayLike] = None,
) -> float:
    """1 / (2 ||Sigma_y||), the largest lambda of a Hanson-Wright type bound at one response."""
    space = problem.space()
    Z = space.coordinates(response) if isinstance(response, _core.Response) else response
    Sigma = _law(problem, None, covariance, gaussian=False)[1]
    return _core.pointwise_radius(problem._core, space, np.asarray(Z, float), Sigma)


def lambda_end(problem: Problem, posterior: _core.Posterior) -> Optional[float]:
    """E_rho exp(lambda L) is finite under the problem's law for lambda in (0, lambda_end).

    None when no lambda is admissible. For at most 4000 parameters.
    """
    return _core.lambda_end(problem._core, posterior)


class GlobalMinimum(NamedTuple):
    """The smallest value of a bound over all diagonal posteriors."""

    value: float
    lambda_: float
    posterior: _core.Posterior


def global_minimum(
    problem: Problem,
    data: DataLike,
    certificate: str = "data-driven",
    *,
    prior: Optional[_core.Prior] = None,
    **options: Any,
) -> GlobalMinimum:
    """Minimizes a bound at one lambda after another, as a check of `learn`. Takes a while.

    Over all diagonal posteriors; for kinds with the quadratic psi and no mean term.
    """
    core = problem.replace(**options)._core
    known = recorded(data, problem)
    return GlobalMinimum(*_core.global_minimum(core, known, certificate, prior))


def vectorized(problem: Problem) -> _core.Vectorized:
    """The paper's H theta = h with its solutions theta_0 + N alpha, written out.

    For at most 4000 parameters. Needs SciPy for the sparse matrices.
    """
    return _core.make_vectorized(problem._core)

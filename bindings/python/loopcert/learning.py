"""Learning: problem and data to a controller with a certificate."""

from __future__ import annotations

import warnings
from os import PathLike, fspath
from typing import Any, Callable, Dict, Iterable, List, Optional, Sequence, Tuple, Union


from . import _core
from .certificates import Certificate, limits_rows, optimum_text
from .data import DataLike, DataWarning, notes_of, reconstruction_of, recorded
from .devices import chosen
from .display import Readable, bound_text, confidence_text, number
from .identified import IdentifiedResult, learn_identified
from .problem import Problem, with_learning

Callback = Callable[[_core.LearningStep], Optional[bool]]


class Result(Readable):
    """The result of `learn`.

    controller : u = K x + k, to deploy
    certificate : upper bound on its expected cost; None for a method that gives none
    improvement : the same for its cost minus that of the problem's baseline, or of LQR where the
        problem has none (`compared_with`), with its own delta, or None
    baseline_cost, baseline_certificate, baseline_verdict : of the controller that runs today, for a
        problem with [baseline]: mean cost on the data, upper bound on its expected cost, and the
        new controller against it in a sentence
    limits : for a problem with [limits], `limits` of run.json: value, kind, confidence, rows,
        episodes, joint, …; None without
    limits_certificate : upper bound on the probability that limits are broken, or None
    signals : a table for every state and input: mean size, rms, 95 % and 99 % level
    posterior : mean and variance of the coordinates Z; None for methods without one
    response : the closed loop, x = Phi_x w + phi_x and u = Phi_u w + phi_u
    empirical_cost, lqr_empirical_cost : on the data
    logged_cost, logged_cost_standard_error : of the logged controller; None without logs
    warnings : where the data contradict assumptions or model, and remarks of the method
    population_cost, lqr_cost, optimal_cost, sensitivity, prescient_certificate : under the law that
        the problem states; None when it states none
    """

    def __init__(
        self, problem: Problem, data: _core.Disturbances, run: _core.LearnRun, own_prior: bool
    ) -> None:
        self.problem = problem
        self.data = data
        self._run = run
        self._own_prior = own_prior

    def _certificate(self, record: Optional[Dict[str, Any]], file: str) -> Optional[Certificate]:
        if record is None:
            return None
        return Certificate(record, None if self._own_prior else self.save, file, page=self.report)

    @property
    def certificate(self) -> Optional[Certificate]:
        return self._certificate(self._run.certificate, "certificate.json")

    @property
    def improvement(self) -> Optional[Certificate]:
        return self._certificate(self._run.improvement, "improvement.json")

    @property
    def compared_with(self) -> str:
        """What `improvement` is over: "baseline" or "lqr"."""
        return self._run.baseline.get("compared_with", "lqr")

    @property
    def baseline_cost(self) -> Optional[float]:
        return self._run.baseline.get("baseline_cost")

    @property
    def baseline_certificate(self) -> Optional[Certificate]:
        record = self._run.baseline.get("baseline_certificate")
        return self._certificate(record, "baseline-certificate.json")

    @property
    def baseline_verdict(self) -> Optional[str]:
        return self._run.baseline.get("baseline_verdict")

    @property
    def limits(self) -> Optional[Dict[str, Any]]:
        return self._run.limits

    @property
    def limits_certificate(self) -> Optional[Certificate]:
        return self._certificate(self._run.limits_certificate, "limits.json")

    @property
    def signals(self) -> List[Dict[str, Any]]:
        return self._run.signals

    @property
    def controller(self) -> _core.Controller:
        return self._run.controller

    @property
    def response(self) -> _core.Response:
        return self._run.response

    @property
    def posterior(self) -> Optional[_core.Posterior]:
        return self._run.posterior

    @property
    def method(self) -> str:
        return self._run.method

    @property
    def n(self) -> int:
        """Trajectories."""
        return self._run.n

    @property
    def p(self) -> int:
        """Free parameters of a response."""
        return self._run.p

    @property
    def empirical_cost(self) -> Optional[float]:
        return self._run.empirical_cost

    @property
    def lqr_empirical_cost(self) -> Optional[float]:
        return self._run.lqr_empirical_cost

    @property
    def population_cost(self) -> Optional[float]:
        return self._run.population_cost

    @property
    def lqr_cost(self) -> Optional[float]:
        return self._run.lqr_cost

    @property
    def optimal_cost(self) -> Optional[float]:
        return self._run.optimal_cost

    @property
    def sensitivity(self) -> Optional[float]:
        return self._run.sensitivity

    @property
    def prescient_certificate(self) -> Optional[float]:
        return self._run.prescient_certificate

    @property
    def details(self) -> Dict[str, Any]:
        """Details of this method."""
        return self._run.details

    @property
    def warnings(self) -> List[DataWarning]:
        notes = [DataWarning("log", text) for text in notes_of(self.data)]
        return notes + [DataWarning(*pair) for pair in self._run.warnings]

    @property
    def logged_cost(self) -> Optional[float]:
        return None if self._run.logged_cost is None else self._run.logged_cost[0]

    @property
    def logged_cost_standard_error(self) -> Optional[float]:
        return None if self._run.logged_cost is None else self._run.logged_cost[1]

    @property
    def stopped_early(self) -> bool:
        """Whether the optimizer was stopped: the certificate is valid, a smaller one may exist."""
        return self._run.stopped_early

    @property
    def seconds(self) -> float:
        return self._run.seconds

    def to_dict(self) -> Dict[str, Any]:
        """run.json as plain objects."""
        return _core.run_record(
            self._run, reconstruction_of(self.data), list(notes_of(self.data))
        )

    def save(self, folder: Union[str, PathLike]) -> List[str]:
        """Writes the files of `loopcert learn --out`, report.html among them; returns the names."""
        if self._own_prior:
            raise _core.InputError(
                "result: found a user-defined prior, expected one that a file can name"
            )
        return _core.save_run(
            fspath(folder), self.problem._core, self.data, self._run, self.to_dict()
        )

    def report(self) -> str:
        """The page of the run: one self-contained HTML text."""
        return _core.run_page(self.problem._core, self.data, self._run, self.to_dict())

    def plot(self) -> Any:
        """Fans of states and inputs, K, and the certificate's terms (matplotlib)."""
        from . import plotting

        return plotting.run_figure(self)

    def _rows(self) -> Iterable[Tuple[str, str]]:
        yield "problem", self.problem.name
        yield "method", self.method
        deployed = {"lqr": "LQR", "lqr-limited": "LQR as far as limits allow", "baseline": "the baseline"}
        if self.details.get("deployed") in deployed:
            yield "deployed", f"{deployed[self.details['deployed']]}: {self.details.get('why', '')}"
        if self.baseline_verdict is not None:
            today = self._run.baseline["baseline"]
            if self.baseline_cost is not None:
                today += f", costs {number(self.baseline_cost)} on the data"
            yield "runs today", today
            if self.baseline_certificate is not None:
                bound = self.baseline_certificate
                yield (
                    "  certified",
                    f"{bound_text(bound.value)} at separate confidence "
                    f"{confidence_text(bound.confidence)}",
                )
            yield "  the new one", self.baseline_verdict
        yield "trajectories", str(self.n)
        yield "parameters", str(self.p)
        if self.logged_cost is not None:
            error = self.logged_cost_standard_error
            yield "logged cost", f"{number(self.logged_cost)} +- {error:.2g}"
        costs = [
            ("empirical cost", self.empirical_cost),
            ("empirical cost of LQR", self.lqr_empirical_cost),
            ("population cost", self.population_cost),
            ("population cost of LQR", self.lqr_cost),
        ]
        yield from ((name, number(value)) for name, value in costs if value is not None)
        if self.optimal_cost is not None:
            yield "smallest population cost", optimum_text(self.optimal_cost, self.limits)
        yield from limits_rows(self.limits)
        if self.prescient_certificate is not None:
            yield "prescient certificate", bound_text(self.prescient_certificate)
        if self.certificate is not None:
            name, value = next(iter(self.certificate._rows()))
            yield "certificate", f"{value} ({self.certificate.kind}, {self.certificate.subject})"
            yield from (("  assuming", sentence) for sentence in self.certificate.assumptions)
        if self.improvement is not None:
            change = self.improvement
            yield (
                "change from LQR" if self.compared_with == "lqr" else "change from the baseline",
                f"{bound_text(change.value)} at most, at separate confidence "
                f"{confidence_text(change.confidence)}",
            )
            known = self.certificate.assumptions if self.certificate is not None else []
            yield from (("  assuming", more) for more in change.assumptions if more not in known)
        yield from (("warning", warning.text) for warning in self.warnings)

    def __reduce__(self) -> Tuple[Any, ...]:
        return Result, (self.problem, self.data, self._run, self._own_prior)


def learn(
    problem: Problem,
    data: Union[DataLike, _core.Rollouts] = None,
    *,
    compare: Sequence[str] = (),
    callback: Optional[Callback] = None,
    device: Optional[str] = None,
    **options: Any,
) -> Union[Result, IdentifiedResult]:
    """Learns a controller from trajectories of disturbances and certifies it.

    A plant that is identified is learned from `rollouts(x, u)`; the result is then an
    `IdentifiedResult`.

    data : Disturbances, or an (n, d_w) array of rows (x_0, w_0, …, w_{T-1}); None for methods lqr
        and start
    compare : methods to run on the same data, for `to_dict()["baselines"]`
    callback : called with each step of the optimizer; False stops with the certificate so far
    device : "cpu", "gpu" or "auto" for this call; None takes what `use_device` said. What it was is in
        `details["device"]`
    options : those of `Problem`, for this call; method, certificate and gamma work as on the
        command line: method "auto" means certificate "best" unless another is named

    The numbers are those of `loopcert learn`, to the last bit. The interpreter lock is released;
    Ctrl-C raises KeyboardInterrupt.
    """
    core = with_learning(problem, options)
    if isinstance(data, _core.Rollouts):
        return learn_identified(core, data)
    if core.identifies:
        raise _core.InputError("data: a plant is identified from rollouts(x, u)")
    known = recorded(data, problem)
    step = None if callback is None else lambda now: callback(now) is not False
    with chosen(device):
        run = _core.learn(core, known, step, list(compare))
    return _finished(Problem._of(core), known, run, own_prior=False)


def learn_with_prior(
    problem: Problem,
    data: DataLike,
    prior: Callable[[_core.ResponseSpace, Optional[_core.Disturbances]], _core.Prior],
    *,
    fraction: float = 0.0,
    callback: Optional[Callback] = None,
    device: Optional[str] = None,
    **options: Any,
) -> Result:
    """Method pac-bayes with a prior of your own.

    prior : called as prior(space, learning) with the first `fraction` of the trajectories, or None
        when it is 0; returns a `Prior`. Only the other trajectories are used for the certificate: a
        prior that depends on them invalidates the certificate.

    The certificate lists the assumption about the prior. No file can name it, so there is nothing
    to save or to verify.
    """
    core = with_learning(problem, {"method": "pac-bayes", **options})
    known = recorded(data, problem)
    learning, certifying = (
        _core.split_first(known, fraction) if fraction > 0 else (None, known)
    )
    made = prior(_core.make_response_space(core), learning)
    step = None if callback is None else lambda now: callback(now) is not False
    with chosen(device):
        run = _core.learn_with_prior(core, made, certifying, known, step)
    return _finished(Problem._of(core), certifying, run, own_prior=True)


def _finished(
    problem: Problem, data: _core.Disturbances, run: _core.LearnRun, own_prior: bool
) -> Result:
    for _, text in run.warnings:
        warnings.warn(text, stacklevel=3)
    return Result(problem, data, run, own_prior)



"""Learning with the interface of scikit-learn: parameters, `fit`, attributes with an underscore."""

from __future__ import annotations

from typing import Any, Optional

import numpy as np
from numpy.typing import ArrayLike

from . import _core
from .learning import Result, learn
from .problem import Problem
from .simulation import simulate

try:  # with scikit-learn: clone, pipelines, grid searches
    from sklearn.base import BaseEstimator
except ImportError:

    class BaseEstimator:  # type: ignore[no-redef]
        """The part of scikit-learn's base class that needs no scikit-learn."""

        def get_params(self, deep: bool = True) -> dict:
            names = self.__init__.__code__.co_varnames[1 : self.__init__.__code__.co_argcount]
            return {name: getattr(self, name) for name in names}

        def set_params(self, **params: Any) -> "BaseEstimator":
            for name, value in params.items():
                if name not in self.get_params():
                    raise ValueError(f"invalid parameter '{name}'")
                setattr(self, name, value)
            return self


class CertifiedController(BaseEstimator):
    """A controller that is learned from trajectories of disturbances; a thin wrapper of `learn`.

    Parameters
    ----------
    problem : Problem
    method, certificate, gamma, prior, delta : as in `learn`; None takes the problem's
    random_state : None keeps the trajectories in their order; an int or a numpy Generator shuffles
        them first, which matters where data are split (hold-out and cross kinds, split priors)

    Attributes
    ----------
    controller_, certificate_, improvement_, result_ : as of `learn`
    K_, k_ : gains
    n_features_in_ : numbers in a trajectory
    """

    def __init__(
        self,
        problem: Optional[Problem] = None,
        method: Optional[str] = None,
        certificate: Optional[str] = None,
        gamma: Any = None,
        prior: Any = None,
        delta: Any = None,
        random_state: Any = None,
    ) -> None:
        self.problem = problem
        self.method = method
        self.certificate = certificate
        self.gamma = gamma
        self.prior = prior
        self.delta = delta
        self.random_state = random_state

    def fit(self, X: ArrayLike, y: Any = None) -> "CertifiedController":
        """X : (n, d_w) trajectories (x_0, w_0, …, w_{T-1}); y is not used."""
        if self.problem is None:
            raise _core.InputError("problem: found nothing, expected a Problem")
        w = np.asarray(X.w if isinstance(X, _core.Disturbances) else X, dtype=float)
        if self.random_state is not None:
            w = np.random.default_rng(self.random_state).permutation(w)
        names = ("method", "certificate", "gamma", "prior", "delta")
        options = {name: getattr(self, name) for name in names if getattr(self, name) is not None}
        self.result_: Result = learn(self.problem, w, **options)
        self.controller_ = self.result_.controller
        self.certificate_ = self.result_.certificate
        self.improvement_ = self.result_.improvement
        self.K_ = self.controller_.K
        self.k_ = self.controller_.k
        self.n_features_in_ = w.shape[1]
        return self

    def predict(self, X: ArrayLike) -> np.ndarray:
        """Inputs for state trajectories: (n, T + 1, n_x) to (n, T, n_u)."""
        return self._fitted().inputs(X)

    def score(self, X: ArrayLike, y: Any = None) -> float:
        """Minus the mean cost on these trajectories of disturbances: larger is better."""
        return -simulate(self.problem, self._fitted(), X, paths=False).mean

    def _fitted(self) -> _core.Controller:
        if not hasattr(self, "controller_"):
            raise _core.InputError("CertifiedController: found no controller, expected fit first")
        return self.controller_

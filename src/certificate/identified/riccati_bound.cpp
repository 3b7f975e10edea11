#include "certificate/riccati_bound.hpp"

#include <Eigen/Cholesky>
#include <cmath>

#include "core/linalg.hpp"

namespace loopcert {

namespace {

// What a step of the recursion is made of, whatever tau is.
struct RiccatiTerms {
  Matrix Acl, weight;
  Matrix price;  // beta^2 C'Vt^-1 C
};

RiccatiTerms terms_of(const LoopStep& step, const ConfidenceSet& set) {
  const Matrix GC = set.beta * set.G * step.C;  // (G C)'(G C) = C'Vt^-1 C
  return {step.Acl, step.weight, GC.transpose() * GC};
}

// The recursion with its own memory: the search over tau takes tens of times as many steps as there
// are in a horizon, and small matrices cost less than the memory they are put into.
class RiccatiRecursion {
 public:
  explicit RiccatiRecursion(const Matrix& H) : H_(H) {}

  // `P` becomes the right side; false where tau I > H'P H fails.
  bool step(const RiccatiTerms& terms, double tau, Matrix& P) {
    PH_.noalias() = P * H_;
    gap_.noalias() = -H_.transpose() * PH_;
    gap_.diagonal().array() += tau;
    factor_.compute(gap_);
    if (factor_.info() != Eigen::Success || !P.allFinite()) return false;
    // X'X = Acl'P H (tau I - H'P H)^-1 H'P Acl.
    X_.noalias() = PH_.transpose() * terms.Acl;
    const Matrix& L = factor_.matrixLLT();
    for (Index i = 0; i < X_.rows(); ++i) {  // forwards: Eigen's own is made for large ones
      for (Index j = 0; j < i; ++j) X_.row(i) -= L(i, j) * X_.row(j);
      X_.row(i) /= L(i, i);
    }
    PA_.noalias() = P * terms.Acl;
    next_ = terms.weight + tau * terms.price;
    next_.noalias() += terms.Acl.transpose() * PA_;
    next_.noalias() += X_.transpose() * X_;
    P = 0.5 * (next_ + next_.transpose());
    return true;
  }

 private:
  const Matrix& H_;  // E U^1/2
  Matrix PH_, gap_, X_, PA_, next_;
  Eigen::LLT<Matrix> factor_;
};

// tr(P_0 U_0) + sum_t tr(E'P_{t+1} E U_v) at any number of tau.
class RiccatiCost {
 public:
  RiccatiCost(const EstimatedLoop& loop, const Gains& gains, const ConfidenceSet& set,
              const Matrix& U_0)
      : end_(loop.P),
        U_0_(U_0),
        noise_(loop.model.E * set.U_v * loop.model.E.transpose()),
        H_(loop.model.E * set.root),
        recursion_(H_) {
    for (Index t = 0; t < loop.T; ++t)
      terms_.push_back(terms_of(step_of(loop, gains[static_cast<size_t>(t)], t), set));
  }

  std::optional<double> at(double tau) {
    P_ = end_;
    double cost = 0;
    for (auto terms = terms_.rbegin(); terms != terms_.rend(); ++terms) {
      cost += P_.cwiseProduct(noise_).sum();
      if (!recursion_.step(*terms, tau, P_)) return std::nullopt;
    }
    cost += P_.cwiseProduct(U_0_).sum();
    return std::isfinite(cost) ? std::optional(cost) : std::nullopt;
  }

 private:
  const Matrix& end_;
  const Matrix& U_0_;
  Matrix noise_, H_, P_;
  std::vector<RiccatiTerms> terms_;
  RiccatiRecursion recursion_;
};

}  // namespace

std::optional<Matrix> riccati_step(const EstimatedLoop& loop, const LoopStep& step,
                                   const ConfidenceSet& set, const Matrix& P, double tau) {
  const Matrix H = loop.model.E * set.root;
  Matrix next = P;
  return RiccatiRecursion(H).step(terms_of(step, set), tau, next) ? std::optional(next)
                                                                  : std::nullopt;
}

std::optional<double> riccati_cost(const EstimatedLoop& loop, const Gains& gains,
                                   const ConfidenceSet& set, const Matrix& U_0, double tau) {
  return RiccatiCost(loop, gains, set, U_0).at(tau);
}

std::optional<double> best_multiplier(const std::function<std::optional<double>(double)>& value,
                                      double unit) {
  const auto at = [&](double log_tau) {
    return value(unit * std::exp2(log_tau)).value_or(INFINITY);
  };
  // Powers of two first: where the function is finite nobody knows.
  double best = INFINITY, where = 0;
  int worse = 0;
  for (int k = -2; k <= 60 && worse < 4; ++k) {
    const double here = at(k);
    worse = std::isfinite(best) && here >= best ? worse + 1 : 0;
    if (here < best) {
      best = here;
      where = k;
    }
  }
  if (!std::isfinite(best)) {  // between the powers, as between 1 and 2
    for (int k = -32; k <= 64; ++k)
      if (const double here = at(k / 16.0); here < best) {
        best = here;
        where = k / 16.0;
      }
    if (!std::isfinite(best)) return std::nullopt;
  }
  // The golden section of a convex function, also of one that is infinite on the left.
  const double golden = 0.5 * (std::sqrt(5.0) - 1);
  double low = where - 1, high = where + 1;
  double a = high - golden * (high - low), b = low + golden * (high - low);
  double at_a = at(a), at_b = at(b);
  while (high - low > 1e-4) {  // the value is flat there: 1e-8 of it at most
    if (at_a < at_b) {
      high = b;
      b = a;
      at_b = at_a;
      at_a = at(a = high - golden * (high - low));
    } else {
      low = a;
      a = b;
      at_a = at_b;
      at_b = at(b = low + golden * (high - low));
    }
    if (const double here = std::min(at_a, at_b); here < best) {
      best = here;
      where = at_a < at_b ? a : b;
    }
  }
  return unit * std::exp2(where);
}

std::optional<RiccatiBound> riccati_bound(const EstimatedLoop& loop, const Gains& gains,
                                          const ConfidenceSet& set, const Matrix& U_0) {
  // tau exceeds every H'P_t H, and these exceed those of the estimate.
  const Matrix H = loop.model.E * set.root;
  double unit = 0;
  const std::vector<Matrix> S = costs_to_go(loop, gains);
  for (size_t t = 1; t < S.size(); ++t)
    unit = std::max(unit, largest_eigenvalue(H.transpose() * S[t] * H));
  if (!(unit > 0) || !std::isfinite(unit)) return std::nullopt;
  RiccatiCost recursion(loop, gains, set, U_0);
  const auto cost = [&](double tau) { return recursion.at(tau); };
  const std::optional<double> tau = best_multiplier(cost, unit);
  if (!tau) return std::nullopt;
  return RiccatiBound{cost(*tau).value(), *tau};
}

}  // namespace loopcert

#include "certificate/bound.hpp"

#include <cmath>
#include <limits>

#include "certificate/enough_digits.hpp"
#include "certificate/framed_bound.hpp"
#include "core/parts.hpp"
#include "loopcert/core/error.hpp"
#include "response/causal_product.hpp"
#include "tails/quartic_parts.hpp"

namespace loopcert {
namespace {

// (rate + scale lambda^2 phi) / lambda at the given lambda.
Complexity fixed_lambda_complexity(double rate, const BoundInputs& inputs, double phi) {
  const double lambda = *inputs.lambda;
  Complexity c;
  c.lambda = c.d_phi = c.d_mean = lambda;
  c.d_rate = 1 / lambda;
  c.value = rate / lambda + lambda * inputs.scale * phi;
  return c;
}

}  // namespace

double weight_of(const BoundInputs& inputs) { return pac_bayes_weight(inputs.n, inputs.priors); }

double rate_of(const BoundInputs& inputs, double kl) {
  return pac_bayes_rate(kl, inputs.n, inputs.delta, inputs.priors);
}

Complexity complexity_of(const BoundInputs& inputs, double rate, double C, double mean_term) {
  const bool cross = inputs.psi == Psi::cross;
  if (!inputs.lambda && inputs.psi == Psi::rank_aware)
    return rank_aware_complexity(rate, inputs.scale * C, inputs.scale * mean_term, inputs.rank);
  const double phi = cross ? mean_term : C + mean_term;
  Complexity c = inputs.lambda ? fixed_lambda_complexity(rate, inputs, phi)
                               : quadratic_complexity(rate, inputs.scale * phi);
  if (cross) c.d_phi = 0;  // psi does not depend on C
  return c;
}

namespace {

// U = alpha Sigma + beta I up to rounding, as most envelopes make it, if there are such numbers.
// Off the diagonal only alpha counts, on it both.
struct Affine {
  double alpha = 0, beta = 0;
};
std::optional<Affine> affine_in(const Matrix& U, const Matrix& Sigma) {
  const Vector u = U.diagonal(), s = Sigma.diagonal();
  const double off = Sigma.squaredNorm() - s.squaredNorm();
  if (!(off > 1e-6 * Sigma.squaredNorm())) return std::nullopt;
  const double alpha = (U.cwiseProduct(Sigma).sum() - u.dot(s)) / off;
  const double beta = (u - alpha * s).mean();
  const double error = (U - alpha * Sigma - beta * Matrix::Identity(U.rows(), U.cols())).norm();
  if (!(error <= 1e-14 * U.norm())) return std::nullopt;
  return Affine{alpha, beta};
}

// Squares of these numbers may overflow. Eigen's stableNorm of an expression asserts by chance: its
// buffer is less aligned than it says where EIGEN_MAX_ALIGN_BYTES exceeds the processor's.
template <class Expression>
double norm_in_range(const Eigen::MatrixBase<Expression>& x) {
  const double top = x.cwiseAbs().maxCoeff();
  return top > 0 && std::isfinite(top) ? top * (x / top).norm() : top;
}

}  // namespace

// What rounding leaves in K = M'M, column by column of M = M_0 + S Z: an entry of K is off by
// epsilon v_j v_l, where v_j is the size of the terms that may cancel in column j. Diagonals keep
// units out of it.
Vector size_of_terms(const QuadraticForm& form, const Matrix& Z) {
  const Vector start = form.K_0.diagonal().cwiseMax(0.0).cwiseSqrt();
  return start + (form.P.diagonal().cwiseSqrt().asDiagonal() * Z).colwise().norm().transpose();
}

// The errors of the entries are independent.
double moved_by_rounding(const Vector& v, const Matrix& A, const Matrix& KA, const Matrix& B,
                         const Matrix& KB) {
  const auto moved = [&](const Matrix& one, const Matrix& other) {
    Vector w(v.size());
    for (Index j = 0; j < w.size(); ++j) w(j) = norm_in_range(v.cwiseProduct(one.col(j)));
    return norm_in_range(w.asDiagonal() * other * v.asDiagonal());
  };
  return &A == &B ? 2 * moved(A, KA) : moved(A, KB) + moved(B, KA);
}

// Lhat and K are what they are at the start plus a correction: from a start that costs far more,
// rounding leaves nothing of them. Nor are there digits among the smallest of all numbers.
void require_digits(const QuadraticForm& form, const BoundInputs& inputs, const BoundValue& bound,
                    const Vector& v, double moved) {
  require_digits(form, bound, v.cwiseAbs2().dot(inputs.Sigma_hat.diagonal()) + moved);
}

void require_digits(const QuadraticForm& form, const BoundValue& bound, double size) {
  const double epsilon = 10 * std::numeric_limits<double>::epsilon();
  if (!(epsilon * size <= 1e-9 * bound.value) || (bound.complexity.d_phi > 0 && bound.C < 1e-280))
    throw NumericsError(
        "the bound is lost in rounding: another response.start, or other units, may help");
  if (!(form.error <= 1e-9))
    throw NumericsError(
        "the bound is lost in rounding: the inputs have a very large effect, try response.basis = "
        "\"input\"");
}

// What one bound needs, and the workspace of its evaluation.
struct BoundEvaluator::Parts {
  Parts(const QuadraticForm& form, const BoundInputs& inputs, Team& shared)
      : team(shared), quartic(form), U(quartic, inputs.U, team), UU(U, U) {
    constant = form.K_0.cwiseProduct(inputs.Sigma_hat).sum();
    multiply(form.N_0, inputs.Sigma_hat, N_Sigma, team);
    affine = affine_in(inputs.U, inputs.Sigma_hat);
    if (inputs.B.size() == 0) return;
    B.emplace(quartic, inputs.B, team);
    UB.emplace(U, *B);
  }

  Team& team;
  QuarticSpace quartic;
  QuarticPoint point;
  QuarticSide U;
  QuarticPair UU;
  std::optional<QuarticSide> B;
  std::optional<QuarticPair> UB;
  double constant = 0;           // <K_0, Sigma_hat>
  Matrix N_Sigma;                // N_0 Sigma_hat
  Matrix Z_Sigma, H_Sigma;       // Z Sigma_hat, H Sigma_hat
  std::optional<Affine> affine;  // of U in Sigma_hat
  Matrix slope, mean_slope, mean_term_slope;
};

BoundEvaluator::BoundEvaluator(const QuadraticForm& form, const BoundInputs& inputs,
                               const Prior& prior, Team& team)
    : form_(form),
      inputs_(inputs),
      prior_(prior),
      parts_(std::make_unique<Parts>(form, inputs, team)) {}

BoundEvaluator::~BoundEvaluator() = default;

// H Sigma_hat, and Z U and H U: without further products when U = alpha Sigma_hat + beta I.
double BoundEvaluator::empirical_cost(const Posterior& posterior) {
  Parts& at = *parts_;
  const Matrix& Z = posterior.mean;
  const CausalPattern& pattern = form_.pattern;
  multiply(pattern, causal(Z), full(inputs_.Sigma_hat), at.Z_Sigma, at.team);
  if (at.affine) {
    multiply(pattern, full(form_.P), full(at.Z_Sigma), at.H_Sigma, at.team);
    at.U.ZA.resize(Z.rows(), Z.cols());
    at.U.HA.resize(Z.rows(), Z.cols());
  } else {
    multiply_to_causal(pattern, full(form_.P), full(at.Z_Sigma), at.H_Sigma, at.team);
    project_causal(pattern, at.H_Sigma);
    apply_mean(at.quartic, at.point, at.U, at.team);
  }
  const double linear = sum_parts(at.team, by_columns(Z), [&](const Part& columns) {
    auto H_Sigma = entries(at.H_Sigma, columns);
    H_Sigma += entries(at.N_Sigma, columns);
    if (at.affine) {
      const auto [alpha, beta] = *at.affine;
      entries(at.U.ZA, columns) = alpha * entries(at.Z_Sigma, columns) + beta * entries(Z, columns);
      entries(at.U.HA, columns) = alpha * H_Sigma + beta * entries(at.point.H, columns);
    }
    return (entries(Z, columns) * (entries(at.N_Sigma, columns) + H_Sigma)).sum();
  });
  return at.constant + linear;  // <K_0, Sigma> + <Z, (N_0 + H) Sigma>
}

void BoundEvaluator::require_digits(const BoundValue& bound) const {
  const Parts& at = *parts_;
  const Complexity& c = bound.complexity;
  const Vector v = size_of_terms(form_, at.point.posterior->mean);
  double moved = inputs_.scale * c.d_phi * moved_by_rounding(v, at.U.A, at.U.KA, at.U.A, at.U.KA);
  if (at.B)
    moved +=
        2 * inputs_.scale * c.d_mean * moved_by_rounding(v, at.U.A, at.U.KA, at.B->A, at.B->KA);
  loopcert::require_digits(form_, inputs_, bound, v, moved);
}

BoundValue BoundEvaluator::evaluate(const Posterior& posterior, MomentGradient* gradient) {
  return evaluate_with(posterior, gradient, nullptr);
}

BoundValue BoundEvaluator::evaluate(const Posterior& posterior, MomentGradient* gradient,
                                    const GivenKl& kl) {
  return evaluate_with(posterior, gradient, &kl);
}

BoundValue BoundEvaluator::evaluate_with(const Posterior& posterior, MomentGradient* gradient,
                                         const GivenKl* given) {
  Parts& at = *parts_;
  set_point(at.quartic, posterior, at.point, at.team);
  BoundValue bound;
  bound.empirical = empirical_cost(posterior);
  finish_side(at.quartic, at.point, at.U, at.team);
  Matrix& slope = gradient ? gradient->d_variance : at.slope;
  bound.C = value_and_slope(at.quartic, at.point, at.UU, slope, at.team);
  if (at.B) {
    apply_mean(at.quartic, at.point, *at.B, at.team);
    finish_side(at.quartic, at.point, *at.B, at.team);
    bound.mean_term =
        2 * value_and_slope(at.quartic, at.point, *at.UB, at.mean_term_slope, at.team);
  }
  bound.kl = given ? given->value
                   : sum_parts(at.team, by_columns(posterior.mean), [&](const Part& columns) {
                       return kl_divergence(posterior, prior_, form_.pattern, columns.first,
                                            columns.count);
                     });
  const double rate = rate_of(inputs_, bound.kl);
  bound.complexity = complexity_of(inputs_, rate, bound.C, bound.mean_term);
  const Vector& a = at.point.a;
  bound.spread = inputs_.spread.dot(a);
  double norm = 0;  // ||(a_j z_j)||
  if (inputs_.mean_radius > 0) norm = a.cwiseProduct(inputs_.mean_hat).norm();
  bound.mean_event = 2 * inputs_.mean_radius * norm;
  bound.value = bound.empirical + bound.spread + bound.mean_event + bound.complexity.value;
  if (!std::isfinite(bound.value))
    throw NumericsError("the bound is too large for double precision: use other units");
  require_digits(bound);
  if (gradient) add_up_slopes(posterior, bound, norm, given, *gradient);
  return bound;
}

// Envelope theorem: d bound = dLhat + d_phi dC + d_mean dmean + d_rate drate + …
void BoundEvaluator::add_up_slopes(const Posterior& posterior, const BoundValue& bound, double norm,
                                   const GivenKl* given, MomentGradient& gradient) {
  Parts& at = *parts_;
  const CausalPattern& pattern = form_.pattern;
  const double per_C = bound.complexity.d_phi * inputs_.scale;
  const double per_mean = 2 * bound.complexity.d_mean * inputs_.scale;
  const double per_kl = bound.complexity.d_rate / weight_of(inputs_);
  const double inverse = 1 / (prior_.scale * prior_.scale);
  Vector per_a = inputs_.spread;
  if (norm > 0)
    per_a +=
        (2 * inputs_.mean_radius / norm) * at.point.a.cwiseProduct(inputs_.mean_hat.cwiseAbs2());

  const double C_factor = per_C * mean_slope(at.quartic, at.point, at.UU, gradient.d_mean, at.team);
  double mean_factor = 0;
  if (at.B)
    mean_factor = per_mean * mean_slope(at.quartic, at.point, *at.UB, at.mean_slope, at.team);
  for_parts(at.team, by_columns(posterior.mean), [&](const Part& columns) {
    for (Index j = columns.first; j < columns.first + columns.count; ++j) {
      const Index rows = pattern.rows(), first = std::min(pattern.first_row(j), rows);
      const Index free = rows - first;
      gradient.d_mean.col(j).head(first).setZero();  // d_variance is zero there already
      if (free == 0) continue;
      const auto tail = [&](const Matrix& A) { return A.col(j).tail(free).array(); };
      auto d_mean = gradient.d_mean.col(j).tail(free).array();
      auto d_variance = gradient.d_variance.col(j).tail(free).array();
      d_mean = C_factor * d_mean + 2 * tail(at.H_Sigma);
      d_variance = per_C * d_variance + per_a(j) * at.quartic.diag_P.tail(free).array();
      if (given) {
        d_variance += (0.5 * per_kl) * (tail(*given->weights) - tail(posterior.variance).inverse());
      } else {
        d_mean += (per_kl * inverse) * (tail(posterior.mean) - tail(prior_.center));
        d_variance += (0.5 * per_kl) * (inverse - tail(posterior.variance).inverse());
      }
      if (!at.B) continue;
      d_mean += mean_factor * tail(at.mean_slope);
      d_variance += per_mean * tail(at.mean_term_slope);
    }
  });
}

std::unique_ptr<BoundEvaluation> make_evaluation(const QuadraticForm& form,
                                                 const BoundInputs& inputs, const Prior& prior,
                                                 Team& team, const SharedFrame& frame) {
  if (!frame && !prior.shape) return std::make_unique<BoundEvaluator>(form, inputs, prior, team);
  return make_framed_evaluation(form, inputs, prior, team, frame);
}

BoundValue evaluate_bound(const QuadraticForm& form, const BoundInputs& inputs, const Prior& prior,
                          const Posterior& posterior, MomentGradient* gradient) {
  Team team(1);
  return make_evaluation(form, inputs, prior, team, posterior.frame)->evaluate(posterior, gradient);
}

}  // namespace loopcert

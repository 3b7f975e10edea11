#include "learning/families.hpp"

#include <Eigen/Eigenvalues>
#include <algorithm>

#include "core/find_named.hpp"
#include "core/linalg.hpp"
#include "families_list.hpp"

namespace loopcert {

namespace {

PosteriorFamily named(std::string name, PosteriorFamily family) {
  family.name = std::move(name);
  return family;
}

}  // namespace

const std::vector<PosteriorFamily>& posterior_families() {
  static const std::vector<PosteriorFamily> all = {
#define ADD(name, maker) named(name, maker()),
#include "problem/posterior_families.inc"
  };
  return all;
}

const PosteriorFamily& posterior_family(const std::string& name, const std::string& place) {
  return find_named(posterior_families(), name, place);
}

PacBayesResult minimize_in_family(const PosteriorFamily& family, const QuadraticForm& form,
                                  const BoundInputs& inputs, const Prior& prior,
                                  const PacBayesOptions& options, PacBayesResult diagonal) {
  if (diagonal.status == SolverStatus::interrupted) return diagonal;
  PacBayesResult result = family.minimize(form, inputs, prior, options, diagonal);
  if (result.bound.value <= diagonal.bound.value) return result;
  diagonal.iterations = result.iterations;
  diagonal.evaluations = result.evaluations;
  return diagonal;
}

PacBayesResult minimize_in_frame(const QuadraticForm& form, const BoundInputs& inputs,
                                 const Prior& prior, PacBayesOptions options,
                                 const SharedFrame& frame, const PacBayesResult& before) {
  options.frame = frame;
  const Posterior start = seen_in(frame, before.posterior, form.pattern);
  PacBayesResult result = minimize_bound(form, inputs, prior, options, &start);
  result.iterations += before.iterations;
  result.evaluations += before.evaluations;
  return result;
}

PacBayesResult improve_frame(const QuadraticForm& form, const BoundInputs& inputs,
                             const Prior& prior, const PacBayesOptions& options,
                             const FrameFrom& better, PacBayesResult result) {
  constexpr int rounds = 4;
  const std::unique_ptr<Backend> own = options.backend ? nullptr : cpu_backend(1);
  Backend& backend = options.backend ? *options.backend : *own;
  for (int round = 0; round < rounds; ++round) {
    const std::unique_ptr<HeldBound> held =
        backend.hold(form, inputs, prior, result.posterior.frame);
    PacBayesOptions inside = options;
    Posterior start = result.posterior;
    start.frame = inside.frame = better(held->stationary_precision(start), start.variance);
    PacBayesResult next = minimize_bound(form, inputs, prior, inside, &start);
    next.iterations += result.iterations;
    next.evaluations += result.evaluations;
    const double before = result.bound.value;
    if (!(next.bound.value < before)) break;
    result = std::move(next);
    if (result.status == SolverStatus::interrupted || result.bound.value > before * (1 - 1e-5))
      break;
  }
  return result;
}

// Variances along the frame's vectors b are 1 / <b^-1, precision b^-1>: of a diagonal posterior in
// an orthonormal frame 1 / (F'diag(1/V)F)_ii.
Posterior seen_in(const SharedFrame& frame, const Posterior& posterior,
                  const CausalPattern& pattern) {
  Posterior seen{posterior.mean, posterior.variance, frame};
  if (!frame || frame->turns.empty()) return seen;
  for (Index j = 0; j < pattern.cols(); ++j) {
    const Index free = pattern.rows() - std::min(pattern.first_row(j), pattern.rows());
    if (free == 0) continue;
    const Matrix F = turn_of_column(*frame, j);
    const double mixed = frame->mix.size() > 0 ? frame->mix.row(j).squaredNorm() : 1;
    const Vector precision = posterior.variance.col(j).tail(free).cwiseInverse();
    seen.variance.col(j).tail(free) =
        (mixed * (F.cwiseAbs2().transpose() * precision)).cwiseInverse();
  }
  return seen;
}

SharedFrame rotated_frame(const QuadraticForm& form) {
  const CausalPattern& pattern = form.pattern;
  Frame frame{pattern, {}, {}, {}, {}};
  Index last = -1;
  for (Index j = 0; j < pattern.cols(); ++j) {
    const Index first = std::min(pattern.first_row(j), pattern.rows());
    const Index free = pattern.rows() - first;
    if (frame.turns.empty() || (first != last && free > 0)) {
      Matrix turn = Matrix::Identity(pattern.rows(), pattern.rows());
      if (free > 0) {
        const Eigen::SelfAdjointEigenSolver<Matrix> eigen(form.P.bottomRightCorner(free, free));
        turn.bottomRightCorner(free, free) = eigen.eigenvectors();
      }
      frame.turns.push_back(std::move(turn));
      last = first;
    }
    frame.turn_of.push_back(static_cast<Index>(frame.turns.size()) - 1);
  }
  return std::make_shared<const Frame>(std::move(frame));
}

SharedFrame kronecker_frame(const QuadraticForm& form, double kappa, const Matrix& Gamma) {
  const Index d_u = form.pattern.rows();
  const Matrix I = Matrix::Identity(d_u, d_u);
  const Matrix R = upper_cholesky(form.P + kappa * I);  // = R R', C = R^-T
  Frame frame{
      form.pattern, {I}, std::vector<Index>(static_cast<size_t>(form.pattern.cols()), 0), {}, {}};
  R.transpose().triangularView<Eigen::Lower>().solveInPlace(frame.turns[0]);
  frame.turns[0].triangularView<Eigen::StrictlyUpper>().setZero();
  if (Gamma.size() == 0) return std::make_shared<const Frame>(std::move(frame));
  frame.mix = Matrix::Identity(Gamma.rows(), Gamma.cols());
  const Matrix G = lower_cholesky_or_empty(Gamma, 0.0);  // = G G', L = G^-1
  if (G.size() > 0) G.triangularView<Eigen::Lower>().solveInPlace(frame.mix);
  return std::make_shared<const Frame>(std::move(frame));
}

}  // namespace loopcert

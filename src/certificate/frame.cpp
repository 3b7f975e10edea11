#include "certificate/frame.hpp"

#include <fmt/format.h>

#include <Eigen/LU>
#include <algorithm>
#include <cmath>

#include "core/check.hpp"
#include "loopcert/core/error.hpp"

namespace loopcert {
namespace {

Index first_free(const CausalPattern& pattern, Index column) {
  return std::min(pattern.first_row(column), pattern.rows());
}

// log |det A|; -inf for a singular one.
double log_abs_determinant(const Matrix& A) {
  if (A.size() == 0) return 0;
  const Eigen::PartialPivLU<Matrix> lu(A);
  return lu.matrixLU().diagonal().array().abs().log().sum();
}

void check_regular(const std::string& name, const Matrix& A) {
  if (!std::isfinite(log_abs_determinant(A)))
    throw_input_error(name, "a singular matrix", "an invertible one");
}

void check_turns(const Frame& frame) {
  const CausalPattern& pattern = frame.pattern;
  if (static_cast<Index>(frame.turn_of.size()) != pattern.cols())
    throw_input_error("posterior.turn_of", fmt::format("{} entries", frame.turn_of.size()),
                      fmt::format("{}", pattern.cols()));
  for (const Matrix& turn : frame.turns) {
    check_size("posterior.turn", turn, pattern.rows(), pattern.rows());
    check_finite("posterior.turn", turn);
  }
  for (Index j = 0; j < pattern.cols(); ++j) {
    const Index k = frame.turn_of[static_cast<size_t>(j)];
    if (k < 0 || k >= static_cast<Index>(frame.turns.size()))
      throw_input_error("posterior.turn_of", fmt::format("{}", k),
                        fmt::format("0 to {}", frame.turns.size() - 1));
    check_regular(fmt::format("posterior.turn of column {}", j), turn_of_column(frame, j));
  }
}

void check_mix(const Frame& frame) {
  const CausalPattern& pattern = frame.pattern;
  const Matrix& L = frame.mix;
  check_size("posterior.mix", L, pattern.cols(), pattern.cols());
  check_finite("posterior.mix", L);
  if (pattern.constant)
    throw_input_error("posterior.mix", "a matrix",
                      "nothing where responses have a constant column");
  if (!Matrix(L.triangularView<Eigen::StrictlyUpper>()).isZero(0.0))
    throw_input_error("posterior.mix", "an entry above the diagonal", "a lower triangular matrix");
  if (!(L.diagonal().minCoeff() > 0))
    throw_input_error("posterior.mix", "a diagonal entry that is not positive", "positive ones");
}

}  // namespace

bool Frame::is_kronecker() const {
  return turns.size() == 1 && !is_full() &&
         Matrix(turns[0].triangularView<Eigen::StrictlyUpper>()).isZero(0.0);
}

void check_frame(const Frame& frame) {
  const CausalPattern& pattern = frame.pattern;
  if (frame.is_full()) {
    if (!frame.turns.empty() || frame.mix.size() > 0)
      throw_input_error("posterior.full", "beside turn or mix", "one of them");
    if (pattern.constant)
      throw_input_error("posterior.full", "a matrix",
                        "nothing where responses have a constant column");
    const Index p = pattern.count();
    if (p > largest_full_p)
      throw_input_error("posterior.full", fmt::format("p = {}", p),
                        fmt::format("at most {}: it needs p x p matrices", largest_full_p));
    check_size("posterior.full", frame.full, p, p);
    check_finite("posterior.full", frame.full);
    return check_regular("posterior.full", frame.full);
  }
  if (frame.turns.empty() && frame.mix.size() == 0)
    throw_input_error("posterior.frame", "nothing", "turn, mix or full");
  if (!frame.turns.empty()) check_turns(frame);
  if (frame.mix.size() > 0) check_mix(frame);
}

Matrix turn_of_column(const Frame& frame, Index column) {
  const CausalPattern& pattern = frame.pattern;
  const Index free = pattern.rows() - first_free(pattern, column);
  if (frame.turns.empty()) return Matrix::Identity(free, free);
  const auto k = static_cast<size_t>(frame.turn_of[static_cast<size_t>(column)]);
  return frame.turns[k].bottomRightCorner(free, free);
}

Matrix apply_frame(const Frame& frame, const Matrix& xi) {
  const CausalPattern& pattern = frame.pattern;
  if (frame.is_full()) return unpack(pattern, frame.full * pack(pattern, xi));
  Matrix E = xi;
  for (Index j = 0; j < pattern.cols() && !frame.turns.empty(); ++j) {
    const Index free = pattern.rows() - first_free(pattern, j);
    if (free > 0) E.col(j).tail(free) = turn_of_column(frame, j) * Vector(xi.col(j).tail(free));
  }
  if (frame.mix.size() > 0) E = (E * frame.mix).eval();
  return E;
}

double log_determinant(const Frame& frame) {
  const CausalPattern& pattern = frame.pattern;
  if (frame.is_full()) return log_abs_determinant(frame.full);
  double sum = 0;
  for (Index j = 0; j < pattern.cols(); ++j) {
    const Index free = pattern.rows() - first_free(pattern, j);
    if (free == 0) continue;
    if (!frame.turns.empty()) sum += log_abs_determinant(turn_of_column(frame, j));
    if (frame.mix.size() > 0) sum += static_cast<double>(free) * std::log(frame.mix(j, j));
  }
  return sum;
}

Matrix frame_matrix(const Frame& frame) {
  const CausalPattern& pattern = frame.pattern;
  const Index p = pattern.count();
  if (frame.is_full()) return frame.full;
  Matrix whole(p, p);
  for (Index k = 0; k < p; ++k)
    whole.col(k) = pack(pattern, apply_frame(frame, unpack(pattern, Vector::Unit(p, k))));
  return whole;
}

}  // namespace loopcert

#include "clipper.hpp"

#include <cmath>
#include <limits>

#include "controller/input_limits.hpp"
#include "loopcert/core/error.hpp"

namespace loopcert {

Matrix clip_of(const std::optional<Limits>& limits, const Controller& controller) {
  Matrix clip = limits ? input_limits(*limits, controller.sizes) : Matrix();
  if (!has_input_limits(clip)) clip = controller.input_limits;
  if (!has_input_limits(clip))
    throw_input_error("clip", "no limits on inputs",
                      "limits.u of the problem or input_limits of the controller");
  return clip;
}

Clipper::Clipper(const SimulationOptions& options, Index m, Index n_u, Index T)
    : clip_(options.clip), replies_(options.replies), counts_(Matrix::Zero(m, n_u)) {
  if (replies_.size() > 0) changes_ = Matrix::Zero(m, T * n_u);
}

void Clipper::step(Index t, Matrix& U) {
  const Index n_u = counts_.cols(), first = t * n_u;
  auto u = U.middleCols(first, n_u);
  if (replies_.size() > 0)
    u.noalias() += changes_.leftCols(first) * replies_.block(first, 0, n_u, first).transpose();
  if (replies_.size() > 0) changes_.middleCols(first, n_u) = -u;
  for (Index i = 0; i < n_u; ++i)
    for (Index row = 0; row < u.rows(); ++row) {
      // NaN is neither below nor above.
      if (u(row, i) < clip_(i, 0))
        u(row, i) = clip_(i, 0);
      else if (u(row, i) > clip_(i, 1))
        u(row, i) = clip_(i, 1);
      else
        continue;
      ++counts_(row, i);
    }
  if (replies_.size() > 0) changes_.middleCols(first, n_u) += u;
}

Matrix count_violations(const Limits& limits, const Sizes& s, const Matrix& X, const Matrix& U) {
  // An input that was clipped to a limit does not violate it when its product with the row is
  // rounded.
  constexpr double rounding = 4 * std::numeric_limits<double>::epsilon();
  Matrix counts = Matrix::Zero(X.rows(), static_cast<Index>(limits.rows.size()));
  for (size_t r = 0; r < limits.rows.size(); ++r) {
    const LimitRow& row = limits.rows[r];
    const double low = std::isfinite(row.low) ? row.low - rounding * std::abs(row.low) : row.low;
    const double high =
        std::isfinite(row.high) ? row.high + rounding * std::abs(row.high) : row.high;
    for (Index t = row.first; t <= row.last; ++t) {
      Vector value = X.middleCols(t * s.n_x, s.n_x) * row.x;
      if (!row.u.isZero(0.0)) value += U.middleCols(t * s.n_u, s.n_u) * row.u;
      counts.col(static_cast<Index>(r)).array() +=
          1 - (value.array() >= low && value.array() <= high).cast<double>();  // NaN violates
    }
  }
  return counts;
}

}  // namespace loopcert

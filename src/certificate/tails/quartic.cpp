#include "certificate/quartic.hpp"

#include <optional>

#include "tails/quartic_parts.hpp"

namespace loopcert {

double quartic_moment(const QuadraticForm& form, const Posterior& posterior, const MatrixView& A,
                      const MatrixView& B, MomentGradient* gradient) {
  Team team(1);
  const QuarticSpace quartic(form);
  QuarticPoint point;
  set_point(quartic, posterior, point, team);
  const auto at_point = [&](QuarticSide& side) {
    apply_mean(quartic, point, side, team);
    finish_side(quartic, point, side, team);
  };
  const Matrix A_copy = A;
  QuarticSide left(quartic, A_copy, team);
  at_point(left);
  Matrix B_copy;
  std::optional<QuarticSide> right;  // unless B is A
  if (A.data() != B.data()) {
    B_copy = B;
    right.emplace(quartic, B_copy, team);
    at_point(*right);
  }
  QuarticPair pair(left, right ? *right : left);
  Matrix slope;
  const double value = value_and_slope(quartic, point, pair, slope, team);
  if (!gradient) return value;
  gradient->d_variance = slope;
  const double factor = mean_slope(quartic, point, pair, slope, team);
  gradient->d_mean = factor * slope;
  project_causal(form.pattern, gradient->d_mean);
  return value;
}

}  // namespace loopcert

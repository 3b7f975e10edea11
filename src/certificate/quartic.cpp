#include "loopcert/certificate/quartic.hpp"

#include "quartic_parts.hpp"

namespace loopcert {

double quartic_moment(const ResponseSpace& space, const Posterior& posterior, const MatrixView& A,
                      const MatrixView& B, MomentGradient* gradient) {
  Team team(1);
  const QuarticSpace quartic(space);
  QuarticPoint point;
  set_point(quartic, posterior, point, team);
  const Matrix A_copy = A, B_copy = B;
  const bool same = A.data() == B.data();
  QuarticSide left(quartic, A_copy, team), right(quartic, B_copy, team);
  for (QuarticSide* side : {&left, &right}) {
    apply_mean(quartic, point, *side, team);
    finish_side(quartic, point, *side, team);
  }
  QuarticPair pair(left, same ? left : right);
  Matrix slope;
  const double value = value_and_slope(quartic, point, pair, slope, team);
  if (!gradient) return value;
  gradient->d_variance = slope;
  const double factor = mean_slope(quartic, point, pair, slope, team);
  gradient->d_mean = factor * slope;
  project_causal(space.pattern, gradient->d_mean);
  return value;
}

}  // namespace loopcert

// L(controller) - L(baseline), Gaussian, zero mean, ||Sigma_w|| <= scale_bound: the exact cumulant
// of the indefinite form under scale I.
#include <Eigen/Eigenvalues>
#include <cmath>

#include "certificate/cumulant.hpp"
#include "certificate/premises.hpp"
#include "data/moments.hpp"
#include "kinds/fixed_difference.hpp"

namespace loopcert {
namespace {

std::optional<Missing> improvement_scale_needs(const Premises& premises) {
  const std::string kind = "improvement-scale";
  return first_missing({missing_gaussian(premises, kind), missing_zero_mean(premises, kind),
                        missing_scale_bound(premises, kind), missing_data(premises, kind)});
}

// d = w'Dw + 2 g'w + constant; e the eigenvalues of scale D, g_j along their eigenvectors:
//   Lambda(lambda) <= sum_j f(lambda e_j) + 2 lambda^2 scale g_j^2 / (1 + 2 lambda e_j),
// finite for lambda < 1/(2 |e_min|).
Complexity margin_of(const MatrixView& D, double scale, double rate) {
  const Index d_w = D.rows() - 1;
  const Eigen::SelfAdjointEigenSolver<Matrix> eigen(Matrix(scale * D.bottomRightCorner(d_w, d_w)));
  const Vector e = eigen.eigenvalues();
  const Vector g = eigen.eigenvectors().transpose() * D.col(0).tail(d_w);
  const double end = e.minCoeff() < 0 ? 1 / (2 * -e.minCoeff()) : INFINITY;
  const auto psi = [&](double lambda) {
    double sum = 0;
    for (Index j = 0; j < d_w; ++j) {
      const double x = lambda * e(j);
      if (!(1 + 2 * x > 0)) return static_cast<double>(INFINITY);
      sum += chernoff_f(x) + 2 * lambda * lambda * scale * g(j) * g(j) / (1 + 2 * x);
    }
    return sum;
  };
  return general_complexity(rate, psi, end);
}

Certificate improvement_scale(const FixedSetting& setting) {
  require_granted(improvement_scale_needs(premises_of(setting)));
  require_granted(missing_baseline(setting, "improvement-scale"));
  const double scale = *setting.assumptions.scale_bound;
  const Matrix D = difference_form(setting);
  const double rate =
      std::log(1 / setting.delta.at("chernoff")) / static_cast<double>(setting.evidence.n);
  const Complexity margin = margin_of(D, scale, rate);
  const double empirical = D.cwiseProduct(moment_matrix(setting.evidence.moments, true)).sum();
  Certificate c = difference_certificate(setting, "improvement-scale",
                                         {fixed_event(setting, "chernoff", "chernoff-difference")},
                                         gaussian_law(false));
  c.lambda = margin.lambda;
  c.assumptions.push_back({"zero-mean"});
  c.assumptions.push_back(scale_bound(scale));
  finish_difference(c, setting, empirical, empirical + margin.value);
  return c;
}

}  // namespace

FixedResponseKind improvement_scale_kind() {
  return {"improvement-scale",
          "cost minus a baseline's: Gaussian, zero mean, ||Sigma_w|| <= scale_bound",
          {"chernoff"},
          improvement_scale_needs,
          improvement_scale,
          true};
}

}  // namespace loopcert

// The covariance against `scale_bound` (Sigma_w <= s I) and `covariance_bound` (Sigma_w <= B). All
// around the sample mean, so that a mean which is not zero does not matter: m = n - 1 degrees of
// freedom.
#include <fmt/format.h>

#include <Eigen/Eigenvalues>
#include <cmath>

#include "core/linalg.hpp"
#include "inspect_common.hpp"

namespace loopcert {
namespace {

// Of centred rows x with covariance <= I, if the assumption holds.
struct UnitBound {
  double lambda = 0;         // largest eigenvalue of S = x'x/m
  double low = 0, high = 0;  // each wrong with probability at most 1 %, for Gaussian rows
  double p = 1;
};

UnitBound test_unit_bound(const Matrix& x) {
  const auto m = static_cast<double>(x.rows() - 1), d = static_cast<double>(x.cols());
  const Matrix gram = x.rows() < x.cols() ? Matrix(x * x.transpose()) : Matrix(x.transpose() * x);
  UnitBound result;
  result.lambda = Eigen::SelfAdjointEigenSolver<Matrix>(gram / m, Eigen::EigenvaluesOnly)
                      .eigenvalues()
                      .maxCoeff();
  // m tr(S) is stochastically below chi^2 with m d degrees of freedom, each m S_jj below chi^2_m,
  // and P(sqrt(lambda) > 1 + sqrt(d/m) + t) <= exp(-m t^2/2).
  const double trace = chi_squared_upper(x.squaredNorm(), m * d);
  const double coordinate =
      corrected(chi_squared_upper(x.colwise().squaredNorm().maxCoeff(), m), d);
  const double edge = 1 + std::sqrt(d / m);
  const double t = std::max(0.0, std::sqrt(result.lambda) - edge);
  result.p = corrected(std::min({trace, coordinate, std::exp(-m * t * t / 2)}), 3);
  // The same tail turned round; and m v'Sv / lambda(Sigma) ~ chi^2_m along the top direction v.
  result.low = result.lambda / std::pow(edge + std::sqrt(2 * std::log(100.0) / m), 2);
  result.high = m * result.lambda / chi_squared_quantile(0.01, m);
  return result;
}

Matrix centred(const PreparedData& data) { return data.w.rowwise() - data.mean.transpose(); }

void judge_bound(Check& check, const PreparedData& data, const UnitBound& test,
                 const std::string& key, const std::string& unit) {
  check.p_value = test.p;
  check.numbers = {{"largest sample eigenvalue" + unit, test.lambda},
                   {"true one at least", test.low},
                   {"true one at most", test.high}};
  check.verdict = judge(test.p, true);
  const bool gaussian = data.problem.disturbance.model == "gaussian";
  if (!gaussian && check.verdict == Verdict::contradicted) check.verdict = Verdict::doubtful;
  check.meaning = fmt::format(
      "The largest eigenvalue of the sample covariance is {} times the bound; for Gaussian data "
      "the true one is between {} and {} times the bound (each end at 99 %).",
      small(test.lambda), small(test.low), small(test.high));
  if (!gaussian) check.meaning += " The test assumes Gaussian data, which this problem does not.";
  if (check.verdict != Verdict::ok)
    check.advice = "The data vary more than `" + key + "` allows: raise it.";
  else if (test.high < 0.5)
    check.advice = fmt::format(
        "The bound looks at least {} times too large, which makes certificates larger: lower `{}` "
        "if you can justify a smaller value.",
        small(1 / test.high), key);
}

bool too_large(const PreparedData& data) {
  return std::min(data.n(), data.d()) > data.effort.eigenvalues;
}

}  // namespace

Check inspect_scale_bound(const PreparedData& data) {
  const std::optional<double>& bound = data.problem.disturbance.scale_bound;
  Check check;
  check.name = "scale bound";
  check.assumption = bound ? "scale_bound = " + small(*bound) : "no bound on the covariance";
  if (data.n() < 3 || too_large(data)) {
    if (!bound) check.verdict = Verdict::not_assumed;
    check.meaning = "Too few trajectories, or too large a problem, to test the eigenvalues.";
    return check;
  }
  if (bound) {
    judge_bound(check, data, test_unit_bound(centred(data) / std::sqrt(*bound)), "scale_bound",
                " over the bound");
    return check;
  }
  const UnitBound test = test_unit_bound(centred(data));
  check.verdict = Verdict::not_assumed;
  check.numbers = {{"largest sample eigenvalue", test.lambda},
                   {"true one at least", test.low},
                   {"true one at most", test.high}};
  check.meaning = fmt::format(
      "The largest eigenvalue of the sample covariance is {}; for Gaussian data the true one is "
      "between {} and {} (each end at 99 %).",
      small(test.lambda), small(test.low), small(test.high));
  check.advice =
      "A `scale_bound` that you can justify without these data allows the data-driven "
      "certificates.";
  return check;
}

Check inspect_covariance_bound(const PreparedData& data) {
  const std::optional<Matrix>& bound = data.problem.disturbance.covariance_bound;
  Check check;
  check.name = "covariance bound";
  check.assumption = bound ? "covariance_bound given" : "no matrix bound on the covariance";
  if (!bound) {
    check.verdict = Verdict::not_assumed;
    check.meaning = "The problem file states no matrix that bounds the covariance.";
    return check;
  }
  if (data.n() < 3 || data.d() > data.effort.eigenvalues) {
    check.meaning = "Too few trajectories, or too large a problem, to test the eigenvalues.";
    return check;
  }
  // In units of the bound, so that no small entry is lost beside a large one; where it allows no
  // variance at all, in units of the data.
  Vector unit = bound->diagonal().cwiseSqrt();
  for (Index j = 0; j < unit.size(); ++j) {
    if (!(unit(j) > 0)) unit(j) = data.w.col(j).norm();
    if (!(unit(j) > 0)) unit(j) = 1;
  }
  const Matrix x = centred(data) * unit.cwiseInverse().asDiagonal();
  const Matrix W = psd_factor(with_unit_diagonal(*bound));  // B = W W', orthogonal columns
  const Matrix y = x * W * W.colwise().squaredNorm().cwiseInverse().asDiagonal();
  if ((x - y * W.transpose()).norm() > 1e-6 * x.norm()) {
    check.verdict = Verdict::contradicted;
    check.p_value = 0;
    check.meaning = "The data vary in a direction in which the bound allows no variance at all.";
    check.advice = "Make `covariance_bound` positive in every direction that can vary.";
    return check;
  }
  judge_bound(check, data, test_unit_bound(y), "covariance_bound", " relative to the bound");
  return check;
}

}  // namespace loopcert

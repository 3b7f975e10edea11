// The ways a certificate of measured costs comes about: a response runs on the plant, and all that
// the certificate sees are the costs of its episodes, or which of them broke a limit. Comparisons
// are with LQR: in pairs on the same disturbances, otherwise each on half of them.
#include "coverage_measured.hpp"

#include <Eigen/Eigenvalues>
#include <algorithm>

#include "certificate/largest_cost.hpp"
#include "coverage_fixture.hpp"
#include "loopcert/core/error.hpp"
#include "measurement/logged_episodes.hpp"
#include "measurement/measured_kind.hpp"
#include "response/lqr.hpp"
#include "risk/risk.hpp"
#include "true_violation.hpp"

namespace loopcert {
namespace {

using Trial = std::function<CoverageTrial(const Disturbances&)>;

const std::string measured_count = "measured-count";

// States and inputs as a plant would log them.
Rollouts episodes_of(const Response& r, const MatrixView& w) {
  return {(w * r.Phi_x.transpose()).rowwise() + r.phi_x.transpose(),
          (w * r.Phi_u.transpose()).rowwise() + r.phi_u.transpose()};
}

double true_cost(const CoverageFixture& f, const Response& response) {
  return response_risk(f.deployed_system(), f.deployed(response), f.moments);
}

Trial one_controller_trial(const CoverageCell& cell) {
  return [f = CoverageFixture(cell), options = measure_options(cell)](const Disturbances& data) {
    const Response response = f.response(data);
    const Vector costs = logged_costs(f.cell.problem, episodes_of(response, data.w));
    return CoverageTrial{measure(costs, options).certificate.value, true_cost(f, response)};
  };
}

Trial two_controllers_trial(const CoverageCell& cell) {
  if (cell.response == "lqr") throw_input_error("response", "'lqr'", "another than LQR's");
  const bool ratio = measured_kind(cell.kind).functional == "cost-ratio";
  return [f = CoverageFixture(cell), options = measure_options(cell),
          ratio](const Disturbances& data) {
    const Problem& problem = f.cell.problem;
    const Response response = f.response(data);
    const Index mine = options.paired ? data.n() : data.n() / 2;
    const Index its = options.paired ? data.n() : data.n() - mine;
    const Vector costs = logged_costs(problem, episodes_of(response, data.w.topRows(mine)));
    const Vector against = logged_costs(problem, episodes_of(f.setup.lqr, data.w.bottomRows(its)));
    const double L = true_cost(f, response), L_0 = true_cost(f, f.setup.lqr);
    return CoverageTrial{measure(costs, against, options).certificate.value,
                         ratio ? L / L_0 : L - L_0};
  };
}

Trial measured_trial(const CoverageCell& cell) {
  return compares_measured(cell.kind) ? two_controllers_trial(cell) : one_controller_trial(cell);
}

Trial measured_limits_trial(const CoverageCell& cell) {
  const CoverageFixture f(cell);
  if (cell.response == "erm") throw_input_error("response", "'erm'", "start or lqr");
  const Limits& limits = cell.problem.limits.value();
  const Sizes sizes = cell.problem.sizes();
  const Response response = f.response({});
  const double truth = true_violation(limits, row_responses(limits, sizes, f.deployed(response)),
                                      coverage_shape(cell.source.shape).parts(f.law));
  return [&limits, sizes, response, truth](const Disturbances& data) {
    const Matrix violations = logged_violations(limits, sizes, episodes_of(response, data.w));
    return CoverageTrial{certificate_of_violations(violations, limits.each, limits.delta).value,
                         truth};
  };
}

// Orthonormal; disturbances have no others.
Matrix directions_of(const Law& law) {
  const Eigen::SelfAdjointEigenSolver<Matrix> eigen(
      Matrix(law.covariance + law.mean * law.mean.transpose()));
  const Vector& values = eigen.eigenvalues();
  const Index none = (values.array() <= 1e-12 * values.maxCoeff()).count();
  return eigen.eigenvectors().rightCols(values.size() - none);
}

void ask_measured(Problem& problem, const std::string&, double delta) {
  problem.certificate.delta = delta;
}

void ask_measured_limits(Problem& problem, const std::string&, double delta) {
  if (!problem.limits)
    throw_input_error("limits", "nothing", "[limits], which this family is about");
  problem.limits->delta = delta;
}

}  // namespace

bool compares_measured(const std::string& kind) {
  return std::any_of(measured_kinds().begin(), measured_kinds().end(),
                     [&](const MeasuredKind& k) { return k.name == kind && k.compares(); });
}

MeasureOptions measure_options(const CoverageCell& cell) {
  const Assumptions& granted = cell.problem.disturbance;
  MeasureOptions options;
  options.kind = cell.kind;
  options.delta = cell.problem.certificate.delta.value();
  options.gaussian = granted.model == "gaussian";
  options.any_mean = !granted.zero_mean || cell.problem.has_constant();
  options.kurtosis = granted.kurtosis;
  options.paired = compares_measured(cell.kind) && measured_kind(cell.kind).paired;
  if (!granted.radius || cell.response == "erm") return options;
  const System& system = cell.problem.system;
  const Matrix directions = directions_of(cell.source.law);
  const auto largest = [&](const Response& r) {
    WeightedResponse y = weighted_response(system.cost, system.sizes(), r);
    y.M = y.M * directions * directions.transpose();
    return largest_cost(y, *granted.radius);
  };
  options.largest = largest(CoverageFixture(cell).response({}));
  if (compares_measured(cell.kind))
    options.largest = std::max(*options.largest, largest(lqr_response(system)));
  return options;
}

std::vector<CoverageFamily> measured_families() {
  return {
      {"measured", "a response fixed before the data, by the costs of its episodes alone",
       measured_kind_names, ask_measured, measured_trial},
      {"measured-limits", "limits of such a response, by the episodes that broke them",
       [] { return std::vector<std::string>{measured_count}; }, ask_measured_limits,
       measured_limits_trial},
  };
}

}  // namespace loopcert

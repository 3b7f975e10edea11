// The ways a certificate of limits comes about: of a response fixed before the data, of a path of
// such responses, of learning, and of learning together with that of the cost. The truth is the
// probability of a violation.
#include "coverage_limits.hpp"

#include <algorithm>
#include <cmath>

#include "certificate/limits.hpp"
#include "coverage_fixture.hpp"
#include "loopcert/core/error.hpp"
#include "true_violation.hpp"
#include "workflow/learn_run.hpp"

namespace loopcert {
namespace {

using Trial = std::function<CoverageTrial(const Disturbances&)>;

struct LimitsFixture {
  explicit LimitsFixture(const CoverageCell& cell)
      : of(cell), parts(coverage_shape(cell.source.shape).parts(of.law)) {}

  const Problem& problem() const { return of.cell.problem; }

  double truth(const Response& response) const {
    const Limits& limits = problem().limits.value();
    return true_violation(limits, row_responses(limits, problem().sizes(), of.deployed(response)),
                          parts);
  }

  CoverageFixture of;
  std::vector<LawPart> parts;
};

Trial fixed_limits_trial(const CoverageCell& cell) {
  const LimitsFixture f(cell);
  std::optional<double> truth;
  if (cell.response != "erm") truth = f.truth(f.of.response({}));
  return [f, truth](const Disturbances& data) -> CoverageTrial {
    const Response response = f.of.response(data);
    const LimitsBound bound = certify_limits(f.problem(), {UseOfData::fixed, {response}}, data);
    return {bound.certificate.value, truth ? *truth : f.truth(response)};
  };
}

Trial path_trial(const CoverageCell& cell) {
  const LimitsFixture f(cell);
  std::vector<Response> path = {f.of.response({})};
  std::vector<double> truth = {f.truth(path[0])};
  while (static_cast<Index>(path.size()) < path_length) {
    path.push_back(complete_response(cell.problem.system, path_growth * path.back().Phi_u,
                                     path_growth * path.back().phi_u));
    truth.push_back(f.truth(path.back()));
  }
  return [f, path, truth](const Disturbances& data) -> CoverageTrial {
    const LimitsPath found = test_path(f.problem(), path, data);
    return {found.bound.certificate.value, truth[found.place]};
  };
}

LearnRun learn_with_limits(const LimitsFixture& f, const Disturbances& data) {
  LearnRun run = learn_numbers(f.problem(), f.of.setup, f.of.costs, data);
  if (!run.limits || !run.limits->bound)
    throw NumericsError("coverage: learn gave no certificate of limits");
  return run;
}

Trial learned_limits_trial(const CoverageCell& cell) {
  return [f = LimitsFixture(cell)](const Disturbances& data) -> CoverageTrial {
    const LearnRun run = learn_with_limits(f, data);
    return {run.limits->bound->certificate.value, f.truth(run.response)};
  };
}

// The smaller of the two ratios of value and truth: below one, the joint statement is false.
Trial joint_trial(const CoverageCell& cell) {
  return [f = LimitsFixture(cell)](const Disturbances& data) -> CoverageTrial {
    const LearnRun run = learn_with_limits(f, data);
    if (!run.certificate) throw NumericsError("coverage: learn gave no certificate");
    const double cost =
        run.certificate->value / f.of.truth(*run.certificate, run.response, nullptr);
    const double violation = f.truth(run.response);
    if (violation == 0) return {cost, 1};
    return {std::min(cost, run.limits->bound->certificate.value / violation), 1};
  };
}

Limits& limits_of(Problem& problem) {
  if (!problem.limits)
    throw_input_error("limits", "nothing", "[limits], which this family is about");
  return *problem.limits;
}

void ask_limits(Problem& problem, const std::string& kind, double delta) {
  limits_of(problem).kind = kind;
  limits_of(problem).delta = delta;
}

void ask_both(Problem& problem, const std::string& kind, double delta) {
  ask_limits(problem, kind, delta / 2);
  problem.certificate.parts.clear();
  problem.certificate.delta = delta / 2;
}

std::vector<std::string> limits_names() { return limits_kind_names(); }

}  // namespace

std::vector<CoverageFamily> limits_families() {
  return {
      {"limits", "limits of a response fixed before the data", limits_names, ask_limits,
       fixed_limits_trial},
      {"limits-path", "limits of a path of responses fixed before the data, tested in order",
       limits_names, ask_limits, path_trial},
      {"limits-learn", "limits of learning", limits_names, ask_limits, learned_limits_trial},
      {"limits-joint", "cost and limits of learning, half of delta each", limits_names, ask_both,
       joint_trial},
  };
}

}  // namespace loopcert

// The ways a certificate of the cost comes about: learned from the data, of a response fixed
// before, of a posterior fixed before. Those of limits are in coverage_limits.cpp, those of
// measured costs in coverage_measured.cpp.
#include "certificate/certificate_choice.hpp"
#include "certificate/from_problem.hpp"
#include "core/find_named.hpp"
#include "coverage_fixture.hpp"
#include "coverage_limits.hpp"
#include "coverage_measured.hpp"
#include "loopcert/core/error.hpp"
#include "workflow/learn_run.hpp"

namespace loopcert {
namespace {

using Trial = std::function<CoverageTrial(const Disturbances&)>;

constexpr double one_hypothesis = 1e-6;  // prior scale that leaves room for one response only

Trial learn_trial(const CoverageCell& cell) {
  return [f = CoverageFixture(cell)](const Disturbances& data) -> CoverageTrial {
    const LearnRun run = learn_numbers(f.cell.problem, f.setup, f.costs, data);
    if (!run.certificate) throw NumericsError("coverage: learn gave no certificate");
    return {run.certificate->value,
            f.truth(*run.certificate, run.response, run.posterior ? &*run.posterior : nullptr)};
  };
}

// Nothing is claimed when the baseline, or without one LQR, is deployed.
Trial improvement_trial(const CoverageCell& cell) {
  return [f = CoverageFixture(cell)](const Disturbances& data) -> CoverageTrial {
    const LearnRun run = learn_numbers(f.cell.problem, f.setup, f.costs, data);
    if (!run.improvement) return {0, 0};
    return {run.improvement->value, f.truth(*run.improvement, run.response, nullptr)};
  };
}

Trial fixed_trial(const CoverageCell& cell) {
  const FixedResponseKind& kind = fixed_response_kind(cell.kind);
  return [f = CoverageFixture(cell), &kind](const Disturbances& data) -> CoverageTrial {
    const Problem& problem = f.cell.problem;
    const Response response = f.response(data);
    const Certificate c =
        kind.evaluate({problem.system, response, problem.disturbance, evidence_of(data),
                       deltas_of(problem, kind.events), &f.baseline});
    return {c.value, f.truth(c, response, nullptr)};
  };
}

// Prior and posterior are the same narrow law around the response: KL = 0, one hypothesis, so that
// nothing but the bound's own slack is left.
Trial posterior_trial(const CoverageCell& cell) {
  const PosteriorKind& kind = posterior_kind(cell.kind);
  return [f = CoverageFixture(cell), &kind](const Disturbances& data) -> CoverageTrial {
    const Problem& problem = f.cell.problem;
    const Prior prior{f.coordinates(data), one_hypothesis};
    Posterior posterior{prior.center, Matrix::Constant(prior.center.rows(), prior.center.cols(),
                                                       one_hypothesis * one_hypothesis)};
    project_causal(f.setup.space->coordinates.pattern, posterior.variance);
    const Evidence evidence = evidence_of(data);
    const Certificate c = evaluate_certificate(kind,
                                               {problem.system, *f.setup.space, problem.disturbance,
                                                evidence, deltas_of(problem, kind.events)},
                                               prior, posterior);
    const Response mean = response_at(problem.system, (*f.setup.space).coordinates, posterior.mean);
    return {c.value, f.truth(c, mean, &posterior)};
  };
}

void ask_cost(Problem& problem, const std::string& kind, double delta) {
  problem.certificate.kind = kind;
  problem.certificate.delta = delta;
  problem.certificate.parts.clear();
}

std::vector<std::string> fixed_names() {
  std::vector<std::string> names;
  for (const FixedResponseKind& kind : fixed_response_kinds()) names.push_back(kind.name);
  return names;
}

std::vector<std::string> posterior_names() {
  std::vector<std::string> names;
  for (const PosteriorKind& kind : posterior_kinds()) names.push_back(kind.name);
  return names;
}

}  // namespace

const std::vector<CoverageFamily>& coverage_families() {
  static const std::vector<CoverageFamily> families = [] {
    std::vector<CoverageFamily> all = {
        {"learn", "a certificate of learning, on its own training data", certificate_names,
         ask_cost, learn_trial},
        {"improvement", "a certificate of learning, on its cost minus the baseline's, or LQR's",
         certificate_names, ask_cost, improvement_trial},
        {"fixed", "a response fixed before the data, by a kind of certify", fixed_names, ask_cost,
         fixed_trial},
        {"posterior", "a posterior fixed before the data, equal to the prior", posterior_names,
         ask_cost, posterior_trial},
    };
    for (const CoverageFamily& family : limits_families()) all.push_back(family);
    for (const CoverageFamily& family : measured_families()) all.push_back(family);
    return all;
  }();
  return families;
}

const CoverageFamily& coverage_family(const std::string& name) {
  return find_named(coverage_families(), name, "family");
}

}  // namespace loopcert

// The three ways a certificate comes about: learned from the data, of a response fixed before, of a
// posterior fixed before.
#include "calibration/coverage.hpp"
#include "certificate/fixed_response.hpp"
#include "certificate/from_problem.hpp"
#include "certificate/premises.hpp"
#include "core/find_named.hpp"
#include "data/moments.hpp"
#include "learning/minimizers.hpp"
#include "risk/risk.hpp"
#include "workflow/learn_run.hpp"

namespace loopcert {
namespace {

using Trial = std::function<CoverageTrial(const Disturbances&)>;

constexpr double one_hypothesis = 1e-6;  // prior scale that leaves room for one response only

// What does not depend on the data of a cell.
struct Fixture {
  explicit Fixture(const CoverageCell& c)
      : cell(c),
        setup(make_learning_setup(c.problem)),
        baseline(baseline_response(c.problem)),
        costs(costs_under_law(c.problem, setup)),
        law(law_moments(c.source.law)),
        assumptions(c.problem.disturbance) {}

  // The cell's response; only `erm` looks at the data.
  Response response(const Disturbances& data) const {
    if (cell.response == "lqr") return setup.lqr;
    return response_at(cell.problem.system, setup.space.value().coordinates, coordinates(data));
  }

  Matrix coordinates(const Disturbances& data) const {
    if (cell.response == "lqr") return coordinates_of(setup.space.value().coordinates, setup.lqr);
    if (cell.response == "erm")
      return minimize_risk(
                 setup.space.value().cost,
                 moment_matrix(sample_moments(data), setup.space->coordinates.pattern.constant))
          .Z;
    return Matrix::Zero(setup.space->coordinates.pattern.rows(),
                        setup.space->coordinates.pattern.cols());
  }

  // The true value of what a certificate is about, by the trace formula.
  double truth(const Certificate& c, const Response& r, const Posterior* posterior) const {
    const System& system = cell.problem.system;
    const double L = response_risk(system, r, law);
    if (is_difference(c)) return L - response_risk(system, baseline, law);
    if (c.subject != Subject::posterior_average) return L;
    if (!posterior) throw NumericsError("coverage: the posterior of a certificate is not known");
    // E_rho L = L(mu) + tr(G Sigma_rho)
    const QuadraticForm& cost = setup.space.value().cost;
    const Matrix Sigma = moment_matrix(law, cost.pattern.constant);
    if (!posterior->frame)
      return L + curvature_diagonal(cost, Sigma).cwiseProduct(posterior->variance).sum();
    const Matrix root = frame_matrix(*posterior->frame) *
                        pack(cost.pattern, posterior->variance.cwiseSqrt()).asDiagonal();
    double spread = 0;
    for (Index k = 0; k < root.cols(); ++k) {
      const Matrix E = unpack(cost.pattern, root.col(k));
      spread += E.cwiseProduct(cost.P * E * Sigma).sum();
    }
    return L + spread;
  }

  const CoverageCell& cell;
  LearningSetup setup;
  Response baseline;  // what improvements are over
  std::optional<CostsUnderLaw> costs;
  Moments law;
  Assumptions assumptions;
};

Trial learn_trial(const CoverageCell& cell) {
  return [f = Fixture(cell)](const Disturbances& data) -> CoverageTrial {
    const LearnRun run = learn_numbers(f.cell.problem, f.setup, f.costs, data);
    if (!run.certificate) throw NumericsError("coverage: learn gave no certificate");
    return {run.certificate->value,
            f.truth(*run.certificate, run.response, run.posterior ? &*run.posterior : nullptr)};
  };
}

// Nothing is claimed when the baseline, or without one LQR, is deployed.
Trial improvement_trial(const CoverageCell& cell) {
  return [f = Fixture(cell)](const Disturbances& data) -> CoverageTrial {
    const LearnRun run = learn_numbers(f.cell.problem, f.setup, f.costs, data);
    if (!run.improvement) return {0, 0};
    return {run.improvement->value, f.truth(*run.improvement, run.response, nullptr)};
  };
}

Trial fixed_trial(const CoverageCell& cell) {
  const FixedResponseKind& kind = fixed_response_kind(cell.kind);
  return [f = Fixture(cell), &kind](const Disturbances& data) -> CoverageTrial {
    const Problem& problem = f.cell.problem;
    const Response response = f.response(data);
    const Certificate c = kind.evaluate({problem.system, response, f.assumptions, evidence_of(data),
                                         deltas_of(problem, kind.events), &f.baseline});
    return {c.value, f.truth(c, response, nullptr)};
  };
}

// Prior and posterior are the same narrow law around the response: KL = 0, one hypothesis, so that
// nothing but the bound's own slack is left.
Trial posterior_trial(const CoverageCell& cell) {
  const PosteriorKind& kind = posterior_kind(cell.kind);
  return [f = Fixture(cell), &kind](const Disturbances& data) -> CoverageTrial {
    const Problem& problem = f.cell.problem;
    const Prior prior{f.coordinates(data), one_hypothesis};
    Posterior posterior{prior.center, Matrix::Constant(prior.center.rows(), prior.center.cols(),
                                                       one_hypothesis * one_hypothesis)};
    project_causal(f.setup.space->coordinates.pattern, posterior.variance);
    const Evidence evidence = evidence_of(data);
    const Certificate c = evaluate_certificate(
        kind,
        {problem.system, *f.setup.space, f.assumptions, evidence, deltas_of(problem, kind.events)},
        prior, posterior);
    const Response mean = response_at(problem.system, (*f.setup.space).coordinates, posterior.mean);
    return {c.value, f.truth(c, mean, &posterior)};
  };
}

}  // namespace

const std::vector<CoverageFamily>& coverage_families() {
  static const std::vector<CoverageFamily> families = {
      {"learn", "a certificate of learning, on its own training data", learn_trial},
      {"improvement", "a certificate of learning, on its cost minus the baseline's, or LQR's",
       improvement_trial},
      {"fixed", "a response fixed before the data, by a kind of certify", fixed_trial},
      {"posterior", "a posterior fixed before the data, equal to the prior", posterior_trial},
  };
  return families;
}

const CoverageFamily& coverage_family(const std::string& name) {
  return find_named(coverage_families(), name, "family");
}

}  // namespace loopcert

// Certificates for what was deployed, response by response.
#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "certificate/certificate_choice.hpp"
#include "certificate/from_problem.hpp"
#include "certificate/portfolio.hpp"
#include "certificate/premises.hpp"
#include "data/moments.hpp"
#include "data/shrunk_moment.hpp"
#include "loopcert/core/error.hpp"
#include "response/coloured.hpp"

namespace loopcert {
namespace {

bool is_shared(const FixedResponseKind& kind, const std::string& event) {
  return std::find(kind.shared.begin(), kind.shared.end(), event) != kind.shared.end();
}

}  // namespace

Deltas deltas_for(const FixedResponseKind& kind, double delta, Index bounds, double mean_delta) {
  if (kind.shared.empty() && mean_delta == 0)
    return split_delta(kind.events, delta / static_cast<double>(bounds), {});
  std::vector<double> weights = kind.weights;
  if (weights.empty() || mean_delta > 0) weights.assign(kind.events.size(), 1.0);
  if (mean_delta > 0) weights[0] = 0;
  const double total = std::accumulate(weights.begin(), weights.end(), 0.0);
  std::vector<std::pair<std::string, double>> parts;
  for (size_t i = 0; i < kind.events.size(); ++i) {
    const bool of_mean = mean_delta > 0 && i == 0;
    const double part = of_mean ? mean_delta : delta * weights[i] / total;
    parts.emplace_back(kind.events[i],
                       is_shared(kind, kind.events[i]) ? part : part / static_cast<double>(bounds));
  }
  return split_delta(kind.events, std::nullopt, parts);
}

namespace {

// L(mean of the responses) <= mean of L(response k) <= mean of the bounds, by convexity.
Certificate mean_of(const std::vector<Certificate>& folds, const FixedResponseKind& of,
                    const std::string& kind, Index n) {
  if (folds.size() == 1) return folds[0];
  Certificate mean = folds[0];
  mean.kind = kind;
  mean.n = n;
  mean.lambda.reset();
  mean.value = 0;
  for (Term& term : mean.terms) term.value = 0;
  mean.events.clear();
  const auto K = static_cast<double>(folds.size());
  for (size_t k = 0; k < folds.size(); ++k) {
    if (folds[k].lambda) mean.lambdas.push_back(*folds[k].lambda);
    for (size_t i = 0; i < mean.terms.size(); ++i)
      mean.terms[i].value += folds[k].terms.at(i).value / K;
    for (Event event : folds[k].events) {
      const bool shared = is_shared(of, event.id);
      if (shared && k > 0) continue;
      event.fold = shared ? 0 : static_cast<Index>(k) + 1;
      mean.events.push_back(std::move(event));
    }
  }
  for (const Term& term : mean.terms) mean.value += term.value;
  mean.confidence = confidence_of(mean.events);
  mean.assumptions[0] = {"responses-fixed"};
  check_certificate(mean);
  return mean;
}

// The same events for every controller that might have been chosen.
Certificate account_for_controller_choice(Certificate certificate, const FixedResponseKind& kind,
                                          Index choices, bool of_folds) {
  if (choices == 1) return certificate;
  for (Event& event : certificate.events) {
    if (is_shared(kind, event.id)) continue;
    event.delta *= static_cast<double>(choices);
    event.choices = choices;
  }
  certificate.confidence = confidence_of(certificate.events);
  if (!of_folds)
    certificate.assumptions.at(0) = {is_difference(certificate) ? "controllers-and-baseline-fixed"
                                                                : "controllers-fixed"};
  check_certificate(certificate);
  return certificate;
}

// How much the second moment is shrunk before it serves as a metric. Any value is valid.
constexpr double metric_shrinkage = 0.3;

Matrix metric_of(const LearningPart& part, Index n_w, const Vector& K) {
  const Matrix second = sample_moments(part.data).second;
  Matrix metric = shrunk_moment(second, false, n_w, metric_shrinkage);
  add_floor(K, second, metric);
  return metric;
}

// For improvements: what the data that response k was learned from say about the covariance.
std::vector<Matrix> metrics_of(const Problem& problem, const Deployment& deployment,
                               const Disturbances& data) {
  const Index n_w = problem.sizes().n_w;
  const Vector K =
      weighted_response(problem.system.cost, problem.sizes(), baseline_response(problem))
          .M.colwise()
          .squaredNorm();
  std::vector<Matrix> metrics;
  if (deployment.colour)  // learned from nothing: the law that it is optimal for
    metrics.push_back(
        coloured_covariance(problem.system, lqr_gains(problem.system), *deployment.colour));
  if (deployment.use_of_data == UseOfData::hold_out)
    metrics.push_back(metric_of(split_first(data, problem.certificate.fraction).learning, n_w, K));
  if (deployment.use_of_data == UseOfData::cross)
    for (const Split& split : split_folds(data, problem.certificate.folds))
      metrics.push_back(metric_of(split.learning, n_w, K));
  return metrics;
}

}  // namespace

Certificate certify_deployment(const Problem& problem, const Deployment& deployment,
                               const Disturbances& data, const FixedResponseKind& kind,
                               double delta, double mean_delta) {
  const Assumptions& assumptions = problem.disturbance;
  if (kind.events.empty()) {  // it uses no data: certify the mean itself
    const Evidence none{0, {Vector::Zero(data.w.cols()), {}}, {}, 0};
    return kind.evaluate({problem.system,
                          deployed_response(deployment),
                          assumptions,
                          data.n() > 0 ? evidence_of(data) : none,
                          {}});
  }
  if (kind.uniform())  // whatever the response was learned from
    return kind.evaluate({problem.system, deployed_response(deployment), assumptions,
                          evidence_of(data), deltas_for(kind, delta, 1)});
  const std::vector<CertifyingPart> parts = certifying_parts(problem, deployment, data);
  if (parts.size() != deployment.responses.size())
    throw_input_error("responses", std::to_string(deployment.responses.size()),
                      fmt::format("{}: one for each part of the data", parts.size()));
  const Index choices =
      kind.compares ? compared_choices(problem, deployment) : deployment.choices();
  const Deltas deltas =
      deltas_for(kind, delta, static_cast<Index>(parts.size()) * choices, mean_delta);
  std::optional<Evidence> all;
  if (!kind.shared.empty()) all = evidence_of(data);
  const Response baseline = baseline_response(problem);
  const std::vector<Matrix> metrics =
      kind.compares ? metrics_of(problem, deployment, data) : std::vector<Matrix>();
  // Kinds that share the event on a mean cost must mean the same one.
  std::optional<bool> averaged;
  if (mean_delta > 0)
    averaged =
        !assumptions.autoregressive && !fixed_response_kind("hold-out-white")
                                            .needs({assumptions, problem.sizes(), data.n(), false});
  std::vector<Certificate> folds;
  for (size_t k = 0; k < parts.size(); ++k)
    folds.push_back(
        kind.evaluate({problem.system, deployment.responses[k], assumptions,
                       evidence_of(parts[k].data), deltas, kind.compares ? &baseline : nullptr,
                       metrics.empty() ? nullptr : &metrics[k], all ? &*all : nullptr, averaged}));
  return account_for_controller_choice(
      mean_of(folds, kind,
              deployment.use_of_data == UseOfData::cross ? cross_name(kind) : kind.name, data.n()),
      kind, choices, deployment.use_of_data == UseOfData::cross);
}

}  // namespace loopcert

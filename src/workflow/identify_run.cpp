#include "workflow/identify_run.hpp"

#include <fmt/format.h>

#include <Eigen/LU>
#include <algorithm>

#include "certificate/autoregressive.hpp"
#include "certificate/bound.hpp"
#include "certificate/from_problem.hpp"
#include "certificate/premises.hpp"
#include "core/text.hpp"
#include "inspection/warnings.hpp"
#include "learning/identified_design.hpp"
#include "loopcert/core/error.hpp"

namespace loopcert {
namespace {

constexpr Index shown = 120;  // steps of a prediction

std::optional<double> certificate_of(const IdentifiedPlant& plant, const Gains& gains) {
  const std::optional<IdentifiedBound> bound = bound_identified(plant, gains);
  return bound ? std::optional(bound->value) : std::nullopt;
}

// One log more, and times as many.
std::vector<double> factors(Index n) {
  std::vector<double> list = {2, 4, 10, 100};
  if (n > 1) list.insert(list.begin(), static_cast<double>(n + 1) / static_cast<double>(n));
  return list;
}

// Of every interval, relative to now: they shrink alike.
double width_of(const ConfidenceSet& more, const ConfidenceSet& now) {
  return entry_radii(more)(0, 0) / entry_radii(now)(0, 0);
}

// What is left over, and the predictions of the first log.
void add_innovations(Identification& found, const LinearModel& m, const Logs& logs,
                     const Matrix& Theta, const std::vector<std::string>& names) {
  const std::vector<Matrix> v = innovations_of(m, logs, Theta);
  Index N = 0, at = 0;
  for (const Matrix& log : v) N += log.cols();
  found.innovations.resize(N, m.n_v());
  for (const Matrix& log : v) {
    found.innovations.middleRows(at, log.cols()) = log.transpose();
    at += log.cols();
  }
  const Index count = std::min(shown, v.at(0).cols());
  const Matrix states = states_of_log(m, logs.at(0)).middleCols(1, count);
  for (Index i = 0; i < m.n_v(); ++i) {
    const Vector logged = (m.E.col(i).transpose() * states).transpose();
    found.predictions.push_back(
        {names[static_cast<size_t>(i)], logged, logged - v[0].row(i).head(count).transpose()});
  }
}

void add_tests(Identification& found, const LinearModel& m, const Logs& logs, const Matrix& Theta,
               const std::string& assumption) {
  found.tests = test_innovations(m, logs, Theta, assumption);
  found.warnings = warnings_of(found.tests.checks);
}

void add_set(Identification& found, const ConfidenceSet& set) {
  found.transitions = set.transitions;
  found.radius = set.beta;
  found.noise_bound = set.U_v;
  const auto N = static_cast<double>(set.transitions);
  found.noise = set.U_v * ((N * set.q - set.b_sq) / N);
}

// The names of the unknown rows' signals.
std::vector<std::string> signals_of(const LinearModel& m, const Problem& problem) {
  const std::vector<std::string> regressors = regressor_names(m, problem.data);
  const Index skipped = static_cast<Index>(regressors.size()) - (m.n() + m.n_u - m.first());
  std::vector<std::string> names;
  for (Index i = 0; i < m.n_v(); ++i) {
    Index row = 0;
    m.E.col(i).maxCoeff(&row);
    const auto at = static_cast<size_t>(row - m.first());
    names.push_back(at < problem.data.states.size()
                        ? signal_text(problem.data.states[at])
                        : regressors[static_cast<size_t>(skipped) + at]);
  }
  return names;
}

Logs logs_of_colour(const Disturbances& data, const Support& support, const Sizes& s) {
  Logs logs;
  for (Index i = 0; i < data.n(); ++i) {
    LogEpisode log{Matrix(s.T, support.size()), Matrix(s.T - 1, 0)};
    for (Index t = 0; t < s.T; ++t)
      log.y.row(t) =
          (support.inverse * data.w.row(i).segment((t + 1) * s.n_w, s.n_w).transpose()).transpose();
    logs.push_back(std::move(log));
  }
  return logs;
}

// Per lag: basis Phi_j inverse, and the same of absolute values for radii.
Matrix over_lags(const Matrix& Phi, const Matrix& basis, const Matrix& inverse) {
  const Index m = inverse.rows(), n_w = inverse.cols(), p = Phi.cols() / std::max<Index>(m, 1);
  Matrix out(basis.rows(), p * n_w);
  for (Index j = 0; j < p; ++j)
    out.middleCols(j * n_w, n_w) = basis * Phi.middleCols(j * m, m) * inverse;
  return out;
}

}  // namespace

Identification identify(const Problem& problem, const Logs& logs) {
  const IdentifiedPlant plant = identify_plant(problem, logs);
  const LinearModel& m = plant.model;
  const Index f = m.first(), n = m.n() - f;
  Identification found;
  found.problem = problem.name;
  found.infinite = problem.model->infinite;
  found.n = plant.n;
  found.pilot = plant.pilot.transitions;
  found.lags = m.lags;
  found.confidence = 1 - total_delta(problem);
  add_set(found, plant.set);
  found.A = plant.loop.A.bottomRightCorner(n, n);
  found.B = plant.loop.B.bottomRows(n);
  const Matrix radii = m.E * entry_radii(plant.set) * m.Cr;
  found.A_radius = radii.block(f, f, n, n);
  found.B_radius = radii.bottomRightCorner(n, m.n_u);
  if (m.constant) {
    found.offset = plant.loop.A.bottomLeftCorner(n, 1);
    found.offset_radius = radii.block(f, 0, n, 1);
  }
  found.poles = pole_reach(m, plant.set);
  const Matrix gram = (plant.set.G.transpose() * plant.set.G).inverse();
  found.excitation = least_excited(gram).ratio;
  found.least_excited = least_excited_text(problem, plant);
  add_innovations(found, m, logs, plant.set.Theta_hat, signals_of(m, problem));
  add_tests(found, m, logs, plant.set.Theta_hat, fmt::format("lags = {}", m.lags));

  std::optional<Gains> gains;
  try {
    gains = certainty_equivalence(plant.loop);
    found.certificate = certificate_of(plant, *gains);
  } catch (const InputError&) {  // no gain stabilizes the estimate: there is nothing to certify
  }
  for (const double factor : factors(plant.n)) {
    const IdentifiedPlant more = with_more_logs(plant, factor);
    Forecast forecast{static_cast<Index>(factor * static_cast<double>(plant.n)),
                      more.set.transitions, width_of(more.set, plant.set), std::nullopt};
    if (gains) forecast.certificate = certificate_of(more, *gains);
    found.forecasts.push_back(forecast);
  }
  return found;
}

Identification identify_colour(const Problem& problem, const Disturbances& data) {
  const std::optional<Index> lags = problem.disturbance.autoregressive;
  if (!lags)
    throw_input_error("system.identify", "nothing, and no disturbance.autoregressive",
                      "one of both: otherwise there is nothing to identify");
  const Sizes s = problem.sizes();
  if (s.T <= *lags)
    throw_input_error("disturbance.autoregressive", std::to_string(*lags), "less than the horizon");
  const double delta = total_delta(problem);
  const Deltas deltas = {{"model", delta / 2}, {"noise", delta / 2}};
  const Evidence evidence = evidence_of(data);
  const Support support = disturbance_support(evidence, s);
  if (support.size() == 0) throw NotProved("identified: there are no disturbances");
  const ConfidenceSet set = confidence_set(autoregressive_sums(evidence, s, *lags, *lags, support),
                                           deltas.at("model"), deltas.at("noise"));
  const LinearModel m = colour_model(support.size(), *lags);
  const Logs logs = logs_of_colour(data, support, s);
  Identification found;
  found.problem = problem.name;
  found.colour = true;
  found.n = data.n();
  found.lags = *lags;
  found.confidence = 1 - delta;
  add_set(found, set);
  found.noise = support.basis * found.noise * support.basis.transpose();
  found.noise_bound = support.basis * found.noise_bound * support.basis.transpose();
  found.A = problem.system.plant.A[0];
  found.B = problem.system.plant.B[0];
  found.A_radius = Matrix::Zero(s.n_x, s.n_x);
  found.B_radius = Matrix::Zero(s.n_x, s.n_u);
  found.Phi = over_lags(set.Theta_hat, support.basis, support.inverse);
  found.Phi_radius =
      over_lags(entry_radii(set), support.basis.cwiseAbs(), support.inverse.cwiseAbs());
  found.poles = pole_reach(m, set);
  const Matrix gram = (set.G.transpose() * set.G).inverse();
  found.excitation = least_excited(gram).ratio;
  std::vector<std::string> names;
  for (Index i = 0; i < support.size(); ++i)
    names.push_back(support.whole() ? fmt::format("w{}", i) : fmt::format("direction {}", i + 1));
  add_innovations(found, m, logs, set.Theta_hat, names);
  add_tests(found, m, logs, set.Theta_hat, fmt::format("autoregressive = {}", *lags));
  for (const double factor : factors(found.n)) {
    const ConfidenceSet more = with_more_transitions(set, factor, deltas.at("noise"));
    found.forecasts.push_back({static_cast<Index>(factor * static_cast<double>(found.n)),
                               more.transitions, width_of(more, set), std::nullopt});
  }
  return found;
}

Inspection inspection_of(const Identification& found) {
  Inspection inspection;
  inspection.problem = found.problem;
  inspection.n = found.n;
  inspection.d_w = found.innovations.cols();
  inspection.checks = found.tests.checks;
  inspection.lags = {found.tests.lags.mean, found.tests.lags.band};
  return inspection;
}

}  // namespace loopcert

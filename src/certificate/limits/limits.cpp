#include "certificate/limits.hpp"

#include <algorithm>
#include <boost/math/distributions/normal.hpp>
#include <cmath>

#include "certificate/tails.hpp"
#include "certificate/wishart.hpp"
#include "core/find_named.hpp"
#include "core/text.hpp"
#include "core/work.hpp"
#include "limits/limits_list.hpp"
#include "loopcert/core/error.hpp"
#include "portfolio_parts.hpp"

namespace loopcert {
namespace {

LimitsPremises premises_of(const LimitsSetting& setting) {
  const Index n = setting.parts.empty() ? 0 : setting.parts.front().data.n();
  return {
      {setting.assumptions, setting.sizes, n, false}, setting.limits, setting.use, setting.all.n()};
}

// How large the probability of a violation may be for four of five sets of m trajectories to
// certify the target: what a kind is worth, by sizes alone.
constexpr double mostly = 0.8;

double worth_of_tolerance(double target, Index rows, Index m, double delta) {
  const auto C = static_cast<double>(rows);
  const boost::math::normal normal;
  const double z = boost::math::quantile(boost::math::complement(normal, target / (2 * C)));
  const double stretch =
      std::sqrt(centred_factor(m, mostly) / centred_factor(m, delta / C));  // of deviations
  return 2 * C * boost::math::cdf(boost::math::complement(normal, z * stretch));
}

double worth_of_count(double target, Index m, double delta) {
  Index most = -1;  // failures that still certify
  while (most + 1 < m && binomial_upper(most + 1, m, delta) <= target) ++most;
  return most < 0 ? 0 : binomial_lower(most, m, mostly);
}

// Parts of delta. The kind that is worth more of tolerance and count has eight; a matrix above all
// covariances has as many where structure makes it small, and none where each row alone is better,
// nor where counting is better and a colour is all the structure.
std::vector<double> weights_of(const LimitsPremises& premises, double delta) {
  const Limits& limits = premises.limits;
  const Index m = premises.law.n, rows = limits.each ? 1 : limits.count();
  const Assumptions& assumptions = premises.law.assumptions;
  const bool counts = m >= 1 && premises.use != UseOfData::cross &&
                      worth_of_count(limits.probability, m, delta) >
                          worth_of_tolerance(limits.probability, rows, m, delta);
  const bool structure = assumptions.white || premises.use == UseOfData::whole ||
                         (assumptions.autoregressive && !counts);
  std::vector<double> weights;
  for (const LimitsKind& kind : limits_kinds()) {
    double weight = 0;
    if (kind.name == "limits-envelope") weight = structure ? 8 : 0;
    if (kind.name == "limits-tolerance") weight = counts ? 1 : 8;
    if (kind.name == "limits-count") weight = counts ? 8 : 1;
    weights.push_back(weight);
  }
  return weights;
}

// Shares of delta, by sizes, limits and assumptions alone: an entry without an objection has one,
// or needs none.
std::vector<Entry> entries_of(const LimitsPremises& premises, double delta) {
  const std::vector<double> weights = weights_of(premises, delta);
  std::vector<Entry> entries;
  double total = 0;
  for (size_t i = 0; i < weights.size(); ++i) {
    const LimitsKind& kind = limits_kinds()[i];
    Entry entry{kind.name, "limits"};
    if (const std::optional<Missing> missing = kind.needs(premises))
      entry.objection = Objection{"not-granted", missing};
    else if (kind.uses_delta && weights[i] == 0)
      entry.objection = Objection{"dominated", std::nullopt, "limits-tolerance"};
    else
      total += weights[i];
    entries.push_back(std::move(entry));
  }
  for (size_t i = 0; i < weights.size(); ++i)
    if (!entries[i].objection && weights[i] > 0) entries[i].delta = delta * weights[i] / total;
  return entries;
}

LimitsBound best(const LimitsSetting& setting) {
  const LimitsPremises premises = premises_of(setting);
  std::vector<Entry> entries = entries_of(premises, setting.delta);
  std::vector<LimitsBound> bounds(entries.size());
  Work work("certificates of the limits", std::ssize(entries));
  for (size_t i = 0; i < entries.size(); ++i) {
    work.add();
    if (entries[i].objection) continue;
    LimitsSetting own = setting;
    own.delta = entries[i].delta;
    compute(entries[i], [&] {
      bounds[i] = limits_kinds()[i].evaluate(own);
      return bounds[i].certificate;
    });
  }
  LimitsBound chosen;
  chosen.certificate =
      smallest_certificate(entries, setting.parts.size() == 1 ? premises.law.n : setting.all.n());
  for (size_t i = 0; i < entries.size(); ++i)
    if (entries[i].kind == chosen.certificate.chosen) chosen.rows = std::move(bounds[i].rows);
  chosen.certificate.kind = "limits-best";
  return chosen;
}

LimitsBound evaluate(const LimitsSetting& setting) {
  if (setting.limits.kind == "limits-best") return best(setting);
  const LimitsKind& kind = find_named(limits_kinds(), setting.limits.kind, "limits.kind");
  require_granted(kind.needs(premises_of(setting)));
  return kind.evaluate(setting);
}

LimitsSetting setting_for(const Problem& problem, const Disturbances& all) {
  return {
      problem.limits.value(), problem.sizes(), problem.disturbance, UseOfData::fixed, {}, {}, all,
      problem.limits->delta};
}

}  // namespace

const std::vector<LimitsKind>& limits_kinds() {
  static const std::vector<LimitsKind> kinds = {
#define ADD(maker) maker(),
#include "limits/limits_kinds.inc"
  };
  return kinds;
}

LimitsBound certify_limits(const Problem& problem, const Deployment& deployment,
                           const Disturbances& data) {
  LimitsSetting setting = setting_for(problem, data);
  setting.use = deployment.use_of_data;
  const std::vector<CertifyingPart> parts =
      data.n() > 0 ? certifying_parts(problem, deployment, data) : std::vector<CertifyingPart>();
  for (size_t k = 0; k < parts.size(); ++k)
    setting.parts.push_back(
        {row_responses(setting.limits, setting.sizes, deployment.responses.at(k)), parts[k].data});
  setting.deployed = row_responses(setting.limits, setting.sizes, deployed_response(deployment));
  return evaluate(setting);
}

LimitsPath test_path(const Problem& problem, const std::vector<Response>& path,
                     const Disturbances& data) {
  LimitsPath found;
  const double target = problem.limits.value().probability;
  for (size_t j = 0; j < path.size(); ++j) {
    LimitsBound bound = certify_limits(problem, {UseOfData::hold_out, {path[j]}}, data);
    const bool passes = bound.certificate.value <= target;
    if (passes || j == 0) {
      found.place = j;
      found.bound = std::move(bound);
      found.passed = passes;
    }
    if (!passes) break;
  }
  for (Statement& assumed : found.bound.certificate.assumptions)
    if (assumed.id == "controller-fixed") assumed.id = "controllers-fixed";
  if (found.passed) {  // that is all that testing in a fixed order proves
    Certificate& c = found.bound.certificate;
    c.value = target;
    c.terms = {{"violation", target}};
    found.bound.rows.setConstant(target);
    for (Candidate& candidate : c.all)
      if (candidate.chosen) candidate.value = target;
    check_certificate(c);
  }
  return found;
}

double expected_inflation(const Problem& problem, Index m) {
  const Limits& limits = problem.limits.value();
  const Premises law{problem.disturbance, problem.sizes(), m, false};
  if (missing_gaussian(law, "limits")) return 1;
  const double each = limits.delta / static_cast<double>(limits.count());
  double q = centred_factor(m, each);
  if (problem.disturbance.white && problem.disturbance.stationary)
    q = std::max(q, std::min(wishart_floor(law.sizes.n_w, m, limits.delta / 4),
                             wishart_floor(law.sizes.n_w, m * law.sizes.T, limits.delta / 4)));
  return q > 0 ? 1 / std::sqrt(q) : 10;
}

}  // namespace loopcert

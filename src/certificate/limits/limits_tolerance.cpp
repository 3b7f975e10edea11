// limits-tolerance: the deviation of each row on fresh trajectories, by the quantile of its
// chi-square; where the mean is unknown, the tail of a normal law by the noncentral t.
#include <boost/math/quadrature/gauss_kronrod.hpp>
#include <boost/math/tools/roots.hpp>
#include <cmath>

#include "certificate/tails.hpp"
#include "limits/limits_list.hpp"

namespace loopcert {
namespace {

const std::string name = "limits-tolerance";

std::optional<Missing> needs(const LimitsPremises& premises) {
  const bool centred = grants_zero_mean(premises.law);
  std::optional<Missing> enough;
  if (!centred && premises.use == UseOfData::cross) enough = missing_zero_mean(premises.law, name);
  if (!centred && premises.law.n < 2)
    enough = Missing{"trajectories", std::to_string(premises.law.n),
                     "at least 2: certificate '" + name + "' estimates a mean"};
  return first_missing({missing_chance(premises, name), missing_fresh(premises, name),
                        missing_gaussian(premises.law, name), enough});
}

double count(Index value) { return static_cast<double>(value); }

// sigma_c <= s_c / sqrt(q), q the delta_c-quantile of chi2_m / m. Of folds: the deviation of the
// mean response is at most the mean of theirs, each with its part of delta.
LimitsBound centred_bound(const LimitsSetting& setting) {
  // One controller: only the worst row can make a claim about the worst row false.
  const bool one = setting.limits.each && setting.parts.size() == 1;
  const Index C = setting.deployed.m.size(), sharing = one ? 1 : C;
  const auto K = count(static_cast<Index>(setting.parts.size()));
  Vector deviations = Vector::Zero(C);
  std::vector<Event> events;
  Index fold = 0;
  for (const LimitsPart& part : setting.parts) {
    const Index m = part.data.n();
    const double q = centred_factor(m, setting.delta / K / count(sharing));
    deviations +=
        deviations_under(part.rows.a, evidence_of(part.data).moments.second) / (K * std::sqrt(q));
    events.push_back({"tolerance",
                      setting.delta / K,
                      {"tolerance", {{"rows", count(sharing)}, {"n", count(m)}, {"q", q}}},
                      1,
                      "",
                      setting.parts.size() > 1 ? ++fold : 0});
  }
  return bound_by_rows(setting, name, violations(setting.deployed, deviations), std::move(events),
                       {fixed_before(setting), gaussian_law(true), {"model"}},
                       setting.parts.size() > 1 ? setting.all.n() : setting.parts[0].data.n());
}

LimitsBound bound_with_mean(const LimitsSetting& setting) {
  const LimitsPart& part = setting.parts.at(0);
  const Index m = part.data.n(), C = part.rows.m.size();
  const Index sharing = setting.limits.each ? 1 : C;
  const double each = setting.delta / (2 * count(sharing));
  const Evidence evidence = evidence_of(part.data);
  const Vector mean = part.rows.m + part.rows.a * evidence.moments.mean;
  const Vector deviation =
      deviations_under(part.rows.a, evidence.covariance) * std::sqrt(count(m) / count(m - 1));
  Vector rows(C);
  for (Index c = 0; c < C; ++c) {
    double sum = 0;
    for (const double room : {part.rows.high(c) - mean(c), mean(c) - part.rows.low(c)}) {
      if (std::isinf(room)) continue;  // no limit on this side
      const bool still = deviation(c) == 0 && room > 0;
      sum += still ? 0.0 : normal_tail_bound(room / deviation(c), m, each);
    }
    rows(c) = std::min(1.0, sum);
  }
  return bound_by_rows(setting, name, std::move(rows),
                       {{"tolerance",
                         setting.delta,
                         {"tolerance-mean", {{"rows", count(sharing)}, {"n", count(m)}}}}},
                       {fixed_before(setting), gaussian_law(false), {"model"}}, m);
}

LimitsBound evaluate(const LimitsSetting& setting) {
  const Premises law{setting.assumptions, setting.sizes, 0, false};
  return grants_zero_mean(law) ? centred_bound(setting) : bound_with_mean(setting);
}

}  // namespace

// sqrt(m) (h - mean)/s is a noncentral t with ncp = sqrt(m) (h - mu)/sigma: the smallest ncp that
// it does not contradict.
double normal_tail_bound(double k, Index m, double delta) {
  const double t = k * std::sqrt(count(m));
  if (!std::isfinite(t)) return t > 0 ? 0 : 1;
  // P(T >= t) = E Phi(ncp - t x), x^2 a chi-square over its degrees of freedom: it grows with ncp.
  const double nu = count(m - 1), spread = 12 / std::sqrt(nu);
  const double scale = std::log(2.0) + nu / 2 * std::log(nu / 2) - std::lgamma(nu / 2);
  const auto beyond = [&](double ncp) {
    const auto at = [&](double x) {
      const double density = std::exp(scale + (nu - 1) * std::log(x) - nu * x * x / 2);
      return density * 0.5 * std::erfc((t * x - ncp) / std::sqrt(2.0));
    };
    return boost::math::quadrature::gauss_kronrod<double, 31>::integrate(
        at, std::max(0.0, 1 - spread), 1 + spread, 12, 1e-12);
  };
  // The bracket's lower end stays where the tail is at most delta.
  const auto excess = [&](double ncp) { return beyond(ncp) - delta; };
  double low = -40, high = std::min(t, 1e3) + 40;
  const double at_low = excess(low), at_high = excess(high);
  if (at_high <= 0) {
    low = high;
  } else if (at_low < 0) {
    const auto close = [](double a, double b) { return b - a <= 1e-13 * (1 + std::abs(b)); };
    std::uintmax_t steps = 100;
    low = boost::math::tools::toms748_solve(excess, low, high, at_low, at_high, close, steps).first;
  }
  // Rounded outwards: the integral has ten digits.
  const double z = low / std::sqrt(count(m)) - 1e-10;
  return 0.5 * std::erfc(z / std::sqrt(2.0));
}

LimitsKind limits_tolerance_kind() {
  return {name, "Gaussian: the deviation of every row on fresh trajectories, exact quantiles",
          needs, evaluate};
}

}  // namespace loopcert

#include "measurement/cost_checks.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <boost/math/distributions/chi_squared.hpp>
#include <boost/math/distributions/normal.hpp>
#include <cmath>
#include <numeric>

#include "core/text.hpp"

namespace loopcert {
namespace {

constexpr double false_alarms = 0.01;
constexpr Index fewest = 20;  // for a correlation of ranks to be nearly Gaussian

struct Suspicion {
  double p = 1;
  Warning warning;
};

double two_sided(double z) {
  const boost::math::normal normal;
  return 2 * boost::math::cdf(boost::math::complement(normal, std::abs(z)));
}

std::string p_words(double p) { return p < 1e-4 ? "p < 0.0001" : fmt::format("p = {:.2g}", p); }

// Spearman: of n independent draws the correlation of ranks with time has variance 1/(n - 1).
Suspicion drift(const std::string& whose, const Vector& costs) {
  const auto n = static_cast<double>(costs.size());
  const Vector time = centred_ranks(Vector::LinSpaced(costs.size(), 0, n));
  const double r = centred_ranks(costs).dot(time);
  const double p = two_sided(r * std::sqrt(n - 1));
  return {p,
          {"drift", fmt::format("the {} {} over the episodes ({}): the certificate assumes one law "
                                "for all",
                                whose, r > 0 ? "rise" : "fall", p_words(p))}};
}

// The serial correlation of ranks has mean -1/n and variance at most 1/(n - 1).
Suspicion memory(const std::string& whose, const Vector& costs) {
  const Index n = costs.size();
  const Vector ranks = centred_ranks(costs);
  const double r = ranks.head(n - 1).dot(ranks.tail(n - 1));
  const auto count = static_cast<double>(n);
  const double p = ranks.isZero(0.0) ? 1 : two_sided((r + 1 / count) * std::sqrt(count - 1));
  return {p,
          {"memory", fmt::format("the {} of neighbouring episodes go together (correlation {:.2f}, "
                                 "{}): the certificate assumes independent ones",
                                 whose, r, p_words(p))}};
}

// Of a Gaussian loop P(J >= x L) is at most that of one chi-square for x >= 3, and the other costs'
// mean is rarely far below L: P(J >= x mean of the others) <= P(F_{1,n-1} >= x), taken n times.
Suspicion outlier(const std::string& whose, const Vector& costs) {
  Index place = 0;
  const double largest = costs.maxCoeff(&place);
  const auto n = static_cast<double>(costs.size());
  const double others = (costs.sum() - largest) / (n - 1);
  const double ratio = others > 0 ? largest / others : 0;
  if (!(ratio > 3)) return {};
  const double log_tail =  // E over the mean of the others, by 1/(1 - v)^(1/2) twice
      0.5 * std::log(ratio) - 0.5 * n * std::log((n - 1 + ratio) / n);
  const double p = std::min(1.0, n * std::exp(log_tail));
  return {p,
          {"outlier", fmt::format("number {} of the {}, {:.4g}, is {:.3g} times the mean of the "
                                  "others ({}): a Gaussian loop hardly has that",
                                  place + 1, whose, largest, ratio, p_words(p))}};
}

// Numbers with many digits do not coincide: the same recordings were counted twice.
void add_repeated(std::vector<Warning>& warnings, const std::string& whose, Vector costs) {
  constexpr std::size_t many = 12;
  std::sort(costs.begin(), costs.end());
  Index repeated = 0;
  for (Index i = 1; i < costs.size(); ++i)
    repeated += costs(i) == costs(i - 1) && number_text(costs(i)).size() >= many;
  if (repeated > 0)
    warnings.push_back({"repeated", fmt::format("{} of the {} repeat another one in all digits: "
                                                "the certificate assumes independent episodes",
                                                repeated, whose)});
}

void look_at(std::vector<Suspicion>& all, const std::string& whose, const Vector& costs,
             bool gaussian) {
  if (costs.size() < fewest) return;
  all.push_back(drift(whose, costs));
  all.push_back(memory(whose, costs));
  if (gaussian) all.push_back(outlier(whose, costs));
}

}  // namespace

Vector centred_ranks(const Vector& values) {
  const Index n = values.size();
  std::vector<Index> order(static_cast<size_t>(n));
  std::iota(order.begin(), order.end(), Index{0});
  std::sort(order.begin(), order.end(), [&](Index a, Index b) { return values(a) < values(b); });
  Vector ranks(n);
  for (size_t first = 0; first < order.size();) {
    size_t last = first;
    while (last + 1 < order.size() && values(order[last + 1]) == values(order[first])) ++last;
    const double middle = 0.5 * static_cast<double>(first + last);
    for (; first <= last; ++first) ranks(order[first]) = middle;
  }
  ranks.array() -= 0.5 * static_cast<double>(n - 1);
  const double norm = ranks.norm();
  if (norm > 0) ranks /= norm;
  return ranks;
}

// By Holm's method: the k-th smallest counts if all before it do.
std::vector<Warning> cost_warnings(const MeasureResult& measured) {
  std::vector<Suspicion> all;
  const bool gaussian = measured.options.gaussian;
  if (measured.options.paired) {
    look_at(all, "differences of the costs", measured.costs - measured.against, false);
  } else {
    look_at(all, "costs", measured.costs, gaussian);
    look_at(all, "costs to compare with", measured.against, gaussian);
  }
  std::stable_sort(all.begin(), all.end(),
                   [](const Suspicion& a, const Suspicion& b) { return a.p < b.p; });
  std::vector<Warning> warnings;
  if (gaussian) {
    add_repeated(warnings, "costs", measured.costs);
    add_repeated(warnings, "costs to compare with", measured.against);
  }
  for (size_t k = 0; k < all.size(); ++k) {
    if (!(all[k].p <= false_alarms / static_cast<double>(all.size() - k))) break;
    warnings.push_back(std::move(all[k].warning));
  }
  return warnings;
}

}  // namespace loopcert

#include "assumed_checks.hpp"

#include <algorithm>

namespace loopcert {
namespace {

struct Rule {
  AssumedCheck check;
  std::vector<std::string> assumptions;  // ids
};

const std::vector<Rule>& rules() {
  static const std::vector<Rule> table = {
      {{"gaussian", inspect_gaussian}, {"gaussian", "gaussian-zero-mean"}},
      {{"mean", inspect_mean}, {"gaussian-zero-mean", "zero-mean"}},
      {{"scale-bound", inspect_scale_bound}, {"scale-bound"}},
      {{"covariance-bound", inspect_covariance_bound}, {"covariance-bound"}},
      {{"white", inspect_whiteness}, {"white"}},
      {{"stationary", inspect_stationarity}, {"stationary"}},
      {{"autoregressive", inspect_autoregressive}, {"autoregressive"}},
      {{"kurtosis", inspect_kurtosis}, {"kurtosis"}},
      {{"radius", inspect_radius}, {"radius"}},
      {{"repetitions", inspect_duplicates}, {"gaussian", "gaussian-zero-mean"}},
      {{"order", inspect_order}, {"any-law", "gaussian", "gaussian-zero-mean"}},
  };
  return table;
}

bool concerns(const Rule& rule, const Statement& assumption) {
  return std::count(rule.assumptions.begin(), rule.assumptions.end(), assumption.id) > 0;
}

}  // namespace

std::vector<AssumedCheck> assumed_checks(const std::vector<const Certificate*>& certificates) {
  std::vector<AssumedCheck> checks;
  for (const Rule& rule : rules()) {
    const auto listed = [&](const Certificate* c) {
      return c && std::any_of(c->assumptions.begin(), c->assumptions.end(),
                              [&](const Statement& a) { return concerns(rule, a); });
    };
    if (std::any_of(certificates.begin(), certificates.end(), listed)) checks.push_back(rule.check);
  }
  return checks;
}

bool is_checked(const Statement& assumption) {
  return std::any_of(rules().begin(), rules().end(),
                     [&](const Rule& rule) { return concerns(rule, assumption); }) ||
         assumption.id == "model";
}

}  // namespace loopcert

#include "assumed_checks.hpp"

#include <algorithm>

namespace loopcert {
namespace {

struct Rule {
  AssumedCheck check;
  std::vector<const char*> words;  // one of them is in the assumption, as certificates state it
};

const std::vector<Rule>& rules() {
  static const std::vector<Rule> table = {
      {{"gaussian", inspect_gaussian}, {"Gaussian law"}},
      {{"mean", inspect_mean}, {"with mean zero", "mean of a trajectory is zero"}},
      {{"scale-bound", inspect_scale_bound}, {"No eigenvalue of the covariance"}},
      {{"covariance-bound", inspect_covariance_bound}, {"covariance_bound"}},
      {{"white", inspect_whiteness}, {"independent of each other"}},
      {{"stationary", inspect_stationarity}, {"have the same law"}},
      {{"kurtosis", inspect_kurtosis}, {"fourth moment"}},
      {{"radius", inspect_radius}, {"is longer than"}},
      {{"repetitions", inspect_duplicates}, {"independent draws of one Gaussian law"}},
      {{"order", inspect_order}, {"independent draws"}},
  };
  return table;
}

bool says(const std::string& assumption, const Rule& rule) {
  return std::any_of(rule.words.begin(), rule.words.end(),
                     [&](const char* word) { return assumption.find(word) != assumption.npos; });
}

}  // namespace

std::vector<AssumedCheck> assumed_checks(const std::vector<const Certificate*>& certificates) {
  std::vector<AssumedCheck> checks;
  for (const Rule& rule : rules()) {
    const auto listed = [&](const Certificate* c) {
      return c && std::any_of(c->assumptions.begin(), c->assumptions.end(),
                              [&](const std::string& a) { return says(a, rule); });
    };
    if (std::any_of(certificates.begin(), certificates.end(), listed)) checks.push_back(rule.check);
  }
  return checks;
}

bool is_checked(const std::string& assumption) {
  return std::any_of(rules().begin(), rules().end(),
                     [&](const Rule& rule) { return says(assumption, rule); }) ||
         assumption.starts_with("The plant, its offset");
}

}  // namespace loopcert

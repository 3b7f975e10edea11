// An inspection in words and as JSON.
#include "inspection/inspection.hpp"

namespace loopcert {

std::string verdict_name(Verdict verdict) {
  switch (verdict) {
    case Verdict::ok:
      return "ok";
    case Verdict::doubtful:
      return "doubtful";
    case Verdict::contradicted:
      return "contradicted";
    case Verdict::not_assumed:
      return "not assumed";
    case Verdict::not_tested:
      break;
  }
  return "not tested";
}

std::string verdict_counts(const std::vector<Check>& checks) {
  std::string text;
  for (const Verdict verdict : {Verdict::contradicted, Verdict::doubtful, Verdict::ok,
                                Verdict::not_assumed, Verdict::not_tested}) {
    Index count = 0;
    for (const Check& check : checks) count += check.verdict == verdict;
    if (count > 0)
      text += (text.empty() ? "" : ", ") + std::to_string(count) + " " + verdict_name(verdict);
  }
  return text;
}

const std::string& inspection_notice() {
  static const std::string notice =
      "This is a diagnostic, not a certificate: data can contradict an assumption but never prove "
      "one. If you change the problem file after looking at these trajectories, certify on other "
      "trajectories.";
  return notice;
}

nlohmann::json checks_to_json(const std::vector<Check>& checks) {
  nlohmann::json list = nlohmann::json::array();
  for (const Check& check : checks) {
    nlohmann::json numbers = nlohmann::json::object();
    for (const Check::Number& number : check.numbers) numbers[number.name] = number.value;
    list.push_back({{"name", check.name},
                    {"assumption", check.assumption},
                    {"verdict", verdict_name(check.verdict)},
                    {"p_value", check.p_value ? nlohmann::json(*check.p_value) : nlohmann::json()},
                    {"numbers", numbers},
                    {"meaning", check.meaning},
                    {"advice", check.advice}});
  }
  return list;
}

nlohmann::json inspection_to_json(const Inspection& inspection) {
  const auto list = [](const Vector& v) { return std::vector<double>(v.begin(), v.end()); };
  nlohmann::json deviations = nlohmann::json::array();
  for (Index t = 0; t < inspection.deviations.rows(); ++t)
    deviations.push_back(list(inspection.deviations.row(t).transpose()));
  return {{"status", "done"},
          {"certificate", false},
          {"notice", inspection_notice()},
          {"problem", inspection.problem},
          {"n", inspection.n},
          {"d_w", inspection.d_w},
          {"checks", checks_to_json(inspection.checks)},
          {"lag_correlations", list(inspection.lags.mean)},
          {"lag_band", list(inspection.lags.band)},
          {"standard_deviations", deviations}};
}

}  // namespace loopcert

#include "sweeps/sweep_failures.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>

namespace loopcert {
namespace {

std::string without_numbers(const std::string& message) {
  std::string text;
  for (const char c : message) {
    const bool digit = c >= '0' && c <= '9';
    const bool inside = !text.empty() && text.back() == '#';
    if (digit && !inside) text += '#';
    // 1.5e-07 and 3e+2 are one number each.
    if (!digit && !(inside && (c == '.' || c == 'e' || c == '-' || c == '+'))) text += c;
  }
  return text;
}

}  // namespace

std::string failure_of(const nlohmann::json& record) {
  if (!record.is_object() || record.value("status", nlohmann::json()) != "failed") return "";
  if (record.contains("failure") && record["failure"].is_string())
    return record["failure"].get<std::string>();
  // Records of versions that had it among the warnings alone.
  const nlohmann::json warnings = record.value("warnings", nlohmann::json());
  const bool listed = warnings.is_array() && !warnings.empty() && warnings[0].is_string();
  return listed ? warnings[0].get<std::string>() : "no reason recorded";
}

void FailureCounts::add(const std::string& message, const std::string& where) {
  FailureReason& reason =
      found_.try_emplace(without_numbers(message), FailureReason{message}).first->second;
  ++reason.count;
  ++reason.where[where];
}

std::vector<FailureReason> FailureCounts::reasons() const {
  std::vector<FailureReason> list;
  for (const auto& [text, reason] : found_) list.push_back(reason);
  std::stable_sort(list.begin(), list.end(), [](const FailureReason& a, const FailureReason& b) {
    return a.count > b.count;
  });
  return list;
}

}  // namespace loopcert

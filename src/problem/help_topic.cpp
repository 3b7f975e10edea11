#include "problem/help_topic.hpp"

#include <algorithm>
#include <array>
#include <cassert>
#include <iterator>

namespace loopcert {
namespace {

// In the order of their codes, P1, P2, ...
constexpr std::array<std::string_view, 10> sections = {
    "",         "system",      "cost",   "response", "disturbance",
    "learning", "certificate", "limits", "baseline", "data"};

// The place of a key, as it begins in a message: "cost.Q" or "cost".
bool speaks_of(std::string_view message, std::string_view section) {
  for (size_t at = message.find(section); at != message.npos; at = message.find(section, at + 1)) {
    const bool begins = at == 0 || message.substr(0, at).ends_with(": ");
    const std::string_view rest = message.substr(at + section.size());
    if (begins && (rest.starts_with(".") || rest.starts_with(":") || rest.starts_with("[")))
      return true;
  }
  return false;
}

bool contains(std::string_view message, std::string_view part) {
  return message.find(part) != message.npos;
}

}  // namespace

std::string section_code(std::string_view section) {
  const auto* const found = std::find(sections.begin(), sections.end(), section);
  assert(found != sections.end());
  return "P" + std::to_string(std::distance(sections.begin(), found) + 1);
}

std::optional<std::string> help_topic(std::string_view message) {
  // In Python a kind and a method are arguments: "certificate: found 'driven'".
  if (contains(message, "certificate.kind: found") || message.starts_with("certificate: found '"))
    return "K";
  if (contains(message, "learning.method: found") || message.starts_with("method: found"))
    return "M";
  for (const char* about :
       {"disturbances: ", "data: names of files", "data: a plant", "data: all "})
    if (message.starts_with(about)) return "D";
  for (const std::string_view section : sections)
    if (!section.empty() && speaks_of(message, section)) return section_code(section);
  for (const char* key : {"name", "horizon"})
    if (speaks_of(message, key)) return section_code("");
  for (const char* ending : {".csv: ", ".npy: ", ".npz: ", ".mat: ", ".h5: "})
    if (contains(message, ending)) return "D";
  return std::nullopt;
}

}  // namespace loopcert

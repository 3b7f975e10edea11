#include "certificate/certificate_choice.hpp"

#include <map>

#include "core/text.hpp"
#include "loopcert/core/error.hpp"

namespace loopcert {
namespace {

const std::string hold_out = "hold-out";

// Kinds that rested on random draws, which no other program can decide, and what replaces them.
const std::map<std::string, std::string> retired = {{"data-driven-exact", "data-driven-rank-aware"},
                                                    {"scale-exact", "scale"}};

// Kinds that learning can end with: the certified cost of one response.
bool of_cost(const FixedResponseKind& kind) { return !kind.compares; }

}  // namespace

std::string cross_name(const FixedResponseKind& kind) {
  if (kind.events.empty() || !kind.name.starts_with(hold_out)) return kind.name;
  return "cross" + kind.name.substr(hold_out.size());
}

CertificateChoice certificate_choice(const std::string& name, const std::string& place) {
  if (name == "best") return {Route::best};
  for (const PosteriorKind& kind : posterior_kinds())
    if (kind.name == name) return {Route::posterior, &kind};
  for (const FixedResponseKind& kind : fixed_response_kinds()) {
    if (!of_cost(kind)) continue;
    if (kind.name == name) return {Route::fixed, nullptr, &kind};
    if (cross_name(kind) == name) return {Route::cross, nullptr, &kind};
  }
  if (const auto found = retired.find(name); found != retired.end())
    throw_input_error(place, "'" + name + "', which rested on random draws and is no more",
                      "'" + found->second + "'");
  const std::vector<std::string> known = certificate_names();
  throw_input_error(place, "'" + name + "'", join(known, " | ") + did_you_mean(name, known));
}

void keep_total_delta(CertificateOptions& options) {
  if (options.parts.empty()) return;
  const CertificateChoice choice = certificate_choice(options.kind);
  bool complete = choice.posterior != nullptr;
  double total = 0;
  const std::map<std::string, double> parts(options.parts.begin(), options.parts.end());
  for (const auto& [event, delta] : parts) total += delta;
  if (choice.posterior)
    for (const std::string& event : choice.posterior->events)
      complete = complete && parts.contains(event);
  if (complete) return;
  options.parts.clear();
  options.delta = total;
}

std::vector<std::string> certificate_names() {
  std::vector<std::string> names = {"best"};
  for (const PosteriorKind& kind : posterior_kinds()) names.push_back(kind.name);
  for (const FixedResponseKind& kind : fixed_response_kinds())
    if (of_cost(kind)) names.push_back(kind.name);
  for (const FixedResponseKind& kind : fixed_response_kinds())
    if (of_cost(kind) && cross_name(kind) != kind.name) names.push_back(cross_name(kind));
  return names;
}

}  // namespace loopcert

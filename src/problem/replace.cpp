// A problem with some options replaced. Each section that the patch names is written out, changed
// and read again, so that everything a file is checked for is checked here.
#include "loopcert/core/error.hpp"
#include "problem/problem_json.hpp"
#include "sections.hpp"

namespace loopcert {
namespace {

using Json = nlohmann::json;

// Keys of the patch over those of the section; null takes one away, tables inside are merged.
Json changed(Json section, const Json& patch, const std::string& name) {
  if (!patch.is_object()) refuse({&patch, name}, "a table");
  for (const auto& [key, value] : patch.items()) {
    if (value.is_null())
      section.erase(key);
    else if (key == "prior" && value.is_object())
      section[key].update(value);
    else
      section[key] = value;
  }
  return section;
}

// A large law is not written out and read again when nothing is said about it.
Assumptions replace_disturbance(const Problem& problem, const Json& patch) {
  Assumptions known = problem.disturbance;
  const bool keeps_law = !patch.contains("measurement") && !patch.contains("covariance") &&
                         !patch.contains("mean") && !patch.contains("distribution");
  const bool drops_law = patch.contains("covariance") && patch["covariance"].is_null();
  if (keeps_law || drops_law) {  // the mean belongs to it
    known.law.reset();
    known.noise.reset();
  }
  const Json tree = {{"disturbance", changed(disturbance_section(known), patch, "disturbance")}};
  Assumptions options =
      decode_disturbance(Table({&tree, ""}, {"disturbance"}), problem.system.plant);
  if (keeps_law) {
    options.law = problem.disturbance.law;
    options.noise = problem.disturbance.noise;
  }
  return options;
}

// The offset and the reference of another episode; the plant and its weights stay.
void replace_episode(Problem& problem, const Table& root) {
  const auto system = root.find("system"), cost = root.find("cost");
  if (system) Table(*system, {"d"});
  if (cost) Table(*cost, {"reference"});
  Json tree = problem_to_json(problem);
  if (system) tree["system"] = changed(tree["system"], *system->value, "system");
  if (cost) tree["cost"] = changed(tree["cost"], *cost->value, "cost");
  problem.system = problem_from_json(tree).system;
}

}  // namespace

Problem replace_options(const Problem& problem, const Json& patch) {
  if (!patch.is_object()) refuse({&patch, "options"}, "a table");
  const Table root({&patch, ""}, {"name", "system", "cost", "response", "disturbance", "learning",
                                  "certificate", "limits", "baseline"});
  Problem result = problem;
  if (root.find("system") || root.find("cost")) replace_episode(result, root);
  if (const auto node = root.find("name")) result.name = text(*node);
  if (const auto node = root.find("response")) {
    const Json tree = {
        {"response", changed(response_section(problem.response), *node->value, "response")}};
    result.response = decode_response(Table({&tree, ""}, {"response"}));
  }
  if (const auto node = root.find("disturbance"))
    result.disturbance = replace_disturbance(problem, *node->value);
  if (const auto node = root.find("learning")) {
    const Json tree = {
        {"learning", changed(learning_section(problem.learning), *node->value, "learning")}};
    result.learning = decode_learning(Table({&tree, ""}, {"learning"}));
  }
  if (const auto node = root.find("certificate")) {
    const Json tree = {{"certificate", changed(certificate_section(problem.certificate),
                                               *node->value, "certificate")}};
    result.certificate =
        decode_certificate(Table({&tree, ""}, {"certificate"}), result.learning.method);
  }
  if (const auto node = root.find("baseline")) {  // as a whole, null: none
    const Json tree = {{"baseline", *node->value}};
    result.baseline = node->value->is_null()
                          ? std::nullopt
                          : decode_baseline(Table({&tree, ""}, {"baseline"}), problem.sizes(),
                                            problem.identifies());
  }
  if (const auto node = root.find("limits")) {  // replaced as a whole, null: none
    const Json tree = {{"limits", *node->value}};
    result.limits = node->value->is_null()
                        ? std::nullopt
                        : decode_limits(Table({&tree, ""}, {"limits"}), result.disturbance,
                                        problem.system.plant, problem.model);
  } else if (result.limits && result.limits->robust && result.limits->robust->shape == "radius") {
    // Their set is that of disturbance.radius, whatever that is now.
    const Json tree = {{"limits", limits_section(*result.limits)}};
    result.limits = decode_limits(Table({&tree, ""}, {"limits"}), result.disturbance,
                                  problem.system.plant, problem.model);
  }
  check_response(result);
  return result;
}

}  // namespace loopcert

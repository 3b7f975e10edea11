// A coverage file: tables [[cells]], each for several kinds and sizes on one problem.
#include "calibration/coverage_plan.hpp"
#include "core/check.hpp"
#include "core/text.hpp"
#include "loopcert/core/error.hpp"
#include "problem/fields.hpp"
#include "problem/tree_file.hpp"

namespace loopcert {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

std::vector<std::string> names_of_shapes() {
  std::vector<std::string> names;
  for (const CoverageShape& shape : coverage_shapes()) names.push_back(shape.name);
  return names;
}

std::vector<std::string> names_of_families() {
  std::vector<std::string> names;
  for (const CoverageFamily& family : coverage_families()) names.push_back(family.name);
  return names;
}

// The problem's tree with the keys of `assume` laid over its [disturbance]. The law stays the
// problem's own: what is assumed may be wrong.
json decode_tree(const Table& table, const fs::path& folder) {
  const Node node = table.need("problem", "a problem file, or a table");
  if (!node.value->is_string() && !node.value->is_object())
    refuse(node, "a problem file, or a table");
  json tree = node.value->is_object() ? *node.value : read_tree(folder / text(node));
  if (!tree.is_object()) refuse({&tree, node.path}, "a table");
  if (const auto assume = table.find("assume")) {
    if (!assume->value->is_object()) refuse(*assume, "a table of keys of [disturbance]");
    for (const char* key : {"covariance", "mean"})
      if (assume->value->contains(key)) refuse(*assume, "assumptions, without the law itself");
    tree["disturbance"].merge_patch(*assume->value);
  }
  if (const auto name = table.find("name")) tree["name"] = text(*name);
  return tree;
}

void decode_cells(const Node& node, const fs::path& folder, CoveragePlan& plan) {
  const Table table(node, {"name", "family", "problem", "kinds", "n", "response", "shape", "rule",
                           "assume", "told"});
  const std::vector<std::string> families = names_of_families();
  const std::string family = choice(table.need("family", join(families, " | ")), families);
  const json tree = decode_tree(table, folder);
  const auto told = table.find("told");
  const std::vector<std::string> known = coverage_family(family).kinds();
  for (const Node& kind : items(table.need("kinds", "a list of kinds"), "a list of kinds"))
    for (const Node& n : items(table.need("n", "a list of sizes"), "a list of sizes")) {
      check_at_least(n.path, integer(n), 1);
      CoverageCell cell = at_place(node.path, [&] {
        return make_coverage_cell(tree, family, choice(kind, known), integer(n), plan.delta,
                                  told && boolean(*told));
      });
      if (const auto response = table.find("response"))
        cell.response = choice(*response, {"start", "lqr", "erm"});
      if (const auto shape = table.find("shape"))
        cell.source.shape = choice(*shape, names_of_shapes());
      if (const auto rule = table.find("rule"))
        cell.rule = at_place(rule->path, [&] { return coverage_rule(text(*rule)); });
      plan.cells.push_back(std::move(cell));
    }
}

}  // namespace

CoveragePlan read_coverage_plan(const fs::path& path) {
  const json tree = read_tree(path);
  return at_place(path.string(), [&] {
    const Table root({&tree, ""}, {"name", "delta", "sets", "cells"});
    CoveragePlan plan;
    plan.name = path.stem().string();
    if (const auto node = root.find("name")) plan.name = text(*node);
    if (const auto node = root.find("delta")) {
      plan.delta = number(*node);
      check_probability(node->path, plan.delta);
    }
    if (const auto node = root.find("sets")) {
      plan.sets = integer(*node);
      check_at_least(node->path, plan.sets, 1);
    }
    for (const Node& node : items(root.need("cells", "tables [[cells]]"), "tables [[cells]]"))
      decode_cells(node, path.parent_path(), plan);
    return plan;
  });
}

}  // namespace loopcert

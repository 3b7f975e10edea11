#include "loopcert/problem/problem.hpp"

#include "loopcert/core/error.hpp"
#include "problem/fields.hpp"
#include "problem/problem_json.hpp"
#include "problem/step_time.hpp"
#include "problem/tree_file.hpp"
#include "sections.hpp"

namespace loopcert {

namespace {

// baseline.file is beside the problem file.
void find_baseline(nlohmann::json& tree, const std::filesystem::path& path) {
  if (!tree.is_object() || !tree.contains("baseline") || !tree["baseline"].is_object()) return;
  const auto file = tree["baseline"].find("file");
  if (file == tree["baseline"].end() || !file->is_string()) return;
  *file = (path.parent_path() / file->get<std::string>()).string();
}

}  // namespace

Problem read_problem(const std::filesystem::path& path) {
  nlohmann::json tree = read_tree(path);
  find_baseline(tree, path);
  return at_place(path.string(), [&] { return problem_from_json(tree); });
}

Problem read_problem(const std::filesystem::path& path, Index horizon) {
  nlohmann::json tree = read_tree(path);
  if (tree.is_object()) {
    tree["horizon"] = horizon;
    tree.erase("baseline");  // who asks for other steps compares nothing
  }
  return at_place(path.string(), [&] { return problem_from_json(tree); });
}

namespace {

// What learning means where nothing is said about it: the model's own method and certificate.
void take_model_defaults(const Table& root, Problem& problem) {
  const auto says = [&](const char* section, const char* key) {
    const auto node = root.find(section);
    return node && node->value->is_object() && node->value->contains(key);
  };
  if (!says("learning", "method")) problem.learning.method = "auto";
  if (!says("certificate", "kind"))
    problem.certificate.kind = problem.model->infinite ? "identified-average" : "identified";
}

}  // namespace

Problem problem_from_json(const nlohmann::json& tree) {
  if (!tree.is_object()) refuse({&tree, "problem"}, "a table");
  const Table root({&tree, ""}, {"name", "horizon", "system", "cost", "response", "disturbance",
                                 "learning", "certificate", "limits", "baseline", "data"});
  Problem problem;
  if (const auto node = root.find("name")) problem.name = text(*node);
  problem.response = decode_response(root);
  problem.system = decode_system(root, problem.response.affine, problem.model);
  problem.disturbance = decode_disturbance(root, problem.system.plant);
  problem.limits = decode_limits(root, problem.disturbance, problem.system.plant, problem.model);
  problem.baseline = decode_baseline(root, problem.sizes(), problem.identifies());
  problem.learning = decode_learning(root);
  problem.certificate = decode_certificate(root, problem.learning.method);
  if (problem.model) take_model_defaults(root, problem);
  check_response(problem);
  problem.data = decode_data(root, problem.system.plant);
  problem.step_time = decode_step_time(tree, problem);
  return problem;
}

double predicted_memory(const Sizes& sizes, bool constant_column) {
  // In doubles from the start: a horizon from a file may overflow integers.
  const double T = static_cast<double>(sizes.T);
  const double d_z = (T + 1) * static_cast<double>(sizes.n_w) + (constant_column ? 1 : 0);
  const double d_u = T * static_cast<double>(sizes.n_u);
  // The response space, a bound with its workspace, and the optimizer's history (docs/benchmarks.md
  // has the measured peaks).
  return 8 * (12 * d_z * d_z + 60 * d_u * d_z + 8 * d_u * d_u);
}

}  // namespace loopcert

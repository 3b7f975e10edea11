#include <set>

#include "certificate/certificate_choice.hpp"
#include "core/check.hpp"
#include "core/text.hpp"
#include "learning/learn_method.hpp"
#include "loopcert/core/error.hpp"
#include "problem/fields.hpp"
#include "problem/problem_json.hpp"
#include "problem/tree_file.hpp"
#include "sweeps/sweep.hpp"

namespace loopcert {
namespace {

namespace fs = std::filesystem;

constexpr Index most_seeds = 1'000'000;

// Remembers values and refuses one that comes again: it would be the same row twice.
template <class Value>
class Distinct {
 public:
  void add(const Node& node, const Value& value) {
    if (!seen_.insert(value).second) refuse(node, "each only once");
  }

 private:
  std::set<Value> seen_;
};

std::vector<Problem> decode_problems(const Node& list, const fs::path& folder) {
  std::vector<Problem> problems;
  std::set<std::string> names;
  for (const Node& node : items(list, "a list of problem files")) {
    const bool table = node.value->is_object();
    const std::string place = table ? node.path : (folder / text(node)).string();
    Problem problem = table ? at_place(place, [&] { return problem_from_json(*node.value); })
                            : read_problem(place);
    at_place(place, [&] { require_known_plant(problem, "a sweep"); });
    if (!problem.disturbance.law)
      throw_input_error(place + ": disturbance.covariance", "nothing", "the law to sample from");
    if (!names.insert(problem.name).second)
      throw_input_error(node.path, "the problem name '" + one_line(problem.name) + "' again",
                        "problems with different names");
    problems.push_back(std::move(problem));
  }
  return problems;
}

std::string default_label(const SweepMethod& method) {
  if (!method.gamma) return method.method;
  return method.method + "-" + (*method.gamma ? number_text(**method.gamma) : "cv");
}

SweepMethod decode_method(const Node& node) {
  SweepMethod method;
  if (node.value->is_string()) {
    method.method = find_learn_method(text(node), node.path).name;
    method.label = method.method;
    return method;
  }
  if (!node.value->is_object()) refuse(node, "a method or a table with method, gamma, label");
  const Table table(node, {"method", "gamma", "label"});
  const Node name = table.need("method", "one of " + learn_method_list());
  method.method = find_learn_method(text(name), name.path).name;
  if (const auto gamma = table.find("gamma")) {
    if (method.method != "ridge") refuse(*gamma, "none: only method ridge has one");
    method.gamma = number_or_word(*gamma, "cv");
  }
  method.label = default_label(method);
  if (const auto label = table.find("label")) {
    method.label = text(*label);
    if (method.label.empty()) refuse(*label, "a text that is not empty");
  }
  return method;
}

std::vector<SweepMethod> decode_methods(const Node& list) {
  std::vector<SweepMethod> methods;
  std::set<std::string> labels;
  for (const Node& node : items(list, "a list of methods")) {
    methods.push_back(decode_method(node));
    if (!labels.insert(methods.back().label).second)
      throw_input_error(node.path, "the label '" + one_line(methods.back().label) + "' again",
                        "different labels");
  }
  return methods;
}

std::vector<Index> decode_n(const Node& list) {
  std::vector<Index> sizes;
  Distinct<Index> distinct;
  for (const Node& node : items(list, "a list of numbers of trajectories")) {
    sizes.push_back(integer(node));
    check_at_least(node.path, sizes.back(), 1);
    distinct.add(node, sizes.back());
  }
  return sizes;
}

std::vector<std::string> decode_certificates(const Node& list) {
  std::vector<std::string> kinds;
  Distinct<std::string> distinct;
  const std::vector<std::string> known = certificate_names();
  for (const Node& node : items(list, "a list of certificate kinds")) {
    kinds.push_back(choice(node, known));
    distinct.add(node, kinds.back());
  }
  return kinds;
}

// How many (0, 1, …), or which.
std::vector<std::uint64_t> decode_seeds(const Node& node) {
  std::vector<std::uint64_t> seeds;
  if (node.value->is_number()) {
    const Index count = integer(node);
    if (count < 1 || count > most_seeds)
      refuse(node, "a number of seeds from 1 to " + std::to_string(most_seeds));
    for (Index i = 0; i < count; ++i) seeds.push_back(static_cast<std::uint64_t>(i));
    return seeds;
  }
  Distinct<std::uint64_t> distinct;
  for (const Node& item : items(node, "a number of seeds or a list of seeds")) {
    check_at_least(item.path, integer(item), 0);
    seeds.push_back(static_cast<std::uint64_t>(integer(item)));
    distinct.add(item, seeds.back());
  }
  return seeds;
}

}  // namespace

Sweep sweep_from_json(const nlohmann::json& tree, const fs::path& folder) {
  if (!tree.is_object()) refuse({&tree, "sweep"}, "a table");
  const Table root({&tree, ""},
                   {"name", "problems", "n", "methods", "certificates", "seeds", "test"});
  Sweep sweep;
  sweep.name = "sweep";
  if (const auto node = root.find("name")) sweep.name = text(*node);
  sweep.n = decode_n(root.need("n", "a list of numbers of trajectories"));
  sweep.methods = decode_methods(root.need("methods", "a list of methods"));
  if (const auto node = root.find("certificates")) sweep.certificates = decode_certificates(*node);
  const auto seeds = root.find("seeds");
  sweep.seeds = seeds ? decode_seeds(*seeds) : std::vector<std::uint64_t>{0};
  if (const auto node = root.find("test")) sweep.test = integer(*node);
  check_at_least("test", sweep.test, 2);  // a standard error needs two
  sweep.problems = decode_problems(root.need("problems", "a list of problem files"), folder);
  return sweep;
}

Sweep read_sweep(const fs::path& path) {
  nlohmann::json tree = read_tree(path);
  if (tree.is_object() && !tree.contains("name")) tree["name"] = path.stem().string();
  return at_place(path.string(), [&] { return sweep_from_json(tree, path.parent_path()); });
}

}  // namespace loopcert

#include <nlohmann/json.hpp>

#include "../targets.hpp"
#include "problem/tree_file.hpp"

namespace loopcert::fuzz {

void toml(Bytes bytes) {
  nlohmann::json tree;
  if (accepted([&] { tree = tree_from_toml(bytes); })) read_as_problem(tree);
}

}  // namespace loopcert::fuzz

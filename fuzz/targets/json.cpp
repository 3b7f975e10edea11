#include <nlohmann/json.hpp>

#include "../targets.hpp"
#include "core/json.hpp"

namespace loopcert::fuzz {

void json(Bytes bytes) {
  nlohmann::json tree;
  if (accepted([&] { tree = parse_json(bytes); })) read_as_problem(tree);
}

}  // namespace loopcert::fuzz

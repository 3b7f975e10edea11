// Statements are data: an id and its numbers. What they say in words is in delivery/words.hpp.
#pragma once

#include <map>
#include <string>

namespace loopcert {

struct Statement {
  std::string id;
  std::map<std::string, double> parameters = {};

  bool operator==(const Statement&) const = default;
};

}  // namespace loopcert

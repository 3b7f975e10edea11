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

// What was not granted, in the parts of an InputError.
struct Missing {
  std::string place;
  std::string found;
  std::string expected;

  bool operator==(const Missing&) const = default;
};

}  // namespace loopcert

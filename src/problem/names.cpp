#include "problem/names.hpp"

#include "loopcert/problem/problem.hpp"

namespace loopcert {

const std::vector<std::string>& learning_methods() {
  static const std::vector<std::string> names = {
#define ADD(name, maker) name,
#include "problem/learning_methods.inc"
  };
  return names;
}

const std::vector<std::string>& posterior_family_names() {
  static const std::vector<std::string> names = {
#define ADD(name, maker) name,
#include "problem/posterior_families.inc"
  };
  return names;
}

const std::vector<std::string>& event_names() {
  static const std::vector<std::string> names = {
#define ADD(name) name,
#include "problem/event_names.inc"
  };
  return names;
}

}  // namespace loopcert

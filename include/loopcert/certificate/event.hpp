// What a certificate pays for: events, each with its share of delta.
#pragma once

#include <map>
#include <string>

namespace loopcert {

// Something that fails with probability at most delta.
struct Event {
  std::string name;
  double delta = 0;
  std::string statement;
};

using Deltas = std::map<std::string, double>;  // event name -> delta

}  // namespace loopcert

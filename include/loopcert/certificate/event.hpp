// What a certificate pays for: events, each with its share of delta.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "loopcert/certificate/statement.hpp"
#include "loopcert/core/types.hpp"

namespace loopcert {

// Something that fails with probability at most delta.
struct Event {
  std::string id;  // as in certificate.delta of a problem file; "kept" for a share not used
  double delta = 0;
  Statement statement;
  Index choices = 1;      // it is claimed for each of so many controllers or priors
  std::string kind = {};  // in a portfolio: the kind that it belongs to
  Index fold = 0;         // counted from 1; 0: of no fold

  bool operator==(const Event&) const = default;
};

using Deltas = std::map<std::string, double>;  // event id -> delta

// 1 - the sum of the deltas.
double confidence_of(const std::vector<Event>& events);

}  // namespace loopcert

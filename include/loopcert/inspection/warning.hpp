// What is said beside a certificate.
#pragma once

#include <string>

namespace loopcert {

struct Warning {
  std::string id;    // a word for programs: "gaussian", "model"
  std::string text;  // one line for a person
};

// The cost of the controller that made the logs; absent for data that come from none.
struct LoggedCost {
  double mean = 0;
  double standard_error = 0;
};

}  // namespace loopcert

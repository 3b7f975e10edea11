// What the page of an inspection shows, as plain records.
#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "loopcert/core/types.hpp"
#include "report/plots.hpp"

namespace loopcert::report {

struct InspectionReport {
  struct Check {
    std::string name, assumption, verdict;
    std::optional<double> p_value;
    std::string meaning, advice;
  };
  std::string problem;
  std::string counts;  // "3 ok, 1 doubtful"
  std::string notice;  // what an inspection is and is not
  std::vector<Check> checks;
  Matrix disturbances;    // one trajectory per row; of logs: the innovations of one step
  bool of_logs = false;   // of a plant that is identified
  Matrix law_covariance;  // empty: not known
  std::optional<double> scale_bound;
  Vector lag_mean, lag_band;       // for lag 1, 2, …; empty: one step only
  Matrix deviations;               // (T + 1) x n_x, x_0 first
  Index start = 0;                 // numbers of x_0 in front of the steps
  std::vector<std::string> names;  // of the coordinates; empty: not stated
  TimeAxis axis;
  nlohmann::json record;
};

std::string inspection_page(const InspectionReport& inspection);

}  // namespace loopcert::report

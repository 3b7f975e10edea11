// What a controller of a problem does after its horizon, in words.
#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "controller/long_run.hpp"
#include "loopcert/problem/problem.hpp"

namespace loopcert {

struct AfterRun {
  AfterHorizon after = AfterHorizon::hold;
  LongRun run;
  std::string noise;  // which disturbances the costs are under
};

// Under the law that the problem states; without one under the covariance of `data`; without data
// under white noise of covariance I. Nothing when `after` is refuse or the problem varies in time.
std::optional<AfterRun> look_after(const Problem& problem, const Controller& controller,
                                   AfterHorizon after, const Disturbances& data = {});

// (name, value) for a table or a comment.
std::vector<std::pair<std::string, std::string>> after_rows(const AfterRun& found);

nlohmann::json after_to_json(const AfterRun& found);

// One sentence with what to do, or "" when there is nothing to warn of.
std::string after_warning(const AfterRun& found);

}  // namespace loopcert

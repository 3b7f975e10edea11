// What the page of a watch shows: the evidence against a claim, as it grew.
#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "loopcert/core/types.hpp"

namespace loopcert::report {

struct WatchReport {
  std::string claim;              // "mean cost of an episode at most 6.1"
  std::optional<double> claimed;  // the mean; nothing: the claim is of a plant
  std::string counted = "cost";   // what comes one by one: a cost, a transition
  Index n = 0, before = 0;        // seen, and those of them that earlier calls saw
  double evidence = 1, largest = 1, threshold = 100;
  std::optional<Index> rejected_at;
  std::string cause;         // of the rejection, where it is known
  std::string false_alarms;  // a sentence
  // What was seen by this call: number of the last, mean and largest cost, evidence.
  Vector number, mean, most, course;
  nlohmann::json record;
};

std::string watch_page(const WatchReport& report);

}  // namespace loopcert::report

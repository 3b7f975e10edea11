// Why jobs of a sweep failed, and how often.
#pragma once

#include <map>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "loopcert/core/types.hpp"

namespace loopcert {

struct FailureReason {
  std::string message;  // of the first job that failed so
  Index count = 0;
  std::map<std::string, Index> where = {};  // jobs by the place that was given
};

// The message of a job's record; "" unless it failed.
std::string failure_of(const nlohmann::json& record);

// Messages that differ in their numbers alone are one reason.
class FailureCounts {
 public:
  void add(const std::string& message, const std::string& where = "");
  std::vector<FailureReason> reasons() const;  // the most frequent first

 private:
  std::map<std::string, FailureReason> found_;  // by the message without its numbers
};

}  // namespace loopcert

// A fan with what the same coordinate does under another controller, and what it is to follow.
#pragma once

#include "report/plots.hpp"

namespace loopcert::report {

// One value per step each; empty where there is none.
struct FanBeside {
  Matrix paths;
  std::string name;
  Vector reference;
};

Figure fan_beside(const Matrix& paths, const std::string& name, const std::vector<FanLimit>& limits,
                  const FanBeside& beside);

}  // namespace loopcert::report

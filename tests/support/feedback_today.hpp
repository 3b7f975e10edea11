// A controller that runs today, for tests of whatever takes one: u = -0.3 times each state.
#pragma once

#include "controller/forms.hpp"
#include "loopcert/problem/problem.hpp"

namespace loopcert::testing {

inline Baseline feedback_today(const Problem& problem) {
  const Sizes s = problem.sizes();
  Baseline baseline;
  baseline.form = "gain";
  baseline.values[""] = Matrix::Constant(s.n_u, s.n_y, -0.3);
  baseline.controller = controller_of_form(controller_form("gain"), baseline.values, s, {}, {});
  return baseline;
}

}  // namespace loopcert::testing

// What learning needs of a problem whatever the data, the method and the certificate: made once,
// used for many data sets.
#pragma once

#include <optional>

#include "data/moments.hpp"
#include "loopcert/problem/problem.hpp"
#include "response/response.hpp"
#include "response/space.hpp"

namespace loopcert {

struct LearningSetup {
  // The same responses in two sets of coordinates: what the problem asks for, and what no unit
  // enters. The first is made for methods whose answer depends on it.
  std::optional<ResponseSpace> space;
  ResponseSpace around_lqr;
  Response lqr;
  // Under the true law; absent when the problem does not give one.
  struct UnderLaw {
    Moments moments;
    double optimal_cost =
        0;  // the smallest cost of any response; if not affine, with the offset of LQR
    double lqr_cost = 0;
  };
  std::optional<UnderLaw> law;
};

// A function of the problem's system, response and law alone. Throws InputError (not enough memory)
// and NumericsError (the response of the plant is not finite).
LearningSetup make_learning_setup(const Problem& problem, bool with_coordinates = true);

}  // namespace loopcert

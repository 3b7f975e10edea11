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
};

// Throws InputError when learning would need more memory than there is.
void check_memory_for(const Problem& problem);

// A function of the problem's system and response alone. Throws NumericsError (the response of the
// plant is not finite).
LearningSetup make_learning_setup(const Problem& problem, bool with_coordinates = true);

// What a problem with a law says of costs, whatever the data.
struct CostsUnderLaw {
  Moments moments;
  // The smallest cost of any response; if not affine, with the offset of LQR. Under limits on the
  // probability of an episode: of those that keep each of them with an equal share of it. Nothing
  // where there is none.
  std::optional<double> optimal;
  double lqr = 0;
};
std::optional<CostsUnderLaw> costs_under_law(const Problem& problem, const LearningSetup& setup);
// The same in two steps: where the smallest is (empty: nowhere), then what it costs.
Matrix optimum_under_law(const Problem& problem, const LearningSetup& setup, const Matrix& Sigma);
CostsUnderLaw costs_under_law(const Problem& problem, const LearningSetup& setup, Moments law,
                              const Matrix& Sigma, const Matrix& Z_optimal);

}  // namespace loopcert

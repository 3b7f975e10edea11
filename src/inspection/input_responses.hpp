// How the model's one-step errors answer the logged inputs: not at all, if the model is right.
//
// With what_t = x_{t+1} - A_t x_t - B_t u_t - d_t the model being right means what = w, and then
// the input has no say in what_t beyond what (x_0, what_0, …, what_{t-1}) say, whatever the colour
// of w, as long as nobody who chose the input knew w in advance (docs/theory/model-check.md).
#pragma once

#include <optional>
#include <vector>

#include "loopcert/core/types.hpp"
#include "loopcert/data/disturbances.hpp"
#include "loopcert/system/plant.hpp"

namespace loopcert {

// For input j, lag k and state i, summed over the steps t: e_{t-k,j} what_{t,i}, with e_{t-k} the
// part of u_{t-k} that what was known before does not explain.
struct InputResponses {
  Sizes sizes;
  Index lags = 0;                  // k = 0 … lags - 1
  std::vector<Matrix> products;    // for each k nu + j: episodes x states
  std::vector<Matrix> weighed;     // the same, each term over sqrt(1 - leverage), for the variance
  std::vector<Matrix> regressors;  // for a fit, for each k nu + j: episodes x (states, inputs):
                                   // e times what the past leaves of x_t and of u_t
  std::vector<Matrix> halves;      // [e; v][e; v]' of even and odd episodes, for each lag

  Matrix z;  // (lags n_u) x n_x: sums over their standard deviations; 0: nothing excites this
  double tests = 0;
  double p = 1;  // of the largest |z|, corrected for their number
  Index worst_lag = 0, worst_input = 0, worst_state = 0;
};

// Nothing when the episodes are too few, or no input varies beyond what the past explains.
struct ResponseEffort {
  Index episodes = 1000;  // looked at: more cost time and add little
  Index back = 6;         // steps
  bool regressors = false;
};
std::optional<InputResponses> input_responses(const Plant& plant, const Rollouts& logs,
                                              const ResponseEffort& effort = {});

// By how much the inputs of the best lag make the errors of this state smaller on episodes that the
// fit has not seen: a part of their variance given the past.
double cross_fitted_gain(const InputResponses& responses, Index state);

// Sum over the states of the logarithm of the one-step error given the past, a variance: of several
// models the one that is right has the smallest.
double innovation_size(const InputResponses& responses);

}  // namespace loopcert

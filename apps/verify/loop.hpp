// Closed loops over the horizon by forward recursion, and the coordinates in which priors and
// posteriors live (docs/theory/coordinates.md). Column 0 answers to the constant 1, the others to
// w.
#pragma once

#include "record.hpp"

namespace verify {

struct Response {
  Mat X, U;  // d_w x (1 + d_w), d_u x (1 + d_w)
};

Response closed_loop(const Problem& problem, const Controller& controller);
Response open_loop(const Problem& problem, Mat inputs);  // that of given inputs
Response lqr_response(const Problem& problem);

// X'Qbar X + U'Rbar U: z'Kz is the cost of z = (1, w).
Mat cost_gram(const Problem& problem, const Response& response);

// TooWide when a weight could make a cost negative: no eigenvalue may be below -1e-12 of its size.
void check_weights(const Problem& problem);

// Z = T_u^-1 (Phi_u - start), causal; P, H of the notation in these coordinates.
class Space {
 public:
  explicit Space(const Problem& problem);

  Mat coordinates(const Mat& step) const;     // T_u^-1 step
  Mat cost_slope(const Response& at) const;   // H = T_u'(S_x'Qbar X + Rbar U)
  bool is_free(long row, long column) const;  // of Z, with the constant's column in front
  const Response& start() const { return start_; }
  const Mat& P() const { return P_; }

 private:
  const Problem& problem_;
  Mat S_x_, factor_, P_;  // factor: I + S_x'S_x = U U', when the basis is orthonormal
  Response start_;
};

double size_of(const Mat& a);  // at least its largest entry

}  // namespace verify

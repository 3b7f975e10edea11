// Closed loops over the horizon by forward recursion, and the coordinates in which priors and
// posteriors live (docs/theory/coordinates.md). Column 0 answers to the constant 1, the others to
// w.
#pragma once

#include "record.hpp"

namespace verify {

struct Response {
  Mat X{0, 0}, U{0, 0};  // d_w x (1 + d_w), d_u x (1 + d_w)
};

Response closed_loop(const Problem& problem, const Controller& controller);
Response open_loop(const Problem& problem, const Mat& inputs);  // that of given inputs
Response lqr_response(const Problem& problem);

// X'Qbar X + U'Rbar U: z'Kz is the cost of z = (1, w).
Mat cost_gram(const Problem& problem, const Response& response);

// Refuted unless the inputs are the expected ones up to `room`.
void require_same_inputs(const Mat& found, const Mat& expected, double room,
                         const std::string& role);

// Z = T_u^-1 (Phi_u - start), causal; P, H of the notation in these coordinates.
struct Space {
  explicit Space(const Problem& problem);

  Mat coordinates(const Mat& step) const;     // T_u^-1 step
  Mat inputs(const Mat& Z) const;             // start + T_u Z
  Mat cost_slope(const Response& at) const;   // H = T_u'(S_x'Qbar X + Rbar U)
  bool is_free(long row, long column) const;  // of Z, with the constant's column in front
  Mat free_entries() const;                   // 1 where Z is free

  const Problem& problem;
  Mat S_x{0, 0}, factor{0, 0},
      P{0, 0};  // factor: I + S_x'S_x = U U', when the basis is orthonormal
  Response start;
};

}  // namespace verify

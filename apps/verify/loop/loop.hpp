// Closed loops over the horizon by forward recursion, and the coordinates in which priors and
// posteriors live (docs/theory/coordinates.md). Column 0 answers to the constant 1, the others to
// w.
#pragma once

#include "formats/record.hpp"

namespace verify {

struct Response {
  Mat X{0, 0}, U{0, 0};  // d_w x (1 + d_w), d_u x (1 + d_w)
};

Response closed_loop(const Problem& problem, const Controller& controller);
// u = K y + k in balls: what the problem says of the controller that runs today, and its loop.
struct Feedback {
  Mat K{0, 0}, k{0, 0};  // d_u x d_y, d_u x 1
};
Feedback baseline_gain(const Problem& problem);
Response baseline_response(const Problem& problem);
Response open_loop(const Problem& problem, const Mat& inputs);  // that of given inputs
// LQR for w_t = a w_{t-1} + white (docs/theory/coloured.md); a = 0 is LQR itself.
Response lqr_response(const Problem& problem, double a = 0);
// A covariance of that colour, entries in units of what they cost LQR: close to it, which is enough
// for a metric.
Mat coloured_covariance(const Problem& problem, double a);
inline const std::vector<double> colours = {0, 0.8, 1};  // that method auto chooses among

// X'Qbar X + U'Rbar U: z'Kz is the cost of z = (1, w).
Mat cost_gram(const Problem& problem, const Response& response);
// The same of what one response has more than another: both have the same reference.
Mat change_gram(const Problem& problem, const Response& change);

// Z = T_u^-1 (Phi_u - start), causal; P, H of the notation in these coordinates.
struct Space {
  explicit Space(const Problem& problem);  // as the problem asks
  Space(const Problem& problem, const std::string& start, const std::string& basis);

  Mat coordinates(const Mat& step) const;    // T_u^-1 step
  Mat inputs(const Mat& Z) const;            // start + T_u Z
  Mat cost_slope(const Response& at) const;  // H = T_u'(S_x'Qbar X + Rbar U)
  Mat free_entries() const;  // 1 where Z is free, with the constant's column in front

  const Problem& problem;
  Mat S_x{0, 0}, P{0, 0};
  Mat factor{0, 0};  // U with T_u = U^-T: I + S_x'S_x = U U' (orthonormal), P = U U' (cost)
  Response start;
};

}  // namespace verify

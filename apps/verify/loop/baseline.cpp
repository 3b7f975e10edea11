// The controller that runs today as u = K y + k, from closed forms of its answer to a measurement
// (docs/theory/baseline.md), where loopcert runs it step by step.
#include "formats/outputs.hpp"
#include "formats/record.hpp"
#include "loop/loop.hpp"

namespace verify {
namespace {

struct Numbers {
  const Baseline& b;

  Ball operator()(const char* key, double otherwise) const {
    const auto found = b.values.find(key);
    return found == b.values.end() ? otherwise : found->second(0, 0);
  }
};

Mat matrix(const Baseline& b, const char* key, long rows, long cols) {
  const auto found = b.values.find(key);
  return found == b.values.end() ? Mat(rows, cols) : Mat(found->second);
}

Ball to_the(const Ball& base, long exponent) {
  Ball product = 1;
  for (long i = 0; i < exponent; ++i) product = product * base;
  return product;
}

// What e_s adds to u_t: p at s = t, dt i from then on, and d times the weight of e_s in
// sum_{j=1..t} a^(t-j) (e_j - e_{j-1}) / (filter + dt), a = filter/(filter + dt).
Mat pid(const Baseline& b, long t, long s, long n_u, long n_y) {
  const Numbers number{b};
  const Ball dt = number("dt", 1), both = number("filter", 0) + dt, a = number("filter", 0) / both;
  Ball weight = 0;
  if (s >= 1) weight = weight + to_the(a, t - s);
  if (s < t) weight = weight - to_the(a, t - s - 1);
  Mat answer = dt * matrix(b, "i", n_u, n_y) + (weight / both) * matrix(b, "d", n_u, n_y);
  return s == t ? answer + matrix(b, "p", n_u, n_y) : answer;
}

// v_0 = gain e_0, v_t = c v_{t-1} + gain (x e_t - y e_{t-1}).
Mat lead_lag(const Baseline& b, long t, long s, long n_u, long n_y) {
  const Numbers number{b};
  const Ball dt = number("dt", 1), lead = 2 * number("lead", 0) / dt,
             lag = 2 * number("lag", 0) / dt;
  const Ball c = (lag - 1) / (lag + 1), x = (lead + 1) / (lag + 1), y = (lead - 1) / (lag + 1);
  const Ball first = s == 0 ? Ball(1) : x;
  const Ball weight = s == t ? first : to_the(c, t - s - 1) * (c * first - y);
  return weight * matrix(b, "gain", n_u, n_y);
}

}  // namespace

Feedback baseline_gain(const Problem& p) {
  const Baseline& b = p.baseline.value();
  const long n_u = p.n_u, n_y = seen_in_step(p);
  if (b.form == "controller") {
    const Controller c = parse_controller(b.controller.dump(), p);
    return {Mat(c.K), transpose(Mat(c.k))};
  }
  std::vector<Mat> powers;  // C A^j B
  if (b.form == "state-space") {
    const Mat A = matrix(b, "A", 0, 0), C = matrix(b, "C", 0, 0);
    Mat state = matrix(b, "B", 0, 0);
    for (long t = 1; t < p.T; ++t) {
      powers.push_back(C * state);
      state = A * state;
    }
  }
  const auto answer = [&](long t, long s) -> Mat {  // of u_t to y_s - setpoint_s
    if (b.form == "pid") return -1 * pid(b, t, s, n_u, n_y);
    if (b.form == "lead-lag") return -1 * lead_lag(b, t, s, n_u, n_y);
    if (b.form == "state-space")
      return s == t ? matrix(b, "D", n_u, n_y) : powers[static_cast<size_t>(t - s - 1)];
    return s == t ? matrix(b, "", n_u, n_y) : Mat(n_u, n_y);
  };
  const Mat setpoints = transpose(Mat(b.setpoint)), offset = transpose(Mat(b.offset));
  Feedback found{Mat(p.d_u(), seen_in_all(p)), Mat(p.d_u(), 1)};
  for (long t = 0; t < p.T; ++t) {
    Mat k = offset;
    for (long s = 0; s <= t; ++s) {
      const Mat K = answer(t, s);
      set_block(found.K, t * n_u, s * n_y, K);
      k = k - K * block(setpoints, 0, s, n_y, 1);
    }
    set_block(found.k, t * n_u, 0, k);
  }
  return found;
}

}  // namespace verify

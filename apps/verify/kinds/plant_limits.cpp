// docs/theory/limits-identified.md: how often rows are violated at most, for every plant of a set.
#include "kinds/plant_loop.hpp"

namespace verify {
namespace {

Mat column_of(const std::vector<double>& values) {
  return Mat(Table{std::ssize(values), 1, values});
}

Ball root(const Ball& a) { return ball(arb_sqrtpos, a.x); }

// The numbers of a record that prove a bound.
struct Proof {
  std::string bound;
  double tau = 0, nu = 0;
  Table P;
  Gain reply, cost;
};

Table square(const json& tree, const char* key, long n) {
  return matrix_of(tree.at(key), n, n, std::string("identified_limits.") + key);
}

Proof proof_of(const json& tree, bool infinite, long n) {
  Proof found;
  found.bound = tree.at("bound").get<std::string>();
  if (found.bound == "riccati") {
    found.tau = tree.at("tau").get<double>();
    if (!(found.tau > 0)) throw Refuted{"inputs.identified_limits: a tau that is not positive"};
    if (infinite) found.P = square(tree, "P", n);
  } else if (found.bound == "expansion") {
    found.nu = tree.value("nu", 0.0);
    if (!(found.nu >= 0)) throw Refuted{"inputs.identified_limits: a nu that is negative"};
    if (!infinite) return found;
    found.reply = {tree.at("reply_gain").get<double>(), Mat(square(tree, "reply_P", n))};
    found.cost = {tree.at("cost_gain").get<double>(), Mat(square(tree, "cost_P", n))};
  } else if (found.bound != "none" && found.bound != "start" && found.bound != "static") {
    throw Refuted{"inputs.identified_limits.bound: " + word(found.bound) +
                  " is unknown to the checker"};
  }
  return found;
}

// The loop over so many steps with nothing but a row at their end, or at each for ever.
Estimate only_row(const Estimate& at, long steps, const Mat& weight) {
  Estimate row{{}, at.H, at.beta, at.noise, {}};
  for (long t = 0; t < steps; ++t) {
    row.steps.push_back(at.steps[static_cast<size_t>(t)]);
    row.steps.back().weight = weight;
  }
  return row;
}

// Without the 1 in front.
Estimate around_mean(const Estimate& at, long f) {
  Estimate inner{{}, block(at.H, f, 0, at.H.rows() - f, at.H.cols()), at.beta, true, {}};
  const long n = inner.H.rows();
  for (const ClosedStep& step : at.steps)
    inner.steps.push_back({block(step.A, f, f, n, n), block(step.C, 0, f, step.C.rows(), n),
                           block(step.weight, f, f, n, n)});
  return inner;
}

// Nothing unknown reaches it: every E'S_k E is exactly zero.
bool is_reached(const Estimate& at, const std::vector<Mat>& S) {
  for (size_t k = 1; k < S.size(); ++k)
    if (size_of(transpose(at.H) * S[k] * at.H) > 0) return true;
  return false;
}

// At least E (h'zeta)^2 at step t.
Ball largest_square(const Estimate& at, const Mat& h, long t, const Mat& U_0, const Proof& by) {
  const Mat last = h * transpose(h);
  const Estimate row = only_row(at, t, Mat(h.rows(), h.rows()));
  if (by.bound == "start") {
    const std::vector<Mat> S = costs_to_go(row, last);
    if (is_reached(row, S))
      throw Refuted{"inputs.identified_limits: a row that is not the start's"};
    return dot(S[0], U_0);
  }
  if (t == 0 || by.bound == "static")
    throw Refuted{"inputs.identified_limits: a bound of another row"};
  const auto [nominal, error] = finite_cost(row, by.bound == "riccati", by.tau, by.nu, last, U_0);
  return nominal + error;
}

// The same for ever; every loop of the set is stable.
Ball largest_average(const Estimate& at, const Mat& h, const Proof& by) {
  const Estimate row = only_row(at, 1, h * transpose(h));
  if (by.bound == "expansion") {
    const Average found =
        average_over_set(row.steps[0], row.H, row.beta, false, by.nu, by.reply, by.cost);
    return found.nominal + found.error;
  }
  if (by.bound != "riccati") throw Refuted{"inputs.identified_limits: a bound of another row"};
  const Mat P(by.P);
  const Certified certified{Ball(0.5) * (P + transpose(P)), by.tau, 0, false};
  if (!is_guaranteed(row.steps[0], row.H, row.beta, certified))
    throw TooWide{"the inequality of P and tau of a row"};
  return dot(row.H, certified.P * row.H);
}

// Item 4: how far from zero the stationary mean of h'zeta is at most.
Ball stationary_error(const Estimate& at, const Mat& h) {
  const long n = at.H.rows() - 1, n_r = at.steps[0].C.rows();
  const Mat& A = at.steps[0].A;
  const Mat left = identity(n) - block(A, 1, 1, n, n);
  const Mat DH = solve(left, block(at.H, 1, 0, n, at.H.cols()));
  Mat m(1 + n, 1);
  m.set(0, 0, 1);
  set_block(m, 1, 0, solve(left, block(A, 1, 0, n, 1)));
  const Mat reply = block(at.steps[0].C, 0, 1, n_r, n) * DH, r = at.steps[0].C * m;
  const Ball gamma = at.beta * root(largest_eigenvalue(transpose(reply) * reply));
  if (!(upper(gamma) < 1)) throw TooWide{"the error of a mean"};
  const Mat reach = transpose(block(h, 1, 0, n, 1)) * DH;
  Ball off = dot(h, m);
  arb_abs(off.x, off.x);
  return off + root(dot(reach, reach)) * at.beta * root(dot(r, r)) / (1 - gamma);
}

// What a record says of a row may be more than was computed, not less.
void require_said(const json& tree, const char* key, const Ball& value) {
  const double said = tree.at(key).get<double>();
  if (!(said >= lower(value) - 1e-9 * upper(value) - 1e-300))
    throw Refuted{std::string("inputs.identified_limits.") + key + ": the record says less"};
}

// Variance and mean of rows have a loop each.
class Loops {
 public:
  Loops(const Plant& plant, const Estimate& at, const Mat& U_0)
      : f_(plant.first()),
        n_(plant.n() - f_),
        inner_(around_mean(at, f_)),
        mean_(at),
        start_(block(U_0, f_, f_, n_, n_)),
        one_(plant.n(), plant.n()) {
    mean_.noise = false;
    if (f_ == 1) one_.set(0, 0, 1);
  }

  Ball largest_violation(const LimitRow& row, const Mat& h, long t, bool infinite,
                         const json& tree) const {
    const Proof by = proof_of(tree, infinite, n_);
    if (by.bound == "none") return 1;
    if (tree.contains("mean_error") != (f_ == 1))
      throw Refuted{"inputs.identified_limits: a mean is not that of the plant"};
    const Mat inside = block(h, f_, 0, n_, 1);
    const Ball variance = infinite ? largest_average(inner_, inside, by)
                                   : largest_square(inner_, inside, t, start_, by);
    const Ball deviation = root(variance);
    require_said(tree, "variance", variance);
    Ball mean, error;
    if (f_ == 1) {
      mean = tree.at("mean").get<double>();
      Mat shifted = h;
      shifted.set(0, 0, h(0, 0) - mean);
      const json& numbers = tree["mean_error"];
      if (infinite != (numbers.at("bound") == "static"))
        throw Refuted{"inputs.identified_limits: a bound of another mean"};
      error = infinite
                  ? stationary_error(mean_, shifted)
                  : root(largest_square(mean_, shifted, t, one_, proof_of(numbers, false, n_)));
    }
    const Interval within{row.low, row.high};
    const Ball below = violation(within, mean - error, deviation);
    const Ball above = violation(within, mean + error, deviation);
    return ball(arb_max, below.x, above.x);
  }

 private:
  long f_, n_;
  Estimate inner_, mean_;
  Mat start_, one_;
};

}  // namespace

Bound with_limits(Bound bound, const Record& record, const Plant& plant, const Estimate& at,
                  const Mat& U_0) {
  const Problem& p = record.problem;
  const Limits& limits = p.limits.value();
  const bool infinite = p.unknown->infinite, each = limits.each;
  if (limits.robust() || (infinite && !each))
    throw Refuted{"limits: not those that an identified plant can promise"};
  const json& numbers = record.inputs.at("identified_limits").at("rows");
  const Loops loops(plant, at, infinite ? Mat(plant.n(), plant.n()) : U_0);
  Ball sum, most;
  size_t c = 0;
  for (size_t i = 0; i < limits.rows.size(); ++i) {
    const LimitRow& row = limits.rows[i];
    // For ever a row has no step of its own.
    for (long t = infinite ? 0 : row.first; t <= (infinite ? 0 : row.last); ++t, ++c) {
      if (c >= numbers.size()) throw Refuted{"inputs.identified_limits: fewer rows than limits"};
      const json& tree = numbers[c];
      if (tree.at("row") != i || tree.contains("step") == infinite ||
          (!infinite && tree["step"] != t))
        throw Refuted{"inputs.identified_limits: rows in another order"};
      Mat h(plant.n(), 1);
      set_block(h, plant.first(), 0, column_of(row.x));
      if (infinite || t < p.T)
        h = h + transpose(at.gains[static_cast<size_t>(t)]) * column_of(row.u);
      const Ball value = loops.largest_violation(row, h, t, infinite, tree);
      require_said(tree, "violation", value);
      sum = sum + value;
      most = ball(arb_max, most.x, value.x);
    }
  }
  if (c != numbers.size()) throw Refuted{"inputs.identified_limits: more rows than limits"};
  bound.functional = each ? "violation-each" : "violation";
  bound.terms = {{"violation", each ? most : ball(arb_min, sum.x, Ball(1).x)}};
  return bound;
}

}  // namespace verify

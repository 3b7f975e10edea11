// What each kind says of one response: docs/theory/limits.md.
#include "kinds/limits.hpp"

#include <algorithm>
#include <cmath>

namespace verify {
namespace {

const Event tolerance{"tolerance", {"tolerance"}};

Bound as_bound(const Limits& limits, const Ball& value) {
  Bound bound;
  bound.functional = limits.each ? "violation-each" : "violation";
  bound.terms = {{"violation", value}};
  bound.size = 1e-3;  // doubles need not tell probabilities below 10^-12 from zero
  return bound;
}

double as_number(long count) { return static_cast<double>(count); }

Statement law_statement(const Record& record) {
  require_gaussian(record);
  return {grants_zero_mean(record.problem) ? "gaussian-zero-mean" : "gaussian"};
}

// How many rows share delta: all of them; but a claim about the worst row of one controller is
// false only if that row's own bound is.
long sharing(const Record& record) {
  const Limits& limits = *record.problem.limits;
  return limits.each && record.fold == 0 ? 1 : limits.count();
}

// s_c^2 n/q is a chi-square of n degrees, for each of the rows: delta/C.
RowLaw by_tolerance(const Record& record, const Data& fresh) {
  require_zero_mean(record);
  if (fresh.n < 1) throw Refuted{"n: no trajectories"};
  const long C = sharing(record);
  const double q = chi_square_below(fresh.n, lower(record.delta("tolerance") / Ball(C)));
  RowLaw law{1 / Ball(q) * fresh.second};
  law.events = {tolerance};
  law.events[0].statement.parameters = {
      {"rows", as_number(C)}, {"n", as_number(fresh.n)}, {"q", q}};
  law.assumptions = {{"controller-fixed"}, law_statement(record)};
  return law;
}

// White steps, else those that follow from a few before them, else any: for every controller.
RowLaw by_envelope(const Record& record, const Table& all) {
  const Problem& p = record.problem;
  RowLaw law;
  if (!grants_white(p) && p.lags > 0) {
    law.model = identify(record, all);
    law.events = law.model->events;
    law.assumptions = law.model->assumptions;
    law.assumptions.pop_back();  // model: it is the last for every kind
    return law;
  }
  const Envelope envelope =
      make_envelope(grants_white(p) ? "white" : "relative", record, moments_of(all));
  law.above = block(envelope.U, 1, 1, p.d_w(), p.d_w());
  law.events = envelope.events;
  law.assumptions = envelope.assumptions;
  return law;
}

RowLaw by_assumption(const Record& record) {
  const Problem& p = record.problem;
  require_gaussian(record);
  require_zero_mean(record);
  RowLaw law;
  const bool covariance = grants_covariance(p);
  law.above = covariance ? covariance_bound_of(record) : scale_of(record) * identity(p.d_w());
  law.assumptions = {{"gaussian-zero-mean"},
                     covariance ? Statement{"covariance-bound"} : scale_bound(record)};
  return law;
}

// Rows that certainly, and possibly, leave their limits in an episode.
struct Count {
  std::vector<long> certain, possible;  // of each row; of any in the last place
};

Count count_violations(const Rows& rows, const Data& fresh, const Mat& slack) {
  const auto C = static_cast<size_t>(rows.count());
  Mat z = ones(1 + fresh.rows.cols(), fresh.n);
  set_block(z, 1, 0, transpose(fresh.rows));
  const Mat values = rows.all * z;
  Count found{std::vector<long>(C + 1), std::vector<long>(C + 1)};
  for (long i = 0; i < fresh.n; ++i) {
    Ball size(1);
    for (long j = 1; j < z.rows(); ++j)
      size = size + ball([](arb_t r, const arb_t a, slong) { arb_abs(r, a); }, z(j, i).x);
    bool any = false, maybe = false;
    for (size_t c = 0; c < C; ++c) {
      const auto at = static_cast<long>(c);
      const Ball value = values(at, i), room = slack.rows() > 0 ? slack(at, 0) * size : Ball(0);
      const Ball low = value - room, high = value + room;
      const auto [least, most] = rows.within[c];
      const bool out = arb_gt(high.x, Ball(most).x) || arb_lt(low.x, Ball(least).x);
      const bool in = arb_le(high.x, Ball(most).x) && arb_ge(low.x, Ball(least).x);
      found.certain[c] += out ? 1 : 0;
      found.possible[c] += in ? 0 : 1;
      any = any || out;
      maybe = maybe || !in;
    }
    found.certain[C] += any ? 1 : 0;
    found.possible[C] += maybe ? 1 : 0;
  }
  return found;
}

}  // namespace

RowLaw row_law(const Record& record, const Data& fresh, const Table& all) {
  RowLaw law = record.kind == "limits-tolerance"  ? by_tolerance(record, fresh)
               : record.kind == "limits-envelope" ? by_envelope(record, all)
                                                  : by_assumption(record);
  law.assumptions.push_back({"model"});
  for (Event& event : law.events)
    if (record.kind == "limits-tolerance") {
      event.choices = record.choices;
      event.fold = record.fold;
    }
  return law;
}

Bound count_bound(const Record& record, const Rows& rows, const Data& fresh, const Mat& slack) {
  const Limits& limits = *record.problem.limits;
  if (fresh.n < 1) throw Refuted{"n: no trajectories"};
  const auto [certain, possible] = count_violations(rows, fresh, slack);
  if (certain != possible) throw TooWide{"whether a row is inside its limits"};
  const auto C = static_cast<size_t>(rows.count());
  long k = certain[C];
  if (limits.each) k = *std::max_element(certain.begin(), certain.end() - 1);
  Bound bound = as_bound(limits, count_above(k, fresh.n, record.delta("count")));
  bound.events = {{"count", {"count", {{"violations", as_number(k)}, {"n", as_number(fresh.n)}}}}};
  bound.events[0].choices = record.choices;
  bound.assumptions = {{"controller-fixed"}, {"any-law"}, {"model"}};
  return bound;
}

Bound robust_bound(const Record& record, const Rows& rows, const Table& all) {
  const Problem& p = record.problem;
  const Limits& limits = *p.limits;
  const double most = *std::max_element(limits.size.begin(), limits.size.end());
  const auto reach = [&](const Mat& row) {
    if (limits.set == "box") return reach_of_box(row, limits.size);
    if (limits.set == "steps") return reach_of_steps(row, p.n_x, most);
    return reach_of_ball(row, most);
  };
  for (long i = 0; i < all.rows; ++i) {  // up to rounding
    Mat w(1, all.cols);
    for (long j = 0; j < all.cols; ++j) w.set(0, j, all(i, j));
    bool outside = limits.set == "radius" && lower(dot(w, w)) > upper(Ball(most) * most * 1.000001);
    for (long j = 0; j < all.cols && limits.set == "box"; ++j)
      outside =
          outside || std::abs(all(i, j)) > limits.size[static_cast<size_t>(j % p.n_x)] * (1 + 1e-6);
    for (long j = 0; j < all.cols && limits.set == "steps"; j += p.n_x) {
      const Mat step = block(w, 0, j, 1, p.n_x);
      outside = outside || lower(dot(step, step)) > upper(Ball(most) * most * 1.000001);
    }
    if (outside)
      throw Refuted{"data: trajectory " + std::to_string(i + 1) +
                    " is outside of the set that the limits hold for"};
  }
  bool kept = true;
  for (long c = 0; c < rows.count(); ++c) {
    const Ball most_of = reach(block(rows.all, c, 1, 1, p.d_w())), mean = rows.all(c, 0);
    const Ball high = mean + most_of, low = mean - most_of;
    const auto [least, largest] = rows.within[static_cast<size_t>(c)];
    const bool in = arb_le(high.x, Ball(largest).x) && arb_ge(low.x, Ball(least).x);
    const bool out = arb_gt(high.x, Ball(largest).x) || arb_lt(low.x, Ball(least).x);
    if (!in && !out) throw TooWide{"whether a row is inside its limits"};
    kept = kept && in;
  }
  Bound bound = as_bound(limits, kept ? 0 : 1);
  const std::string size = limits.set == "box" ? "bound" : "radius";
  bound.assumptions = {{"bounded-" + limits.set, {{size, most}}}, {"model"}};
  return bound;
}

// Each side of each row has delta/(2 C).
Ball violation_any_mean(const Record& record, const Rows& rows, const Data& fresh,
                        const Nearby* near) {
  if (fresh.n < 2) throw Refuted{"n: an unknown mean needs two trajectories"};
  const double each = lower(record.delta("tolerance") / Ball(2 * sharing(record)));
  const Ball n(fresh.n);
  const long d = fresh.second.rows();
  const Mat S = n / (n - 1) * (fresh.second - transpose(fresh.mean) * fresh.mean);
  std::vector<Ball> all;
  for (long c = 0; c < rows.count(); ++c) {
    const Mat a = block(rows.all, c, 1, 1, d);
    const Ball mean = rows.all(c, 0) + dot(a, fresh.mean);
    const Ball variance = dot(a * S, a), s = ball(arb_sqrtpos, variance.x);
    // A Gaussian number of mean and deviation up to r is beyond 41 r less often than this.
    const Ball room = near ? 41 * near->room(c, 0) : Ball(0);
    Ball sum = near ? Ball(1e-300) : Ball(0);
    const auto [low, high] = rows.within[static_cast<size_t>(c)];
    for (const bool above : {true, false}) {
      if (std::isinf(above ? high : low)) continue;
      const Ball gap = (above ? high - mean : mean - low) - room;
      if (arb_is_zero(s.x) && arb_is_nonnegative(gap.x)) continue;  // it never varies
      if (arb_is_zero(s.x) && arb_is_negative(gap.x))
        sum = sum + 1;
      else if (!arb_is_positive(s.x))
        throw TooWide{"the deviation of a row"};
      else
        sum = sum + tail_above(gap / s, fresh.n, each);
    }
    all.push_back(ball(arb_min, sum.x, Ball(1).x));
  }
  return together(*record.problem.limits, all);
}

Bound limits_of_response(const Record& record, const Rows& rows, const Case& given,
                         const Nearby* near, const Mat& slack) {
  const Limits& limits = *record.problem.limits;
  if (record.kind == "limits-robust") return robust_bound(record, rows, given.all);
  const Data fresh = moments_of(given.rows);
  if (record.kind == "limits-count") return count_bound(record, rows, fresh, slack);
  if (record.kind == "limits-tolerance" && !grants_zero_mean(record.problem)) {
    Bound bound = as_bound(limits, violation_any_mean(record, rows, fresh));
    bound.events = {tolerance};
    bound.events[0].statement = {"tolerance-mean",
                                 {{"rows", as_number(sharing(record))}, {"n", as_number(fresh.n)}}};
    bound.events[0].choices = record.choices;
    bound.assumptions = {{"controller-fixed"}, law_statement(record), {"model"}};
    if (near)
      bound.rounding =
          max_zero(violation_any_mean(record, rows, fresh, near) - bound.terms[0].value);
    return bound;
  }
  const RowLaw law = row_law(record, fresh, given.all);
  const Mat deviations = row_deviations(law, rows);
  Bound bound = as_bound(limits, violation_of(limits, rows, deviations));
  bound.events = law.events;
  bound.assumptions = law.assumptions;
  const std::optional<Nearby> outside = outside_of(law, rows);
  if (const Nearby* other = near ? near : outside ? &*outside : nullptr)
    bound.rounding = max_zero(violation_of(limits, rows, deviations, other) - bound.terms[0].value);
  return bound;
}

}  // namespace verify

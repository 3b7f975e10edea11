// Cost of a response minus that of a baseline (docs/theory/improvement.md).
#include "kinds/kinds.hpp"

namespace verify {
namespace {

Mat absolute_part(const Mat& D, const Mat& metric) {
  if (const std::optional<Mat> E = absolute(D, metric)) return *E;
  // It is of doubles: more bits would not help.
  throw Undecided{
      "the part of the difference in which the controller is better: too small to tell"};
}

// D = D_+ - D_-, halves of E + D and E - D, in a metric that no certifying data have touched: at
// least P - N, the parts in which the controller is worse and better.
Ball signed_parts(const Record& record, const Mat& D, const Mat& metric, const Data& data,
                  bool centred) {
  const long d = D.rows() - 1;
  Mat E(1 + d, 1 + d);  // without an offset nothing is added to the constant's row, whatever units
  if (size_of(block(D, 0, 0, 1, 1 + d)) > 0)
    E = absolute_part(D, metric);
  else
    set_block(E, 1, 1, absolute_part(block(D, 1, 1, d, d), metric));
  return by_ratio(dot(E + D, data.moment) / 2, dot(E - D, data.moment) / 2, data.n, centred,
                  record.delta("difference"));
}

}  // namespace

Bound difference_bound(const Record& record, const Mat& D, const Mat& metric, const Data& data,
                       const Ball& lambda) {
  const bool by_scale = record.kind == "improvement-scale", centred = record.kind == "improvement";
  require_gaussian(record);
  if (by_scale || centred) require_zero_mean(record);
  if (centred && size_of(block(D, 0, 0, 1, D.cols())) > 0)
    throw Refuted{"assumptions: kind improvement allows no offset"};
  const Ball empirical = dot(D, data.moment);
  Bound bound;
  bound.functional = "cost-difference";
  bound.assumptions = {{"controller-and-baseline-fixed"}, {"gaussian"}, {"model"}};
  Ball margin;
  if (by_scale) {
    const Ball scale = scale_of(record);
    const long d = record.problem.d_w();
    const Mat G = scale * block(D, 1, 1, d, d);
    require_likely(record, data, Mat(d, 1), scale * ones(d, 1));
    const auto finite = [&](const Ball& at) {
      return is_positive_definite(identity(d) + at * (G + transpose(G)));
    };
    Ball used = lambda;  // any is valid: a smaller one where rounding moved the end of the domain
    for (int halves = 0; halves < 10 && !finite(used); ++halves) used = used / 2;
    if (!finite(used)) throw TooWide{"lambda: whether the cumulant is finite there"};
    if (!(lower(used) > 0)) throw Refuted{"lambda: not above zero"};
    margin = chernoff_margin(D, scale * identity(d), used, data.n, record.delta("chernoff"));
    bound.events = {{"chernoff", {"chernoff-difference"}}};
    bound.assumptions.insert(bound.assumptions.end(), {{"zero-mean"}, scale_bound(record)});
  } else {
    margin = signed_parts(record, D, metric, data, centred) - empirical;
    bound.events = {{"difference", {"difference"}}};
    if (metric.rows() > 0) bound.assumptions.push_back({"metric-fixed"});
    if (centred) bound.assumptions.push_back({"zero-mean"});
  }
  bound.terms = {{"empirical-difference", empirical}, {"margin", margin}};
  return bound;
}

}  // namespace verify

// Kinds for one response that was fixed before the certifying data were seen, evaluated at the
// deployed controller's own response; fold by fold in cross.cpp.
#include "kinds/fixed.hpp"

#include <algorithm>

namespace verify {
namespace {

const std::map<std::string, OneResponseKind> kinds = {
    {"hold-out", {"hold-out", "scale"}},
    {"hold-out-relative", {"hold-out", "relative"}},
    {"hold-out-white", {"hold-out", "white"}},
    {"hold-out-known", {"hold-out", "known"}},
    {"hold-out-scale-free", {"hold-out", "scale-free"}},
    {"hold-out-chi-square", {"hold-out", "chi-square"}},
    {"hold-out-frobenius", {"hold-out", "frobenius"}},
    {"hold-out-fourth-moment", {"hold-out", "fourth-moment"}},
    {"hold-out-bounded", {"hold-out", "bounded"}},
    {"cross", {"cross", "scale"}},
    {"cross-relative", {"cross", "relative"}},
    {"cross-white", {"cross", "white"}},
    {"cross-known", {"cross", "known"}},
    {"cross-scale-free", {"cross", "scale-free"}},
    {"cross-chi-square", {"cross", "chi-square"}},
    {"cross-frobenius", {"cross", "frobenius"}},
    {"cross-fourth-moment", {"cross", "fourth-moment"}},
    {"cross-bounded", {"cross", "bounded"}},
    {"identified", {"identified", "identified"}},
    {"hold-out-identified", {"hold-out", "identified"}},
    {"cross-identified", {"cross", "identified"}},
    {"assumed-scale", {"assumed", "scale"}},
    {"assumed-covariance", {"assumed", "covariance"}},
    {"improvement", {"improvement", "ratio"}},
    {"improvement-mean", {"improvement", "ratio-any-mean"}},
    {"improvement-scale", {"improvement", "scale"}},
};

}  // namespace

OneResponseKind one_response_kind(const std::string& name) {
  const auto found = kinds.find(name);
  return found == kinds.end() ? OneResponseKind{} : found->second;
}

bool is_difference_kind(const std::string& kind) { return kind.starts_with("improvement"); }

Ball share_of(const Event& event, const std::vector<Event>& of_kind) {
  const Ball all(of_kind.size());
  const auto count = [&](const auto& is) {
    return std::count_if(of_kind.begin(), of_kind.end(), is);
  };
  const long shared = count([](const Event& e) { return e.is_shared(); });
  const bool posterior = count([](const Event& e) { return e.id == "pac_bayes"; }) > 0;
  if (posterior || shared == 0 || shared == std::ssize(of_kind)) return 1 / all;
  const Ball part = shared == 1 ? Ball(1) / 4 : Ball(1) / 10;  // covariance; model, noise, start
  return event.is_shared() ? part / shared : (1 - part) / (all - shared);
}

// Their second moment, of which 0.7 is left between steps and 0.997 between entries of a step, and
// noise on each entry that costs LQR 1e-4 of what one costs on average.
Mat metric_of(const Table& rows, long n_x, const Mat& lqr_gram) {
  Mat S = moments_of(rows).second;
  Ball cost;
  for (long i = 0; i < S.rows(); ++i)
    cost = cost + lqr_gram(1 + i, 1 + i) * S(i, i) / Ball(S.rows());
  for (long i = 0; i < S.rows(); ++i) {
    for (long j = 0; j < S.cols(); ++j)
      if (i != j) S.set(i, j, Ball(i / n_x == j / n_x ? 0.997 : 0.7) * S(i, j));
    const Ball K = lqr_gram(1 + i, 1 + i);
    if (lower(K) > 0) S.set(i, i, S(i, i) + Ball(1e-4) * cost / K);
    if (!(lower(S(i, i)) > 0)) S.set(i, i, 1);
  }
  return S;
}

Ball cost_above(const Part& part, double delta, Bound& bound) {
  bound.rounding_delta += delta;
  return dot(part.gram, part.data.moment) / scale_free_below(part.data.n, delta);
}

namespace {

// Cost of the controller that a difference is taken to.
Mat baseline_gram(const Case& given) {
  const Record& record = given.record;
  const Problem& p = record.problem;
  // learn compares with the problem's, where it has one, and with LQR otherwise.
  const std::string name = !record.is_deployed() ? record.input("/baseline")
                           : p.baseline          ? "problem"
                                                 : "lqr";
  if (record.is_deployed() && record.inputs.value("baseline", name) != name)
    throw Refuted{"inputs.baseline: not what learn compares with"};
  if (name == "lqr") return cost_gram(p, lqr_response(p));
  if (name == "problem") {
    if (!p.baseline) throw Refuted{"inputs.baseline: the problem has none"};
    return cost_gram(p, baseline_response(p));
  }
  const Controller baseline = read_beside(
      record, "baseline", [&](const std::string& bytes) { return parse_controller(bytes, p); });
  require_fresh(baseline, given.rows, "baseline");
  return cost_gram(p, closed_loop(p, baseline));
}

// The training part of the data comes first; a controller from elsewhere has no metric.
Mat metric_beside(const Case& given, bool coloured, const Mat& baseline) {
  const Problem& p = given.record.problem;
  Table taught = given.all;
  taught.rows -= given.rows.rows;
  taught.values.resize(static_cast<size_t>(taught.rows * taught.cols));
  if (taught.rows > 0) return metric_of(taught, p.n_x, baseline);
  return coloured ? coloured_covariance(p, colour_of(given.record)) : Mat(0, 0);
}

}  // namespace

static Bound one_or_folds(const Case& given, const Response& deployed, const Identified* model) {
  const Record& record = given.record;
  const Data all = moments_of(given.all);
  const Problem& p = record.problem;
  const bool difference = is_difference_kind(record.kind);
  const Mat baseline = difference ? baseline_gram(given) : Mat(0, 0);
  std::vector<Mat> responses;
  if (record.is_deployed()) responses = deployed_responses(record, deployed);
  if (record.kind == "identified") return identified_bound(record, cost_gram(p, deployed), *model);
  const std::string use = record.kind.starts_with("assumed") ? "" : record.use_of_data();
  if (record.kind.starts_with("cross") && use != "cross")
    throw Refuted{"kind: " + record.kind + " is for folds, and this controller has none"};
  if (use == "cross") {
    if (p.option("/certificate/folds") != responses.size())
      throw Refuted{"responses: not one for each fold"};
    Bound bound = cross_bound(given, responses, baseline, all, model);
    const Ball cost = difference ? bound.rounding : sum_of_terms(bound);
    add_rounding(given, deployed, open_loop(p, mean_of(responses)), cost, bound);
    return bound;
  }
  // What owes nothing to data is certified as the problem alone gives it: the last digits of the
  // gains might know the data. auto chose among a few of these: the same events for each of them.
  // One of a path was chosen by looking at them, too.
  const bool alone = use == "fixed";
  Record each = record;
  if (use == "hold-out" && has_path(record)) each.choices = path_of(record).length;
  const bool chosen = alone && record.input("/deployment/method") == "auto";
  if (chosen) each.choices = difference ? compared_choices(p) : auto_candidates(p);
  const Response certified = alone ? response_of_problem(record) : deployed;
  const Part part{cost_gram(p, certified),
                  baseline,
                  moments_of(given.rows),
                  difference ? metric_beside(given, chosen, baseline) : Mat(0, 0),
                  record.lambda.size() == 1 ? record.lambda[0] : 0.0,
                  all,
                  model};
  Bound bound = one_response(each, part);
  if (each.choices > 1)
    bound.assumptions[0] = {difference ? "controllers-and-baseline-fixed" : "controllers-fixed"};
  if (alone) {
    const Ball cost = difference ? cost_above(part, 1e-10, bound) : sum_of_terms(bound);
    add_rounding(given, deployed, certified, cost, bound);
  }
  return bound;
}

Bound fixed_bound(const Case& given) {
  const Record& record = given.record;
  if (record.oracle) throw Refuted{"oracle: not that of the kind"};
  const Response deployed = closed_loop(record.problem, given.controller);
  if (one_response_kind(record.kind).bounded_by != "identified")
    return one_or_folds(given, deployed, nullptr);
  const Identified model = identify(record, given.all);
  Bound bound = one_or_folds(given, deployed, &model);
  if (model.outside.rows() > 0)  // what is recorded outside the directions of the disturbances
    bound.rounding = bound.rounding + rounding_cost(cost_gram(record.problem, deployed),
                                                    model.outside, sum_of_terms(bound));
  return bound;
}

}  // namespace verify

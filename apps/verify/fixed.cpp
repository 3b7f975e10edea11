// Kinds for one response that was fixed before the certifying data were seen, evaluated at the
// deployed controller's own response; and the same fold by fold.
#include <algorithm>
#include <cmath>
#include <set>

#include "bound.hpp"

namespace verify {

// Lambda = lambda tr(KU) - log det(I + 2 lambda KU)/2 + 2 lambda^2 k'U (I + 2 lambda KU)^-1 k.
Ball chernoff_margin(const Mat& G, const Mat& U, const Ball& lambda, long n, double delta) {
  if (!(lower(lambda) > 0)) throw Refuted{"lambda: not above zero"};
  const long d = U.rows();
  const Mat k = block(G, 1, 0, d, 1), KU = block(G, 1, 1, d, d) * U;
  const Mat shifted = identity(d) + 2 * lambda * KU;
  Ball cumulant = lambda * trace(KU) - log(determinant(shifted)) / 2;
  if (size_of(k) > 0) cumulant = cumulant + 2 * lambda * lambda * dot(U * k, solve(shifted, k));
  return (log(1 / Ball(delta)) / n + cumulant) / lambda;
}

namespace {

const std::map<std::string, std::string> envelope_of = {{"hold-out", "scale"},
                                                        {"hold-out-relative", "relative"},
                                                        {"hold-out-white", "white"},
                                                        {"hold-out-known", "known"}};
const std::set<std::string> by_factor = {"hold-out-scale-free", "hold-out-chi-square",
                                         "hold-out-fourth-moment"};
const std::set<std::string> others = {"hold-out-bounded", "assumed-scale", "assumed-covariance"};
const Sentence chernoff{"the mean cost of the fresh trajectories is not far below its expectation"};
const std::string any_law =
    "The trajectories (x_0, w_0, ..., w_{T-1}) are independent draws of one law, the law met after "
    "deployment.";

bool has_offset(const Mat& gram) { return size_of(block(gram, 0, 0, 1, gram.cols())) > 0; }

// One response, as cost matrices of z = (1, w), and what its trajectories say.
struct Part {
  Mat gram, baseline;
  Data data;
  Mat metric;   // for differences: from data that do not certify, or empty
  Ball lambda;  // zero when the kind has none
};

Bound assumed(const Record& record, const Mat& gram) {
  const long d = record.problem.d_w();
  const bool scale = record.kind == "assumed-scale";
  require_zero_mean(record);
  Bound bound;
  Sentence sentence{
      "The covariance of a trajectory is at most disturbance.covariance_bound, as "
      "quadratic forms."};
  if (scale) sentence = scale_sentence(record);
  const Mat C = scale ? scale_of(record) * identity(d) : covariance_bound_of(record);
  bound.terms = {{"largest cost of the disturbances", dot(block(gram, 1, 1, d, d), C)},
                 {"cost of the offset", gram(0, 0)}};
  bound.assumptions = {{zero_mean_sentence}, sentence, {model_sentence}};
  return bound;
}

Bound under_envelope(const Record& record, const Part& part) {
  const Envelope envelope = make_envelope(envelope_of.at(record.kind), record, part.data);
  const long d = record.problem.d_w();
  Bound bound;
  bound.terms = {{"", 0},
                 {"margin", chernoff_margin(part.gram, block(envelope.U, 1, 1, d, d), part.lambda,
                                            part.data.n, record.delta("chernoff"))}};
  bound.events = {{"chernoff", chernoff}};
  bound.events.insert(bound.events.end(), envelope.events.begin(), envelope.events.end());
  bound.assumptions = envelope.assumptions;
  bound.assumptions.push_back({model_sentence});
  if (record.kind == "hold-out")  // the same in other words
    bound.assumptions = {
        {gaussian_any_mean}, {model_sentence}, {zero_mean_sentence}, envelope.assumptions[1]};
  return bound;
}

// L <= Lhat / x
Bound multiplied(const Record& record, const Part& part, const Ball& empirical) {
  const bool centred = record.kind == "hold-out-chi-square";
  const bool fourth = record.kind == "hold-out-fourth-moment";
  const std::string event = centred ? "quantile" : "chernoff";
  const double delta = record.delta(event);
  Bound bound;
  bound.events = {{event, centred ? Sentence{"the mean cost of the fresh trajectories is above the "
                                             "quantile of the worst case, a single chi-square"}
                                  : chernoff}};
  bound.assumptions = {{fourth ? any_law : gaussian_any_mean}, {model_sentence}};
  double x = 0;
  if (fourth) {
    const bool gaussian = record.problem.disturbance().at("model") == "gaussian";
    const double kappa = record.assumed("kurtosis", std::nextafter(gaussian ? 3.0 : 1.0, 0.0));
    bound.assumptions.push_back(
        {"No linear combination of 1 and the entries of a trajectory has a "
         "fourth moment above {} times its squared second moment.",
         {kappa}});
    x = fourth_moment_factor(part.data.n, delta, kappa);
  } else {
    require_gaussian(record);
    x = below_factor(centred, part.data.n, delta);
  }
  if (centred) {
    require_zero_mean(record);
    bound.assumptions.push_back({zero_mean_sentence});
    if (has_offset(part.gram))
      throw Refuted{"assumptions: kind hold-out-chi-square allows no offset"};
  }
  bound.terms = {{"", 0}, {"margin", empirical * (1 / Ball(x) - 1)}};
  return bound;
}

// max over |w| <= W of (1, w)'G(1, w) <= nu W^2 + g'(nu I - K)^-1 g + c, for each nu above ||K||.
Ball largest_cost(const Mat& G, const Ball& W) {
  const long d = G.rows() - 1;
  const Mat K = block(G, 1, 1, d, d), g = block(G, 1, 0, d, 1), I = identity(d);
  const Ball top = largest_eigenvalue(K);
  if (size_of(g) == 0) return top * W * W + G(0, 0);
  const auto slope = [&](double s) {  // of the bound in nu = top + s
    const Mat y = solve((upper(top) + Ball(s)) * I - K, g);
    const Ball value = W * W - dot(y, y);
    if (!arb_is_finite(value.x)) throw TooWide{"the largest cost"};
    return lower(value) + upper(value);
  };
  double low = 1e-12 * upper(top), high = low + upper(sqrt(dot(g, g)) / W);
  for (int steps = 0; high - low > 1e-8 * high && steps < 200; ++steps) {
    const double half = low + (high - low) / 2;
    (slope(half) < 0 ? low : high) = half;
  }
  const Ball nu = upper(top) + Ball(high);
  return nu * W * W + dot(g, solve(nu * I - K, g)) + G(0, 0);
}

// b sup{ q : kl(Lhat/b, q) <= log(1/delta)/n }
Bound bounded(const Record& record, const Part& part, const Ball& empirical) {
  const Ball b = largest_cost(part.gram, radius_of(record, part.data));
  Bound bound;
  Ball value;
  if (upper(b) > 0)
    value = b * kl_upper(empirical / b, log(1 / Ball(record.delta("chernoff"))) / part.data.n);
  bound.terms = {{"", 0}, {"margin", max_zero(value - empirical)}};
  bound.events = {{"chernoff", chernoff}};
  bound.assumptions = {
      {any_law}, {model_sentence}, {radius_pattern, {record.assumed("radius", 0)}}};
  return bound;
}

Bound evaluate(const Record& record, const Part& part) {
  if (record.kind.starts_with("assumed")) return assumed(record, part.gram);
  if (part.data.n < 1) throw Refuted{"n: no trajectories"};
  if (is_difference_kind(record.kind)) {
    Bound bound =
        difference_bound(record, part.gram - part.baseline, part.metric, part.data, part.lambda);
    bound.size = upper(dot(part.baseline, part.data.moment));
    return bound;
  }
  const Ball empirical = dot(part.gram, part.data.moment);
  Bound bound;
  if (envelope_of.contains(record.kind))
    bound = under_envelope(record, part);
  else if (record.kind == "hold-out-bounded")
    bound = bounded(record, part, empirical);
  else if (by_factor.contains(record.kind))
    bound = multiplied(record, part, empirical);
  else
    throw Refuted{"kind: not one for a single response"};
  bound.terms[0] = {"empirical cost of the controller", empirical};
  bound.assumptions.insert(bound.assumptions.begin(),
                           {"The controller was fixed before these trajectories were seen."});
  return bound;
}

// The rows first, first + step, ... of a table, or all others.
Table pick(const Table& all, long first, long step, bool others_instead) {
  Table rows{0, all.cols, {}};
  for (long i = 0; i < all.rows; ++i) {
    if ((i % step == first) == others_instead) continue;
    for (long j = 0; j < all.cols; ++j) rows.values.push_back(all(i, j));
    ++rows.rows;
  }
  return rows;
}

// Any metric will do that the certifying data did not make: the second moment of the others, of
// which 0.7 is left between steps and 0.997 between entries of a step, and noise on each entry that
// costs LQR 1e-4 of what one costs on average.
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

// Beside a difference, at least the cost itself: for what rounding may add.
Ball cost_above(const Part& part, double delta, Bound& bound) {
  bound.rounding_delta += delta;
  return dot(part.gram, part.data.moment) / below_factor(false, part.data.n, delta);
}

// The mean over the folds of what the trajectories of each say about its response.
Bound cross_bound(const Case& given, const std::vector<Mat>& responses, const Mat& baseline) {
  const Record& record = given.record;
  const Problem& p = record.problem;
  const auto folds = static_cast<long>(responses.size());
  const bool difference = is_difference_kind(record.kind);
  // auto may call two colours, or the folds, better than LQR: the same events for each.
  const bool one_of_three = difference && record.input("/deployment/method") == "auto" &&
                            p.tree.at("certificate").at("kind") == "best";
  Bound mean;
  for (long k = 0; k < folds; ++k) {
    Record fold = record;
    if (!difference) fold.kind = "hold-out" + record.kind.substr(std::string("cross").size());
    if (one_of_three)
      for (Event& event : fold.events) event.delta /= static_cast<double>(colours.size());
    const std::string suffix = " of fold " + std::to_string(k + 1);
    for (Event& event : fold.events)
      if (event.name.ends_with(suffix)) event.name.resize(event.name.size() - suffix.size());
    const Mat gram = cost_gram(p, open_loop(p, responses[static_cast<size_t>(k)]));
    const bool each = static_cast<long>(record.lambda.size()) == folds;
    const Table fresh = pick(given.rows, k, folds, false),
                taught = pick(given.rows, k, folds, true);
    require_apart(taught, fresh);
    const Part part{gram, baseline, moments_of(fresh),
                    difference ? metric_of(taught, p.n_x, baseline) : Mat(0, 0),
                    each ? record.lambda[static_cast<size_t>(k)] : 0.0};
    Bound one = evaluate(fold, part);
    if (difference)
      mean.rounding =
          mean.rounding + cost_above(part, 1e-10 / static_cast<double>(folds), mean) / folds;
    for (ExpectedEvent& event : one.events) {
      event.name += suffix;
      if (one_of_three) event.statement.pattern += ", for each of 3 controllers";
      mean.events.push_back(event);
    }
    if (k == 0) mean.terms = {{one.terms[0].name, 0}, {one.terms[1].name, 0}};
    for (size_t i = 0; i < one.terms.size(); ++i)
      mean.terms[i].value = mean.terms[i].value + one.terms[i].value / folds;
    mean.assumptions = one.assumptions;
    mean.size += one.size / static_cast<double>(folds);
  }
  mean.assumptions[0] = {
      "Each of the averaged responses was fixed before the trajectories of its fold were seen."};
  return mean;
}

// Cost of the controller that a difference is taken to.
Mat baseline_gram(const Case& given) {
  const Record& record = given.record;
  const Problem& p = record.problem;
  const bool learned = record.inputs.contains("deployment");
  const std::string name =
      learned ? record.inputs.value("baseline", "lqr") : record.input("/baseline");
  if (learned && name != "lqr")
    throw Refuted{"inputs.baseline: not LQR, which learn compares with"};
  if (name == "lqr") return cost_gram(p, lqr_response(p));
  const Controller baseline = read_beside(
      record, "baseline", [&](const std::string& bytes) { return parse_controller(bytes, p); });
  require_fresh(baseline, given.rows, "baseline");
  return cost_gram(p, closed_loop(p, baseline));
}

}  // namespace

bool is_difference_kind(const std::string& kind) { return kind.starts_with("improvement"); }

bool is_fixed_kind(const std::string& kind) {
  for (const char* difference : {"improvement", "improvement-mean", "improvement-scale"})
    if (kind == difference) return true;
  const std::string name = kind.starts_with("cross") ? "hold-out" + kind.substr(5) : kind;
  return envelope_of.contains(name) || by_factor.contains(name) ||
         (others.contains(name) && (name == kind || !name.starts_with("assumed")));
}

Bound fixed_bound(const Case& given) {
  const Record& record = given.record;
  const Problem& p = record.problem;
  const bool difference = is_difference_kind(record.kind);
  const bool learned = record.inputs.contains("deployment");
  if (record.oracle) throw Refuted{"oracle: not that of the kind"};
  const Response deployed = closed_loop(p, given.controller);
  const Mat baseline = difference ? baseline_gram(given) : Mat(0, 0);
  Bound bound;
  std::vector<Mat> responses;
  if (learned) responses = deployed_responses(record, deployed);
  const bool cross =
      learned && record.input("/deployment/way") == "cross" && !record.kind.starts_with("assumed");
  if (record.kind.starts_with("cross") && !cross)
    throw Refuted{"kind: " + record.kind + " is for folds, which this controller has none of"};
  if (cross) {
    if (p.tree.at("certificate").at("folds") != responses.size())
      throw Refuted{"responses: not one for each fold"};
    bound = cross_bound(given, responses, baseline);
    const Ball cost = difference ? bound.rounding : sum_of_terms(bound);
    add_rounding(given, deployed, open_loop(p, mean_of(responses)), cost, bound);
  } else {
    // The part that taught comes first; a controller from elsewhere has no metric.
    Table taught = given.all;
    taught.rows -= given.rows.rows;
    taught.values.resize(static_cast<size_t>(taught.rows * taught.cols));
    // auto chose among a few that look at no data: the same events for each of them.
    const bool chosen = learned && record.input("/deployment/method") == "auto" &&
                        record.input("/deployment/way") == "fixed" &&
                        !record.kind.starts_with("assumed");
    Record each = record;
    if (chosen)
      for (Event& event : each.events) event.delta /= static_cast<double>(colours.size());
    Mat metric(0, 0);
    if (difference && chosen) metric = coloured_covariance(p, colour_of(record));
    if (difference && taught.rows > 0) metric = metric_of(taught, p.n_x, baseline);
    // What owes nothing to data is certified as the problem alone gives it: the last digits of the
    // gains might know the data.
    const bool alone = learned && record.input("/deployment/way") == "fixed" &&
                       !record.kind.starts_with("assumed");
    const Response certified = alone ? response_of_problem(record) : deployed;
    const Part part{cost_gram(p, certified), baseline,
                    given.rows.rows > 0 ? moments_of(given.rows) : Data{}, metric,
                    record.lambda.size() == 1 ? record.lambda[0] : 0.0};
    bound = evaluate(each, part);
    if (chosen) {
      for (ExpectedEvent& event : bound.events)
        event.statement.pattern += ", for each of 3 controllers";
      bound.assumptions[0] = {difference ? "The controllers to choose from and the baseline were "
                                           "fixed before these trajectories were seen."
                                         : "The controllers to choose from were fixed before these "
                                           "trajectories were seen."};
    }
    if (alone) {
      Ball cost = sum_of_terms(bound);
      if (difference) cost = cost_above(part, 1e-10, bound);
      add_rounding(given, deployed, certified, cost, bound);
    }
  }
  bound.subject = difference ? "controller minus baseline" : "controller";
  return bound;
}

}  // namespace verify

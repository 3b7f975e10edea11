// One response and its fresh trajectories: docs/theory/fixed-response.md, chi-square.md,
// bounded-hold-out.md, assumed-scale.md.
#include <cmath>
#include <set>

#include "kinds/fixed.hpp"

namespace verify {
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
  if (!(lower(part.lambda) > 0)) throw Refuted{"lambda: not above zero"};
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
    x = centred ? chi_square_below(part.data.n, delta) : scale_free_below(part.data.n, delta);
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

}  // namespace

Bound one_response(const Record& record, const Part& part) {
  if (record.kind.starts_with("assumed")) return assumed(record, part.gram);
  if (part.data.n < 1) throw Refuted{"n: no trajectories"};
  const bool difference = is_difference_kind(record.kind);
  const Ball empirical = dot(difference ? part.baseline : part.gram, part.data.moment);
  Bound bound;
  if (difference)
    bound =
        difference_bound(record, part.gram - part.baseline, part.metric, part.data, part.lambda);
  else if (envelope_of.contains(record.kind))
    bound = under_envelope(record, part);
  else if (record.kind == "hold-out-bounded")
    bound = bounded(record, part, empirical);
  else if (by_factor.contains(record.kind))
    bound = multiplied(record, part, empirical);
  else
    throw Refuted{"kind: not one for a single response"};
  if (record.choices > 1)
    for (ExpectedEvent& event : bound.events)
      event.statement.pattern += ", for each of 3 controllers";
  if (difference) {
    bound.size = upper(empirical);
    return bound;
  }
  bound.terms[0] = {"empirical cost of the controller", empirical};
  bound.assumptions.insert(bound.assumptions.begin(),
                           {"The controller was fixed before these trajectories were seen."});
  return bound;
}

bool is_difference_kind(const std::string& kind) { return kind.starts_with("improvement"); }

bool is_fixed_kind(const std::string& kind) {
  for (const char* difference : {"improvement", "improvement-mean", "improvement-scale"})
    if (kind == difference) return true;
  const std::string name = kind.starts_with("cross") ? "hold-out" + kind.substr(5) : kind;
  return envelope_of.contains(name) || by_factor.contains(name) ||
         (others.contains(name) && (name == kind || !name.starts_with("assumed")));
}

}  // namespace verify

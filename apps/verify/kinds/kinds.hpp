// The bounds, recomputed for the deployed controller from the formulas of docs/theory.
#pragma once

#include "lemmas/lemmas.hpp"
#include "loop/loop.hpp"

namespace verify {

using Statements = std::vector<Statement>;

struct ExpectedTerm {
  std::string id;
  Ball value;
};

// What an honest record says.
struct Bound {
  std::string subject = "controller";
  std::string functional = "cost";
  std::vector<ExpectedTerm> terms;
  std::vector<Event> events;  // whatever their delta
  Statements assumptions;
  std::optional<Ball> kl;
  // What the deployed controller may cost more than the certified response, whose cost is at most
  // `cost`: their difference is rounding, so a crude bound will do, which holds but for this
  // probability.
  Ball rounding = 0;
  double rounding_delta = 0;
  Statements rounding_assumptions;  // what it rests on, beside the others
  double size = 0;                  // of the costs whose difference the terms are
};

struct Data {
  long n = 0;
  Mat mean{0, 0};    // 1 x d_w
  Mat second{0, 0};  // d_w x d_w, around zero
  Mat moment{0, 0};  // of z = (1, w)
  Mat rows{0, 0};    // n x d_w
};
Data moments_of(const Table& rows);

// What stands above covariance and mean of z = (1, w), and what that rests on.
struct Envelope {
  Mat U{0, 0}, B{0, 0};  // U above the covariance, B above mu mu', both with the constant in front
  Ball factor = 1;       // of the quartic moments in psi
  Ball eps = 0, r_mu = 0;  // radius of the covariance; of the mean, when it is unknown
  Mat mean{0, 0};          // of z, when it is known
  std::vector<Event> events = {};
  Statements assumptions = {};
};
// additive | effective-rank | given-radius | scale | relative | one-sided | white | known |
// any-mean | radius | radius-self | true
Envelope make_envelope(const std::string& name, const Record& record, const Data& data);

// Refuted when data contradict what the problem says of their law: second moments of entry j around
// `mean` above `variance`, by more than chance does once in 10^10.
void require_likely(const Record& record, const Data& data, const Mat& mean, const Mat& variance);

// Refuted unless the problem says so, and does not contradict itself.
void require_gaussian(const Record& record);
void require_zero_mean(const Record& record);
Ball radius_of(const Record& record, const Data& data);
Ball scale_of(const Record& record);
Mat covariance_bound_of(const Record& record);
bool grants_gaussian(const Problem& problem);
bool grants_zero_mean(const Problem& problem);
bool grants_scale(const Problem& problem);
bool grants_covariance(const Problem& problem);
bool grants_white(const Problem& problem);
// No covariance between steps in the law that the problem states, if it states one; `stationary`:
// that of every w_t is that of w_0.
bool states_white(const Problem& problem, bool stationary);

Mat extended(const Mat& on_w);        // with a zero row and column in front
Mat true_mean(const Record& record);  // of (1, w), a column

// Refuted when a row is in both, as repeated recordings that the problem keeps may be.
void require_apart(const Table& taught, const Table& certifying);
// Refuted when the controller says that it was learned from one of the rows.
void require_fresh(const Controller& controller, const Table& rows, const std::string& role);

// Everything that a bound may look at. `rows` certify; `all` are those of the file.
struct Case {
  const Record& record;
  const Controller& controller;
  const Table &rows, &all;
};
bool is_posterior_kind(const std::string& kind);
// Every other kind is for one response and a product: scheme is hold-out | cross | assumed |
// improvement, bounded_by the envelope or tail. Both are empty for what is none of them.
struct OneResponseKind {
  std::string scheme, bounded_by;
};
OneResponseKind one_response_kind(const std::string& name);
bool is_difference_kind(const std::string& kind);
// The part of its kind's delta that an event has, among those of the kind: equal ones, but where
// all responses share the others, fresh trajectories have three quarters beside an envelope of
// data, and nine tenths beside a model.
Ball share_of(const Event& event, const std::vector<Event>& of_kind);
Bound posterior_bound(const Case& given);
Bound fixed_bound(const Case& given);

// Limits hold (kinds/limits.hpp).
inline bool is_limits_kind(const std::string& kind) { return kind.starts_with("limits-"); }
// Those that hold for every controller at once.
inline bool is_uniform_limits_kind(const std::string& kind) {
  return kind == "limits-envelope" || kind == "limits-assumed" || kind == "limits-robust";
}
// What is deployed was chosen on a path of controllers, from the safest on, by testing them on the
// trajectories that certify; how many there were, and where it lies on it.
bool has_path(const Record& record);
struct Path {
  long length = 5, place = 0;  // place 0: not in the record
  bool passed = false;
};
Path path_of(const Record& record);
std::vector<Mat> path_responses(const Record& record, long count);  // those of the file
// members: the kinds of a portfolio that may let a controller of a path pass, the record's first.
Bound limits_bound(const Case& given, const std::vector<Record>& members);

// The inputs that the file of responses holds. Refuted unless their mean is deployed and, if it is
// said to owe nothing to data, is what the problem alone gives.
// Candidates of auto that owe nothing to data: the colours, and the baseline to which it may fall
// back. What it may call better than what it is compared with: the folds, and each of the colours
// that is not that itself.
long auto_candidates(const Problem& problem);
long compared_choices(const Problem& problem);
double colour_of(const Record& record);  // of what method auto deploys without learning, or zero
std::vector<Mat> deployed_responses(const Record& record, const Response& deployed);
Mat mean_of(const std::vector<Mat>& all);
// The one that is said to owe nothing to data: LQR or the start, computed from the problem alone.
Response response_of_problem(const Record& record);
// Refuted unless the inputs are the expected ones, to 1e-6 of the size of each.
void require_equal(const Mat& found, const Mat& expected, const std::string& role);

void add_rounding(const Case& given, const Response& deployed, const Response& certified,
                  const Ball& cost, Bound& bound);
Ball sum_of_terms(const Bound& bound);

// L(response) - L(baseline) for D, the difference of the cost matrices; metric: on w, or empty.
Bound difference_bound(const Record& record, const Mat& D, const Mat& metric, const Data& data,
                       const Ball& lambda);
inline Statement scale_bound(const Record& record) {
  return {"scale-bound", {{"scale", record.assumed("scale_bound", 0)}}};
}
inline Statement radius(const Record& record) {
  return {"radius", {{"radius", record.assumed("radius", 0)}}};
}
inline Statement kurtosis(const Record& record, double least) {
  return {"kurtosis", {{"kurtosis", record.assumed("kurtosis", least)}}};
}

}  // namespace verify

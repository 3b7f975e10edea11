// Kinds for one response that was fixed before the certifying data were seen, evaluated at the
// deployed controller's own response.
#include <arb_hypgeom.h>

#include <map>

#include "bounds.hpp"

namespace verify {
namespace {

const std::map<std::string, std::string> envelope_of = {{"hold-out", "scale"},
                                                        {"hold-out-relative", "relative"},
                                                        {"hold-out-white", "white"},
                                                        {"hold-out-known", "known"}};

const std::string fixed_sentence = "The controller was fixed before these trajectories were seen.";
const std::string zero_mean_sentence = "The mean of a trajectory is zero.";
const std::string chernoff_statement =
    "the mean cost of the fresh trajectories is not far below its expectation";

// Any x in (0, 1) with x - 1 - log x >= 2 log(1/delta)/n; the larger the better.
double scale_free_factor(double n, double delta) {
  const Ball target = Ball(2) * log(Ball(1) / Ball(delta)) / Ball(n);
  return largest_that(
      [&](double x) { return x < 1 && lower(Ball(x) - Ball(1) - log(Ball(x)) - target) >= 0; }, 1);
}

// Any x up to 1 with P(chi-square_n <= n x) <= delta.
double chi_square_factor(double n, double delta) {
  return largest_that(
      [&](double x) {
        Ball p;
        arb_hypgeom_gamma_lower(p.x, Ball(n / 2).x, (Ball(n) * Ball(x) / Ball(2)).x, 1, bits);
        return upper(p) <= delta;
      },
      1);
}

// (log(1/delta)/n + Lambda(lambda))/lambda under covariance U, at the recorded lambda:
// Lambda = lambda tr(KU) - log det(I + 2 lambda KU)/2 + 2 lambda^2 k'U (I + 2 lambda KU)^-1 k.
Ball chernoff_margin(const Record& record, const Mat& gram, const Mat& U, double n) {
  if (!record.lambda || !(*record.lambda > 0)) throw Refuted{"lambda: not above zero"};
  const long d = U.rows();
  const Ball lambda(*record.lambda);
  const Mat K = block(gram, 1, 1, d, d), k = block(gram, 1, 0, d, 1), KU = K * U;
  Ball trace;
  arb_mat_trace(trace.x, KU.m, bits);
  const Mat shifted = identity(d) + Ball(2) * lambda * KU;
  Ball cumulant = lambda * trace - Ball(0.5) * log(determinant(shifted));
  if (size_of(k) > 0)
    cumulant = cumulant + Ball(2) * lambda * lambda * dot(U * k, solve(shifted, k));
  return (log(Ball(1) / Ball(record.delta("chernoff"))) / Ball(n) + cumulant) / lambda;
}

Bound assumed(const Record& record, const Mat& gram) {
  const long d = record.problem.d_w();
  const bool scale = record.kind == "assumed-scale";
  const Mat C = scale ? Ball(scale_bound(record)) * identity(d) : covariance_bound(record);
  Bound bound;
  bound.terms = {{"largest cost of the disturbances", dot(block(gram, 1, 1, d, d), C)},
                 {"cost of the offset", gram(0, 0)}};
  bound.assumptions = {{zero_mean_sentence, {}}, {model_sentence, {}}};
  bound.assumptions.insert(
      bound.assumptions.begin() + 1,
      scale ? Sentence{scale_pattern, {scale_bound(record)}}
            : Sentence{"The covariance of a trajectory is at most disturbance.covariance_bound, as "
                       "quadratic forms.",
                       {}});
  return bound;
}

Bound under_envelope(const Record& record, const Mat& gram, const Data& data,
                     const Ball& empirical) {
  const Envelope envelope = make_envelope(envelope_of.at(record.kind), record, data);
  Bound bound;
  bound.terms = {
      {"empirical cost of the controller", empirical},
      {"margin", chernoff_margin(record, gram, envelope.U, static_cast<double>(data.n))}};
  bound.events = {{"chernoff", {chernoff_statement, {}}}};
  for (const Sentence& event : envelope.events) bound.events.push_back({"covariance", event});
  if (record.kind == "hold-out") {  // the same assumptions in other words
    bound.assumptions = {{fixed_sentence, {}},
                         {gaussian_any_mean, {}},
                         {model_sentence, {}},
                         {zero_mean_sentence, {}},
                         {scale_pattern, {scale_bound(record)}}};
    return bound;
  }
  bound.assumptions = {{fixed_sentence, {}}};
  bound.assumptions.insert(bound.assumptions.end(), envelope.assumptions.begin(),
                           envelope.assumptions.end());
  bound.assumptions.push_back({model_sentence, {}});
  return bound;
}

Bound scale_free(const Record& record, const Mat& gram, const Data& data, const Ball& empirical) {
  const bool centred = record.kind == "hold-out-chi-square";
  const auto n = static_cast<double>(data.n);
  if (centred && size_of(block(gram, 0, 0, 1, gram.cols())) > 0)
    throw Refuted{"assumptions: kind hold-out-chi-square allows no offset"};
  const std::string event = centred ? "quantile" : "chernoff";
  const double delta = record.delta(event);
  const double x = centred ? chi_square_factor(n, delta) : scale_free_factor(n, delta);
  if (!(x > 0)) throw TooWide{"a quantile"};
  Bound bound;
  bound.terms = {{"empirical cost of the controller", empirical},
                 {"margin", empirical * (Ball(1) / Ball(x) - Ball(1))}};
  bound.events = {{event,
                   {centred ? "the mean cost of the fresh trajectories is above the quantile of "
                              "the worst case, a single chi-square"
                            : chernoff_statement,
                    {}}}};
  bound.assumptions = {{fixed_sentence, {}}, {gaussian_any_mean, {}}, {model_sentence, {}}};
  if (centred) bound.assumptions.push_back({zero_mean_sentence, {}});
  return bound;
}

// A controller from learn: `responses` holds what its method gave. One that claims to owe nothing
// to data must be what the problem alone gives.
void check_deployment(const Case& given, const Response& deployed) {
  const Record& record = given.record;
  const Problem& p = record.problem;
  const std::string way = text_at(record.inputs, "deployment.way", record.file);
  const std::string method = text_at(record.inputs, "deployment.method", record.file);
  const std::map<std::string, Table> arrays =
      parse_npz(read_beside(record, "responses"), record.file + ": responses");
  const auto Phi = arrays.find("Phi_u_0"), phi = arrays.find("phi_u_0");
  if (arrays.size() != 2 || Phi == arrays.end() || phi == arrays.end())
    throw Undecided{"responses: not one response; averages of several are not supported yet"};
  if (Phi->second.rows != p.d_u() || Phi->second.cols != p.d_w() || phi->second.rows != p.d_u())
    bad(record.file, "responses", "another size", "that of the problem");
  Mat recorded(p.d_u(), 1 + p.d_w());
  set_block(recorded, 0, 1, Mat(Phi->second));
  set_block(recorded, 0, 0, Mat(phi->second));
  require_same_response(deployed.U, recorded, 1e-6, "the file of responses");
  if (way != "fixed") return;
  if (method == "lqr" || method == "auto")
    require_same_response(deployed.U, lqr_response(p).U, 1e-9, "LQR");
  else if (method == "start")
    require_same_response(deployed.U, Space(p).start().U, 1e-9, "the start");
  else
    throw Refuted{"inputs.deployment: method " + method + " uses data"};
}

}  // namespace

bool is_fixed_kind(const std::string& kind) {
  for (const char* other :
       {"hold-out-scale-free", "hold-out-chi-square", "assumed-scale", "assumed-covariance"})
    if (kind == other) return true;
  return envelope_of.contains(kind);
}

Bound fixed_bound(const Case& given) {
  const Record& record = given.record;
  const bool uses_data = !record.kind.starts_with("assumed");
  if (uses_data) require_gaussian(record);
  if (record.kind != "hold-out-scale-free") require_zero_mean(record);
  check_weights(record.problem);
  const Response deployed = closed_loop(record.problem, given.controller);
  if (record.inputs.contains("deployment")) check_deployment(given, deployed);
  const Mat gram = cost_gram(record.problem, deployed);
  Bound bound;
  if (!uses_data) {
    bound = assumed(record, gram);
  } else {
    if (given.rows.rows < 1) throw Refuted{"n: no trajectories"};
    const Data data = moments_of(given.rows);
    const Ball empirical = dot(gram, extended_moment(data));
    bound = envelope_of.contains(record.kind) ? under_envelope(record, gram, data, empirical)
                                              : scale_free(record, gram, data, empirical);
  }
  bound.subject = "controller";
  return bound;
}

}  // namespace verify

// Kinds for one response that was fixed before the certifying data were seen, evaluated at the
// deployed controller's own response.
#include <algorithm>
#include <cmath>
#include <map>

#include "bounds.hpp"

namespace verify {
namespace {

const std::map<std::string, std::string> envelope_of = {{"hold-out", "scale"},
                                                        {"hold-out-relative", "relative"},
                                                        {"hold-out-white", "white"},
                                                        {"hold-out-known", "known"}};

const std::string fixed_sentence = "The controller was fixed before these trajectories were seen.";
const std::string any_law_sentence =
    "The trajectories (x_0, w_0, ..., w_{T-1}) are independent draws of one law, the law met after "
    "deployment.";
const std::string zero_mean_sentence = "The mean of a trajectory is zero.";
const std::string chernoff_statement =
    "the mean cost of the fresh trajectories is not far below its expectation";

// Any x in (0, 1) with x - 1 - log x >= 2 log(1/delta)/n; the larger the better.
double scale_free_factor(double n, double delta) {
  const auto excess = [&](double x) {
    return Ball(2) * log(Ball(1) / Ball(delta)) / Ball(n) - Ball(x) + Ball(1) + log(Ball(x));
  };
  return largest_with(excess, 1);
}

// Any x up to 1 with P(chi-square_n <= n x) <= delta.
double chi_square_factor(double n, double delta) {
  const auto excess = [&](double x) {
    return gamma_below(n / 2, Ball(n) * Ball(x) / Ball(2)) - Ball(delta);
  };
  return largest_with(excess, 1);
}

// Any x in (0, 1) with kl(x/kappa, 1/kappa) >= log(1/delta)/n (docs/theory/bounded-hold-out.md).
double fourth_moment_factor(double n, double delta, double kappa) {
  const auto excess = [&](double x) {
    const Ball p = Ball(1) / Ball(kappa), a = Ball(x) * p;
    const Ball kl = a * log(Ball(x)) + (Ball(1) - a) * log((Ball(1) - a) / (Ball(1) - p));
    return log(Ball(1) / Ball(delta)) / Ball(n) - kl;
  };
  return largest_with(excess, 1);
}

double kurtosis_of(const Record& record) {
  const json& disturbance = need(record.problem.tree, "disturbance", record.file);
  if (!disturbance.contains("kurtosis"))
    throw Refuted{"assumptions: kind " + record.kind + " needs disturbance.kurtosis"};
  const double kappa = number_at(disturbance, "kurtosis", record.file);
  const bool gaussian = text_at(disturbance, "model", record.file) == "gaussian";
  if (!(kappa >= (gaussian ? 3 : 1))) throw Refuted{"assumptions: no law has such a kurtosis"};
  return kappa;
}

size_t at(long i) { return static_cast<size_t>(i); }

// (log(1/delta)/n + Lambda(lambda))/lambda under covariance U, valid for every lambda above zero:
// Lambda = lambda tr(KU) - log det(I + 2 lambda KU)/2 + 2 lambda^2 k'U (I + 2 lambda KU)^-1 k.
struct Margin {
  Mat KU, k, Uk;
  Ball rate, trace;

  Ball operator()(double value) const {
    const Ball lambda(value);
    const Mat shifted = identity(KU.rows()) + Ball(2) * lambda * KU;
    Ball cumulant = lambda * trace - Ball(0.5) * log(determinant(shifted));
    if (size_of(k) > 0)
      cumulant = cumulant + Ball(2) * lambda * lambda * dot(Uk, solve(shifted, k));
    return (rate + cumulant) / lambda;
  }
};

// The same in doubles, good enough to look for a lambda: Gaussian elimination of [I + 2 lambda KU,
// k].
double rough_margin(const Margin& margin, double lambda) {
  const long d = margin.KU.rows();
  const auto middle = [](arb_srcptr x) { return arf_get_d(arb_midref(x), ARF_RND_NEAR); };
  std::vector<std::vector<double>> rows(static_cast<size_t>(d));
  for (long i = 0; i < d; ++i) {
    for (long j = 0; j < d; ++j)
      rows[at(i)].push_back((i == j ? 1 : 0) + 2 * lambda * middle(margin.KU.at(i, j)));
    rows[at(i)].push_back(middle(margin.k.at(i, 0)));
  }
  double log_det = 0, mean = 0;
  for (size_t c = 0; c < rows.size(); ++c) {
    size_t pivot = c;
    for (size_t i = c + 1; i < rows.size(); ++i)
      if (std::abs(rows[i][c]) > std::abs(rows[pivot][c])) pivot = i;
    std::swap(rows[c], rows[pivot]);
    log_det += std::log(std::abs(rows[c][c]));
    for (size_t i = c + 1; i < rows.size(); ++i) {
      const double factor = rows[i][c] / rows[c][c];
      for (size_t j = c; j < rows[c].size(); ++j) rows[i][j] -= factor * rows[c][j];
    }
  }
  std::vector<double> y(rows.size());
  for (size_t i = rows.size(); i-- > 0;) {
    y[i] = rows[i].back();
    for (size_t j = i + 1; j < rows.size(); ++j) y[i] -= rows[i][j] * y[j];
    y[i] /= rows[i][i];
    mean += y[i] * middle(margin.Uk.at(static_cast<long>(i), 0));
  }
  return (upper(margin.rate) + lambda * upper(margin.trace) - 0.5 * log_det +
          2 * lambda * lambda * mean) /
         lambda;
}

// Any lambda will do; this one is close to the best. The function falls, then rises.
double search_lambda(const Margin& margin) {
  const auto height = [&](double log_lambda) { return rough_margin(margin, std::exp(log_lambda)); };
  const double squares = std::max(1e-300, upper(trace_of_product(margin.KU, margin.KU)));
  double low = 0.5 * std::log(upper(margin.rate) / squares), high = low + 1;  // below the best
  while (high < low + 60 && height(high + 1) < height(high)) high += 1;
  low = std::max(low - 1, high - 2), high += 1;
  const double golden = 0.381966011250105;
  double a = low + golden * (high - low), b = high - golden * (high - low);
  double at_a = height(a), at_b = height(b);
  while (high - low > 1e-5) {
    if (at_a < at_b) {
      high = b, b = a, at_b = at_a;
      a = low + golden * (high - low), at_a = height(a);
    } else {
      low = a, a = b, at_a = at_b;
      b = high - golden * (high - low), at_b = height(b);
    }
  }
  return std::exp(0.5 * (low + high));
}

Ball chernoff_margin(const Record& record, const Mat& gram, const Mat& U, double n) {
  if (record.lambda && !(*record.lambda > 0)) throw Refuted{"lambda: not above zero"};
  const long d = U.rows();
  const Mat k = block(gram, 1, 0, d, 1);
  Margin margin{block(gram, 1, 1, d, d) * U, k, U * k,
                log(Ball(1) / Ball(record.delta("chernoff"))) / Ball(n), Ball(0)};
  arb_mat_trace(margin.trace.x, margin.KU.m, bits);
  return margin(record.lambda ? *record.lambda : search_lambda(margin));
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

// L <= Lhat / x
Bound multiplied(const Record& record, const Mat& gram, const Data& data, const Ball& empirical) {
  const bool centred = record.kind == "hold-out-chi-square";
  const bool any_law = record.kind == "hold-out-fourth-moment";
  const auto n = static_cast<double>(data.n);
  if (centred && size_of(block(gram, 0, 0, 1, gram.cols())) > 0)
    throw Refuted{"assumptions: kind hold-out-chi-square allows no offset"};
  const std::string event = centred ? "quantile" : "chernoff";
  const double delta = record.delta(event);
  const double x = any_law   ? fourth_moment_factor(n, delta, kurtosis_of(record))
                   : centred ? chi_square_factor(n, delta)
                             : scale_free_factor(n, delta);
  Bound bound;
  bound.terms = {{"empirical cost of the controller", empirical},
                 {"margin", empirical * (Ball(1) / Ball(x) - Ball(1))}};
  bound.events = {{event,
                   {centred ? "the mean cost of the fresh trajectories is above the quantile of "
                              "the worst case, a single chi-square"
                            : chernoff_statement,
                    {}}}};
  bound.assumptions = {{fixed_sentence, {}},
                       {any_law ? any_law_sentence : gaussian_any_mean, {}},
                       {model_sentence, {}}};
  if (centred) bound.assumptions.push_back({zero_mean_sentence, {}});
  if (any_law)
    bound.assumptions.push_back(
        {"No linear combination of 1 and the entries of a trajectory has a "
         "fourth moment above {} times its squared second moment.",
         {kurtosis_of(record)}});
  return bound;
}

// What the method of learn gave, one response or one for each fold.
std::vector<Mat> read_responses(const Record& record) {
  const Problem& p = record.problem;
  const std::map<std::string, Table> arrays =
      parse_npz(read_beside(record, "responses"), record.file + ": responses");
  std::vector<Mat> responses;
  for (size_t k = 0; 2 * k < arrays.size(); ++k) {
    const auto Phi = arrays.find("Phi_u_" + std::to_string(k));
    const auto phi = arrays.find("phi_u_" + std::to_string(k));
    if (Phi == arrays.end() || phi == arrays.end() || Phi->second.rows != p.d_u() ||
        Phi->second.cols != p.d_w() || phi->second.rows != p.d_u() || phi->second.cols != 1)
      bad(record.file, "responses", "other arrays", "Phi_u and phi_u of the problem's size");
    for (long i = 0; i < p.d_u(); ++i)
      for (long j = (i / p.n_u + 1) * p.n_x; j < p.d_w(); ++j)
        if (Phi->second(i, j) != 0) throw Refuted{"responses: an input that looks ahead"};
    Mat U(p.d_u(), 1 + p.d_w());
    set_block(U, 0, 0, Mat(phi->second));
    set_block(U, 0, 1, Mat(Phi->second));
    responses.push_back(std::move(U));
  }
  if (responses.empty()) bad(record.file, "responses", "none", "at least one");
  return responses;
}

Mat mean_of(const std::vector<Mat>& all) {
  Mat sum = all[0];
  for (size_t k = 1; k < all.size(); ++k) sum = sum + all[k];
  return Ball(1) / Ball(static_cast<double>(all.size())) * sum;
}

// One that claims to owe nothing to data must be what the problem alone gives.
void check_deployment(const Record& record, const Response& deployed) {
  const Problem& p = record.problem;
  require_same_response(deployed.U, mean_of(read_responses(record)), 1e-6, "the file of responses");
  if (text_at(record.inputs, "deployment.way", record.file) != "fixed") return;
  const std::string method = text_at(record.inputs, "deployment.method", record.file);
  if (method == "lqr" || method == "auto")
    require_same_response(deployed.U, lqr_response(p).U, 1e-9, "LQR");
  else if (method == "start")
    require_same_response(deployed.U, Space(p).start().U, 1e-9, "the start");
  else
    throw Refuted{"inputs.deployment: method " + method + " uses data"};
}

Bound evaluate(const Record& record, const Mat& gram, const Table& rows) {
  if (record.kind.starts_with("assumed")) return assumed(record, gram);
  if (rows.rows < 1) throw Refuted{"n: no trajectories"};
  const Data data = moments_of(rows);
  const Ball empirical = dot(gram, extended_moment(data));
  return envelope_of.contains(record.kind) ? under_envelope(record, gram, data, empirical)
                                           : multiplied(record, gram, data, empirical);
}

// How much more the deployed controller may cost than the response that was certified, as a factor:
// from (M - M')'(M - M') <= eta^2 M'M for the maps of the two follows (1 + eta)^2.
Ball closeness(const Problem& p, const Response& deployed, const Response& certified) {
  const Mat gap = cost_gram(p, {deployed.X - certified.X, deployed.U - certified.U});
  const Mat gram = cost_gram(p, certified);
  const long skip =
      size_of(block(gram, 0, 0, 1, gram.cols())) > 0 || size_of(block(gap, 0, 0, 1, gap.cols())) > 0
          ? 0
          : 1;  // no offset anywhere
  const long size = gram.rows() - skip;
  for (const double eta : {1e-13, 1e-12, 1e-11, 1e-10}) {
    try {
      upper_factor(Ball(eta * eta) * block(gram, skip, skip, size, size) -
                   block(gap, skip, skip, size, size));
    } catch (const TooWide&) {
      continue;
    }
    return (Ball(1) + Ball(eta)) * (Ball(1) + Ball(eta));
  }
  throw TooWide{"the distance from the controller to the mean of the responses"};
}

// Kinds cross: the mean over the folds of what the trajectories of each say about its response.
Bound cross_bound(const Case& given, const Response& deployed) {
  const Record& record = given.record;
  const Problem& p = record.problem;
  const std::vector<Mat> responses = read_responses(record);
  const json& folds = need(p.tree, "certificate.folds", record.file);
  if (folds != responses.size() || responses.size() < 2)
    throw Refuted{"responses: not one for each fold"};
  const Ball factor = closeness(p, deployed, open_loop(p, mean_of(responses)));
  const Ball share = Ball(1) / Ball(static_cast<double>(responses.size()));
  Bound mean;
  Ball value;
  for (size_t k = 0; k < responses.size(); ++k) {
    Record part = record;
    part.kind = "hold-out" + record.kind.substr(std::string("cross").size());
    const std::string suffix = " of fold " + std::to_string(k + 1);
    for (Event& event : part.events)
      if (event.name.ends_with(suffix)) event.name.resize(event.name.size() - suffix.size());
    Table rows{0, given.rows.cols, {}};
    for (long i = static_cast<long>(k); i < given.rows.rows; i += folds.get<long>(), ++rows.rows)
      for (long j = 0; j < rows.cols; ++j) rows.values.push_back(given.rows(i, j));
    Bound fold = evaluate(part, cost_gram(p, open_loop(p, responses[k])), rows);
    for (ExpectedEvent& event : fold.events) {
      event.name += suffix;
      mean.events.push_back(event);
    }
    if (k == 0) mean.terms = {{fold.terms[0].name, Ball(0)}, {fold.terms[1].name, Ball(0)}};
    for (size_t i = 0; i < fold.terms.size(); ++i) {
      mean.terms[i].value = mean.terms[i].value + share * fold.terms[i].value;
      value = value + share * fold.terms[i].value;
    }
    mean.assumptions = fold.assumptions;
  }
  mean.assumptions[0] = {
      "Each of the averaged responses was fixed before the trajectories of its fold were seen.",
      {}};
  mean.residual = (factor - Ball(1)) * value;
  return mean;
}

}  // namespace

bool is_cross_kind(const std::string& kind) {
  return kind.starts_with("cross") && is_fixed_kind("hold-out" + kind.substr(5));
}

bool is_fixed_kind(const std::string& kind) {
  for (const char* other : {"hold-out-scale-free", "hold-out-chi-square", "hold-out-fourth-moment",
                            "assumed-scale", "assumed-covariance"})
    if (kind == other) return true;
  return envelope_of.contains(kind);
}

Bound fixed_bound(const Case& given) {
  const Record& record = given.record;
  const bool any_law = record.kind.ends_with("-fourth-moment");
  if (!any_law && !record.kind.starts_with("assumed")) require_gaussian(record);
  if (!any_law && !record.kind.ends_with("-scale-free")) require_zero_mean(record);
  check_weights(record.problem);
  const Response deployed = closed_loop(record.problem, given.controller);
  if (record.inputs.contains("deployment")) check_deployment(record, deployed);
  Bound bound = is_cross_kind(record.kind)
                    ? cross_bound(given, deployed)
                    : evaluate(record, cost_gram(record.problem, deployed), given.rows);
  bound.subject = "controller";
  return bound;
}

}  // namespace verify

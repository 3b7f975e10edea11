// PAC-Bayes kinds. They hold for every posterior at once, so they are evaluated at the one whose
// mean is the deployed controller's own response: nothing rests on how K was computed from Z.
#include <cmath>
#include <map>

#include "bounds.hpp"

namespace verify {
namespace {

struct Kind {
  const char* envelope;
  bool rank_aware;
  bool mismatch;  // the paper's eps sum a_j, not sum a_j Sigma_hat_jj
};
const std::map<std::string, Kind> kinds = {
    {"data-driven", {"additive", false, true}},
    {"data-driven-rank-aware", {"additive", true, true}},
    {"data-driven-mean", {"", false, true}},
    {"scale", {"scale", true, false}},
    {"relative", {"relative", true, false}},
    {"one-sided", {"one-sided", true, false}},
    {"white", {"white", true, false}},
    {"known-covariance", {"known", true, false}},
};

struct Prior {
  std::string center;
  double scale = 0;
  double choices = 1;
};

// One that the problem names and that no data have touched.
Prior prior_of(const Record& record) {
  const json& named = need(record.problem.tree, "learning.prior", record.file);
  const json& used = need(record.inputs, "prior", record.file);
  Prior prior{text_at(used, "center", record.file), number_at(used, "scale", record.file)};
  if (prior.center != text_at(named, "center", record.file))
    throw Refuted{"prior: its center is not the one that the problem names"};
  if (prior.center == "split")
    throw Undecided{"prior: learned from a part of the data, which this program cannot do again"};
  if (prior.center != "start" && prior.center != "lqr")
    throw Refuted{"prior: center '" + prior.center + "' is none that the checker knows"};
  if (!(prior.scale > 0)) throw Refuted{"prior: its scale is not positive"};
  const json& scale = need(named, "scale", record.file);
  const json grid = {1.0, 0.3, 0.1, 0.03, 0.01};  // docs/theory/priors.md
  const bool in_grid = std::find(grid.begin(), grid.end(), used["scale"]) != grid.end();
  if (scale == "grid" && used.value("grid", json()) == grid && in_grid)
    prior.choices = static_cast<double>(grid.size());
  else if (scale != used["scale"] || used.contains("grid"))
    throw Refuted{"prior: its scale is not the one that the problem names"};
  return prior;
}

struct Posterior {
  Mat mean, V;  // d_u x (1 + d_w), the constant's column in front
};

Posterior read_posterior(const Record& record, const Space& space) {
  const std::map<std::string, Table> arrays =
      parse_npz(read_beside(record, "posterior"), record.file + ": posterior");
  const Problem& p = record.problem;
  const long shift = p.constant() ? 0 : 1;  // without a constant the file has no column for it
  Posterior posterior{Mat(p.d_u(), 1 + p.d_w()), Mat(p.d_u(), 1 + p.d_w())};
  for (const char* name : {"mean", "variance"}) {
    const auto found = arrays.find(name);
    if (found == arrays.end() || found->second.rows != p.d_u() ||
        found->second.cols != 1 + p.d_w() - shift)
      bad(record.file, std::string("posterior: ") + name, "no array of this size", "one");
    const bool variance = found->first == "variance";
    for (long i = 0; i < p.d_u(); ++i)
      for (long j = shift; j < 1 + p.d_w(); ++j) {
        const double value = found->second(i, j - shift);
        const bool free = space.is_free(i, j);
        if (!std::isfinite(value) || (!free && value != 0) || (free && variance && !(value > 0)))
          throw Refuted{std::string("posterior: ") + name + " has an entry that it may not have"};
        (variance ? posterior.V : posterior.mean).set(i, j, value);
      }
  }
  return posterior;
}

// Without an affine response the offset of the inputs is the start's.
Response certified_response(const Problem& p, const Space& space, const Response& deployed) {
  Response r = deployed;
  if (p.affine) return r;
  set_block(r.X, 0, 0, block(space.start().X, 0, 0, r.X.rows(), 1));
  set_block(r.U, 0, 0, block(space.start().U, 0, 0, r.U.rows(), 1));
  return r;
}

Ball divergence(const Space& space, const Mat& step, const Mat& V, double scale) {
  const Ball inverse = Ball(1) / (Ball(scale) * Ball(scale));
  Ball sum;
  for (long i = 0; i < V.rows(); ++i)
    for (long j = 0; j < V.cols(); ++j) {
      if (!space.is_free(i, j)) continue;
      const Ball v = V(i, j) * inverse;
      sum = sum + step(i, j) * step(i, j) * inverse + v - Ball(1) - log(v);
    }
  return Ball(0.5) * sum;
}

// docs/theory/quartic-moment.md at one posterior; PP: squares of the entries of P.
struct Point {
  Mat gram, H, PP, V;  // gram: K + Diag(a), a = V'diag(P)
};

std::vector<Ball> diagonal(const Mat& A) {
  std::vector<Ball> d;
  for (long i = 0; i < A.rows(); ++i) d.push_back(A(i, i));
  return d;
}

// q(A, B) = E tr(M'M A M'M B)
Ball quartic(const Point& at, const Mat& A, const Mat& B, bool same) {
  const Mat KA = at.gram * A, HA = at.H * A;
  const Mat KB = same ? KA : at.gram * B, HB = same ? HA : at.H * B;
  const std::vector<Ball> d_A = times(at.V, diagonal(A)), d_B = times(at.V, diagonal(B));
  return trace_of_product(KA, KB) + Ball(2) * dot(at.V, entrywise(HA, HB)) +
         dot(d_B, row_dots(HA, at.H)) + dot(d_A, row_dots(HB, at.H)) +
         dot(at.PP * at.V, at.V * entrywise(A, B)) + dot(d_A, times(at.PP, d_B));
}

// (rate + psi(lambda)) / lambda, valid for every lambda above zero: the recorded one is taken.
Ball complexity(const Record& record, const Ball& rate, const Ball& C, const Ball& mean,
                bool rank_aware) {
  if (!record.lambda || !(*record.lambda > 0)) throw Refuted{"lambda: not above zero"};
  const Ball lambda(*record.lambda);
  if (!rank_aware) return rate / lambda + lambda * (C + mean);
  const Ball r(static_cast<double>(record.problem.d_w()));
  const Ball x = lambda * sqrt(C / r);
  const Ball f = x - Ball(0.5) * log(Ball(1) + Ball(2) * x);
  return (rate + r * f) / lambda + lambda * mean;
}

// What stands above covariance and mean, and what that rests on.
struct Setting {
  Mat U{0, 0}, B{0, 0};
  Ball eps, r_mu;
  std::vector<ExpectedEvent> events;
  std::vector<Sentence> assumptions;
};

// docs/theory/unknown-mean.md
Setting unknown_mean(const Record& record, const Data& data) {
  const Problem& p = record.problem;
  const double scale = scale_bound(record);
  const Ball n(static_cast<double>(data.n));
  if (data.n < 3) throw Refuted{"n: kind data-driven-mean needs three trajectories"};
  Setting s;
  s.eps = covariance_radius(scale, p.d_w(), data.n - 1, record.delta("covariance"));
  s.r_mu = sqrt(Ball(scale)) * (sqrt(Ball(static_cast<double>(p.d_w())) / n) +
                                sqrt(Ball(2) * log(Ball(1) / Ball(record.delta("mean"))) / n));
  const Mat centred = data.second - transpose(data.mean) * data.mean;
  s.U = extended(n / (n - Ball(1)) * centred + s.eps * identity(p.d_w()));
  Mat z(1 + p.d_w(), 1);
  set_block(z, 1, 0, transpose(data.mean));
  if (p.constant()) z.set(0, 0, 1);
  // Any c above zero is valid: a double close to r / |z|.
  const double norm = upper(sqrt(dot(z, z)));
  const Ball c(norm > 0 ? upper(s.r_mu) / norm : 1.0);
  s.B = (Ball(1) + c) * (z * transpose(z)) +
        extended((Ball(1) + Ball(1) / c) * s.r_mu * s.r_mu * identity(p.d_w()));
  s.events = {{"covariance",
               {"||S - Sigma_w|| <= eps_Sigma = {}, S the sample covariance", {upper(s.eps)}}},
              {"mean", {"||wbar - mu_w|| <= r_mu = {}", {upper(s.r_mu)}}}};
  s.assumptions = {{gaussian_any_mean, {}}, {scale_pattern, {scale}}};
  return s;
}

Setting zero_mean(const Record& record, const Data& data, const Kind& kind) {
  const long d = record.problem.d_w();
  const Envelope envelope = make_envelope(kind.envelope, record, data);
  Setting s;
  s.U = extended(envelope.U);
  s.B = Mat(1 + d, 1 + d);
  arb_one(s.B.at(0, 0));  // the mean of (1, w)
  if (kind.mismatch)
    s.eps = covariance_radius(scale_bound(record), d, data.n, record.delta("covariance"));
  for (const Sentence& event : envelope.events) s.events.push_back({"covariance", event});
  s.assumptions = envelope.assumptions;
  return s;
}

void add_words(Bound& bound, const Setting& setting, const Prior& prior) {
  std::string statement =
      "the PAC-Bayes-Chernoff inequality holds for all posteriors and all lambda at once";
  if (prior.choices > 1) statement += ", for each of 5 priors";
  bound.subject = "mean response";
  bound.events = {{"pac_bayes", {statement, {}}}};
  bound.events.insert(bound.events.end(), setting.events.begin(), setting.events.end());
  bound.assumptions = setting.assumptions;
  bound.assumptions.push_back({"The prior was chosen without the certifying data.", {}});
  bound.assumptions.push_back({model_sentence, {}});
}

}  // namespace

bool is_posterior_kind(const std::string& kind) { return kinds.contains(kind); }

Bound posterior_bound(const Case& given) {
  const Record& record = given.record;
  const Problem& p = record.problem;
  const Kind& kind = kinds.at(record.kind);
  const bool any_mean = record.kind == "data-driven-mean";
  require_gaussian(record);
  if (!any_mean) require_zero_mean(record);
  const Prior prior = prior_of(record);
  const Data data = moments_of(given.rows);
  if (data.n < 2) throw Refuted{"n: PAC-Bayes needs two trajectories"};

  check_weights(p);
  const Space space(p);
  const Posterior posterior = read_posterior(record, space);
  const Response deployed = closed_loop(p, given.controller);
  const Response mean = certified_response(p, space, deployed);
  require_same_response(space.coordinates(deployed.U - space.start().U), posterior.mean, 1e-6,
                        "the posterior's mean");

  Bound bound;
  const Setting setting = any_mean ? unknown_mean(record, data) : zero_mean(record, data, kind);
  add_words(bound, setting, prior);
  const Mat center = prior.center == "lqr" ? lqr_response(p).U : space.start().U;
  bound.kl = divergence(space, space.coordinates(mean.U - center), posterior.V, prior.scale);
  const Ball n(static_cast<double>(data.n)), delta(record.delta("pac_bayes"));
  const Ball rate = (*bound.kl + log(n * Ball(prior.choices) / delta)) / (n - Ball(1));

  Mat gram = cost_gram(p, mean);
  const Mat moment = extended_moment(data);
  const Ball empirical = dot(gram, moment);
  if (!p.affine) {
    bound.residual = cost_gram(p, deployed)(0, 0) - gram(0, 0);
    if (any_mean && !arb_is_zero(bound.residual.x))
      throw Undecided{"a known offset without an affine response, and an unknown mean"};
  }
  const std::vector<Ball> a = times(transpose(posterior.V), diagonal(space.P()));
  for (long j = 0; j < gram.rows(); ++j)
    arb_add(gram.at(j, j), gram.at(j, j), a[static_cast<size_t>(j)].x, bits);
  const Point point{std::move(gram), space.cost_slope(mean), entrywise(space.P(), space.P()),
                    posterior.V};

  Ball spread, shift;
  for (long j = 1; j <= p.d_w(); ++j) {
    const Ball& a_j = a[static_cast<size_t>(j)];
    spread = spread + a_j * (kind.mismatch ? setting.eps : moment(j, j));
    const Ball part = a_j * data.mean(0, j - 1);
    shift = shift + part * part;
  }
  const Ball C = quartic(point, setting.U, setting.U, true);
  Ball C_mean(0);  // without a constant the column of (1, w) for it is zero everywhere
  if (p.constant() || any_mean) C_mean = Ball(2) * quartic(point, setting.U, setting.B, false);
  bound.terms = {{"empirical cost of the mean response", empirical},
                 {kind.mismatch ? "curvature mismatch" : "deploying the mean response", spread}};
  if (any_mean) bound.terms.push_back({"mean mismatch", Ball(2) * setting.r_mu * sqrt(shift)});
  bound.terms.push_back({"complexity", complexity(record, rate, C, C_mean, kind.rank_aware)});
  return bound;
}

}  // namespace verify

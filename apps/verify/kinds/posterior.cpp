// PAC-Bayes kinds. They hold for every posterior at once: where the mean response is certified,
// they are evaluated at the one whose mean is the deployed controller's own response, so nothing
// rests on how K was computed from Z; where the posterior's average is, at the one in the file.
#include "kinds/prior.hpp"

namespace verify {
namespace {

enum class Psi { quadratic, rank_aware, cross, localized };
// What the posterior's variance adds: eps sum a_j; sum a_j of the sample's second moments, for w or
// for (1, w); the same minus the true ones.
enum class Spread { mismatch, mean, average, oracle };

struct Kind {
  const char* envelope;
  Psi psi;
  Spread spread;
  const char* spread_id = "curvature-mismatch";
  bool oracle = false;
};
const char* const deployed_mean = "mean-deployment";
const char* const average = "posterior-spread";
const std::map<std::string, Kind> kinds = {
    {"data-driven", {"additive", Psi::quadratic, Spread::mismatch}},
    {"data-driven-randomized", {"additive", Psi::quadratic, Spread::average, average}},
    {"data-driven-rank-aware", {"additive", Psi::rank_aware, Spread::mismatch}},
    {"data-driven-mean", {"any-mean", Psi::quadratic, Spread::mismatch}},
    {"scale", {"scale", Psi::rank_aware, Spread::mean, deployed_mean}},
    {"relative", {"relative", Psi::rank_aware, Spread::mean, deployed_mean}},
    {"one-sided", {"one-sided", Psi::rank_aware, Spread::mean, deployed_mean}},
    {"white", {"white", Psi::rank_aware, Spread::mean, deployed_mean}},
    {"known-covariance", {"known", Psi::rank_aware, Spread::mean, deployed_mean}},
    {"bounded", {"radius", Psi::quadratic, Spread::average, average}},
    {"bounded-self", {"radius-self", Psi::cross, Spread::mean, average}},
    {"oracle", {"true", Psi::quadratic, Spread::oracle, "curvature-mismatch-true", true}},
    {"oracle-randomized", {"true", Psi::quadratic, Spread::average, average, true}},
    {"posterior-localized", {"true", Psi::localized, Spread::average, average, true}},
};

// Without an affine response the offset of the inputs is the start's.
Response certified_response(const Problem& p, const Space& space, const Response& deployed) {
  Response r = deployed;
  if (p.affine) return r;
  set_block(r.X, 0, 0, block(space.start.X, 0, 0, r.X.rows(), 1));
  set_block(r.U, 0, 0, block(space.start.U, 0, 0, r.U.rows(), 1));
  return r;
}

}  // namespace

bool is_posterior_kind(const std::string& kind) { return kinds.contains(kind); }

Bound posterior_bound(const Case& given) {
  const Record& record = given.record;
  const Problem& p = record.problem;
  const Kind& kind = kinds.at(record.kind);
  if (record.oracle != kind.oracle) throw Refuted{"oracle: not that of the kind"};
  if (given.rows.rows < 2) throw Refuted{"n: PAC-Bayes needs two trajectories"};
  const Data data = moments_of(given.rows);
  const bool beside = record.is_deployed();
  const Space space = beside ? Space(p, "lqr", "cost") : Space(p);
  if (!p.constant() && given.controller.has_constant())
    throw Refuted{"controller: its k is not zero, which no response of this problem allows"};
  const Response deployed = closed_loop(p, given.controller);
  if (beside) deployed_responses(record, deployed);
  const Learned learned =
      beside ? portfolio_posterior(record, space, space.coordinates(deployed.U - space.start.U))
             : read_posterior(record, space, deployed);
  // A posterior's average is that of the file; a mean response that of the gains.
  const bool average_of_file = record.kind.ends_with("-randomized");
  const Response mean = average_of_file ? open_loop(p, space.inputs(learned.mean))
                                        : certified_response(p, space, deployed);
  const Envelope envelope = make_envelope(kind.envelope, record, data);

  Bound bound;
  const long priors = learned.from_grid ? std::ssize(grid) : 1;
  bound.subject = average_of_file ? "posterior-average" : "mean-response";
  bound.events = {{"pac_bayes", {"pac-bayes"}, priors}};
  bound.events.insert(bound.events.end(), envelope.events.begin(), envelope.events.end());
  bound.assumptions = envelope.assumptions;
  bound.assumptions.insert(bound.assumptions.end(), {{"prior-fixed"}, {"model"}});

  const Mat step =
      (average_of_file ? learned.mean : space.coordinates(mean.U - space.start.U)) - learned.center;
  const Mat sizes = learned.scale * learned.unit;
  bound.kl = gaussian_kl(space.free_entries(), step, learned.V, entrywise(sizes, sizes));
  const Ball rate = pac_bayes_rate(*bound.kl, priors, data.n, record.delta("pac_bayes"));
  if (record.lambda.size() != 1 || !(record.lambda[0] > 0)) throw Refuted{"lambda: not above zero"};
  const Ball lambda(record.lambda[0]);  // every one above zero is valid

  Mat gram = cost_gram(p, mean);
  const Ball empirical = dot(gram, data.moment);
  const Mat a = transpose(learned.V) * diagonal(space.P), H = space.cost_slope(mean);
  Mat weights = diagonal(data.moment);  // of a
  if (kind.spread == Spread::mismatch) weights = envelope.eps * ones(1 + p.d_w(), 1);
  if (kind.spread == Spread::oracle) weights = weights - diagonal(envelope.U + envelope.B);
  if (kind.spread != Spread::average) weights.set(0, 0, 0);
  bound.terms = {{"empirical-mean-response", empirical}, {kind.spread_id, dot(weights, a)}};
  if (record.kind == "data-driven-mean") {
    const Mat shift = entrywise(block(a, 1, 0, p.d_w(), 1), transpose(data.mean));
    bound.terms.push_back({"mean-mismatch", 2 * envelope.r_mu * sqrt(dot(shift, shift))});
  }
  Ball psi;
  if (kind.psi == Psi::localized) {
    const Mat free = space.free_entries();
    if (lower(dot(free, free)) > 1000)
      throw Undecided{"posterior-localized with more than 1000 coordinates"};
    psi = localized_moment(free, space.P, gram, H, learned.V, envelope.U + envelope.B, lambda);
  } else {
    const Point point{gram + diagonal_matrix(a), H, entrywise(space.P, space.P), learned.V};
    Ball C, C_mean;
    if (kind.psi != Psi::cross) C = quartic(point, envelope.U, envelope.U);
    const long d = envelope.B.rows() - 1;  // without a constant its column is zero everywhere
    if (d > 0 && (p.constant() || size_of(block(envelope.B, 1, 1, d, d)) > 0))
      C_mean = 2 * quartic(point, envelope.U, envelope.B);
    psi = lambda * lambda * envelope.factor * C_mean +
          (kind.psi == Psi::rank_aware ? rank_aware(lambda, C, p.d_w())
                                       : lambda * lambda * envelope.factor * C);
  }
  bound.terms.push_back({"complexity", (rate + psi) / lambda});
  if (p.constant() && !p.affine && !average_of_file)
    add_rounding(given, deployed, mean, sum_of_terms(bound), bound);
  return bound;
}

}  // namespace verify

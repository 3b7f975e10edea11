// PAC-Bayes kinds. They hold for every posterior at once: where the mean response is certified,
// they are evaluated at the one whose mean is the deployed controller's own response, so nothing
// rests on how K was computed from Z; where the posterior's average is, at the one in the file.
#include "kinds/prior.hpp"

namespace verify {
namespace {

enum class Psi { quadratic, rank_aware, cross, localized };
// What the posterior's covariance adds, a product with A_rho: of eps I; of the sample's second
// moments, for w or for (1, w); of the same minus the true ones.
enum class Adds { mismatch, mean, average, oracle };

const char* const of_curvature = "curvature-mismatch";
struct Kind {
  const char* envelope;
  Psi psi;
  Adds adds;
  const char* spread_id = of_curvature;
  bool oracle = false;
  bool least = false;  // of the mismatch and the sample's moments
};
const char* const deployed_mean = "mean-deployment";
const char* const average = "posterior-spread";
const std::map<std::string, Kind> kinds = {
    {"data-driven", {"additive", Psi::quadratic, Adds::mismatch}},
    {"data-driven-randomized", {"additive", Psi::quadratic, Adds::average, average}},
    {"data-driven-rank-aware",
     {"additive", Psi::rank_aware, Adds::mismatch, of_curvature, false, true}},
    {"data-driven-effective-rank",
     {"effective-rank", Psi::rank_aware, Adds::mismatch, of_curvature, false, true}},
    {"data-driven-given-radius",
     {"given-radius", Psi::rank_aware, Adds::mismatch, of_curvature, false, true}},
    {"data-driven-mean", {"any-mean", Psi::quadratic, Adds::mismatch}},
    {"scale", {"scale", Psi::rank_aware, Adds::mean, deployed_mean}},
    {"relative", {"relative", Psi::rank_aware, Adds::mean, deployed_mean}},
    {"one-sided", {"one-sided", Psi::rank_aware, Adds::mean, deployed_mean}},
    {"white", {"white", Psi::rank_aware, Adds::mean, deployed_mean}},
    {"known-covariance", {"known", Psi::rank_aware, Adds::mean, deployed_mean}},
    {"bounded", {"radius", Psi::quadratic, Adds::average, average}},
    {"bounded-self", {"radius-self", Psi::cross, Adds::mean, average}},
    {"oracle", {"true", Psi::quadratic, Adds::oracle, "curvature-mismatch-true", true}},
    {"oracle-randomized", {"true", Psi::quadratic, Adds::average, average, true}},
    {"posterior-localized", {"true", Psi::localized, Adds::average, average, true}},
};

// Without an affine response the offset of the inputs is the start's.
Response certified_response(const Problem& p, const Space& space, const Response& deployed) {
  Response r = deployed;
  if (p.affine) return r;
  set_block(r.X, 0, 0, block(space.start.X, 0, 0, r.X.rows(), 1));
  set_block(r.U, 0, 0, block(space.start.U, 0, 0, r.U.rows(), 1));
  return r;
}

// The recorded end of the interval of lambda: not beyond the true one.
Statement admitted(const Record& record, const Around& rho, const Mat& second) {
  const auto& said = record.events.at(0).statement.parameters;
  const auto end = said.find("lambda_end");
  if (end == said.end() || !(end->second > 0)) throw Refuted{"event pac_bayes: no lambda_end"};
  if (!is_admissible(rho, second, (1 - 1e-9) * Ball(end->second)))
    throw TooWide{"lambda_end: whether every lambda below it is admissible"};
  return {"pac-bayes-localized", {{"lambda_end", end->second}}};
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
  const Gaussian &rho = learned.posterior, &pi = learned.prior;
  if (rho.mixes() && (p.constant() || record.kind == "data-driven-mean" ||
                      record.kind.starts_with("bounded")))  // where A_rho must be diagonal
    throw Refuted{"posterior: its columns are correlated, which is not allowed here"};
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
  if (learned.given) bound.assumptions.insert(bound.assumptions.end() - 1, {"prior-given"});

  const Mat step =
      (average_of_file ? learned.mean : space.coordinates(mean.U - space.start.U)) - learned.center;
  bound.kl = rho.correlates() || pi.correlates() ? correlated_kl(step, rho, pi)
                                                 : gaussian_kl(rho.free, step, rho.V, pi.V);
  const Ball rate = pac_bayes_rate(*bound.kl, priors, data.n, record.delta("pac_bayes"));
  if (record.lambda.size() != 1 || !(record.lambda[0] > 0)) throw Refuted{"lambda: not above zero"};
  const Ball lambda(record.lambda[0]);  // every one above zero is valid

  Mat gram = cost_gram(p, mean);
  const Ball empirical = dot(gram, data.moment);
  const Spread spread = rho.correlates() ? spread_of(rho, space.P) : Spread();
  const Mat A_rho =
      rho.correlates() ? spread.A : diagonal_matrix(transpose(rho.V) * diagonal(space.P));
  const Mat H = space.cost_slope(mean);
  Mat weights = data.moment;  // of A_rho, which is diagonal where the constant matters
  if (kind.adds == Adds::mismatch) weights = envelope.eps * identity(1 + p.d_w());
  // Sigma_hat_jj - Sigma_jj, of diagonal A_rho, is below eps and below Sigma_hat_jj.
  if (kind.least && !rho.mixes())
    for (long j = 0; j <= p.d_w(); ++j) weights.set(j, j, smaller(envelope.eps, data.moment(j, j)));
  if (kind.adds == Adds::oracle) weights = weights - (envelope.U + envelope.B);
  if (kind.adds != Adds::average) weights.set(0, 0, 0);
  bound.terms = {{"empirical-mean-response", empirical}, {kind.spread_id, dot(weights, A_rho)}};
  if (record.kind == "data-driven-mean") {
    const Mat shift = data.mean * block(A_rho, 1, 1, p.d_w(), p.d_w());
    bound.terms.push_back({"mean-mismatch", 2 * envelope.r_mu * sqrt(dot(shift, shift))});
  }
  Ball psi;
  if (kind.psi == Psi::localized) {
    if (rho.correlates())
      throw Undecided{"posterior-localized with a posterior whose entries are correlated"};
    if (std::ssize(free_places(rho.free)) > 1000)
      throw Undecided{"posterior-localized with more than 1000 coordinates"};
    const Around around{rho.free, space.P, gram, H, rho.V};
    const Mat second = envelope.U + envelope.B;
    psi = grants_gaussian(p) ? joint_cumulant(around, envelope.mean, envelope.U, lambda)
                             : localized_moment(around, second, lambda);
    if (size_of(second) > 0) bound.events[0].statement = admitted(record, around, second);
  } else {
    const Point point{gram + A_rho, H, entrywise(space.P, space.P), rho.V, spread};
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

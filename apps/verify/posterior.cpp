// PAC-Bayes kinds. They hold for every posterior at once: where the mean response is certified,
// they are evaluated at the one whose mean is the deployed controller's own response, so nothing
// rests on how K was computed from Z; where the posterior's average is, at the one in the file.
#include <algorithm>
#include <cmath>

#include "bound.hpp"

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
  const char* spread_name = "curvature mismatch";
  bool oracle = false;
};
const char* const deployed_mean = "deploying the mean response";
const char* const average = "empirical cost of the posterior's spread";
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
    {"oracle", {"true", Psi::quadratic, Spread::oracle, "curvature mismatch", true}},
    {"oracle-randomized", {"true", Psi::quadratic, Spread::average, average, true}},
    {"posterior-localized", {"true", Psi::localized, Spread::average, average, true}},
};

const std::vector<double> grid = {1.0, 0.3, 0.1, 0.03, 0.01};  // docs/theory/priors.md

struct Learned {
  // All are d_u x (1 + d_w) with the constant's column in front.
  Mat mean, center;  // of the posterior and of the prior
  Mat V{0, 0};       // variances of the posterior
  double scale = 0;  // of the prior
  Mat unit{0, 0};    // and its variances are (scale unit_j)^2; d_w + 1 of them
  bool from_grid = false;
};

// An array of posterior.npz with the constant's column in front, zero where Z is not free.
Mat read_array(const std::map<std::string, Table>& arrays, const std::string& name,
               const Record& record, const Space& space) {
  const Problem& p = record.problem;
  const long shift = p.constant() ? 0 : 1;  // without a constant the file has no column for it
  const auto found = arrays.find(name);
  if (found == arrays.end() || found->second.rows != p.d_u() ||
      found->second.cols != 1 + p.d_w() - shift)
    bad("posterior: " + name, "no array of this size", "one");
  Mat whole(p.d_u(), 1 + p.d_w());
  for (long i = 0; i < p.d_u(); ++i)
    for (long j = shift; j < 1 + p.d_w(); ++j) {
      const double value = found->second(i, j - shift);
      const bool free = space.is_free(i, j);
      if (!std::isfinite(value) || (!free && value != 0) ||
          (free && name == "variance" && !(value > 0)))
        throw Refuted{"posterior: " + name + " has an entry that it may not have"};
      whole.set(i, j, value);
    }
  return whole;
}

// The prior is one that the problem names and that no certifying data have touched.
Learned read_posterior(const Record& record, const Space& space, const Response& deployed) {
  const json& named = record.problem.tree.at("learning").at("prior");
  const json& used = record.inputs.at("prior");
  const std::map<std::string, Table> arrays = read_beside(record, "posterior", parse_npz);
  const Mat mean = read_array(arrays, "mean", record, space);
  require_equal(deployed.U, space.inputs(mean), 1e-6, "the posterior's mean");
  Learned learned{mean, Mat(mean.rows(), mean.cols()),
                  read_array(arrays, "variance", record, space), used.at("scale").get<double>(),
                  ones(1 + record.problem.d_w(), 1)};
  const std::string center = used.at("center").get<std::string>();
  if (used["center"] != named.at("center"))
    throw Refuted{"prior: its center is not the one that the problem names"};
  if (center == "split")  // from the part of the data that does not certify
    learned.center = read_array(arrays, "center", record, space);
  else if (center == "lqr")
    learned.center = space.coordinates(lqr_response(record.problem).U - space.start.U);
  else if (center != "start")
    throw Refuted{"prior: center " + word(center) + " is none that the checker knows"};
  learned.from_grid = named.at("scale") == "grid" && used.value("grid", json()) == json(grid) &&
                      std::find(grid.begin(), grid.end(), learned.scale) != grid.end();
  if (!learned.from_grid && (named["scale"] != used["scale"] || used.contains("grid")))
    throw Refuted{"prior: its scale is not the one that the problem names"};
  if (!(learned.scale > 0)) throw Refuted{"prior: its scale is not positive"};
  return learned;
}

// Beside another method: around LQR in the coordinates of the cost, and the posterior around what
// is deployed, both of one scale of the grid. A unit is sqrt(tr K/d_w/d_u), K the cost of LQR, and
// sigma_bar of it for the constant. Any will do; the recorded KL tells which.
Learned portfolio_posterior(const Record& record, const Space& space, const Mat& mean) {
  const Problem& p = record.problem;
  Learned learned{mean, Mat(mean.rows(), mean.cols())};
  const Mat gram = cost_gram(p, space.start);
  const Ball unit = sqrt((trace(gram) - gram(0, 0)) / p.d_w() / p.d_u());
  learned.unit = unit * ones(1 + p.d_w(), 1);
  learned.unit.set(0, 0, unit * sqrt(Ball(scale_of(record))));
  Mat inverse(1 + p.d_w(), 1);
  for (long j = 0; j <= p.d_w(); ++j) inverse.set(j, 0, 1 / learned.unit(j, 0));
  const Mat step = entrywise(space.free_entries(), mean) * diagonal_matrix(inverse);
  const double distance = upper(dot(step, step)) / 2, kl = record.kl.value_or(0);
  learned.scale = grid[0];  // the smallest that the KL allows: for LQR itself it is zero for all
  for (const double s : grid)
    if (distance / (s * s) <= kl + 1e-9 * std::max(1.0, kl)) learned.scale = s;
  learned.from_grid = true;
  const Mat sizes = learned.scale * (space.free_entries() * diagonal_matrix(learned.unit));
  learned.V = entrywise(sizes, sizes);
  return learned;
}

// Without an affine response the offset of the inputs is the start's.
Response certified_response(const Problem& p, const Space& space, const Response& deployed) {
  Response r = deployed;
  if (p.affine) return r;
  set_block(r.X, 0, 0, block(space.start.X, 0, 0, r.X.rows(), 1));
  set_block(r.U, 0, 0, block(space.start.U, 0, 0, r.U.rows(), 1));
  return r;
}

Ball divergence(const Space& space, const Mat& step, const Learned& learned) {
  Ball sum;
  for (long j = 0; j < step.cols(); ++j) {
    const Ball size = learned.scale * learned.unit(j, 0), inverse = 1 / (size * size);
    for (long i = 0; i < step.rows(); ++i) {
      if (!space.is_free(i, j)) continue;
      const Ball v = learned.V(i, j) * inverse;
      sum = sum + step(i, j) * step(i, j) * inverse + v - 1 - log(v);
    }
  }
  return sum / 2;
}

// docs/theory/quartic-moment.md at one posterior; PP: squares of the entries of P.
struct Point {
  Mat gram, H, PP, V;  // gram: K + Diag(a), a = V'diag(P)
};

// q(A, B) = E tr(M'M A M'M B)
Ball quartic(const Point& at, const Mat& A, const Mat& B) {
  const bool same = &A == &B;
  const Mat KA = at.gram * A, HA = at.H * A;
  const Mat KB = same ? KA : at.gram * B, HB = same ? HA : at.H * B;
  const Mat d_A = at.V * diagonal(A), d_B = at.V * diagonal(B), all = ones(at.H.cols(), 1);
  return dot(KA, transpose(KB)) + 2 * dot(at.V, entrywise(HA, HB)) +
         dot(d_B, entrywise(HA, at.H) * all) + dot(d_A, entrywise(HB, at.H) * all) +
         dot(at.PP * at.V, at.V * entrywise(A, B)) + dot(d_A, at.PP * d_B);
}

// log E_rho e^{lambda L} under the true second moment (docs/theory/posterior-localized.md).
Ball localized_moment(const Space& space, const Mat& gram, const Mat& H, const Mat& V,
                      const Mat& second, const Ball& lambda) {
  std::vector<std::pair<long, long>> free;
  for (long j = 0; j < V.cols(); ++j)
    for (long i = 0; i < V.rows(); ++i)
      if (space.is_free(i, j)) free.push_back({i, j});
  const auto p = static_cast<long>(free.size());
  if (p > 1000) throw Undecided{"posterior-localized with more than 1000 coordinates"};
  const Mat slopes = H * second;
  Mat I_G = identity(p), g(p, 1);  // I - 2 lambda G
  for (long k = 0; k < p; ++k) {
    const auto [i, j] = free[static_cast<size_t>(k)];
    const Ball sigma = sqrt(V(i, j));
    g.set(k, 0, sigma * slopes(i, j));
    for (long l = 0; l < p; ++l) {
      const auto [m, n] = free[static_cast<size_t>(l)];
      const Ball G = sigma * sqrt(V(m, n)) * space.P(i, m) * second(j, n);
      I_G.set(k, l, I_G(k, l) - 2 * lambda * G);
    }
  }
  if (!is_positive_definite(I_G)) throw TooWide{"lambda: whether the moment is finite there"};
  return lambda * dot(gram, second) - log(determinant(I_G)) / 2 +
         2 * lambda * lambda * dot(g, solve(I_G, g));
}

Ball rank_aware(const Ball& lambda, const Ball& C, long rank) {
  const Ball x = lambda * sqrt(C / rank);
  return rank * (x - log(1 + 2 * x) / 2);
}

}  // namespace

bool is_posterior_kind(const std::string& kind) { return kinds.contains(kind); }

Bound posterior_bound(const Case& given) {
  const Record& record = given.record;
  const Problem& p = record.problem;
  const Kind& kind = kinds.at(record.kind);
  const bool any_mean = record.kind == "data-driven-mean";
  if (record.oracle != kind.oracle) throw Refuted{"oracle: not that of the kind"};
  if (given.rows.rows < 2) throw Refuted{"n: PAC-Bayes needs two trajectories"};
  const Data data = moments_of(given.rows);
  const bool beside = record.inputs.contains("deployment");
  const Space space = beside ? Space(p, "lqr", "cost") : Space(p);
  if (!p.constant() && size_of(Mat(given.controller.k)) > 0)
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
  bound.subject = average_of_file ? "posterior average" : "mean response";
  bound.events = {
      {"pac_bayes",
       {std::string("the PAC-Bayes-Chernoff inequality holds for all posteriors and all "
                    "lambda at once") +
        (learned.from_grid ? ", for each of 5 priors" : "")}}};
  bound.events.insert(bound.events.end(), envelope.events.begin(), envelope.events.end());
  bound.assumptions = envelope.assumptions;
  bound.assumptions.push_back({"The prior was chosen without the certifying data."});
  bound.assumptions.push_back({model_sentence});

  const Mat step =
      (average_of_file ? learned.mean : space.coordinates(mean.U - space.start.U)) - learned.center;
  bound.kl = divergence(space, step, learned);
  const Ball n(data.n), choices(learned.from_grid ? static_cast<long>(grid.size()) : 1);
  const Ball rate = (*bound.kl + log(n * choices / record.delta("pac_bayes"))) / (n - 1);
  if (record.lambda.size() != 1 || !(record.lambda[0] > 0)) throw Refuted{"lambda: not above zero"};
  const Ball lambda(record.lambda[0]);  // every one above zero is valid

  Mat gram = cost_gram(p, mean);
  const Ball empirical = dot(gram, data.moment);
  const Mat a = transpose(learned.V) * diagonal(space.P), H = space.cost_slope(mean);
  Mat weights = diagonal(data.moment);  // of a
  if (kind.spread == Spread::mismatch) weights = envelope.eps * ones(1 + p.d_w(), 1);
  if (kind.spread == Spread::oracle) weights = weights - diagonal(envelope.U + envelope.B);
  if (kind.spread != Spread::average) weights.set(0, 0, 0);
  bound.terms = {{"empirical cost of the mean response", empirical},
                 {kind.spread_name, dot(weights, a)}};
  if (any_mean) {
    const Mat shift = entrywise(block(a, 1, 0, p.d_w(), 1), transpose(data.mean));
    bound.terms.push_back({"mean mismatch", 2 * envelope.r_mu * sqrt(dot(shift, shift))});
  }
  Ball psi;
  if (kind.psi == Psi::localized) {
    psi = localized_moment(space, gram, H, learned.V, envelope.U + envelope.B, lambda);
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

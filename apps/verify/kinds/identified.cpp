// Disturbances that follow from a few before them by unknown coefficients, which the trajectories
// themselves tell: docs/theory/identified-models.md and identified-cost.md. The events hold for
// every response at once.
#include <cmath>

#include "kinds/fixed.hpp"

namespace verify {
namespace {

// V_0 is so much of what the first regressors would be if all were like them.
constexpr double prior_share = 0.35;

// w_t = basis omega_t, omega_t = inverse w_t.
struct Support {
  Mat basis, inverse;
};

// So many orthonormal columns, spanning those of C up to rounding. Doubles are good enough: what
// lies outside is measured.
Table directions_of(const Table& C, long count) {
  Table Q{C.rows, count, std::vector<double>(static_cast<size_t>(C.rows * count))};
  for (long i = 0; i < C.rows; ++i)
    for (long j = 0; j < count; ++j) Q(i, j) = std::cos(static_cast<double>(1 + i + 3 * i * j));
  for (int round = 0; round < 6; ++round) {
    const Table before = round == 0 ? Q : centres(Mat(C) * Mat(Q));
    for (long j = 0; j < count; ++j) {
      for (long i = 0; i < C.rows; ++i) Q(i, j) = before(i, j);
      for (long k = 0; k <= 2 * j; ++k) {  // twice against each before it, then its own length
        const long other = k < 2 * j ? k % j : j;
        double product = 0;
        for (long i = 0; i < C.rows; ++i) product += Q(i, other) * Q(i, j);
        for (long i = 0; i < C.rows; ++i)
          Q(i, j) = other < j ? Q(i, j) - product * Q(i, other) : Q(i, j) / std::sqrt(product);
      }
    }
  }
  return Q;
}

// All directions, or as many as the record says. Refuted unless the data lie in these, up to 1e-7
// of the size of each component. `sum` of ww' over all steps.
Support support_of(const Record& record, const Mat& sum) {
  const long n = sum.rows();
  double count = static_cast<double>(n);
  for (const Statement& stated : record.assumptions)
    if (stated.id == "support" && stated.parameters.contains("directions"))
      count = stated.parameters.at("directions");
  if (count == static_cast<double>(n)) return {identity(n), identity(n)};
  if (!(count >= 1 && count < static_cast<double>(n) && count == std::floor(count)))
    throw Refuted{"assumptions: support has another number of directions"};
  Mat unit(n, 1), inverse(n, 1);
  for (long i = 0; i < n; ++i) {
    unit.set(i, 0, std::sqrt(upper(sum(i, i))));
    if (upper(unit(i, 0)) > 0) inverse.set(i, 0, 1 / unit(i, 0));
  }
  const Mat C = entrywise(sum, inverse * transpose(inverse));
  const Mat E(directions_of(centres(C), static_cast<long>(count))), E_ = transpose(E);
  const Mat left = solve(E_ * E, E_), outside = identity(n) - E * left;
  const Mat rest = diagonal(outside * C * transpose(outside));
  for (long i = 0; i < n; ++i)
    if (lower(rest(i, 0)) > 1e-14 * static_cast<double>(n))
      throw Refuted{"assumptions: the disturbances act in more directions than support says"};
  return {diagonal_matrix(unit) * E, left * diagonal_matrix(inverse)};
}

Mat repeated(long count, const Mat& A) {  // along a diagonal
  Mat all(count * A.rows(), count * A.cols());
  for (long t = 0; t < count; ++t) set_block(all, t * A.rows(), t * A.cols(), A);
  return all;
}

// Of w = (w_0, ..., w_{T-1}) in the coordinates omega, second moments summed over trajectories.
Transitions transitions_of(const Mat& second, long m, long lags, long n) {
  const long T = second.rows() / m, r = lags * m;
  Transitions seen{n * (T - lags), Mat(r, r), Mat(m, r), Mat(m, m), Mat(r, r)};
  for (long t = lags; t < T; ++t) {  // r_t = (omega_{t-lags}, ..., omega_{t-1})
    const long now = t * m, first = now - r;
    seen.V = seen.V + block(second, first, first, r, r);
    seen.yr = seen.yr + block(second, now, first, m, r);
    seen.yy = seen.yy + block(second, now, now, m, m);
  }
  seen.V_0 = prior_share * Ball(T - lags) * block(second, 0, 0, r, r);
  return seen;
}

// w = Lambda (s, e_p, ..., e_{T-1}) of the estimate, v = root e, and R: rows G r_t.
void roll(const Problem& p, const Support& support, const ConfidenceSet& set, Identified& model) {
  const long n = p.n_x, m = support.inverse.rows(), d_s = model.U_0.rows();
  const Mat seen = repeated(p.lags, support.inverse);
  model.Lambda = Mat(p.d_w(), d_s + (p.T - p.lags) * m);
  model.R = Mat((p.T - p.lags) * p.lags * m, model.Lambda.cols());
  set_block(model.Lambda, 0, 0, identity(d_s));
  for (long t = 0; t < p.T - p.lags; ++t) {
    const Mat r = seen * block(model.Lambda, (t + 1) * n, 0, p.lags * n, model.Lambda.cols());
    Mat omega = set.Theta_hat * r;
    set_block(omega, 0, d_s + t * m, set.root);
    set_block(model.R, t * r.rows(), 0, set.G * r);
    set_block(model.Lambda, d_s + t * n, 0, support.basis * omega);
  }
}

Mat covariance_of_inputs(const Identified& model) {  // of (s, e)
  Mat D = identity(model.Lambda.cols());
  set_block(D, 0, 0, model.U_0);
  return D;
}

Mat gram_of_inputs(const Identified& model, const Mat& gram) {  // H'H, z = H (s, e)
  const long d = gram.rows() - 1;
  return transpose(model.Lambda) * block(gram, 1, 1, d, d) * model.Lambda;
}

Interconnection loop_of(const Identified& model, const Mat& K, const Mat& D) {
  const long d_s = model.U_0.rows(), e = K.rows() - d_s, steps = e / model.m;
  const Mat seen = D * transpose(model.R);
  return {steps,
          model.m,
          model.R.rows() / steps,
          dot(K, D),
          block(K, d_s, 0, e, K.cols()) * seen,
          block(K, d_s, d_s, e, e),
          model.R * seen,
          block(model.R, 0, d_s, model.R.rows(), e)};
}

// The covariance of z = H (s, e) is that of F'KF, F F' above the covariance of (s, e), and a model
// of the set moves its root by at most `error`: the k largest eigenvalues of it add up to at most
// the square of the root of what they add up to without an error, and of the error.
std::vector<double> spectrum_caps(const Identified& model, const Mat& K, const Ball& error) {
  const long d_s = model.U_0.rows();
  Mat above = model.U_0, F = identity(K.rows());
  for (long i = 0; i < d_s; ++i)  // U_0 may be singular
    above.set(i, i, (1 + Ball(1e-13)) * above(i, i) + 1e-300);
  set_block(F, 0, 0, upper_factor(above));
  std::vector<double> caps = eigenvalue_sums(transpose(F) * K * F);
  for (double& cap : caps) cap = upper((sqrt(Ball(cap)) + error) * (sqrt(Ball(cap)) + error));
  if (!std::isfinite(caps.back())) throw TooWide{"a spectrum"};
  return caps;
}

}  // namespace

Identified identify(const Record& record, const Table& rows) {
  const Problem& p = record.problem;
  require_gaussian(record);
  require_zero_mean(record);
  if (p.lags == 0) record.lacks("disturbance.autoregressive");
  const Data data = moments_of(rows);
  const long n = p.n_x, d_s = (p.lags + 1) * n, w = p.T * n;
  const Mat second = data.n * block(data.second, n, n, w, w);
  Mat sum(n, n);
  for (long t = 0; t < p.T; ++t) sum = sum + block(second, t * n, t * n, n, n);
  const Support support = support_of(record, sum);
  const Mat all = repeated(p.T, support.inverse);
  Identified model;
  model.m = support.inverse.rows();
  const ConfidenceSet set =
      confidence_set(transitions_of(all * second * transpose(all), model.m, p.lags, data.n),
                     record.delta("model"), record.delta("noise"));
  const double q_0 = wishart_floor(d_s, data.n, record.delta("start"));
  if (!(q_0 > 0)) throw Refuted{"event start: n is not above the numbers of the first steps"};
  model.beta = set.beta;
  model.U_0 = 1 / Ball(q_0) * block(data.second, 0, 0, d_s, d_s);
  roll(p, support, set, model);
  const auto lags = static_cast<double>(p.lags);
  const auto transitions = static_cast<double>(data.n * (p.T - p.lags));
  model.events = {{"model", {"model-ellipsoid", {{"beta", upper(set.beta)}}}},
                  {"noise", {"noise-floor", {{"q", set.q}, {"transitions", transitions}}}},
                  {"start", {"start-floor", {{"q", q_0}, {"lags", lags}}}}};
  model.assumptions = {{"gaussian-zero-mean"}, {"autoregressive", {{"lags", lags}}}, {"model"}};
  if (model.m < n) {
    model.assumptions.insert(
        model.assumptions.end() - 1,
        {"support",
         {{"directions", static_cast<double>(model.m)}, {"states", static_cast<double>(n)}}});
    const Mat outside = identity(w) - repeated(p.T, support.basis) * all;
    model.outside = Mat(1 + p.d_w(), 1);
    set_block(model.outside, 1 + n, 0,
              1 / Ball(data.n) * diagonal(outside * second * transpose(outside)));
  }
  return model;
}

Ball largest_variance(const Identified& model, const Mat& row) {
  const Mat h = row * model.Lambda;
  const long d_s = model.U_0.rows();
  if (size_of(block(h, 0, d_s, 1, h.cols() - d_s)) == 0)  // of the first steps alone
    return dot(block(h, 0, 0, 1, d_s) * model.U_0, block(h, 0, 0, 1, d_s));
  const Interconnection loop = loop_of(model, transpose(h) * h, covariance_of_inputs(model));
  return loop.cost + largest_error(loop, model.beta, good_multiplier(loop, model.beta));
}

// E |M w + m|^2 <= J_0 + error + |m|^2
Bound identified_bound(const Record& record, const Mat& gram, const Identified& model) {
  if (record.lambda.size() != 1 || !(record.lambda[0] > 0))
    throw Refuted{"lambda: not one number above zero"};
  const Interconnection loop =
      loop_of(model, gram_of_inputs(model, gram), covariance_of_inputs(model));
  const Ball error = largest_error(loop, model.beta, record.lambda[0]);
  Bound bound;
  bound.terms = {
      {"identified-nominal", loop.cost}, {"identified-error", error}, {"offset", gram(0, 0)}};
  bound.events = model.events;
  bound.assumptions = model.assumptions;
  return bound;
}

Bound under_identified(const Record& record, const Part& part) {
  const Identified& model = *part.model;
  const long d = record.problem.d_w();
  if (!(lower(part.lambda) >= 0)) throw Refuted{"lambda: below zero"};
  if (size_of(block(part.gram, 0, 0, 1, 1 + d)) > 0)
    throw Refuted{"assumptions: kind " + record.kind + " allows no offset"};
  const Mat K = gram_of_inputs(model, part.gram), D = covariance_of_inputs(model);
  const Ball empirical = dot(part.gram, part.data.moment);
  const double value =
      filled_value(spectrum_caps(model, K, error_size(loop_of(model, K, D), model.beta)), empirical,
                   part.data.n, record.delta("chernoff"), part.lambda);
  Bound bound;
  bound.terms = {{"margin", value - empirical}};
  bound.events = {{"chernoff", {"chernoff"}}};
  bound.assumptions = model.assumptions;
  return bound;
}

}  // namespace verify

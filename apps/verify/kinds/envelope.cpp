// Matrices above the covariance and the mean (docs/theory/covariance-envelopes.md, unknown-mean.md,
// bounded.md).
#include <algorithm>
#include <cmath>

#include "kinds/kinds.hpp"

namespace verify {

Mat extended(const Mat& on_w) {
  Mat whole(1 + on_w.rows(), 1 + on_w.cols());
  set_block(whole, 1, 1, on_w);
  return whole;
}

Data moments_of(const Table& rows) {
  const long n = rows.rows, d = rows.cols;
  Mat Z = ones(n, 1 + d);
  set_block(Z, 0, 1, Mat(rows));
  Mat moment = 1 / Ball(n) * (transpose(Z) * Z);
  moment.set(0, 0, 1);
  return {n, block(moment, 0, 1, 1, d), block(moment, 1, 1, d, d), moment, Mat(rows)};
}

Mat true_mean(const Record& record) {
  const json mean = record.problem.law().value("mean", json(0.0));
  const long d = record.problem.d_w();
  Mat column(1 + d, 1);
  column.set(0, 0, 1);
  set_block(column, 1, 0,
            mean.is_number()
                ? mean.get<double>() * ones(d, 1)
                : transpose(Mat(matrix_of(json::array({mean}), 1, d, "disturbance.mean"))));
  return column;
}

namespace {

Envelope white(const Record& record, const Data& data) {
  const Problem& p = record.problem;
  if (!grants_white(p)) record.lacks("disturbance.white");
  const bool shared = p.law().at("stationary").get<bool>();
  // Rounded down: the shares must not add up to more than delta.
  const double each = lower(record.delta("covariance") / Ball(shared ? 2 : p.T + 1));
  const double q_0 = wishart_floor(p.n_x, data.n, each);
  const double q = shared ? wishart_floor(p.n_x, data.n * p.T, each) : q_0;
  if (!(q_0 > 0)) throw Refuted{"event covariance: n is not above n_x"};
  Mat U(p.d_w(), p.d_w()), pooled(p.n_x, p.n_x);
  const auto part = [&](long t) { return block(data.second, t * p.n_x, t * p.n_x, p.n_x, p.n_x); };
  for (long t = 1; t <= p.T; ++t) pooled = pooled + 1 / Ball(p.T) * part(t);
  for (long t = 0; t <= p.T; ++t)
    set_block(U, t * p.n_x, t * p.n_x,
              1 / Ball(t == 0 ? q_0 : q) * (t > 0 && shared ? pooled : part(t)));
  Envelope e{extended(U)};
  e.events = {{"covariance", {"covariance-white", {{"q_0", q_0}, {"q", q}}}}};
  e.assumptions = {{"gaussian-zero-mean"}, {"white"}};
  if (shared) e.assumptions.push_back({"stationary"});
  return e;
}

Envelope any_mean(const Record& record, const Data& data) {
  const Problem& p = record.problem;
  const Ball scale = scale_of(record), n(data.n);
  if (data.n < 3) throw Refuted{"n: kind data-driven-mean needs three trajectories"};
  const Mat I = identity(p.d_w());
  Envelope e;
  e.eps = covariance_radius(scale, p.d_w(), data.n - 1, record.delta("covariance"));
  e.r_mu = mean_radius(scale, p.d_w(), data.n, record.delta("mean"));
  e.U = extended(n / (n - 1) * (data.second - transpose(data.mean) * data.mean) + e.eps * I);
  require_likely(record, data, transpose(data.mean), scale * ones(p.d_w(), 1));
  Mat z(1 + p.d_w(), 1);
  set_block(z, 1, 0, transpose(data.mean));
  if (p.constant()) z.set(0, 0, 1);
  // Any c above zero is valid: a double close to r / |z|, the constant counted as sigma_bar.
  const Ball constant = p.constant() ? scale : Ball(0);
  const double norm = upper(sqrt(constant + dot(transpose(data.mean), transpose(data.mean))));
  const Ball c(upper(e.r_mu) / std::max(norm, 1e-300));
  e.B = (1 + c) * (z * transpose(z)) + extended((1 + 1 / c) * e.r_mu * e.r_mu * I);
  e.events = {{"covariance", {"covariance-centred", {{"eps", upper(e.eps)}}}},
              {"mean", {"mean-radius", {{"radius", upper(e.r_mu)}}}}};
  e.assumptions = {{"gaussian"}, scale_bound(record)};
  return e;
}

// ||v||^2 <= reach for v = D^-1 z; psi: Hoeffding's, or by a matrix above E[zz'].
Envelope bounded(const Record& record, const Data& data, bool self) {
  const Problem& p = record.problem;
  const Ball W = radius_of(record, data), reach = (p.constant() ? 2 : 1) * W * W;
  Mat D = ones(1 + p.d_w(), 1);  // its diagonal
  D.set(0, 0, p.constant() ? 1 / W : Ball(0));
  const Mat D_squared = diagonal_matrix(entrywise(D, D));
  Envelope e{D_squared};
  e.assumptions = {{"any-law"}, radius(record)};
  if (!self) {
    e.factor = reach * reach / 8;
    return e;
  }
  e.factor = reach / 4;
  const long d = p.d_w() + (p.constant() ? 1 : 0), skip = 1 + p.d_w() - d;
  Mat inverse = ones(1 + p.d_w(), 1);
  inverse.set(0, 0, p.constant() ? W : Ball(0));
  const Mat V = entrywise(inverse * transpose(inverse), data.moment);
  const Ball eps =
      second_moment_radius(reach, largest_eigenvalue(V), d, data.n, record.delta("covariance"));
  Mat I = identity(1 + p.d_w());
  if (skip) I.set(0, 0, 0);
  Mat above = V + eps * I;  // and two others that are: the one of smallest trace
  if (upper(trace(above)) > lower(reach * d)) above = reach * I;
  if (grants_zero_mean(p) && grants_scale(p)) {
    Mat diagonal = extended(scale_of(record) * identity(p.d_w()));
    if (!skip) diagonal.set(0, 0, W * W);
    if (upper(trace(diagonal)) < lower(trace(above))) {
      above = diagonal;
      e.assumptions.push_back({"zero-mean"});
      e.assumptions.push_back(scale_bound(record));
    }
  }
  e.B = entrywise(D * transpose(D), above);
  e.events = {{"covariance", {"second-moment", {{"eps", upper(eps)}}}}};
  return e;
}

Envelope true_law(const Record& record, const Data& data) {
  const bool any_law = record.kind == "posterior-localized" && !grants_gaussian(record.problem);
  if (!any_law) require_gaussian(record);
  Mat mu = true_mean(record);
  const Mat Sigma = covariance_of(record.problem, "covariance");
  require_likely(record, data, block(mu, 1, 0, mu.rows() - 1, 1), diagonal(Sigma));
  if (!record.problem.constant()) mu.set(0, 0, 0);
  Envelope e{extended(Sigma), mu * transpose(mu)};
  e.mean = mu;
  const bool centred = size_of(block(mu, 1, 0, mu.rows() - 1, 1)) == 0;
  e.assumptions = {{any_law   ? "any-law"
                    : centred ? "gaussian-zero-mean"
                              : "gaussian"},
                   {"known-law"}};
  return e;
}

// Sigma_hat is at least this times the covariance.
double floor_of(const Record& record, const Data& data) {
  const double q = wishart_floor(record.problem.d_w(), data.n, record.delta("covariance"));
  if (!(q > 0)) throw Refuted{"event covariance: n is not above d_w"};
  return q;
}

// Zero mean: only the response's own offset has one.
Envelope zero_mean(const std::string& name, const Record& record, const Data& data) {
  const long d = record.problem.d_w();
  const Mat I = identity(d);
  if (name == "white") return white(record, data);
  Envelope e;
  e.assumptions = {{"gaussian-zero-mean"}};
  if (name == "known") {
    e.U = extended(covariance_bound_of(record));
    require_likely(record, data, Mat(d, 1), diagonal(covariance_bound_of(record)));
    e.assumptions.push_back({"covariance-bound"});
    return e;
  }
  if (name == "relative") {
    const double q = floor_of(record, data);
    e.U = extended(1 / Ball(q) * data.second);
    e.events = {{"covariance", {"covariance-relative", {{"q", q}}}}};
    return e;
  }
  if (name == "given-radius") {
    const double eps = record.assumed("covariance_radius", 0);
    e.eps = eps;
    e.U = extended(data.second + e.eps * I);
    e.events = {{"covariance", {"covariance-additive", {{"eps", eps}}}}};
    e.assumptions.push_back(
        {"covariance-radius",
         {{"delta", record.assumed("covariance_radius_delta", 0)}, {"eps", eps}}});
    return e;
  }
  const Ball scale = scale_of(record);
  e.assumptions.push_back(scale_bound(record));
  require_likely(record, data, Mat(d, 1), scale * ones(d, 1));
  if (name == "scale") {
    e.U = extended(scale * I);
    return e;
  }
  if (name == "additive") {
    e.eps = covariance_radius(scale, d, data.n, record.delta("covariance"));
    e.U = extended(data.second + e.eps * I);
    e.events = {{"covariance", {"covariance-additive", {{"eps", upper(e.eps)}}}}};
    return e;
  }
  if (name == "effective-rank") {
    const double half = record.delta("covariance") / 2;
    const Ball found = trace(data.second) / chi_square_below(data.n, half), all = d * scale;
    const Ball least = smaller(found, all);
    e.eps = effective_rank_radius(scale, least, data.n, half);
    e.U = extended(data.second + e.eps * I);
    e.events = {{"covariance",
                 {"covariance-effective-rank", {{"eps", upper(e.eps)}, {"trace", upper(least)}}}}};
    return e;
  }
  const Ball gap = scale * max_zero(1 - Ball(floor_of(record, data)));
  e.U = extended(data.second + gap * I);
  e.events = {{"covariance", {"covariance-one-sided", {{"gap", upper(gap)}}}}};
  return e;
}

}  // namespace

Envelope make_envelope(const std::string& name, const Record& record, const Data& data) {
  if (name == "radius" || name == "radius-self") return bounded(record, data, name != "radius");
  if (name == "true") return true_law(record, data);
  require_gaussian(record);
  if (name == "any-mean") return any_mean(record, data);
  require_zero_mean(record);
  Envelope e = zero_mean(name, record, data);
  e.B = Mat(e.U.rows(), e.U.cols());
  e.B.set(0, 0, 1);
  return e;
}

}  // namespace verify

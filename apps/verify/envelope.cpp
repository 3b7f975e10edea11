#include "envelope.hpp"

#include <cmath>

namespace verify {

Data moments_of(const Table& rows) {
  const Mat W(rows);
  const Ball share = Ball(1) / Ball(static_cast<double>(rows.rows));
  Mat ones(1, rows.rows);
  arb_mat_ones(ones.m);
  return {rows.rows, share * (ones * W), share * (transpose(W) * W)};
}

double scale_bound(const Record& record) {
  const json& disturbance = need(record.problem.tree, "disturbance", record.file);
  if (!disturbance.contains("scale_bound"))
    throw Refuted{"assumptions: kind " + record.kind + " needs disturbance.scale_bound"};
  const double scale = number_at(disturbance, "scale_bound", record.file);
  if (!(scale > 0)) throw Refuted{"assumptions: disturbance.scale_bound is not positive"};
  return scale;
}

// A number times I, a diagonal, or a matrix.
Mat covariance_bound(const Record& record) {
  const json& disturbance = need(record.problem.tree, "disturbance", record.file);
  if (!disturbance.contains("covariance_bound"))
    throw Refuted{"assumptions: kind " + record.kind + " needs disturbance.covariance_bound"};
  const json& value = disturbance["covariance_bound"];
  const long d = record.problem.d_w();
  const std::string place = "disturbance.covariance_bound";
  if (value.is_number()) return Ball(value.get<double>()) * identity(d);
  if (!value.is_array() || value.empty()) bad(record.file, place, "another type", "numbers");
  if (value[0].is_array()) {
    const Table table = matrix_of(value, d, d, place, record.file);
    for (long i = 0; i < d; ++i)
      for (long j = 0; j < i; ++j)
        if (table(i, j) != table(j, i)) bad(record.file, place, "a matrix", "a symmetric one");
    return Mat(table);
  }
  const Table diagonal = matrix_of(json::array({value}), 1, d, place, record.file);
  Mat bound(d, d);
  for (long i = 0; i < d; ++i) bound.set(i, i, diagonal(0, i));
  return bound;
}

Ball covariance_radius(double scale, long d, long n, double delta) {
  const Ball samples(static_cast<double>(n));
  const Ball t = sqrt(Ball(static_cast<double>(d)) / samples) +
                 sqrt(Ball(2) * log(Ball(2) / Ball(delta)) / samples);
  return Ball(scale) * (Ball(2) * t + t * t);
}

namespace {

Envelope white(const Record& record, const Data& data, double delta) {
  const Problem& p = record.problem;
  if (!flag_at(p.tree, "disturbance.white", record.file))
    throw Refuted{"assumptions: kind " + record.kind + " needs disturbance.white"};
  const bool shared = flag_at(p.tree, "disturbance.stationary", record.file);
  // Rounded down: the shares must not add up to more than delta.
  const double each = std::nextafter(delta / static_cast<double>(shared ? 2 : p.T + 1), 0.0);
  const double q_0 = wishart_floor(p.n_x, data.n, each);
  const double q = shared ? wishart_floor(p.n_x, data.n * p.T, each) : q_0;
  if (!(q_0 > 0 && q > 0)) throw Refuted{"event covariance: n is not above n_x"};
  Mat U(p.d_w(), p.d_w()), pooled(p.n_x, p.n_x);
  const auto part = [&](long t) { return block(data.second, t * p.n_x, t * p.n_x, p.n_x, p.n_x); };
  for (long t = 1; t <= p.T; ++t) pooled = pooled + part(t);
  pooled = Ball(1) / Ball(static_cast<double>(p.T)) * pooled;
  for (long t = 0; t <= p.T; ++t)
    set_block(U, t * p.n_x, t * p.n_x,
              Ball(1) / Ball(t == 0 ? q_0 : q) * (t > 0 && shared ? pooled : part(t)));
  Envelope e{std::move(U),
             {{"the covariance of x_0 is at most its sample's / {}, that of every w_t at most its "
               "sample's / {}",
               {q_0, q}}},
             {{gaussian_zero_mean, {}},
              {"Within a trajectory x_0, w_0, ..., w_{T-1} are independent of each other.", {}}}};
  if (shared) e.assumptions.push_back({"All w_t have the same law.", {}});
  return e;
}

}  // namespace

Envelope make_envelope(const std::string& name, const Record& record, const Data& data) {
  const long d = record.problem.d_w();
  const std::vector<Sentence> with_scale = {{gaussian_zero_mean, {}}, {scale_pattern, {}}};
  const auto scaled = [&] {
    std::vector<Sentence> sentences = with_scale;
    sentences[1].numbers = {scale_bound(record)};
    return sentences;
  };
  if (name == "scale") return {Ball(scale_bound(record)) * identity(d), {}, scaled()};
  if (name == "known")
    return {covariance_bound(record),
            {},
            {{gaussian_zero_mean, {}},
             {"The covariance of a trajectory is at most covariance_bound of the problem file, in "
              "the Loewner order.",
              {}}}};
  const double delta = record.delta("covariance");
  if (name == "additive") {
    const Ball eps = covariance_radius(scale_bound(record), d, data.n, delta);
    return {data.second + eps * identity(d),
            {{"||Sigma_hat - Sigma_w|| <= eps_Sigma = {}", {upper(eps)}}},
            scaled()};
  }
  if (name == "white") return white(record, data, delta);
  const double q = wishart_floor(d, data.n, delta);
  if (!(q > 0)) throw Refuted{"event covariance: n is not above d_w"};
  if (name == "relative")
    return {Ball(1) / Ball(q) * data.second,
            {{"Sigma_w <= Sigma_hat / {}", {q}}},
            {{gaussian_zero_mean, {}}}};
  const Ball gap = Ball(scale_bound(record)) * max_zero(Ball(1) - Ball(q));
  return {
      data.second + gap * identity(d), {{"Sigma_w <= Sigma_hat + {} I", {upper(gap)}}}, scaled()};
}

}  // namespace verify

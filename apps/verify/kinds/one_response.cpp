// One response and its fresh trajectories: docs/theory/fixed-response.md, chi-square.md,
// bounded-hold-out.md, assumed-scale.md.
#include <cmath>

#include "kinds/fixed.hpp"

namespace verify {
namespace {

const Event chernoff{"chernoff", {"chernoff"}};

bool has_offset(const Mat& gram) { return size_of(block(gram, 0, 0, 1, gram.cols())) > 0; }

Bound assumed(const Record& record, const Mat& gram) {
  const long d = record.problem.d_w();
  const bool scale = record.kind == "assumed-scale";
  require_zero_mean(record);
  Bound bound;
  const Mat C = scale ? scale_of(record) * identity(d) : covariance_bound_of(record);
  // The term has the name of its kind.
  bound.terms = {{record.kind, dot(block(gram, 1, 1, d, d), C)}, {"offset", gram(0, 0)}};
  bound.assumptions = {
      {"zero-mean"}, scale ? scale_bound(record) : Statement{"covariance-bound"}, {"model"}};
  return bound;
}

// Of F'KF, F F' above U: no eigenvalue of the covariance of the cost is larger.
std::vector<double> spectrum_under(const Mat& U, const Mat& K) {
  Mat above = U;
  for (long i = 0; i < U.rows(); ++i)  // U may be singular
    above.set(i, i, (1 + Ball(1e-13)) * above(i, i) + 1e-300);
  const Mat F = upper_factor(above);
  return eigenvalues_above(transpose(F) * K * F);
}

Bound under_envelope(const std::string& by, const Record& record, const Part& part,
                     const Ball& empirical) {
  // What data say of the covariance holds for every response: all of them may say it.
  const bool from_data = by == "relative" || by == "white";
  const Envelope envelope = make_envelope(by, record, from_data ? part.all : part.data);
  const long d = record.problem.d_w(), n = part.data.n;
  if (!(lower(part.lambda) > 0)) throw Refuted{"lambda: not above zero"};
  const Mat U = block(envelope.U, 1, 1, d, d), K = block(part.gram, 1, 1, d, d);
  const double delta = record.delta("chernoff");
  Ball margin = chernoff_margin(part.gram, U, part.lambda, n, delta);
  if (!has_offset(part.gram))
    margin =
        smaller(margin, quantile_margin(spectrum_under(U, K), n, delta, 2 * part.lambda, margin));
  if (!envelope.events.empty())  // L <= tr(KU) + |m|^2 on the event of U
    margin = smaller(margin, dot(K, U) + part.gram(0, 0) - empirical);
  Bound bound;
  bound.terms = {{"margin", margin}};
  bound.events = {chernoff};
  bound.events.insert(bound.events.end(), envelope.events.begin(), envelope.events.end());
  bound.assumptions = envelope.assumptions;
  bound.assumptions.push_back({"model"});
  return bound;
}

void require_no_offset(const Record& record, const Part& part) {
  if (has_offset(part.gram))
    throw Refuted{"assumptions: kind " + record.kind + " allows no offset"};
}

// L <= Lhat / x
Bound multiplied(const std::string& by, const Record& record, const Part& part,
                 const Ball& empirical) {
  const bool centred = by == "chi-square", fourth = by == "fourth-moment";
  Bound bound;
  bound.events = {centred ? Event{"quantile", {"quantile"}} : chernoff};
  bound.assumptions = {{fourth ? "any-law" : "gaussian"}, {"model"}};
  const double delta = record.delta(bound.events[0].id);
  double x = 0;
  if (fourth) {
    const bool gaussian = record.problem.law().at("model") == "gaussian";
    bound.assumptions.push_back(kurtosis(record, std::nextafter(gaussian ? 3.0 : 1.0, 0.0)));
    x = fourth_moment_factor(part.data.n, delta, record.assumed("kurtosis", 0));
  } else {
    require_gaussian(record);
    x = centred ? chi_square_below(part.data.n, delta) : scale_free_below(part.data.n, delta);
  }
  if (centred) {
    require_zero_mean(record);
    bound.assumptions.push_back({"zero-mean"});
    require_no_offset(record, part);
  }
  bound.terms = {{"margin", empirical * (1 / Ball(x) - 1)}};
  return bound;
}

// L <= Lhat + x ||M Sigma_hat M'||_F: frobenius.md
Bound by_spread(const Record& record, const Part& part) {
  require_gaussian(record);
  require_zero_mean(record);
  require_no_offset(record, part);
  const long d = record.problem.d_w();
  const Mat KS = block(part.gram, 1, 1, d, d) * part.data.second;
  const Ball squares = dot(KS, transpose(KS));
  Bound bound;
  bound.terms = {{"margin", Ball(spread_factor(part.data.n, record.delta("spread"))) *
                                ball(arb_sqrtpos, squares.x)}};
  bound.events = {{"spread", {"spread"}}};
  bound.assumptions = {{"gaussian"}, {"model"}, {"zero-mean"}};
  return bound;
}

// b sup{ q : kl(Lhat/b, q) <= log(1/delta)/n }
Bound bounded(const Record& record, const Part& part, const Ball& empirical) {
  const Ball b = largest_cost(part.gram, radius_of(record, part.data));
  Bound bound;
  Ball value;
  if (upper(b) > 0)
    value = b * kl_upper(empirical / b, log(1 / Ball(record.delta("chernoff"))) / part.data.n);
  bound.terms = {{"margin", max_zero(value - empirical)}};
  bound.events = {chernoff};
  bound.assumptions = {{"any-law"}, {"model"}, radius(record)};
  return bound;
}

// Over signs, and orders of steps with one law: the blocks of K on the diagonal, or their mean.
Mat averaged_gram(const Problem& p, const Mat& gram) {
  const bool alike = p.option("/disturbance/stationary").get<bool>();
  Mat mean(p.n_x, p.n_x), averaged(gram.rows(), gram.cols());
  const auto step = [&](long t) { return block(gram, 1 + t * p.n_x, 1 + t * p.n_x, p.n_x, p.n_x); };
  for (long t = 1; t <= p.T; ++t) mean = mean + (1 / Ball(p.T)) * step(t);
  for (long t = 0; t <= p.T; ++t)
    set_block(averaged, 1 + t * p.n_x, 1 + t * p.n_x, t > 0 && alike ? mean : step(t));
  return averaged;
}

// The same certificate of another cost with the same expectation.
Bound of_averaged(const std::string& by, const Record& record, Part part, const Ball& empirical) {
  part.gram = averaged_gram(record.problem, part.gram);
  const Ball mean = dot(part.gram, part.data.moment);
  Bound bound = by == "chi-square" ? multiplied(by, record, part, mean)
                                   : under_envelope(by, record, part, mean);
  bound.terms[0].value = bound.terms[0].value + mean - empirical;
  if (by == "white") return bound;
  bound.assumptions.push_back({"white"});
  if (record.problem.option("/disturbance/stationary").get<bool>())
    bound.assumptions.push_back({"stationary"});
  return bound;
}

}  // namespace

Bound one_response(const Record& record, const Part& part) {
  const auto [scheme, by] = one_response_kind(record.kind);
  if (scheme == "assumed") return assumed(record, part.gram);
  if (part.data.n < 1) throw Refuted{"n: no trajectories"};
  const bool difference = scheme == "improvement";
  const Ball empirical = dot(difference ? part.baseline : part.gram, part.data.moment);
  Bound bound;
  if (difference)
    bound =
        difference_bound(record, part.gram - part.baseline, part.metric, part.data, part.lambda);
  else if (record.averaged.value_or(by == "white") && !has_offset(part.gram) && !part.model)
    bound = of_averaged(by, record, part, empirical);
  else if (by == "bounded")
    bound = bounded(record, part, empirical);
  else if (by == "frobenius")
    bound = by_spread(record, part);
  else if (by == "scale-free" || by == "chi-square" || by == "fourth-moment")
    bound = multiplied(by, record, part, empirical);
  else if (part.model)
    bound = under_identified(record, part);
  else
    bound = under_envelope(by, record, part, empirical);
  for (Event& event : bound.events) {
    if (event.is_shared()) continue;
    event.choices = record.choices;
    event.fold = record.fold;
  }
  if (part.model)
    bound.events.insert(bound.events.end(), part.model->events.begin(), part.model->events.end());
  if (difference) {
    bound.size = upper(empirical);
    return bound;
  }
  bound.terms.insert(bound.terms.begin(), {"empirical-controller", empirical});
  bound.assumptions.insert(bound.assumptions.begin(), {"controller-fixed"});
  return bound;
}

}  // namespace verify

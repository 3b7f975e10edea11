// What the problem grants: what it assumes, unless the law that it states beside it says otherwise.
// A bound may fall short of the stated covariance by 1e-12 of its own diagonal, in whatever units,
// a radius of a trajectory by as much: they are used with that much more.
#include "kinds/kinds.hpp"

namespace verify {
namespace {

constexpr double room = 1e-12;

bool is_below(const Problem& p, const Mat& bound) {
  if (!p.law().contains("covariance")) return true;
  const Mat gap = bound - covariance_of(p, "covariance");
  Mat more = diagonal_matrix(room * diagonal(bound));
  for (long i = 0; i < bound.rows(); ++i) {  // no variance in a row without room: none at all
    if (upper(bound(i, i)) > 0) continue;
    if (size_of(block(gap, i, 0, 1, gap.cols())) > 0) return false;
    more.set(i, i, 1);
  }
  return is_positive_definite(gap + more);
}

}  // namespace

void require_likely(const Record& record, const Data& data, const Mat& mean, const Mat& variance) {
  const Ball n(data.n), t = log(1e10 * Ball(variance.rows()));
  const Ball most =
      grants_gaussian(record.problem) ? laurent_massart(data.n, t) : markov(data.n, t);
  for (long j = 0; j < variance.rows(); ++j) {
    const Ball m = mean(j, 0), sum = n * (data.second(j, j) - 2 * m * data.mean(0, j) + m * m);
    if (lower(sum) > upper(most * variance(j, 0)))
      throw Refuted{"data: they contradict the law that the problem states, entry " +
                    std::to_string(j + 1) + " is too large"};
  }
}

bool grants_gaussian(const Problem& p) {
  return p.law().at("model") == "gaussian" &&
         p.law().value("distribution", "gaussian") == "gaussian";
}

bool grants_zero_mean(const Problem& p) {
  return p.law().at("zero_mean").get<bool>() && p.law().value("mean", json(0.0)) == 0.0;
}

bool grants_scale(const Problem& p) {
  if (!p.law().contains("scale_bound")) return false;
  return is_below(p, p.law()["scale_bound"].get<double>() * identity(p.d_w()));
}

bool grants_covariance(const Problem& p) {
  return p.law().contains("covariance_bound") && is_below(p, covariance_of(p, "covariance_bound"));
}

// To the last bit: what is nearly independent has no bound of its own here.
bool states_white(const Problem& p, bool stationary) {
  if (!p.law().contains("covariance")) return true;
  Mat Sigma = middle(covariance_of(p, "covariance"));
  const Mat zero(p.n_x, p.n_x), first = block(Sigma, p.n_x, p.n_x, p.n_x, p.n_x);
  for (long t = 0; t <= p.T; ++t) {
    const Mat gap = block(Sigma, t * p.n_x, t * p.n_x, p.n_x, p.n_x) - first;
    if (t > 0 && stationary && size_of(gap) > 0) return false;
    set_block(Sigma, t * p.n_x, t * p.n_x, zero);
  }
  return size_of(Sigma) == 0;
}

bool grants_white(const Problem& p) {
  return p.law().at("white").get<bool>() && states_white(p, p.law().at("stationary").get<bool>());
}

void require_gaussian(const Record& record) {
  if (!grants_gaussian(record.problem)) record.lacks("a Gaussian law");
}

void require_zero_mean(const Record& record) {
  if (!grants_zero_mean(record.problem)) record.lacks("a zero mean");
}

// E|w|^2 <= W^2 for every law that the radius allows.
Ball radius_of(const Record& record, const Data& data) {
  const Ball W = record.assumed("radius", 0) * (1 + Ball(room));
  const Problem& p = record.problem;
  if (p.law().at("model") != "bounded") record.lacks("model = \"bounded\"");
  if (!(size_of(entrywise(data.rows, data.rows) * ones(p.d_w(), 1)) <= lower(W * W)))
    throw Refuted{"assumptions: the norm of a trajectory exceeds disturbance.radius"};
  if (!p.law().contains("covariance")) return W;
  const Mat mu = true_mean(record);
  if (lower(trace(covariance_of(p, "covariance")) + dot(mu, mu) - 1) > upper(W * W))
    throw Refuted{"assumptions: disturbance.covariance exceeds disturbance.radius"};
  return W;
}

Ball scale_of(const Record& record) {
  const double scale = record.assumed("scale_bound", 0);
  if (!grants_scale(record.problem))
    throw Refuted{"assumptions: disturbance.covariance exceeds disturbance.scale_bound"};
  return record.problem.law().contains("covariance") ? scale * (1 + Ball(room)) : scale;
}

Mat covariance_bound_of(const Record& record) {
  const Mat bound = covariance_of(record.problem, "covariance_bound");
  if (!grants_covariance(record.problem))
    throw Refuted{"assumptions: disturbance.covariance exceeds disturbance.covariance_bound"};
  if (!record.problem.law().contains("covariance")) return bound;
  return bound + diagonal_matrix(room * diagonal(bound));
}

}  // namespace verify

// What the problem grants: what it assumes, unless the covariance that it states beside it says
// otherwise. 1e-9 of a bound is room for rounding.
#include "bound.hpp"

namespace verify {
namespace {

bool is_below(const Problem& p, const Mat& bound) {
  if (!p.disturbance().contains("covariance")) return true;
  const Mat Sigma = covariance_of(p, "covariance");
  const double room = 1e-9 * size_of(bound);
  if (room == 0) return size_of(Sigma) == 0;
  return is_positive_definite(bound + room * identity(p.d_w()) - Sigma);
}

}  // namespace

bool grants_zero_mean(const Problem& p) {
  const json& law = p.disturbance();
  return law.at("zero_mean").get<bool>() && law.value("mean", json(0.0)) == 0.0;
}

bool grants_scale(const Problem& p) {
  if (!p.disturbance().contains("scale_bound")) return false;
  return is_below(p, p.disturbance()["scale_bound"].get<double>() * identity(p.d_w()));
}

bool grants_covariance(const Problem& p) {
  return p.disturbance().contains("covariance_bound") &&
         is_below(p, covariance_of(p, "covariance_bound"));
}

// No covariance between steps; with `stationary` that of every w_t is that of w_0.
bool grants_white(const Problem& p) {
  const json& law = p.disturbance();
  if (!law.at("white").get<bool>()) return false;
  if (!law.contains("covariance")) return true;
  Mat Sigma = covariance_of(p, "covariance");
  const double room = 1e-9 * size_of(Sigma);
  const Mat zero(p.n_x, p.n_x), first = block(Sigma, p.n_x, p.n_x, p.n_x, p.n_x);
  for (long t = 0; t <= p.T; ++t) {
    const Mat gap = block(Sigma, t * p.n_x, t * p.n_x, p.n_x, p.n_x) - first;
    if (t > 0 && law.at("stationary").get<bool>() && size_of(gap) > room) return false;
    set_block(Sigma, t * p.n_x, t * p.n_x, zero);
  }
  return size_of(Sigma) <= room;
}

void require_gaussian(const Record& record) {
  const json& law = record.problem.disturbance();
  if (law.at("model") != "gaussian" || law.value("distribution", "gaussian") != "gaussian")
    throw Refuted{"assumptions: kind " + record.kind + " needs a Gaussian law"};
}

void require_zero_mean(const Record& record) {
  if (!grants_zero_mean(record.problem))
    throw Refuted{"assumptions: kind " + record.kind + " needs a zero mean"};
}

double radius_of(const Record& record, const Data& data) {
  const double W = record.assumed("radius", 0);
  if (record.problem.disturbance().at("model") != "bounded")
    throw Refuted{"assumptions: kind " + record.kind + " needs model = \"bounded\""};
  if (!(upper(data.longest_squared) <= lower(W * Ball(W) * (1 + 1e-12))))
    throw Refuted{"assumptions: a trajectory is longer than disturbance.radius"};
  return W;
}

double scale_of(const Record& record) {
  const double scale = record.assumed("scale_bound", 0);
  if (!grants_scale(record.problem))
    throw Refuted{"assumptions: disturbance.covariance exceeds disturbance.scale_bound"};
  return scale;
}

Mat covariance_bound_of(const Record& record) {
  const Mat bound = covariance_of(record.problem, "covariance_bound");
  if (!grants_covariance(record.problem))
    throw Refuted{"assumptions: disturbance.covariance exceeds disturbance.covariance_bound"};
  return bound;
}

}  // namespace verify

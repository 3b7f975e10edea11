// From the response that is certified to the one that the gains K and k have.
#include "kinds/kinds.hpp"

namespace verify {
namespace {

// At least E z_j^2 for each entry of z = (1, w), but for a probability of `delta`: a square is a
// quadratic cost, and what holds for the cost of one fixed response holds for it. Under the law
// `used`, where the kind itself may hold for others too.
Mat second_moments(const Record& record, const Data& data, double& delta, Statement& used) {
  const json& law = record.problem.disturbance();
  const long d = record.problem.d_w();
  Mat S = ones(1 + d, 1);
  if (law.at("model") == "bounded" && law.contains("radius")) {
    const Ball W = radius_of(record, data);  // Refuted when a trajectory is longer
    delta = 0;
    used = radius(record);
    for (long j = 1; j <= d; ++j) S.set(j, 0, W * W);
    return S;
  }
  const double each = lower(delta / Ball(d));
  const bool gaussian = law.at("model") == "gaussian";
  used = gaussian ? Statement{"gaussian"} : kurtosis(record, 1);
  const Ball factor = gaussian ? scale_free_below(data.n, each)
                               : fourth_moment_factor(data.n, each, record.assumed("kurtosis", 1));
  for (long j = 1; j <= d; ++j) S.set(j, 0, data.moment(j, j) / factor);
  return S;
}

}  // namespace

void add_rounding(const Case& given, const Response& deployed, const Response& certified,
                  const Ball& cost, Bound& bound) {
  const Problem& p = given.record.problem;
  const Mat G = cost_gram(p, {deployed.X - certified.X, deployed.U - certified.U});
  double delta = 1e-10;
  Statement law;
  const Mat S = second_moments(given.record, moments_of(given.rows), delta, law);
  bound.rounding = rounding_cost(G, S, cost);
  bound.rounding_delta += delta;
  for (const Statement& stated : bound.assumptions)
    if (stated.id == law.id || stated.id == law.id + "-zero-mean") return;
  bound.rounding_assumptions = {law};
}

}  // namespace verify

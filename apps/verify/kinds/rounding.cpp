// From the response that is certified to the one that the gains K and k have.
#include "kinds/kinds.hpp"

namespace verify {
namespace {

// At least E z_j^2 for each entry of z = (1, w), but for a probability of `delta`: a square is a
// quadratic cost, and what holds for the cost of one fixed response holds for it.
Mat second_moments(const Record& record, const Data& data, double& delta) {
  const json& law = record.problem.disturbance();
  const long d = record.problem.d_w();
  Mat S = ones(1 + d, 1);
  if (law.at("model") == "bounded" && law.contains("radius")) {
    const Ball W = radius_of(record, data);  // Refuted when a trajectory is longer
    delta = 0;
    for (long j = 1; j <= d; ++j) S.set(j, 0, W * W);
    return S;
  }
  const double each = lower(delta / Ball(d));
  const Ball factor = law.at("model") == "gaussian"
                          ? scale_free_below(data.n, each)
                          : fourth_moment_factor(data.n, each, record.assumed("kurtosis", 1));
  for (long j = 1; j <= d; ++j) S.set(j, 0, data.moment(j, j) / factor);
  return S;
}

// The law that second_moments uses, where the kind itself holds for others too.
Statements unstated(const Record& record, const Statements& stated) {
  const json& law = record.problem.disturbance();
  Statement used{"gaussian"};
  if (law.at("model") == "bounded" && law.contains("radius"))
    used = radius(record);
  else if (law.at("model") != "gaussian")
    used = kurtosis(record, 1);
  for (const Statement& statement : stated)
    if (statement.id == used.id || statement.id == used.id + "-zero-mean") return {};
  return {used};
}

}  // namespace

void add_rounding(const Case& given, const Response& deployed, const Response& certified,
                  const Ball& cost, Bound& bound) {
  const Problem& p = given.record.problem;
  const Mat G = cost_gram(p, {deployed.X - certified.X, deployed.U - certified.U});
  double delta = 1e-10;
  const Mat S = second_moments(given.record, moments_of(given.rows), delta);
  bound.rounding = rounding_cost(G, S, cost);
  bound.rounding_delta += delta;
  bound.rounding_assumptions = unstated(given.record, bound.assumptions);
}

}  // namespace verify

// From the response that is certified to the one that the gains K and k have.
#include "kinds/fixed.hpp"

namespace verify {
// A square is a quadratic cost, and what holds for the cost of one fixed response holds for it.
SecondMoments second_moments(const Record& record, const Data& data) {
  const json& law = record.problem.law();
  const long d = record.problem.d_w();
  Mat S = ones(1 + d, 1);
  if (law.at("model") == "bounded" && law.contains("radius")) {
    const Ball W = radius_of(record, data);  // Refuted when a trajectory is longer
    for (long j = 1; j <= d; ++j) S.set(j, 0, W * W);
    return {S, 0, radius(record)};
  }
  const double delta = 1e-10, each = lower(delta / Ball(d));
  const bool gaussian = law.at("model") == "gaussian";
  const Ball factor = gaussian ? scale_free_below(data.n, each)
                               : fourth_moment_factor(data.n, each, record.assumed("kurtosis", 1));
  for (long j = 1; j <= d; ++j) S.set(j, 0, data.moment(j, j) / factor);
  return {S, delta, gaussian ? Statement{"gaussian"} : kurtosis(record, 1)};
}

void add_rounding(const Case& given, const Response& deployed, const Response& certified,
                  const Ball& cost, Bound& bound) {
  const Record& record = given.record;
  const Mat G = change_gram(record.problem, {deployed.X - certified.X, deployed.U - certified.U});
  const auto [S, delta, law] = second_moments(record, moments_of(given.rows));
  bound.rounding = rounding_cost(G, S, cost);
  bound.rounding_delta += delta;
  for (const Statement& stated : bound.assumptions)
    if (stated.id == law.id || stated.id == law.id + "-zero-mean") return;
  bound.rounding_assumptions = {law};
}

}  // namespace verify

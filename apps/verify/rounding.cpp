// From the response that is certified to the one that the gains K and k have.
#include "bound.hpp"

namespace verify {
namespace {

// At least E|z|^2 for z = (1, w), but for a probability of `delta`: |z|^2 is a quadratic cost, and
// what holds for the cost of one fixed response holds for it.
Ball second_moment(const Record& record, const Data& data, double& delta) {
  const json& law = record.problem.disturbance();
  if (law.at("model") == "bounded" && law.contains("radius")) {
    const double W = radius_of(record, data);  // Refuted when a trajectory is longer
    delta = 0;
    return 1 + W * Ball(W);
  }
  if (law.at("model") == "gaussian") return trace(data.moment) / below_factor(false, data.n, delta);
  return trace(data.moment) / fourth_moment_factor(data.n, delta, record.assumed("kurtosis", 1));
}

// The law that second_moment uses, where the kind itself holds for others too.
std::string unstated(const Record& record) {
  const json& law = record.problem.disturbance();
  std::string model = law.at("model").get<std::string>();
  if (model == "bounded" && !law.contains("radius")) model = "any";
  const char* word = model == "bounded"    ? "is longer than"
                     : model == "gaussian" ? "Gaussian law"
                                           : "fourth moment";
  for (const std::string& sentence : record.assumptions)
    if (sentence.find(word) != sentence.npos) return "";
  if (model == "any")
    return "No linear combination of 1 and the entries of a trajectory has a fourth moment above "
           "disturbance.kurtosis of the problem file times its squared second moment.";
  return model == "bounded" ? "No trajectory is longer than disturbance.radius of the problem file."
                            : gaussian_any_mean;
}

}  // namespace

// |y'|^2 <= (|y| + |y' - y|)^2 for the weighted trajectories y of the two, E|y|^2 <= `cost`, and
// E|y' - y|^2 <= tr(G) E|z|^2 with G the cost matrix of the difference.
void add_rounding(const Case& given, const Response& deployed, const Response& certified,
                  const Ball& cost, Bound& bound) {
  const Problem& p = given.record.problem;
  const Ball gap = trace(cost_gram(p, {deployed.X - certified.X, deployed.U - certified.U}));
  double delta = 1e-10;
  const Ball S = second_moment(given.record, moments_of(given.rows), delta);
  const double far = upper(max_zero(gap) * S);  // an end: no root of a ball that touches zero
  bound.rounding = far + 2 * sqrt(Ball(upper(max_zero(cost))) * far);
  bound.rounding_delta += delta;
  bound.rounding_assumption = unstated(given.record);
}

}  // namespace verify

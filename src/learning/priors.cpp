#include "learning/priors.hpp"

#include "certificate/portfolio.hpp"
#include "core/check.hpp"
#include "core/linalg.hpp"
#include "learning/learn_on_parts.hpp"
#include "loopcert/core/error.hpp"
#include "response/lqr.hpp"
#include "response/space.hpp"

namespace loopcert {
namespace {

// Sees the learning part and nothing else. A PAC-Bayes method gets a prior at the start.
Matrix learned_center(const Problem& problem, const ResponseSpace& space, const LearningPart& part,
                      const LearnCallbacks& callbacks) {
  const LearnMethod& method =
      find_learn_method(problem.learning.prior_method, "learning.prior.method");
  if (method.name == "oracle-pac-bayes")
    throw_input_error("learning.prior.method", "\"" + method.name + "\"",
                      "a method that does not use the true law");
  Problem inner = problem;
  inner.learning.prior_center = "start";
  return coordinates_of(space.coordinates,
                        learn_from(method, inner, space, callbacks, part).response);
}

// A covariance that is not isotropic: the user's, or M_G^-1 from the plant and its cost.
std::shared_ptr<const PriorShape> shape_of(const LearningOptions& learning,
                                           const QuadraticForm& cost) {
  const std::string& covariance = learning.prior_covariance;
  if (covariance == "isotropic") return nullptr;
  const GivenPrior& given = learning.prior_given;
  PriorShape shape{covariance, given.deviation, given.rows, given.columns, given.full};
  if (covariance == "cost") {  // P = R R': <Z, M_G Z> = ||R'Z||^2, so D = R^-T Xi
    const Matrix R = upper_cholesky(cost.P);
    shape.rows = Matrix::Identity(R.rows(), R.cols());
    R.transpose().triangularView<Eigen::Lower>().solveInPlace(shape.rows);
    shape.rows.triangularView<Eigen::StrictlyUpper>().setZero();
  }
  return std::make_shared<const PriorShape>(std::move(shape));
}

Matrix given_mean(const Matrix& mean, const CausalPattern& pattern) {
  check_size("learning.prior.mean", mean, pattern.rows(), pattern.cols());
  return mean;
}

}  // namespace

PriorSetting make_priors(const Problem& problem, const ResponseSpace& space,
                         const Disturbances& data, const LearnCallbacks& callbacks) {
  const LearningOptions& learning = problem.learning;
  PriorSetting setting;
  Matrix center = Matrix::Zero(space.coordinates.pattern.rows(), space.coordinates.pattern.cols());
  if (learning.prior_center == "split") {
    Split split = split_first(data, learning.prior_fraction);
    center = learned_center(problem, space, split.learning, callbacks);
    setting.certifying = std::move(split.certifying);
  } else {
    if (learning.prior_center == "lqr" && !problem.system.plant.has_state())
      throw_input_error("learning.prior.center", "\"lqr\"",
                        "start | split | given where only outputs are measured");
    if (learning.prior_center == "lqr")
      center = coordinates_of(space.coordinates, lqr_response(problem.system));
    else if (learning.prior_center == "given")
      center = given_mean(learning.prior_given.mean, space.coordinates.pattern);
    else if (learning.prior_center != "start")
      throw_input_error("learning.prior.center", "\"" + learning.prior_center + "\"",
                        "start | lqr | split | given");
    setting.certifying.data = data;
  }
  const std::vector<double> scales =
      learning.prior_scale ? std::vector{*learning.prior_scale} : prior_scales();
  const std::shared_ptr<const PriorShape> shape = shape_of(learning, space.cost);
  for (const double scale : scales) {
    setting.priors.push_back({center, scale, shape});
    check_prior(setting.priors.back(), space.coordinates.pattern);
  }
  return setting;
}

nlohmann::json prior_to_json(const Problem& problem, const Prior& prior) {
  nlohmann::json record = {{"center", problem.learning.prior_center}, {"scale", prior.scale}};
  if (prior.shape) record["covariance"] = prior.shape->covariance;
  if (!problem.learning.prior_scale) record["grid"] = prior_scales();
  if (problem.learning.prior_center == "split") {
    record["method"] = problem.learning.prior_method;
    record["fraction"] = problem.learning.prior_fraction;
  }
  return record;
}

}  // namespace loopcert

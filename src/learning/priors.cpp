#include "learning/priors.hpp"

#include "certificate/portfolio.hpp"
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
    if (learning.prior_center == "lqr")
      center = coordinates_of(space.coordinates, lqr_response(problem.system));
    else if (learning.prior_center != "start")
      throw_input_error("learning.prior.center", "\"" + learning.prior_center + "\"",
                        "start | lqr | split");
    setting.certifying.data = data;
  }
  const std::vector<double> scales =
      learning.prior_scale ? std::vector{*learning.prior_scale} : prior_scales();
  for (const double scale : scales) setting.priors.push_back({center, scale});
  return setting;
}

nlohmann::json prior_to_json(const Problem& problem, const Prior& prior) {
  nlohmann::json record = {{"center", problem.learning.prior_center}, {"scale", prior.scale}};
  if (!problem.learning.prior_scale) record["grid"] = prior_scales();
  if (problem.learning.prior_center == "split") {
    record["method"] = problem.learning.prior_method;
    record["fraction"] = problem.learning.prior_fraction;
  }
  return record;
}

}  // namespace loopcert

#include "learning/learn_on_parts.hpp"

#include "data/moments.hpp"
#include "response/space.hpp"

namespace loopcert {

Learned learn_from(const LearnMethod& method, const Problem& problem, const ResponseSpace& space,
                   const LearnCallbacks& callbacks, const LearningPart& part, double limit_factor) {
  const Matrix Sigma_hat =
      moment_matrix(sample_moments(part.data), space.coordinates.pattern.constant);
  return learn_limited(method, {problem, part.data, space, Sigma_hat, callbacks, limit_factor});
}

void limit_response(Learned& learned, const LearnTask& task, double factor) {
  if (!learned.objective) return;  // it looks at no data, nor at limits
  learned.limited =
      design_under_limits(task.space, task.problem.limits.value(), *learned.objective, factor);
  learned.response = response_at(task.problem.system, task.space.coordinates, learned.limited->Z);
}

Learned learn_limited(const LearnMethod& method, const LearnTask& task) {
  Learned learned = method.learn(task);
  if (task.limit_factor > 0) limit_response(learned, task, task.limit_factor);
  return learned;
}

Deployment deploy(UseOfData use, const LearnMethod& method, const LearnTask& task,
                  Learned& collected) {
  std::vector<Learned> runs;
  const auto learn_on = [&](const Split& split) {
    runs.push_back(learn_from(method, task.problem, task.space, task.callbacks, split.learning,
                              task.limit_factor));
  };
  if (use == UseOfData::fixed || use == UseOfData::whole) {
    runs.push_back(learn_limited(method, task));
  } else if (use == UseOfData::hold_out) {
    learn_on(split_first(task.data, task.problem.certificate.fraction));
  } else {
    for (const Split& split : split_folds(task.data, task.problem.certificate.folds))
      learn_on(split);
  }
  Deployment deployment{use, {}};
  collected.details["way"] = use_of_data_name(use);
  collected.details["runs"] = nlohmann::json::array();
  for (Learned& run : runs) {
    collected.details["runs"].push_back(std::move(run.details));
    collected.warnings.insert(collected.warnings.end(), run.warnings.begin(), run.warnings.end());
    collected.stopped_early = collected.stopped_early || run.stopped_early;
    if (run.limited && !(collected.limited && collected.limited->excess > run.limited->excess))
      collected.limited = std::move(run.limited);
    deployment.responses.push_back(std::move(run.response));
  }
  collected.response = deployed_response(deployment);
  return deployment;
}

}  // namespace loopcert

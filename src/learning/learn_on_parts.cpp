#include "learning/learn_on_parts.hpp"

#include "data/moments.hpp"
#include "response/space.hpp"

namespace loopcert {

Learned learn_from(const LearnMethod& method, const Problem& problem, const ResponseSpace& space,
                   const LearnCallbacks& callbacks, const LearningPart& part) {
  const Matrix Sigma_hat =
      moment_matrix(sample_moments(part.data), space.coordinates.pattern.constant);
  return method.learn({problem, part.data, space, Sigma_hat, callbacks});
}

Deployment deploy(UseOfData use, const LearnMethod& method, const LearnTask& task,
                  Learned& collected) {
  std::vector<Learned> runs;
  const auto learn_on = [&](const Split& split) {
    runs.push_back(learn_from(method, task.problem, task.space, task.callbacks, split.learning));
  };
  if (use == UseOfData::fixed || use == UseOfData::whole) {
    runs.push_back(method.learn(task));
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
    deployment.responses.push_back(std::move(run.response));
  }
  collected.response = deployed_response(deployment);
  return deployment;
}

}  // namespace loopcert

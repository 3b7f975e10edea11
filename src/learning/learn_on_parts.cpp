#include "learning/learn_on_parts.hpp"

#include <fmt/format.h>

#include "data/moments.hpp"
#include "learning/limited_shares.hpp"
#include "loopcert/core/error.hpp"
#include "response/limit_rows.hpp"
#include "response/space.hpp"

namespace loopcert {

Learned learn_from(const LearnMethod& method, const Problem& problem, const ResponseSpace& space,
                   const LearnCallbacks& callbacks, const LearningPart& part, double limit_factor) {
  const Matrix Sigma_hat =
      moment_matrix(sample_moments(part.data), space.coordinates.pattern.constant);
  return learn_limited(method, {problem, part.data, space, Sigma_hat, callbacks, limit_factor});
}

double limit_response(Learned& learned, const LearnTask& task, double factor) {
  if (!learned.objective) return factor;  // it looks at no data, nor at limits
  const auto with_room = [&](double room) {
    return design_by_need(task.space, task.problem.limits.value(), *learned.objective, room);
  };
  learned.limited = with_room(factor);
  // Where a row is beyond the inputs' reach, there may be less room than a certificate would like.
  // What comes nearest to that room gives all other rows as little as this one has.
  constexpr double stride = 1.05;
  double had = learned.limited->feasible ? factor : 0;
  for (double room = factor / stride; !learned.limited->feasible && room > 1; room /= stride)
    if (LimitedMinimizer found = with_room(room); found.feasible) {
      learned.limited = std::move(found);
      had = room;
    }
  learned.response = response_at(task.problem.system, task.space.coordinates, learned.limited->Z);
  // What LQR minimizes, and no longer LQR.
  if (learned.details.is_object() && learned.details.value("deployed", "") == "lqr")
    learned.details["deployed"] = "lqr-limited";
  return had;
}

namespace {

void require_within_reach(const LearnTask& task) {
  const std::string why = out_of_reach(*task.problem.limits, task.space);
  if (!why.empty()) throw NumericsError(why);
}

}  // namespace

std::string out_of_reach(const Limits& limits, const ResponseSpace& space) {
  const CausalPattern& pattern = space.coordinates.pattern;
  if (pattern.affine) return "";
  const RowCoordinates rows = row_coordinates(limits, space.coordinates);
  Index c = 0;
  for (const LimitAt& at : limits_at_steps(limits)) {
    const LimitRow& row = limits.rows[static_cast<size_t>(at.row)];
    const double mean = pattern.constant ? rows.a(c, 0) : 0.0;
    if (!(row.low < mean && mean < row.high))
      return fmt::format(
          "limits: no linear controller keeps '{}' at step {}: its value is {:.6g} when there are "
          "no disturbances, and the limits leave [{:.6g}, {:.6g}]; with response.affine = true the "
          "controller has an offset",
          row.name, at.t, mean, row.low, row.high);
    ++c;
  }
  return "";
}

void note_infeasible(Learned& learned, const LearnTask& task) {
  if (!learned.objective || !learned.limited) return;
  const Limits& limits = *task.problem.limits;
  require_within_reach(task);
  if (learned.limited->feasible) return;
  if (limits.robust) throw NumericsError(infeasible_words(limits, *learned.limited));
  // Room for a certificate may be what is missing.
  const LimitedMinimizer free =
      design_by_need(task.space, limits, {learned.objective->moment}, /*factor=*/1);
  if (free.feasible) return;
  learned.infeasible = infeasible_words(limits, free);
  // Equal shares of the probability may be too narrow where others are not: only a row that breaks
  // it alone is hopeless.
  if (free.violation > limits.probability) throw NumericsError(learned.infeasible);
}

Learned learn_limited(const LearnMethod& method, const LearnTask& task) {
  Learned learned = method.learn(task);
  if (task.limit_factor > 0) {
    limit_response(learned, task, task.limit_factor);
    note_infeasible(learned, task);
  }
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
    if (collected.infeasible.empty()) collected.infeasible = std::move(run.infeasible);
    deployment.responses.push_back(std::move(run.response));
  }
  collected.response = deployed_response(deployment);
  return deployment;
}

}  // namespace loopcert

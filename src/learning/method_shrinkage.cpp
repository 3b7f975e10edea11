// shrinkage: the risk under a second moment that is shrunk towards white noise, by as much as
// cross-validation says; and auto, which leaves LQR only for something clearly better: LQR for
// coloured disturbances, of a few colours, and leaves that again for what is learned, identified or
// by shrinkage.
#include <fmt/format.h>

#include "data/moments.hpp"
#include "data/parts.hpp"
#include "learning/better.hpp"
#include "learning/learn_on_parts.hpp"
#include "learning/minimizers.hpp"
#include "learning/shrinkage.hpp"
#include "methods.hpp"
#include "response/coloured.hpp"
#include "risk/risk.hpp"
#include "system/unseen.hpp"

namespace loopcert {
namespace {

// What a learned response must save of the cost to be worth certifying on folds instead of all
// data.
constexpr double worth = 0.02;

ShrinkageTable cross_validate(const LearnTask& task) {
  std::function<void(Index, Index)> progress;
  if (task.callbacks.progress)
    progress = [&](Index done, Index total) {
      task.callbacks.progress("cross-validation", done, total);
    };
  return cross_validate_shrinkage(task.space.cost, task.data, 5, progress,
                                  !task.problem.system.plant.has_state());
}

nlohmann::json table_to_json(const ShrinkageTable& table) {
  return {{"folds", table.folds},
          {"g", table.g},
          {"difference", table.difference},
          {"standard_error", table.standard_error}};
}

// One trajectory cannot be cross-validated: nothing to leave LQR for.
Learned keep_lqr(const LearnTask& task, const std::string& why) {
  Learned learned;
  learned.response = lqr_response(task.problem.system);
  learned.details = {{"g", 1.0}, {"deployed", "lqr"}, {"colour", 0.0}, {"why", why}};
  return learned;
}

// What LQR for coloured disturbances costs on the trajectories, minus LQR: it was learned from
// none.
struct Coloured {
  double colour = 0;
  Response response;
  Vector difference;
  double cost = 0;  // on average
  nlohmann::json table = nlohmann::json::array();
};

Coloured best_colour(const LearnTask& task) {
  const System& system = task.problem.system;
  const LqrGains gains = lqr_gains(system);
  Coloured best{0, lqr_response(system, gains), Vector::Zero(task.data.n())};
  const Vector reference = response_costs(system, best.response, task.data.w);
  double least = 0;
  for (const double a : lqr_colours()) {
    if (a == 0) continue;
    Response response = coloured_response(system, gains, a);
    const Vector difference = response_costs(system, response, task.data.w) - reference;
    const Gain gain = gain_of(difference);
    best.table.push_back(
        {{"colour", a}, {"difference", gain.mean}, {"standard_error", gain.standard_error}});
    if (!gain.clear || gain.mean >= least) continue;
    least = gain.mean;
    best.colour = a;
    best.response = std::move(response);
    best.difference = difference;
  }
  best.cost = reference.mean() + least;
  return best;
}

Learned at_best(const LearnTask& task, const ShrinkageTable& table) {
  Learned learned;
  const Matrix Sigma = candidate_moment(task.Sigma_hat, task.space.cost, table.g, table.best);
  learned.response = response_at(task.problem.system, task.space.coordinates,
                                 minimize_risk(task.space.cost, Sigma).Z);
  learned.objective = LearnedObjective{Sigma};
  learned.details = {{"g", table.g[table.best]},
                     {"deployed", "shrinkage"},
                     {"cross_validation", table_to_json(table)}};
  return learned;
}

// Signals that only tests measure are no part of a chain.
bool has_a_chain(const LearnTask& task) { return unseen_outputs(task.problem.system.plant) == 0; }

// Purified outputs are no chain of a few lags, unless the problem says so.
bool may_follow(const LearnTask& task) {
  return has_a_chain(task) &&
         (task.problem.disturbance.autoregressive || task.problem.system.plant.has_state());
}

// Steps that are uncorrelated, each as the data say: the risk under it is LQR's.
Matrix white_blocks(const LearnTask& task) {
  const CausalPattern& pattern = task.space.coordinates.pattern;
  Matrix moment = shrunk_by_steps(task.Sigma_hat, pattern, 1.0);
  add_floor(task.space.cost.K_0.diagonal().tail(pattern.sizes.d_w()), task.Sigma_hat, moment);
  return moment;
}

Learned learn_shrinkage(const LearnTask& task) {
  if (task.data.n() < 2) return keep_lqr(task, "one trajectory cannot be cross-validated");
  return at_best(task, cross_validate(task));
}

// What a method costs on trajectories that it has not seen, minus LQR on the same ones.
Vector held_out_difference(const LearnMethod& method, const LearnTask& task) {
  const System& system = task.problem.system;
  Vector difference(task.data.n());
  const Response lqr = lqr_response(system);
  const Index folds = std::min<Index>(5, task.data.n());
  for (Index fold = 0; fold < folds; ++fold) {
    const auto [inside, outside] = fold_rows(task.data.n(), folds, fold);
    const Learned learned = learn_from(method, task.problem, task.space, task.callbacks,
                                       {select_rows(task.data, outside)});
    const Matrix rows = select_rows(task.data, inside).w;
    const Vector change =
        response_costs(system, learned.response, rows) - response_costs(system, lqr, rows);
    for (size_t i = 0; i < inside.size(); ++i)
      difference(inside[i]) = change(static_cast<Index>(i));
  }
  return difference;
}

// What is learned, by shrinkage or as the colour says.
struct Best {
  ShrinkageTable table;
  bool follows = false;  // from a few disturbances before
  Vector difference;     // of held-out costs, minus LQR's
};

Best best_learned(const LearnTask& task) {
  Best best{cross_validate(task), false, {}};
  best.difference = best.table.each.col(static_cast<Index>(best.table.best));
  if (!may_follow(task)) return best;
  const Vector other = held_out_difference(identified_method(), task);
  best.follows = other.mean() <= best.difference.mean();
  if (best.follows) best.difference = other;
  return best;
}

Learned learn_at(const LearnTask& task, const Best& best) {
  return best.follows ? identified_method().learn(task) : at_best(task, best.table);
}

Learned learn_better(const LearnTask& task) {
  if (task.data.n() < 2) return keep_lqr(task, "one trajectory cannot be cross-validated");
  return learn_at(task, best_learned(task));
}

Learned learn_auto(const LearnTask& task) {
  if (task.data.n() < 2) return keep_lqr(task, "one trajectory cannot be cross-validated");
  Coloured coloured = best_colour(task);
  const Best best = best_learned(task);
  const ShrinkageTable& table = best.table;
  const Vector& difference = best.difference;
  const Gain beyond = gain_of(difference - coloured.difference);
  Learned learned;
  if (beyond.clear && beyond.mean < -worth * coloured.cost) {
    learned = learn_at(task, best);
  } else if (coloured.colour > 0) {
    learned.response = std::move(coloured.response);
    learned.details = {{"deployed", "coloured"},
                       {"colour", coloured.colour},
                       {"cross_validation", table_to_json(table)}};
  } else {
    learned = keep_lqr(task, task.problem.system.plant.has_state()
                                 ? "no candidate was better than LQR by enough standard errors"
                                 : "no candidate was better than it by enough standard errors");
    learned.details["cross_validation"] = table_to_json(table);
  }
  learned.details["colours"] = std::move(coloured.table);
  // LQR and its colours look at no data; limits need to know how large disturbances are.
  if (!learned.objective && task.problem.limits)
    learned.objective = coloured.colour == 0 ? LearnedObjective{white_blocks(task)}
                        : has_a_chain(task)  ? identified_method().learn(task).objective
                                             : at_best(task, table).objective;
  return learned;
}

}  // namespace

LearnMethod shrinkage_method() { return {.learn = learn_shrinkage, .coordinates = false}; }

LearnMethod better_method() { return {.learn = learn_better, .coordinates = false}; }

LearnMethod auto_method() { return {.learn = learn_auto, .gated = true, .coordinates = false}; }

}  // namespace loopcert

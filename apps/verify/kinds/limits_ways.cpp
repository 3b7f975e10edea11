// How a controller met the data: fixed before them, one for each fold, chosen on a path.
#include <algorithm>

#include "kinds/limits.hpp"

namespace verify {

constexpr long path_length = 8;  // controllers that a path may have, fixed before any data

bool has_path(const Record& record) {
  const auto& limits = record.problem.limits;
  if (!limits || limits->robust() || record.problem.unknown || record.use_of_data() != "hold-out")
    return false;
  const std::string method = record.input("/deployment/method");
  return method != "lqr" && method != "start" && method != "pac-bayes" && method != "optimum";
}

Path path_of(const Record& record) {
  Path path;
  if (!record.inputs.contains("limits_path")) return path;
  const json& tree = record.inputs["limits_path"];
  check_keys(tree, " length place passed ", "inputs.limits_path", "path of controllers");
  path.length = whole(tree.at("length"), 1'000'000, "inputs.limits_path.length", 1);
  if (path.length != path_length) throw Refuted{"inputs.limits_path.length: not that of the rule"};
  path.place = whole(tree.at("place"), path.length, "inputs.limits_path.place", 1);
  path.passed = tree.at("passed").get<bool>();
  if (!path.passed && path.place != 1)
    throw Refuted{"inputs.limits_path: what comes after one that fails is not deployed"};
  return path;
}

namespace {

// Between certified and deployed only rounding.
Nearby rounded(const Case& given, const Rows& certified, const Rows& deployed, Bound& bound) {
  const auto [S, delta, law] = second_moments(given.record, moments_of(given.rows));
  Nearby near{deployed, Mat(certified.count(), 1)};
  for (long c = 0; c < certified.count(); ++c) {
    Ball sum;
    for (long j = 0; j < S.rows(); ++j) {
      const Ball gap = deployed.all(c, j) - certified.all(c, j), square = gap * gap * S(j, 0);
      sum = sum + ball(arb_sqrtpos, square.x);
    }
    near.room.set(c, 0, sum);
  }
  bound.rounding_delta += delta;
  return near;
}

// Whatever gains are close enough to those of the problem alone to be taken for them, each row is
// within this of its own, in units of the sum of |(1, w)|: so the count owes nothing to the data.
Mat slack_of(const Problem& p, const Mat& U) {
  const double all = size_of(U);
  const Mat rows = rows_of_inputs(p);
  Mat slack(rows.rows(), 1);
  for (long c = 0; c < rows.rows(); ++c) {
    Ball sum;
    for (long i = 0; i < U.rows(); ++i) {
      const double size = size_of(block(U, i, 0, 1, U.cols()));
      const double room = 1e-6 * std::max(size, 1e-5 * all);
      sum = sum + size_of(block(rows, c, i, 1, 1)) * Ball(room);
    }
    slack.set(c, 0, sum);
  }
  return slack;
}

// The deviation of a mean of responses is at most the mean of theirs.
Bound limits_of_folds(const Case& given, const std::vector<Mat>& responses,
                      const Response& deployed) {
  const Record& record = given.record;
  const Problem& p = record.problem;
  if (record.kind != "limits-tolerance" || !grants_zero_mean(p))
    throw Refuted{"kind: " + record.kind + " is not for folds"};
  if (p.option("/certificate/folds") != responses.size())
    throw Refuted{"responses: not one for each fold"};
  const auto folds = static_cast<long>(responses.size());
  const Rows mean = rows_at_steps(p, open_loop(p, mean_of(responses)));
  Mat deviations(mean.count(), 1);
  Bound bound;
  for (long k = 0; k < folds; ++k) {
    Record fold = record;
    fold.fold = k + 1;
    const Table fresh = fold_rows(given.rows, k, folds, false);
    require_apart(fold_rows(given.rows, k, folds, true), fresh);
    const RowLaw law = row_law(fold, moments_of(fresh), given.all);
    const Rows rows = rows_at_steps(p, open_loop(p, responses[static_cast<size_t>(k)]));
    deviations = deviations + 1 / Ball(folds) * row_deviations(law, rows);
    bound.events.insert(bound.events.end(), law.events.begin(), law.events.end());
    bound.assumptions = law.assumptions;
  }
  bound.assumptions[0] = {"responses-fixed"};
  const Limits& limits = *p.limits;
  bound.functional = limits.each ? "violation-each" : "violation";
  bound.terms = {{"violation", violation_of(limits, mean, deviations)}};
  bound.size = 1e-3;
  const Nearby near = rounded(given, mean, rows_at_steps(p, deployed), bound);
  bound.rounding = max_zero(violation_of(limits, mean, deviations, &near) - bound.terms[0].value);
  return bound;
}

}  // namespace

// Z_1, ..., Z_j pass, each with all of delta: as soon as one of them is worse than the target, the
// first of these passes with probability at most delta.
Bound limits_of_path(const Case& given, const std::vector<Record>& members,
                     const Response& deployed) {
  const Record& record = given.record;
  const Problem& p = record.problem;
  const double target = p.limits->target;
  const Path path = path_of(record);
  if (path.place == 0) throw Refuted{"inputs.limits_path: missing, though a path was tested"};
  const auto passes = [&](const Ball& value) {
    if (upper(value) <= target) return true;
    if (lower(value) > target) return false;
    throw TooWide{"whether a controller of the path passes"};
  };
  const std::vector<Mat> responses = path_responses(record, path.place);
  require_equal(deployed.U, responses.back(), "its place on the path");
  Bound bound = limits_of_response(record, rows_at_steps(p, deployed), given, nullptr, Mat(0, 0));
  if (bound.assumptions[0].id == "controller-fixed" && path.length > 1)
    bound.assumptions[0] = {"controllers-fixed"};
  const bool last = passes(bound.terms[0].value + bound.rounding);
  if (last != path.passed)
    throw Refuted{std::string("inputs.limits_path: the one that is deployed ") +
                  (last ? "passes" : "does not pass")};
  if (!path.passed) return bound;
  for (long i = 0; i + 1 < path.place; ++i) {
    const Rows rows = rows_at_steps(p, open_loop(p, responses[static_cast<size_t>(i)]));
    const bool passed = std::any_of(members.begin(), members.end(), [&](const Record& member) {
      const Bound one = limits_of_response(member, rows, given, nullptr, Mat(0, 0));
      return passes(one.terms[0].value + one.rounding);
    });
    if (!passed)
      throw Refuted{"inputs.limits_path: controller " + std::to_string(i + 1) + " does not pass"};
  }
  if (record.value != target) throw Refuted{"value: not the target of the path"};
  bound.terms[0].value = target;
  bound.rounding = 0;
  return bound;
}

Bound limits_bound(const Case& given, const std::vector<Record>& members) {
  const Record& record = given.record;
  const Problem& p = record.problem;
  if (record.oracle) throw Refuted{"oracle: not that of the kind"};
  if ((record.kind == "limits-robust") != p.limits->robust())
    throw Refuted{"kind: " + record.kind + " is not for these limits"};
  const Response deployed = closed_loop(p, given.controller);
  const Rows rows = rows_at_steps(p, deployed);
  const std::string way = record.has_posterior() ? "whole" : record.use_of_data();
  std::vector<Mat> responses;
  if (record.is_deployed() && way != "whole") responses = deployed_responses(record, deployed);
  if (record.inputs.contains("limits_path") && !has_path(record))
    throw Refuted{"inputs.limits_path: there is no path to test"};
  if (has_path(record)) return limits_of_path(given, members, deployed);
  if (is_uniform_limits_kind(record.kind))
    return limits_of_response(record, rows, given, nullptr, Mat(0, 0));
  if (way == "whole") throw Refuted{"kind: " + record.kind + " needs trajectories of its own"};
  if (way == "cross") return limits_of_folds(given, responses, deployed);
  if (way != "fixed") return limits_of_response(record, rows, given, nullptr, Mat(0, 0));
  // What owes nothing to data is certified as the problem alone gives it; auto chose among a few.
  Record each = record;
  if (record.input("/deployment/method") == "auto") each.choices = std::ssize(colours);
  const Response certified = response_of_problem(record);
  const Rows own = rows_at_steps(p, certified);
  Bound rounding, bound;
  if (record.kind == "limits-count") {
    bound = limits_of_response(each, own, given, nullptr, slack_of(p, certified.U));
  } else {
    const Nearby near = rounded(given, own, rows, rounding);
    bound = limits_of_response(each, own, given, &near, Mat(0, 0));
    bound.rounding_delta = rounding.rounding_delta;
  }
  if (each.choices > 1) bound.assumptions[0] = {"controllers-fixed"};
  return bound;
}

}  // namespace verify

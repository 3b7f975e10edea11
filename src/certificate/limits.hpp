// Certificates that limits hold: upper bounds on the probability of a violation, in an episode or
// of each row at each step (docs/theory/limits.md). Adding a kind is one file and one line in
// limits/limits_kinds.inc.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "certificate/deployment.hpp"
#include "certificate/premises.hpp"
#include "loopcert/certificate/record.hpp"
#include "loopcert/problem/problem.hpp"
#include "response/limit_rows.hpp"

namespace loopcert {

// A certificate, and what it says of each row at its step (C). All of these hold together; where
// `each` was asked for, each alone.
struct LimitsBound {
  Certificate certificate;
  Vector rows;
};

// One response, and the trajectories that it was not learned from.
struct LimitsPart {
  RowResponses rows;
  Disturbances data;
};

struct LimitsSetting {
  const Limits& limits;
  Sizes sizes;
  const Assumptions& assumptions;
  UseOfData use = UseOfData::fixed;
  std::vector<LimitsPart> parts;  // none where everything was seen
  RowResponses deployed;          // of the mean response
  const Disturbances& all;        // for events that hold for every response at once
  double delta = 0;
};

// What decides whether a kind may be used, before any data are seen.
struct LimitsPremises {
  Premises law;  // n: of a part
  const Limits& limits;
  UseOfData use = UseOfData::fixed;
  Index all = 0;  // trajectories
};

struct LimitsKind {
  std::string name;
  std::string about;
  std::function<std::optional<Missing>(const LimitsPremises&)> needs;
  std::function<LimitsBound(const LimitsSetting&)> evaluate;
  bool uses_delta = true;  // has an event
};

const std::vector<LimitsKind>& limits_kinds();

// By limits.kind, or the smallest of all that are granted with delta shared by problem and sizes
// alone. Throws InputError when what it needs is not granted.
LimitsBound certify_limits(const Problem& problem, const Deployment& deployment,
                           const Disturbances& data);

// A path of responses, fixed before `data` were seen, from safe to aggressive: each is tested with
// the whole delta until one fails. The last that passed keeps the limits' probability; if none
// does, the first has its own bound.
struct LimitsPath {
  std::size_t place = 0;  // of the one to deploy
  bool passed = false;
  LimitsBound bound;
};
LimitsPath test_path(const Problem& problem, const std::vector<Response>& path,
                     const Disturbances& data);

// How much larger than the estimate a deviation may turn out to be on m fresh trajectories, for
// most of them to pass: of problem and m alone.
double expected_inflation(const Problem& problem, Index m);

// As a tail of the normal law: with probability 1 - delta over m draws with sample mean and
// deviation k deviations (with 1/(m-1)) from the limit, the law is beyond it at most so often.
double normal_tail_bound(double k, Index m, double delta);

// The upper end of Clopper and Pearson's interval.
double binomial_upper(Index failures, Index m, double delta);
// The p at which so many failures of m, or fewer, have this probability.
double binomial_lower(Index failures, Index m, double probability);

}  // namespace loopcert

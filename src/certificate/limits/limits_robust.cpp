// limits-robust: no disturbance of the bounded set breaks a limit. No data, no event: 0, or nothing
// is said.
#include "limits/limits_list.hpp"

namespace loopcert {
namespace {

const std::string name = "limits-robust";

std::optional<Missing> needs(const LimitsPremises& premises) {
  if (premises.limits.robust) return std::nullopt;
  return Missing{"limits.robust", "false",
                 "true: certificate '" + name + "' is about a bounded set"};
}

Statement set_statement(const BoundedSet& set) {
  Statement statement{"bounded-" + set.shape};
  if (set.shape == "box")
    for (Index i = 0; i < set.size.size(); ++i)
      statement.parameters["size_" + std::to_string(i)] = set.size(i);
  else
    statement.parameters["radius"] = set.size(0);
  return statement;
}

LimitsBound evaluate(const LimitsSetting& setting) {
  const BoundedSet& set = *setting.limits.robust;
  const RowResponses& rows = setting.deployed;
  const Vector reach = reaches(set, setting.sizes, rows.a);
  Vector broken(reach.size());
  for (Index c = 0; c < reach.size(); ++c)
    broken(c) =
        rows.m(c) + reach(c) <= rows.high(c) && rows.m(c) - reach(c) >= rows.low(c) ? 0.0 : 1.0;
  return bound_by_rows(setting, name, std::move(broken), {}, {set_statement(set), {"model"}}, 0);
}

}  // namespace

LimitsKind limits_robust_kind() {
  return {name, "no violation for any disturbance of the bounded set: no data, no event", needs,
          evaluate, false};
}

}  // namespace loopcert

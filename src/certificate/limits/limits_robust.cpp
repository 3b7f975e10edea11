// limits-robust: no disturbance of the bounded set breaks a limit. No data, no event: 0, or nothing
// is said.
#include "limits/limits_list.hpp"
#include "loopcert/core/error.hpp"

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
  statement.parameters[set.shape == "box" ? "bound" : "radius"] = set.size.maxCoeff();
  return statement;
}

// A trajectory that was seen outside refutes the set.
void check_inside(const BoundedSet& set, const Sizes& s, const Matrix& w) {
  constexpr double rounding = 1 + 1e-6;
  for (Index i = 0; i < w.rows(); ++i) {
    bool outside = set.shape == "radius" && w.row(i).norm() > set.size(0) * rounding;
    for (Index t = 0; t <= s.T && set.shape != "radius"; ++t) {
      const Vector step = w.row(i).segment(t * s.n_w, s.n_w).transpose();
      outside = outside || (set.shape == "steps"
                                ? step.norm() > set.size(0) * rounding
                                : (step.cwiseAbs().array() > set.size.array() * rounding).any());
    }
    if (outside)
      throw_input_error("limits",
                        "a set that trajectory " + std::to_string(i + 1) + " is outside of",
                        "one that holds every recorded disturbance");
  }
}

LimitsBound evaluate(const LimitsSetting& setting) {
  const BoundedSet& set = *setting.limits.robust;
  const RowResponses& rows = setting.deployed;
  check_inside(set, setting.sizes, setting.all.w);
  const Vector reach = reaches(set, setting.sizes, rows.a);
  Vector broken(reach.size());
  for (Index c = 0; c < reach.size(); ++c)
    broken(c) =
        rows.m(c) + reach(c) <= rows.high(c) && rows.m(c) - reach(c) >= rows.low(c) ? 0.0 : 1.0;
  return bound_by_rows(setting, name, std::move(broken), {}, {set_statement(set), {"model"}},
                       setting.all.n());
}

}  // namespace

LimitsKind limits_robust_kind() {
  return {name, "no violation for any disturbance of the bounded set: no data, no event", needs,
          evaluate, false};
}

}  // namespace loopcert

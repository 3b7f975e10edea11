#include "loopcert/system/limits.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "core/check.hpp"
#include "core/text.hpp"
#include "loopcert/core/error.hpp"

namespace loopcert {

Index Limits::count() const {
  Index total = 0;
  for (const LimitRow& row : rows) total += row.steps();
  return total;
}

std::vector<LimitAt> limits_at_steps(const Limits& limits) {
  std::vector<LimitAt> all;
  for (size_t r = 0; r < limits.rows.size(); ++r)
    for (Index t = limits.rows[r].first; t <= limits.rows[r].last; ++t)
      all.push_back({static_cast<Index>(r), t});
  return all;
}

void check_limits(const Limits& limits, const Sizes& sizes) {
  if (limits.rows.empty()) throw_input_error("limits", "no row", "u, x, y or rows");
  check_probability(limits.each ? "limits.each" : "limits.probability", limits.probability);
  check_probability("limits.delta", limits.delta);
  for (const LimitRow& row : limits.rows) {
    const std::string place = "limits: " + row.name;
    check_size(place + ": x", row.x, sizes.n_x, 1);
    check_size(place + ": u", row.u, sizes.n_u, 1);
    check_finite(place + ": x", row.x);
    check_finite(place + ": u", row.u);
    if (row.x.isZero(0.0) && row.u.isZero(0.0))
      throw_input_error(place, "zeros alone", "a number other than zero in x or u");
    if (!(row.low < row.high) || (std::isinf(row.low) && std::isinf(row.high)))
      throw_input_error(place, fmt::format("[{}, {}]", number_text(row.low), number_text(row.high)),
                        "a lower limit below an upper one, or one of them");
    const Index last = row.u.isZero(0.0) ? sizes.T : sizes.T - 1;
    if (row.first < 0 || row.last < row.first || row.last > last)
      throw_input_error(place + ": steps", fmt::format("[{}, {}]", row.first, row.last),
                        fmt::format("the first and the last of steps 0 to {}", last));
  }
  const Matrix inputs = input_limits(limits, sizes);
  for (Index i = 0; i < inputs.rows(); ++i)
    if (!(inputs(i, 0) < inputs(i, 1)))
      throw_input_error("limits",
                        fmt::format("u{} at least {} and at most {}", i, number_text(inputs(i, 0)),
                                    number_text(inputs(i, 1))),
                        "limits that leave something");
}

Matrix input_limits(const Limits& limits, const Sizes& sizes) {
  Matrix ends(sizes.n_u, 2);
  ends.col(0).setConstant(-INFINITY);
  ends.col(1).setConstant(INFINITY);
  bool any = false;
  for (const LimitRow& row : limits.rows) {
    Index i = 0;
    const bool single = row.x.isZero(0.0) && (row.u.array() != 0).count() == 1;
    if (!single || row.first > 0 || row.last < sizes.T - 1) continue;
    row.u.cwiseAbs().maxCoeff(&i);
    double low = row.low / row.u(i), high = row.high / row.u(i);
    if (row.u(i) < 0) std::swap(low, high);
    ends(i, 0) = std::max(ends(i, 0), low);
    ends(i, 1) = std::min(ends(i, 1), high);
    any = true;
  }
  return any ? ends : Matrix();
}

}  // namespace loopcert

// limits-count: how many fresh episodes break a limit. Nothing is assumed but independent episodes.
#include <algorithm>
#include <boost/math/special_functions/beta.hpp>

#include "limits/limits_list.hpp"

namespace loopcert {
namespace {

const std::string name = "limits-count";

std::optional<Missing> needs(const LimitsPremises& premises) {
  std::optional<Missing> one;
  if (premises.use == UseOfData::cross)
    one = Missing{"inputs.deployment", "the mean of several responses",
                  "one response: violations of a mean are not the mean of violations"};
  return first_missing({missing_chance(premises, name), missing_fresh(premises, name), one});
}

// Of every row, and of episodes with any.
struct Counts {
  Index any = 0, most = 0;
};

Counts counted(const LimitsPart& part) {
  const RowResponses& rows = part.rows;
  Counts counts;
  const Matrix values = (rows.a * part.data.w.transpose()).colwise() + rows.m;  // C x m
  Eigen::ArrayXi of_row = Eigen::ArrayXi::Zero(static_cast<int>(rows.m.size()));
  for (Index i = 0; i < values.cols(); ++i) {
    const Eigen::Array<bool, Eigen::Dynamic, 1> broken =
        !(values.col(i).array() <= rows.high.array() && values.col(i).array() >= rows.low.array());
    counts.any += broken.any();
    of_row += broken.cast<int>();
  }
  counts.most = of_row.maxCoeff();
  return counts;
}

LimitsBound evaluate(const LimitsSetting& setting) {
  const LimitsPart& part = setting.parts.at(0);
  const Counts counts = counted(part);
  const Index m = part.data.n();
  // The worst row, whichever the data show: only its own count can make the claim false.
  const Index failures = setting.limits.each ? counts.most : counts.any;
  const Statement statement{
      "count", {{"violations", static_cast<double>(failures)}, {"n", static_cast<double>(m)}}};
  const double value = binomial_upper(failures, m, setting.delta);
  return bound_of(setting, name, value, {{"count", setting.delta, statement}},
                  {fixed_before(setting), {"any-law"}, {"model"}}, m);
}

}  // namespace

double binomial_upper(Index failures, Index m, double delta) {
  if (failures >= m) return 1;
  const double p = boost::math::ibeta_inv(static_cast<double>(failures + 1),
                                          static_cast<double>(m - failures), 1 - delta);
  return std::min(1.0, p * (1 + 1e-10));  // rounded outwards
}

double binomial_lower(Index failures, Index m, double probability) {
  return boost::math::ibeta_inv(static_cast<double>(failures + 1),
                                static_cast<double>(m - failures), 1 - probability);
}

LimitsKind limits_count_kind() {
  return {name, "any law: the share of fresh episodes that break a limit", needs, evaluate};
}

}  // namespace loopcert

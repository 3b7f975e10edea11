// What cannot be true, whatever the data: a bound holds with its confidence, and who chooses the
// data may choose those for which it does not. Where that can be seen, it is refused.
#include "verdict/judge.hpp"

namespace verify {
namespace {

bool rests_on_zero_mean(const Bound& bound) {
  for (const Statement& stated : bound.assumptions)
    if (stated.id == "gaussian-zero-mean" || stated.id == "zero-mean") return true;
  return false;
}

}  // namespace

// Once in 10^10 for all entries together.
void require_likely_mean(const Data& data) {
  const Ball least = -log(1e10 * Ball(data.mean.cols()));
  for (long j = 0; j < data.mean.cols(); ++j) {
    const Ball mean = data.mean(0, j), square = data.second(j, j);
    if (!(lower(square) > 0)) continue;
    const Ball rest = 1 - mean * mean / square;  // zero when all of them are equal
    if (!(lower(rest) > 0) || upper(two_caps(data.n, rest)) < lower(least))
      throw Refuted{"data: their mean is not zero, as entry " + std::to_string(j + 1) + " shows"};
  }
}

void require_possible(const Record& record, const Bound& bound, const Controller& controller,
                      const Table& rows, double value) {
  const Problem& p = record.problem;
  const bool zero_mean = rests_on_zero_mean(bound);
  const bool gaussian = p.law().at("model") == "gaussian";
  const bool assumed = record.kind.starts_with("assumed") || record.kind == "limits-assumed";
  if (zero_mean && gaussian && rows.rows > 10 && !assumed) require_likely_mean(moments_of(rows));
  if (is_limits_kind(record.kind)) return;  // what follows is about costs
  const bool constant = p.has_offset || controller.has_constant();
  if (is_difference_kind(record.kind) || !(record.oracle || (zero_mean && constant))) return;
  const Mat gram = cost_gram(p, closed_loop(p, controller));
  Ball least = gram(0, 0);  // with mean zero: what the constant part costs alone
  if (record.oracle) {      // of the law itself
    const Mat mean = true_mean(record);
    least = dot(gram, extended(covariance_of(p, "covariance")) + mean * transpose(mean));
  }
  if (lower(least) > value)
    throw Refuted{"value: below the smallest cost under the stated assumptions"};
}

}  // namespace verify

#include <algorithm>

#include "bounds.hpp"

namespace verify {

Mat extended(const Mat& on_w) {
  Mat whole(1 + on_w.rows(), 1 + on_w.cols());
  set_block(whole, 1, 1, on_w);
  return whole;
}

Mat extended_moment(const Data& data) {
  Mat moment = extended(data.second);
  arb_one(moment.at(0, 0));
  set_block(moment, 0, 1, data.mean);
  set_block(moment, 1, 0, transpose(data.mean));
  return moment;
}

void require_gaussian(const Record& record) {
  const json& disturbance = need(record.problem.tree, "disturbance", record.file);
  if (text_at(disturbance, "model", record.file) != "gaussian" ||
      disturbance.value("distribution", "gaussian") != "gaussian")
    throw Refuted{"assumptions: kind " + record.kind + " needs a Gaussian law"};
}

void require_zero_mean(const Record& record) {
  const json& disturbance = need(record.problem.tree, "disturbance", record.file);
  const json mean = disturbance.value("mean", json(0.0));
  if (!flag_at(disturbance, "zero_mean", record.file) || (mean.is_number() ? mean != 0.0 : true))
    throw Refuted{"assumptions: kind " + record.kind + " needs a zero mean"};
}

void require_same_response(const Mat& found, const Mat& expected, double tolerance,
                           const std::string& role) {
  const Mat gap = found - expected;
  const double room = tolerance * (1 + size_of(expected));
  bool certain = true;
  for (long i = 0; i < gap.rows(); ++i)
    for (long j = 0; j < gap.cols(); ++j) {
      const Ball entry = gap(i, j);
      if (lower(entry) > room || upper(entry) < -room)
        throw Refuted{"controller: its response is not that of " + role};
      certain = certain && upper(entry) <= room && lower(entry) >= -room;
    }
  if (!certain) throw TooWide{"a response"};
}

}  // namespace verify

// Correlation over time, lag by lag, for the eye.
#include <algorithm>
#include <cmath>

#include "inspection/inspection.hpp"

namespace loopcert {

LagCorrelations lag_correlations(const PreparedData& data) {
  const Sizes sizes = data.problem.sizes();
  LagCorrelations lags{Vector::Zero(std::max<Index>(sizes.T - 1, 0)),
                       Vector::Zero(std::max<Index>(sizes.T - 1, 0))};
  if (data.n() < 3) return lags;
  std::vector<Index> place(static_cast<size_t>(data.d()), -1);
  for (size_t k = 0; k < data.live.size(); ++k)
    place[static_cast<size_t>(data.live[k])] = static_cast<Index>(k);
  const auto m = static_cast<double>(data.n() - 1);
  for (Index lag = 1; lag < sizes.T; ++lag) {
    double sum = 0, count = 0;
    for (Index j = sizes.n_w; j + lag * sizes.n_w < data.d(); ++j) {
      const Index a = place[static_cast<size_t>(j)];
      const Index b = place[static_cast<size_t>(j + lag * sizes.n_w)];
      if (a < 0 || b < 0) continue;
      sum += data.z.col(a).dot(data.z.col(b)) / m;
      ++count;
    }
    if (count == 0) continue;
    lags.mean(lag - 1) = sum / count;
    lags.band(lag - 1) = 2.576 / std::sqrt(m * count);
  }
  return lags;
}

}  // namespace loopcert

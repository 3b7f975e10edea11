// Are whitened rows Gaussian? Skewness of Mori, Rohatgi and Szekely, kurtosis of Mardia.
#include <Eigen/Cholesky>
#include <algorithm>
#include <cmath>

#include "inspect_common.hpp"
#include "loopcert/core/random.hpp"

namespace loopcert {
namespace {

constexpr Stream null_stream{0, 0x696e7370656374};  // apart from every stream of data

struct Shape {
  double skewness = 0;  // |1/n sum z |z|^2|^2, not negative
  double kurtosis = 0;  // 1/n sum |z|^4, Mardia's b_2
};

// Of rows with mean zero and covariance I.
Shape shape_of(const Matrix& white) {
  const Vector squared = white.rowwise().squaredNorm();
  const auto n = static_cast<double>(white.rows());
  return {(white.transpose() * squared / n).squaredNorm(), squared.squaredNorm() / n};
}

// The same rows, centred and mapped to covariance I.
Matrix whitened(Matrix x) {
  x.rowwise() -= x.colwise().mean().eval();
  const Matrix S = x.transpose() * x / static_cast<double>(x.rows());
  return Eigen::LLT<Matrix>(S).matrixL().solve(x.transpose()).transpose();
}

// Both numbers do not change under affine maps, so their law under any Gaussian is that of
// standard normal rows, and a simulation of it is exact.
std::vector<Shape> simulate_null(Index n, Index d, double effort) {
  const double work = static_cast<double>(n) * static_cast<double>(d * d + 40 * d);
  const auto R = static_cast<Index>(std::clamp(effort / work, 199.0, 999.0));
  std::vector<Shape> shapes;
  for (Index r = 0; r < R; ++r) {
    shapes.push_back(shape_of(
        whitened(standard_normal_rows(null_stream, static_cast<std::uint64_t>(r * n), n, d))));
  }
  return shapes;
}

}  // namespace

// The left singular vectors of Gaussian rows have one law whatever the covariance (it does not
// change under rotations of the rows), so a part of their columns may stand for all of them.
NormalShape test_normal_shape(const Matrix& all, const InspectionEffort& effort) {
  const Matrix white = whitened(all.topRightCorner(std::min(all.rows(), effort.shape_rows),
                                                   std::min(all.cols(), effort.shape_columns)));
  const std::vector<Shape> null = simulate_null(white.rows(), white.cols(), effort.simulation);
  const Shape found = shape_of(white);
  double mean = 0;
  for (const Shape& shape : null) mean += shape.kurtosis / static_cast<double>(null.size());
  // How far off on either side, in the unit of that side: heavy tails make the two unlike.
  double above = 0, below = 0;
  for (const Shape& shape : null) {
    above += std::max(0.0, shape.kurtosis - mean);
    below += std::max(0.0, mean - shape.kurtosis);
  }
  const auto strangeness = [&](const Shape& shape) {
    const double gap = shape.kurtosis - mean;
    return std::abs(gap) / std::max(gap > 0 ? above : below, 1e-300);
  };
  std::vector<double> skewness, kurtosis;
  for (const Shape& shape : null) {
    skewness.push_back(shape.skewness);
    kurtosis.push_back(strangeness(shape));
  }
  const double p = std::min(simulated_p_value(found.skewness, skewness),
                            simulated_p_value(strangeness(found), kurtosis));
  return {found.kurtosis / mean, corrected(p, 2)};
}

}  // namespace loopcert

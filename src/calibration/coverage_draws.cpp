// The laws that coverage draws from beside the problem's own. All have its mean and covariance.
#include <cmath>

#include "calibration/coverage.hpp"
#include "core/find_named.hpp"
#include "core/linalg.hpp"

namespace loopcert {
namespace {

constexpr double rare = 0.1;     // rare-signs: how often a trajectory is not zero
constexpr double wild = 0.02;    // mixture: how often a trajectory is wild,
constexpr double calm_sq = 0.2;  // and the square of the scale of the others
const double wild_sq = (1 - (1 - wild) * calm_sq) / wild;  // so that the squares average 1

// The second stream of a cell: scales of whole trajectories.
Vector trajectory_uniforms(const Stream& stream, Index n, std::uint64_t first) {
  Vector u(n);
  for (Index i = 0; i < n; ++i)
    fill_uniform({stream.seed, stream.cell + 1}, first + static_cast<std::uint64_t>(i), {&u(i), 1});
  return u;
}

// w = mean + scale_i Sigma^1/2 e_i
Disturbances placed(const Law& law, const Matrix& e, const Vector& scale) {
  const Matrix root = symmetric_sqrt(law.covariance);
  return {(scale.asDiagonal() * e * root).rowwise() + law.mean.transpose()};
}

Matrix signs(const Stream& stream, Index n, Index d, std::uint64_t first) {
  const Matrix z = standard_normal_rows(stream, first, n, d);
  return z.unaryExpr([](double x) { return x < 0 ? -1.0 : 1.0; });
}

Disturbances draw_law(const Law& law, const Stream& stream, Index n, std::uint64_t first) {
  return sample_disturbances(law, stream, n, first);
}

Disturbances draw_signs(const Law& law, const Stream& stream, Index n, std::uint64_t first) {
  return placed(law, signs(stream, n, law.mean.size(), first), Vector::Ones(n));
}

Disturbances draw_rare_signs(const Law& law, const Stream& stream, Index n, std::uint64_t first) {
  const Vector scale = trajectory_uniforms(stream, n, first).unaryExpr([](double u) {
    return u < rare ? 1 / std::sqrt(rare) : 0.0;
  });
  return placed(law, signs(stream, n, law.mean.size(), first), scale);
}

Disturbances draw_mixture(const Law& law, const Stream& stream, Index n, std::uint64_t first) {
  const Vector scale = trajectory_uniforms(stream, n, first).unaryExpr([](double u) {
    return std::sqrt(u < wild ? wild_sq : calm_sq);
  });
  return placed(law, standard_normal_rows(stream, first, n, law.mean.size()), scale);
}

Disturbances draw_copies(const Law& law, const Stream& stream, Index n, std::uint64_t first) {
  return {sample_disturbances(law, stream, 1, first).w.replicate(n, 1)};
}

std::vector<LawPart> law_parts(const Law& law) {
  if (law.shape != LawShape::gaussian) return {};
  return {{1, law.mean, law.covariance}};
}

// Every pattern of signs, with equal weights.
std::vector<LawPart> signs_parts(const Law& law) {
  const Index d = law.mean.size();
  constexpr Index most = 12;
  if (d > most) return {};
  const Matrix root = symmetric_sqrt(law.covariance);
  const Index count = Index{1} << d;
  std::vector<LawPart> parts;
  for (Index k = 0; k < count; ++k) {
    Vector e(d);
    for (Index j = 0; j < d; ++j) e(j) = (k >> j) % 2 == 0 ? 1 : -1;
    parts.push_back({1 / static_cast<double>(count), law.mean + root * e, {}});
  }
  return parts;
}

std::vector<LawPart> rare_signs_parts(const Law& law) {
  std::vector<LawPart> parts = signs_parts(law);
  if (parts.empty()) return parts;
  for (LawPart& part : parts) {
    part.weight *= rare;
    part.mean = law.mean + (part.mean - law.mean) / std::sqrt(rare);
  }
  parts.push_back({1 - rare, law.mean, {}});
  return parts;
}

std::vector<LawPart> mixture_parts(const Law& law) {
  return {{1 - wild, law.mean, calm_sq * law.covariance},
          {wild, law.mean, wild_sq * law.covariance}};
}

}  // namespace

const std::vector<CoverageShape>& coverage_shapes() {
  static const std::vector<CoverageShape> shapes = {
      {"law", "the law of the problem", draw_law, law_parts},
      {"signs", "bounded: Sigma^1/2 times signs", draw_signs, signs_parts},
      {"rare-signs", "bounded: nine trajectories of ten are the mean itself", draw_rare_signs,
       rare_signs_parts},
      {"mixture", "heavy tails: two trajectories of a hundred have 200 times the variance",
       draw_mixture, mixture_parts},
      {"copies", "not independent: one trajectory, recorded n times", draw_copies, law_parts},
  };
  return shapes;
}

const CoverageShape& coverage_shape(const std::string& name) {
  return find_named(coverage_shapes(), name, "shape");
}

}  // namespace loopcert

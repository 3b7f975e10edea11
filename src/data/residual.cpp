#include "loopcert/data/residual.hpp"

#include <cmath>

namespace loopcert {

std::vector<ComponentResidual> reconstruction_residuals(const Rollouts& rollouts,
                                                        const Disturbances& data,
                                                        const Sizes& sizes) {
  const auto count = static_cast<double>(data.n() * sizes.T);
  std::vector<ComponentResidual> residuals;
  for (Index i = 0; i < sizes.n_x; ++i) {
    ComponentResidual r;
    for (Index t = 0; t < sizes.T; ++t) {
      const Index next = (t + 1) * sizes.n_x + i;
      const auto w = data.w.col(next);
      r.state += rollouts.x.col(next).squaredNorm();
      r.change += (rollouts.x.col(next) - rollouts.x.col(t * sizes.n_x + i)).squaredNorm();
      r.residual += w.squaredNorm();
      r.mean += w.sum();
      r.largest = std::max(r.largest, w.cwiseAbs().maxCoeff());
    }
    r.state = std::sqrt(r.state / count);
    r.change = std::sqrt(r.change / count);
    r.residual = std::sqrt(r.residual / count);
    r.mean /= count;
    residuals.push_back(r);
  }
  return residuals;
}

std::vector<Index> unexplained_components(const std::vector<ComponentResidual>& residuals) {
  std::vector<Index> components;
  for (size_t i = 0; i < residuals.size(); ++i)
    if (residuals[i].residual > 2 * residuals[i].change)
      components.push_back(static_cast<Index>(i));
  return components;
}

}  // namespace loopcert

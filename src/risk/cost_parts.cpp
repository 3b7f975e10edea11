#include "risk/cost_parts.hpp"

namespace loopcert {
namespace {

// E[v_t v_t'] weighted by W_t, for v = Phi w + m of `count` numbers a step.
template <class Weight>
Matrix parts_of(const Matrix& Phi, const Vector& m, const Moments& moments, Index count,
                const Weight& weight) {
  const Matrix Phi_second = Phi * moments.second;
  const Vector Phi_mean = Phi * moments.mean;
  Matrix parts(count, Phi.rows() / count);
  for (Index t = 0; t < parts.cols(); ++t) {
    const auto step = Eigen::seqN(t * count, count);
    const Vector m_t = m(step), mean_t = Phi_mean(step);
    const Matrix E = Phi_second(step, Eigen::all) * Phi(step, Eigen::all).transpose() +
                     mean_t * m_t.transpose() + m_t * (mean_t + m_t).transpose();
    parts.col(t) = weight(t).cwiseProduct(E).rowwise().sum();
  }
  return parts;
}

}  // namespace

CostParts cost_parts(const System& system, const Response& response, const Moments& moments) {
  const Sizes s = system.sizes();
  const Vector error = tracking_error(system.cost, response.phi_x);
  return {
      parts_of(response.Phi_x, error, moments, s.n_x,
               [&](Index t) -> const Matrix& { return system.cost.Q_at(t, s.T); }),
      parts_of(response.Phi_u, response.phi_u, moments, s.n_u,
               [&](Index t) -> const Matrix& { return system.cost.R_at(t); }),
  };
}

}  // namespace loopcert

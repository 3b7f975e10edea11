#include "loopcert/risk/risk.hpp"

namespace loopcert {

double risk(const ResponseSpace& space, const MatrixView& Sigma, const MatrixView& Z) {
  Matrix H = 2 * space.N_0;
  H.noalias() += space.P * Z;
  return constant_term(space, Sigma) + H.cwiseProduct(Z * Sigma).sum();
}

Matrix risk_gradient(const ResponseSpace& space, const MatrixView& Sigma, const MatrixView& Z) {
  Matrix H = space.N_0;
  H.noalias() += space.P * Z;
  Matrix gradient = 2 * H * Sigma;
  project_causal(space.pattern, gradient);
  return gradient;
}

// z'K z = z'K_0 z + (2 N_0 z + P Z z)' Z z
Vector trajectory_costs(const ResponseSpace& space, const MatrixView& rows, const MatrixView& Z) {
  const Matrix z = rows.transpose();
  const Matrix u = Z * z;
  const Matrix h = 2 * (space.N_0 * z) + space.P * u;
  const Vector free = (space.K_0 * z).cwiseProduct(z).colwise().sum();
  return free + h.cwiseProduct(u).colwise().sum().transpose();
}

Matrix apply_G(const ResponseSpace& space, const MatrixView& Sigma, const MatrixView& Z) {
  Matrix GZ = space.P * Matrix(Z * Sigma);
  project_causal(space.pattern, GZ);
  return GZ;
}

Matrix linear_term(const ResponseSpace& space, const MatrixView& Sigma) {
  Matrix g = space.N_0 * Sigma;
  project_causal(space.pattern, g);
  return g;
}

double constant_term(const ResponseSpace& space, const MatrixView& Sigma) {
  return space.K_0.cwiseProduct(Sigma).sum();
}

Matrix curvature_diagonal(const ResponseSpace& space, const MatrixView& Sigma) {
  Matrix diagonal = space.P.diagonal() * Sigma.diagonal().transpose();
  project_causal(space.pattern, diagonal);
  return diagonal;
}

Matrix gram(const ResponseSpace& space, const MatrixView& Z) {
  Matrix N = space.N_0;  // N_0 + P Z / 2, so that K = K_0 + N'Z + Z'N
  N.noalias() += 0.5 * space.P * Z;
  const Matrix cross = N.transpose() * Z;
  return space.K_0 + cross + cross.transpose();
}

double sensitivity(const ResponseSpace& space, const MatrixView& Sigma, const MatrixView& Z) {
  const Matrix KS = gram(space, Z) * Sigma;
  return KS.cwiseProduct(KS.transpose()).sum();
}

double response_risk(const System& system, const Response& response, const Moments& moments) {
  const WeightedResponse y = weighted_response(system.cost, system.sizes(), response);
  // E||M w + m||^2 = tr(M E[ww'] M') + 2 m'M mean + m'm
  const Matrix M_second = y.M * moments.second;
  return M_second.cwiseProduct(y.M).sum() + 2 * y.m.dot(y.M * moments.mean) + y.m.squaredNorm();
}

Vector response_costs(const System& system, const Response& response, const MatrixView& w) {
  const WeightedResponse y = weighted_response(system.cost, system.sizes(), response);
  return ((w * y.M.transpose()).rowwise() + y.m.transpose()).rowwise().squaredNorm();
}

double response_sensitivity(const System& system, const Response& response,
                            const MatrixView& covariance) {
  const Matrix M = weighted_response(system.cost, system.sizes(), response).M;
  const Matrix KS = (M.transpose() * M) * covariance;
  return KS.cwiseProduct(KS.transpose()).sum();
}

}  // namespace loopcert

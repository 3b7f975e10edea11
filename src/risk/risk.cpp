#include "risk/risk.hpp"
#include "data/moments.hpp"

namespace loopcert {

double risk(const QuadraticForm& form, const MatrixView& Sigma, const MatrixView& Z) {
  Matrix H = 2 * form.N_0;
  H.noalias() += form.P * Z;
  return constant_term(form, Sigma) + H.cwiseProduct(Z * Sigma).sum();
}

Matrix risk_gradient(const QuadraticForm& form, const MatrixView& Sigma, const MatrixView& Z) {
  Matrix H = form.N_0;
  H.noalias() += form.P * Z;
  Matrix gradient = 2 * H * Sigma;
  project_causal(form.pattern, gradient);
  return gradient;
}

// z'K z = z'K_0 z + (2 N_0 z + P Z z)' Z z
Vector trajectory_costs(const QuadraticForm& form, const MatrixView& rows, const MatrixView& Z) {
  const Matrix z = rows.transpose();
  const Matrix u = Z * z;
  const Matrix h = 2 * (form.N_0 * z) + form.P * u;
  const Vector free = (form.K_0 * z).cwiseProduct(z).colwise().sum();
  return free + h.cwiseProduct(u).colwise().sum().transpose();
}

Matrix apply_G(const QuadraticForm& form, const MatrixView& Sigma, const MatrixView& Z) {
  Matrix GZ = form.P * Matrix(Z * Sigma);
  project_causal(form.pattern, GZ);
  return GZ;
}

Matrix linear_term(const QuadraticForm& form, const MatrixView& Sigma) {
  Matrix g = form.N_0 * Sigma;
  project_causal(form.pattern, g);
  return g;
}

double constant_term(const QuadraticForm& form, const MatrixView& Sigma) {
  return form.K_0.cwiseProduct(Sigma).sum();
}

Matrix curvature_diagonal(const QuadraticForm& form, const MatrixView& Sigma) {
  Matrix diagonal = form.P.diagonal() * Sigma.diagonal().transpose();
  project_causal(form.pattern, diagonal);
  return diagonal;
}

double sensitivity(const QuadraticForm& form, const MatrixView& Sigma, const MatrixView& Z) {
  const Matrix KS = gram(form, Z) * Sigma;
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

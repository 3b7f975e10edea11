#include "response/quadratic_form.hpp"

namespace loopcert {
namespace {

Matrix symmetric_part(const Matrix& A) { return 0.5 * (A + A.transpose()); }

}  // namespace

Matrix curvature(const Coordinates& c, const Functional& functional) {
  const Signals steps = functional.weigh(c.G_T, c.T_u);
  Matrix P = c.G_T.transpose() * steps.x;
  P += c.T_u.transpose().triangularView<Eigen::Upper>() * steps.u;
  return symmetric_part(P);
}

QuadraticForm quadratic_form(const Coordinates& c, const Functional& functional) {
  Matrix X = c.Phi_x0;
  if (functional.reference.size() > 0) X.col(0) -= functional.reference;  // of the constant
  const Signals start = functional.weigh(X, c.Phi_u0);
  QuadraticForm form;
  form.pattern = c.pattern;
  form.error = c.basis_error;
  form.P = curvature(c, functional);
  form.N_0 = c.G_T.transpose() * start.x;
  form.N_0 += c.T_u.transpose().triangularView<Eigen::Upper>() * start.u;
  form.K_0 = X.transpose() * start.x;
  form.K_0.noalias() += c.Phi_u0.transpose() * start.u;
  form.K_0 = symmetric_part(form.K_0);
  return form;
}

Matrix gram(const QuadraticForm& form, const MatrixView& Z) {
  Matrix N = form.N_0;  // N_0 + P Z / 2, so that K = K_0 + N'Z + Z'N
  N.noalias() += 0.5 * form.P * Z;
  const Matrix cross = N.transpose() * Z;
  return form.K_0 + cross + cross.transpose();
}

QuadraticForm difference_form(QuadraticForm form, const MatrixView& baseline) {
  form.K_0 -= gram(form, baseline);
  return form;
}

}  // namespace loopcert

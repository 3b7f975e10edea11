// Between alpha, Z, theta and responses; the loss in alpha.
#include <Eigen/SparseCholesky>

#include "core/check.hpp"
#include "loopcert/core/error.hpp"
#include "loopcert/response/vectorized.hpp"

namespace loopcert {
namespace {

Index columns_of_Z(const Vectorized& form) { return form.sizes.d_w() + (form.constant ? 1 : 0); }

void check_length(const char* name, const VectorView& vector, Index length) {
  if (vector.size() != length)
    throw_input_error(name, std::to_string(vector.size()) + " numbers", std::to_string(length));
}

}  // namespace

Direction direction(const Vectorized& form, Index k) {
  if (k < 0 || k >= form.p())
    throw_input_error("k", std::to_string(k), "0 to " + std::to_string(form.p() - 1));
  const Index i = form.row[static_cast<size_t>(k)];
  const Index j = form.column[static_cast<size_t>(k)] - (form.constant ? 1 : 0);
  Direction d{Matrix::Zero(form.S.rows(), form.sizes.d_w()), Vector::Zero(form.S.rows())};
  if (j < 0)
    d.m = form.S.col(i);
  else
    d.M.col(j) = form.S.col(i);
  return d;
}

Vector alpha_of_Z(const Vectorized& form, const MatrixView& Z) {
  check_size("Z", Z, form.sizes.d_u(), columns_of_Z(form));
  Vector alpha(form.p());
  for (Index k = 0; k < form.p(); ++k)
    alpha(k) = Z(form.row[static_cast<size_t>(k)], form.column[static_cast<size_t>(k)]);
  return alpha;
}

Matrix Z_of(const Vectorized& form, const VectorView& alpha) {
  check_length("alpha", alpha, form.p());
  Matrix Z = Matrix::Zero(form.sizes.d_u(), columns_of_Z(form));
  for (Index k = 0; k < form.p(); ++k)
    Z(form.row[static_cast<size_t>(k)], form.column[static_cast<size_t>(k)]) = alpha(k);
  return Z;
}

// eq:nullspace-sls
Vector theta_of(const Vectorized& form, const VectorView& alpha) {
  check_length("alpha", alpha, form.p());
  return form.theta_0 + form.N * alpha;
}

Vector theta_of(const Vectorized& form, const Response& r) {
  check_size("Phi_x", r.Phi_x, form.sizes.d_x(), form.sizes.d_w());
  check_size("Phi_u", r.Phi_u, form.sizes.d_u(), form.sizes.d_w());
  Vector all(form.selection.rows());
  all.head(r.Phi_x.size()) = r.Phi_x.reshaped();
  all.segment(r.Phi_x.size(), r.Phi_u.size()) = r.Phi_u.reshaped();
  if (form.affine) {
    check_length("phi_x", r.phi_x, form.sizes.d_x());
    check_length("phi_u", r.phi_u, form.sizes.d_u());
    all.tail(form.sizes.d_xu()) << r.phi_x, r.phi_u;
  }
  return form.selection.transpose() * all;
}

Vector alpha_of_theta(const Vectorized& form, const VectorView& theta) {
  check_length("theta", theta, form.theta_0.size());
  const SparseMatrix NtN = form.N.transpose() * form.N;  // the identity in the orthonormal basis
  return Eigen::SimplicialLDLT<SparseMatrix>(NtN).solve(form.N.transpose() *
                                                        (theta - form.theta_0));
}

Response response_of(const Vectorized& form, const VectorView& theta) {
  check_length("theta", theta, form.theta_0.size());
  const Index d_x = form.sizes.d_x(), d_u = form.sizes.d_u(), d_w = form.sizes.d_w();
  const Vector all = form.selection * theta;
  Response r = form.start;
  r.Phi_x = all.head(d_x * d_w).reshaped(d_x, d_w);
  r.Phi_u = all.segment(d_x * d_w, d_u * d_w).reshaped(d_u, d_w);
  if (form.affine) {
    r.phi_x = all.segment((d_x + d_u) * d_w, d_x);
    r.phi_u = all.tail(d_u);
  }
  return r;
}

// With z = (1, w): G_kl = tr(M_k E[zz'] M_l') = (S'S)_{i_k i_l} E[zz']_{j_k j_l}.
LossInAlpha loss_in_alpha(const Vectorized& form, const VectorView& mean,
                          const MatrixView& second) {
  const Index d_w = form.sizes.d_w(), p = form.p(), one = form.constant ? 1 : 0;
  check_length("mean", mean, d_w);
  check_size("second", second, d_w, d_w);
  Matrix Sigma(d_w + one, d_w + one), M_0(form.M_0.rows(), d_w + one);
  Sigma.bottomRightCorner(d_w, d_w) = second;
  M_0.rightCols(d_w) = form.M_0;
  if (form.constant) {
    Sigma(0, 0) = 1;
    Sigma.col(0).tail(d_w) = mean;
    Sigma.row(0).tail(d_w) = mean.transpose();
    M_0.col(0) = form.m_0;
  }
  const Matrix P = form.S.transpose() * form.S;
  const Matrix M_0_Sigma = M_0 * Sigma;
  LossInAlpha loss{Matrix(p, p), alpha_of_Z(form, form.S.transpose() * M_0_Sigma),
                   M_0_Sigma.cwiseProduct(M_0).sum()};
  for (Index l = 0; l < p; ++l)
    for (Index k = 0; k < p; ++k)
      loss.G(k, l) =
          P(form.row[static_cast<size_t>(k)], form.row[static_cast<size_t>(l)]) *
          Sigma(form.column[static_cast<size_t>(k)], form.column[static_cast<size_t>(l)]);
  return loss;
}

}  // namespace loopcert

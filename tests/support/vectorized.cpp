#include "vectorized.hpp"

#include <Eigen/QR>
#include <unsupported/Eigen/KroneckerProduct>

namespace loopcert::testing {
namespace {

// curly F = [I - Z_A, -Z_B] as a dense matrix, entry by entry.
Matrix constraint_block(const Plant& plant) {
  const Sizes s_ = plant.sizes();
  const Index n_x = s_.n_x, n_u = s_.n_u, T = s_.T;
  const Index d_w = (T + 1) * n_x;
  Matrix block = Matrix::Zero(d_w, d_w + T * n_u);
  block.leftCols(d_w).setIdentity();
  for (Index t = 0; t < T; ++t) {
    block.block((t + 1) * n_x, t * n_x, n_x, n_x) -= plant.A_at(t);
    block.block((t + 1) * n_x, d_w + t * n_u, n_x, n_u) -= plant.B_at(t);
  }
  return block;
}

// Is entry (row, column) of the stacked (Phi_x; Phi_u) allowed by causality?
bool is_causal(const Sizes& s, Index row, Index column) {
  const Index from = column / s.n_x;
  return row < s.d_w() ? row / s.n_x >= from : (row - s.d_w()) / s.n_u >= from;
}

}  // namespace

VectorizedForm vectorized_form(const System& system, bool affine) {
  const Sizes s = system.sizes();
  const Index d_y = s.d_xu(), d_w = s.d_w();
  const Matrix F = constraint_block(system.plant);
  std::vector<Index> entries;  // positions in vec(Phi) that may be non-zero
  for (Index column = 0; column < d_w; ++column)
    for (Index row = 0; row < d_y; ++row)
      if (is_causal(s, row, column)) entries.push_back(column * d_y + row);

  const Index causal = static_cast<Index>(entries.size());
  const Index unknowns = causal + (affine ? d_y : 0);
  VectorizedForm form;
  form.S = Matrix::Zero(d_y * d_w + (affine ? d_y : 0), unknowns);
  for (Index k = 0; k < causal; ++k) form.S(entries[static_cast<size_t>(k)], k) = 1;
  if (affine) form.S.bottomRightCorner(d_y, d_y).setIdentity();

  Matrix full = Matrix::Zero(d_w * d_w + (affine ? d_w : 0), form.S.rows());
  full.topLeftCorner(d_w * d_w, d_y * d_w) = Eigen::kroneckerProduct(Matrix::Identity(d_w, d_w), F);
  if (affine) full.bottomRightCorner(d_w, d_y) = F;
  form.H = full * form.S;
  form.h = Vector::Zero(full.rows());
  form.h.head(d_w * d_w) = Matrix::Identity(d_w, d_w).reshaped();
  if (affine) form.h.tail(d_w) = system.plant.stacked_offset();

  // H P = Q [T 0; 0 0] Z with orthogonal Q and Z. (BDCSVD of Eigen 3.4 solves some of these
  // systems, which have few different singular values, wrongly.)
  Eigen::CompleteOrthogonalDecomposition<Matrix> decomposition;
  decomposition.setThreshold(1e-9);
  decomposition.compute(form.H);
  const Matrix V = decomposition.colsPermutation() * decomposition.matrixZ().transpose();
  form.N = V.rightCols(unknowns - decomposition.rank());
  form.theta_0 = decomposition.solve(form.h);
  return form;
}

Response response_of(const System& system, const VectorizedForm& form, const Vector& theta) {
  const Sizes s = system.sizes();
  const Vector full = form.S * theta;
  const Index d_y = s.d_xu(), d_w = s.d_w();
  const Matrix Phi = full.head(d_y * d_w).reshaped(d_y, d_w);
  Response r{Phi.topRows(d_w), Phi.bottomRows(s.d_u()), Vector::Zero(d_w), Vector::Zero(s.d_u())};
  if (full.size() > d_y * d_w) {
    r.phi_x = full.segment(d_y * d_w, d_w);
    r.phi_u = full.tail(s.d_u());
  }
  return r;
}

Vector theta_of(const VectorizedForm& form, const Response& r, bool affine) {
  Matrix Phi(r.Phi_x.rows() + r.Phi_u.rows(), r.Phi_x.cols());
  Phi << r.Phi_x, r.Phi_u;
  Vector full(form.S.rows());
  full.head(Phi.size()) = Phi.reshaped();
  if (affine) full.tail(Phi.rows()) << r.phi_x, r.phi_u;
  return form.S.transpose() * full;
}

}  // namespace loopcert::testing

#include "data/shrunk_moment.hpp"

namespace loopcert {
namespace {

constexpr double alone = 0.01;        // of W: entries uncorrelated even within a step
constexpr double least_share = 1e-4;  // of what an entry costs on average

}  // namespace

Matrix shrunk_moment(const MatrixView& Sigma, bool constant, Index n_w, double g) {
  const Index first = constant ? 1 : 0, d_w = Sigma.rows() - first;
  const Vector mean = constant ? Vector(Sigma.col(0).tail(d_w)) : Vector::Zero(d_w);
  const Matrix C = Sigma.bottomRightCorner(d_w, d_w) - mean * mean.transpose();
  Matrix shrunk = Sigma;
  auto block = shrunk.bottomRightCorner(d_w, d_w);
  block = (1 - g) * C;
  for (Index t = 0; t < d_w; t += n_w)
    block.block(t, t, n_w, n_w) = (1 - g * alone) * C.block(t, t, n_w, n_w);
  block.diagonal() = C.diagonal();
  block += mean * mean.transpose();
  return shrunk;
}

void add_floor(const Vector& K, const MatrixView& Sigma, Matrix& moment) {
  const Index d_w = K.size();
  const double cost = K.dot(Sigma.diagonal().tail(d_w)) / static_cast<double>(d_w);
  for (Index j = 0; j < d_w; ++j) {
    double& variance = moment.diagonal().tail(d_w)(j);
    if (K(j) > 0) variance += least_share * cost / K(j);
    if (!(variance > 0)) variance = 1;
  }
}

}  // namespace loopcert

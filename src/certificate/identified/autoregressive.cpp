#include "certificate/autoregressive.hpp"

#include <Eigen/Eigenvalues>
#include <cmath>

#include "certificate/bound.hpp"
#include "certificate/wishart.hpp"
#include "core/dense_solvers.hpp"
#include "core/linalg.hpp"

namespace loopcert {
namespace {

// Directions below this share of the largest, in units of their own, are rounding errors.
constexpr double rounding = 1e-14;

// How much V_0 weighs against V: about what makes the radius smallest.
constexpr double prior_share = 0.35;

// Block (t, j) of the second moment summed over trajectories; w_t is block t + 1.
Matrix summed(const Evidence& evidence, Index n_w, Index t, Index j) {
  return static_cast<double>(evidence.n) *
         evidence.moments.second.block((t + 1) * n_w, (j + 1) * n_w, n_w, n_w);
}

// omega of the lags (t-1, ..., t-p) against those of step j.
Matrix lagged(const Evidence& evidence, const Support& support, Index n_w, Index p, Index t,
              Index j) {
  const Index m = support.size();
  Matrix block(p * m, p * m);
  for (Index a = 0; a < p; ++a)
    for (Index b = 0; b < p; ++b)
      block.block(a * m, b * m, m, m) = support.inverse *
                                        summed(evidence, n_w, t - 1 - a, j - 1 - b) *
                                        support.inverse.transpose();
  return block;
}

}  // namespace

Support disturbance_support(const Evidence& evidence, const Sizes& sizes) {
  const Index n_w = sizes.n_w;
  Matrix sum = Matrix::Zero(n_w, n_w);
  for (Index t = 0; t < sizes.T; ++t) sum += summed(evidence, n_w, t, t);
  const Vector unit = sum.diagonal().cwiseSqrt();
  const Eigen::SelfAdjointEigenSolver<Matrix> eigen(with_unit_diagonal(sum));
  const Vector& s = eigen.eigenvalues();  // increasing
  Index first = 0;
  while (first < n_w && !(s(first) > rounding * s(n_w - 1))) ++first;
  if (first == 0) return {Matrix::Identity(n_w, n_w), Matrix::Identity(n_w, n_w)};
  const Matrix E = eigen.eigenvectors().rightCols(n_w - first);
  const Vector inverse = unit.unaryExpr([](double u) { return u > 0 ? 1 / u : 0.0; });
  return {unit.asDiagonal() * E, E.transpose() * inverse.asDiagonal()};
}

TransitionSums autoregressive_sums(const Evidence& evidence, const Sizes& sizes, Index lags,
                                   Index first, const Support& support) {
  const Index n_w = sizes.n_w, m = support.size(), p = lags;
  TransitionSums sums;
  sums.N = evidence.n * (sizes.T - first);
  sums.rr = Matrix::Zero(p * m, p * m);
  sums.yr = Matrix::Zero(m, p * m);
  sums.yy = Matrix::Zero(m, m);
  const auto within = [&](Index t, Index j) -> Matrix {
    return support.inverse * summed(evidence, n_w, t, j) * support.inverse.transpose();
  };
  for (Index t = first; t < sizes.T; ++t) {
    sums.rr += lagged(evidence, support, n_w, p, t, t);
    for (Index a = 0; a < p; ++a) sums.yr.middleCols(a * m, m) += within(t, t - 1 - a);
    sums.yy += within(t, t);
  }
  sums.prior = prior_share * static_cast<double>(sizes.T - first) *
               lagged(evidence, support, n_w, p, first, first);
  return sums;
}

AutoregressiveModel autoregressive_model(const Evidence& evidence, const Sizes& sizes, Index lags,
                                         const Deltas& delta) {
  AutoregressiveModel model;
  model.lags = lags;
  model.support = disturbance_support(evidence, sizes);
  if (model.support.size() == 0) throw NotProved("identified: there are no disturbances");
  model.set = confidence_set(autoregressive_sums(evidence, sizes, lags, lags, model.support),
                             delta.at("model"), delta.at("noise"));
  const Index d_s = (lags + 1) * sizes.n_w;
  model.q_0 = wishart_floor(d_s, evidence.n, delta.at("start"));
  if (!(model.q_0 > 0))
    throw NotProved("identified: too few trajectories for the law of the first steps");
  model.U_0 = evidence.moments.second.topLeftCorner(d_s, d_s) / model.q_0;
  return model;
}

ColouredLoop coloured_loop(const AutoregressiveModel& model, const MatrixView& M,
                           const Sizes& sizes) {
  const Index n_w = sizes.n_w, p = model.lags, m = model.support.size(), T = sizes.T;
  const Index d_s = (p + 1) * n_w, steps = T - p, n_r = p * m;
  // Lambda: the start as it is, then w_t = basis (Phi (omega_{t-1}, ...) + v_t).
  Matrix Lambda = Matrix::Zero(sizes.d_w(), d_s + steps * m);
  Lambda.topLeftCorner(d_s, d_s).setIdentity();
  Matrix R(steps * n_r, Lambda.cols());  // r_p, r_{p+1}, ...
  for (Index t = p; t < T; ++t) {
    auto r = R.middleRows((t - p) * n_r, n_r);
    for (Index a = 0; a < p; ++a)
      r.middleRows(a * m, m) = model.support.inverse * Lambda.middleRows((t - a) * n_w, n_w);
    Matrix omega = model.set.Theta_hat * r;
    omega.middleCols(d_s + (t - p) * m, m) += Matrix::Identity(m, m);
    Lambda.middleRows((t + 1) * n_w, n_w) = model.support.basis * omega;
  }
  Matrix D = Matrix::Zero(Lambda.cols(), Lambda.cols());
  D.topLeftCorner(d_s, d_s) = model.U_0;
  Matrix half = Matrix::Zero(Lambda.cols(), Lambda.cols());
  half.topLeftCorner(d_s, d_s) = covariance_factor(model.U_0);
  for (Index t = 0; t < steps; ++t) {
    D.block(d_s + t * m, d_s + t * m, m, m) = model.set.U_v;
    half.block(d_s + t * m, d_s + t * m, m, m) = model.set.root;
  }
  const Matrix H = M * Lambda, gram = H.transpose() * H, seen = D * R.transpose();
  ColouredLoop out;
  out.root = Lambda * half;
  Interconnection& loop = out.loop;
  loop.steps = steps;
  loop.n_v = m;
  loop.n_r = n_r;
  loop.cost = gram.cwiseProduct(D).sum();
  loop.to_cost = gram.bottomRows(steps * m) * seen;
  loop.inputs = gram.bottomRightCorner(steps * m, steps * m);
  loop.moments = R * seen;
  loop.replies = R.rightCols(steps * m);
  return out;
}

Vector spectrum_caps(const ColouredLoop& coloured, const MatrixView& M,
                     const Expansion& expansion) {
  const Vector singular = singular_values(M * coloured.root);
  const double error = expansion.n1 + expansion.n2 + expansion.n3;
  Vector caps(singular.size());
  double sum = 0;
  for (Index k = 0; k < caps.size(); ++k) {
    sum += singular(k) * singular(k);
    caps(k) = (std::sqrt(sum) + error) * (std::sqrt(sum) + error);
  }
  return caps;
}

}  // namespace loopcert

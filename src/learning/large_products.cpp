#include "learning/large_products.hpp"

#include <fmt/format.h>

#include "core/linalg.hpp"

namespace loopcert {
namespace {

// Three matrices at a time, and what a device needs to multiply.
double products_memory(const CausalPattern& pattern) {
  const auto u = static_cast<double>(pattern.rows()), z = static_cast<double>(pattern.cols());
  constexpr double streams = 0x1p29;
  return 8 * (z * z + 2 * u * z + u * u) + streams;
}

constexpr Index small = 256;                // the processor factors these
constexpr double far_from_singular = 1e-9;  // least pivot of an entry on the diagonal

// L^-1 of A = L L', half by half: all but the smallest steps are products. Empty: not definite.
Matrix inverse_of_factor(const Matrix& A, LargeProducts& products) {
  const Index n = A.rows(), m = n / 2;
  Matrix inverse = Matrix::Zero(n, n);
  if (n <= small) {
    const Matrix L = lower_cholesky_or_empty(A, 0.0);
    if (L.size() == 0) return {};
    inverse.setIdentity();
    L.triangularView<Eigen::Lower>().solveInPlace(inverse);
    return inverse;
  }
  const Matrix first = inverse_of_factor(A.topLeftCorner(m, m), products);
  if (first.size() == 0) return {};
  const Matrix below = products(A.bottomLeftCorner(n - m, m), first.transpose());
  const Matrix second = inverse_of_factor(
      A.bottomRightCorner(n - m, n - m) - products(below, below.transpose()), products);
  if (second.size() == 0) return {};
  inverse.topLeftCorner(m, m) = first;
  inverse.bottomRightCorner(n - m, n - m) = second;
  inverse.bottomLeftCorner(n - m, m) = -products(second, products(below, first));
  return inverse;
}

}  // namespace

LargeProducts::LargeProducts(const CausalPattern& pattern)
    : device_(choose_gpu(pattern, products_memory(pattern))) {}

Matrix LargeProducts::operator()(const Matrix& A, const Matrix& B) {
  if (device_) try {
      Matrix C;
      device_->multiply(A, B, C);
      return C;
    } catch (const DeviceError& error) {
      left_ = fmt::format("{} {} ({}): the processor went on from there", device_->name(),
                          error.out_of_memory ? "has no memory left" : "failed", error.what());
      device_ = nullptr;
    }
  return A * B;
}

std::unique_ptr<FactorInverses> FactorInverses::of(const CausalPattern& pattern, const Matrix& R,
                                                   const Matrix& block, LargeProducts& products) {
  std::unique_ptr<FactorInverses> made(new FactorInverses(pattern, products));
  made->L_ = inverse_of_factor(block, products);
  if (made->L_.size() == 0) return nullptr;
  const auto pivots = made->L_.diagonal().array().square() * block.diagonal().array();
  if (!(pivots.maxCoeff() < 1 / far_from_singular)) return nullptr;
  made->R_ = Matrix::Identity(R.rows(), R.cols());
  R.triangularView<Eigen::Upper>().solveInPlace(made->R_);
  made->R_turned_ = made->R_.transpose();
  made->L_turned_ = made->L_.transpose();
  return made;
}

// Z = R^-T [R^-1 B L^-T]_causal L^-1
Matrix FactorInverses::solve(const Matrix& B) const {
  const Index first = pattern_.first_free_column(), count = L_.cols();
  Matrix X = Matrix::Zero(B.rows(), B.cols());
  X.middleCols(first, count) = products_(products_(R_, B.middleCols(first, count)), L_turned_);
  project_causal(pattern_, X);
  X.middleCols(first, count) = products_(products_(R_turned_, X.middleCols(first, count)), L_);
  return X;
}

}  // namespace loopcert

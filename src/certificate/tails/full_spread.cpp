// Any covariance: Cov = W diag(v) W' as a d_u d_z x d_u d_z matrix, zero off the pattern. The
// reference for small p.
#include "tails/spread.hpp"

namespace loopcert {
namespace {

Vector stacked(const Matrix& X) { return Eigen::Map<const Vector>(X.data(), X.size()); }

class FullSpread : public Spread {
 public:
  FullSpread(const Matrix& P, SharedFrame frame)
      : P_(P), frame_(std::move(frame)), pattern_(frame_->pattern) {
    const Index p = pattern_.count();
    W_.resize(pattern_.rows() * pattern_.cols(), p);
    for (Index k = 0; k < p; ++k) W_.col(k) = stacked(unpack(pattern_, frame_->full.col(k)));
  }

  void set(const Matrix& V) override {
    const Vector v = pack(pattern_, V);
    Cov_ = W_ * v.asDiagonal() * W_.transpose();
    swapped_.resize(Cov_.rows(), Cov_.cols());
    for (Index l = 0; l < cols(); ++l)
      for (Index k = 0; k < rows(); ++k)
        for (Index j = 0; j < cols(); ++j)
          for (Index i = 0; i < rows(); ++i)
            swapped_(at(k, j), at(i, l)) = Cov_(at(i, j), at(k, l));
  }

  Matrix A_rho() const override {
    Matrix A(cols(), cols());
    for (Index l = 0; l < cols(); ++l)
      for (Index j = 0; j < cols(); ++j) A(j, l) = P_.cwiseProduct(block(Cov_, j, l)).sum();
    return A;
  }

  Matrix D(const Matrix& A) const override {
    Matrix sum = Matrix::Zero(rows(), rows());
    for (Index l = 0; l < cols(); ++l)
      for (Index j = 0; j < cols(); ++j) sum += A(j, l) * block(Cov_, j, l);
    return sum;
  }

  Matrix Psi(const Matrix& X) const override {
    const Vector result = swapped_ * stacked(X);
    return Eigen::Map<const Matrix>(result.data(), rows(), cols());
  }

  double cross(const Matrix& A, const Matrix& B) override {
    // (P (x) A) swapped (P (x) B)
    cross_ = product_columns(A, product_columns(B, swapped_).transpose());
    return cross_.cwiseProduct(Cov_).sum();
  }

  void add_product(double factor, const Matrix& Y, const Matrix& X, Matrix& slope) const override {
    add(factor, W_.cwiseProduct(product(Y, X, W_)).colwise().sum().transpose(), slope);
  }

  void add_pair(double factor, const Matrix& X, const Matrix& Y, Matrix& slope) const override {
    Vector result(W_.cols());
    for (Index k = 0; k < W_.cols(); ++k) {
      const Vector w = W_.col(k);
      const Eigen::Map<const Matrix> M(w.data(), rows(), cols());
      result(k) = 2 * (M * X.transpose()).cwiseProduct((M * Y.transpose()).transpose()).sum();
    }
    add(factor, result, slope);
  }

  void add_cross(double factor, Matrix& slope) const override {
    add(2 * factor, W_.cwiseProduct(cross_ * W_).colwise().sum().transpose(), slope);
  }

  void clear_matrices() override { matrix_ = Matrix::Zero(Cov_.rows(), Cov_.cols()); }

  void add_product(double factor, const Matrix& Y, const Matrix& X) override {
    for (Index l = 0; l < cols(); ++l)
      for (Index j = 0; j < cols(); ++j)
        matrix_.block(j * rows(), l * rows(), rows(), rows()) += factor * X(j, l) * Y;
  }

  void add_pair(double factor, const Matrix& X, const Matrix& Y) override {
    for (Index l = 0; l < cols(); ++l)
      for (Index j = 0; j < cols(); ++j)  // X_kj Y_il + X_il Y_kj
        matrix_.block(j * rows(), l * rows(), rows(), rows()) +=
            factor * (Y.col(l) * X.col(j).transpose() + X.col(l) * Y.col(j).transpose());
  }

  void add_cross(double factor) override { matrix_ += factor * (cross_ + cross_.transpose()); }

  std::vector<Matrix> matrices() const override {
    const Index p = pattern_.count();
    Matrix free(p, p);  // the free entries alone
    std::vector<Index> places;
    for (Index j = 0; j < cols(); ++j)
      for (Index i = pattern_.first_row(j); i < rows(); ++i) places.push_back(at(i, j));
    for (Index l = 0; l < p; ++l)
      for (Index k = 0; k < p; ++k)
        free(k, l) = matrix_(places[static_cast<size_t>(k)], places[static_cast<size_t>(l)]);
    return {free};
  }

 private:
  Index rows() const { return pattern_.rows(); }
  Index cols() const { return pattern_.cols(); }
  Index at(Index i, Index j) const { return i + rows() * j; }
  Eigen::Block<const Matrix> block(const Matrix& A, Index j, Index l) const {
    return A.block(j * rows(), l * rows(), rows(), rows());
  }

  // (Y (x) X) applied to every column of `all`, each as a matrix M: Y M X.
  Matrix product(const Matrix& Y, const Matrix& X, const Matrix& all) const {
    Matrix result(all.rows(), all.cols());
    for (Index k = 0; k < all.cols(); ++k) {
      const Vector column = all.col(k);
      const Matrix M = Y * Eigen::Map<const Matrix>(column.data(), rows(), cols()) * X;
      result.col(k) = stacked(M);
    }
    return result;
  }
  Matrix product_columns(const Matrix& X, const Matrix& all) const { return product(P_, X, all); }

  void add(double factor, const Vector& values, Matrix& slope) const {
    slope += unpack(pattern_, factor * values);
  }

  const Matrix& P_;
  SharedFrame frame_;
  const CausalPattern& pattern_;
  Matrix W_;              // the frame's vectors, off the pattern zero
  Matrix Cov_, swapped_;  // Cov[(i,j),(k,l)], and the same at [(k,j),(i,l)]
  Matrix cross_, matrix_;
};

}  // namespace

std::unique_ptr<Spread> full_spread(const Matrix& P, SharedFrame frame) {
  return std::make_unique<FullSpread>(P, std::move(frame));
}

}  // namespace loopcert

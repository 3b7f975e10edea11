// Columns apart: e_j ~ N(0, C_j), C_j = F_j diag(V_j) F_j'. Then A_rho = Diag(tr(P C_j)),
// D_A = sum_j A_jj C_j, Psi(X)_j = C_j X_j and cross = sum_jl (A.*B)_jl tr(P C_j P C_l).
#include <algorithm>

#include "core/parts.hpp"
#include "core/product.hpp"
#include "tails/spread.hpp"

namespace loopcert {
namespace {

class ColumnSpread : public Spread {
 public:
  ColumnSpread(const Matrix& P, SharedFrame frame, Team& team)
      : P_(P), frame_(std::move(frame)), pattern_(frame_->pattern), team_(team) {
    const Index d_u = pattern_.rows();
    for (Index j = 0; j < pattern_.cols(); ++j) {
      F_.push_back(turn_of_column(*frame_, j));
      PF_.push_back(P_.rightCols(F_.back().rows()) * F_.back());  // d_u x free
    }
    C_ = Matrix::Zero(d_u * d_u, pattern_.cols());
  }

  void set(const Matrix& V) override {
    a_ = Vector::Zero(pattern_.cols());
    for_columns([&](Index j, Index f, const Matrix& F) {
      const Vector v = V.col(j).tail(F.rows());
      column(C_, j).bottomRightCorner(F.rows(), F.rows()) = F * v.asDiagonal() * F.transpose();
      a_(j) = v.dot(F.cwiseProduct(PF_[static_cast<size_t>(j)].bottomRows(F.rows()))
                        .colwise()
                        .sum()
                        .transpose());
      (void)f;
    });
  }

  Matrix A_rho() const override { return a_.asDiagonal(); }

  Matrix D(const Matrix& A) const override {
    const Vector sum = C_ * A.diagonal();
    return Eigen::Map<const Matrix>(sum.data(), P_.rows(), P_.cols());
  }

  Matrix Psi(const Matrix& X) const override {
    Matrix result(X.rows(), X.cols());
    for (Index j = 0; j < X.cols(); ++j) result.col(j) = column(C_, j) * X.col(j);
    return result;
  }

  double cross(const Matrix& A, const Matrix& B) override {
    multiply(C_, A.cwiseProduct(B), S_, team_);  // S_j = sum_l (A.*B)_jl C_l
    Vector part = Vector::Zero(pattern_.cols());
    for_columns([&](Index j, Index, const Matrix&) {
      part(j) = (P_ * column(S_, j) * P_).cwiseProduct(column(C_, j)).sum();
    });
    return part.sum();
  }

  void add_product(double factor, const Matrix& Y, const Matrix& X, Matrix& slope) const override {
    for_columns([&](Index j, Index f, const Matrix& F) {
      slope.col(j).tail(F.rows()) +=
          factor * X(j, j) * diagonal(F, Y.block(f, f, F.rows(), F.rows()));
    });
  }

  void add_pair(double factor, const Matrix& X, const Matrix& Y, Matrix& slope) const override {
    for_columns([&](Index j, Index, const Matrix& F) {
      const Vector x = F.transpose() * X.col(j).tail(F.rows());
      const Vector y = F.transpose() * Y.col(j).tail(F.rows());
      slope.col(j).tail(F.rows()) += 2 * factor * x.cwiseProduct(y);
    });
  }

  void add_cross(double factor, Matrix& slope) const override {
    for_columns([&](Index j, Index, const Matrix& F) {
      slope.col(j).tail(F.rows()) +=
          2 * factor * diagonal(PF_[static_cast<size_t>(j)], column(S_, j));
    });
  }

  void clear_matrices() override {
    matrices_.clear();
    for (const Matrix& F : F_) matrices_.push_back(Matrix::Zero(F.rows(), F.rows()));
  }

  void add_product(double factor, const Matrix& Y, const Matrix& X) override {
    for_columns([&](Index j, Index f, const Matrix& F) {
      matrices_[static_cast<size_t>(j)] += factor * X(j, j) * Y.block(f, f, F.rows(), F.rows());
    });
  }

  void add_pair(double factor, const Matrix& X, const Matrix& Y) override {
    for_columns([&](Index j, Index, const Matrix& F) {
      const Vector x = X.col(j).tail(F.rows()), y = Y.col(j).tail(F.rows());
      matrices_[static_cast<size_t>(j)] += factor * (x * y.transpose() + y * x.transpose());
    });
  }

  void add_cross(double factor) override {
    for_columns([&](Index j, Index f, const Matrix& F) {
      const Matrix PSP = P_ * column(S_, j) * P_;
      matrices_[static_cast<size_t>(j)] += 2 * factor * PSP.block(f, f, F.rows(), F.rows());
    });
  }

  std::vector<Matrix> matrices() const override { return matrices_; }

 private:
  // diag(F'Y F)
  static Vector diagonal(const Matrix& F, const Matrix& Y) {
    return F.cwiseProduct(Y * F).colwise().sum().transpose();
  }

  Eigen::Map<Matrix> column(Matrix& all, Index j) const {
    return {all.col(j).data(), P_.rows(), P_.cols()};
  }
  Eigen::Map<const Matrix> column(const Matrix& all, Index j) const {
    return {all.col(j).data(), P_.rows(), P_.cols()};
  }

  // job(column, first free row, F_j), columns without entries left out.
  template <class Job>
  void for_columns(const Job& job) const {
    for_parts(team_, by_columns(C_), [&](const Part& columns) {
      for (Index j = columns.first; j < columns.first + columns.count; ++j)
        if (const Matrix& F = F_[static_cast<size_t>(j)]; F.rows() > 0)
          job(j, P_.rows() - F.rows(), F);
    });
  }

  const Matrix& P_;
  SharedFrame frame_;
  const CausalPattern& pattern_;
  Team& team_;
  std::vector<Matrix> F_, PF_;  // of each column; P F_j
  Matrix C_, S_;                // d_u^2 x d_z: C_j and S_j, one below the other
  Vector a_;
  std::vector<Matrix> matrices_;
};

}  // namespace

std::unique_ptr<Spread> column_spread(const Matrix& P, SharedFrame frame, Team& team) {
  return std::make_unique<ColumnSpread>(P, std::move(frame), team);
}

}  // namespace loopcert

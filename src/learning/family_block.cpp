// A full covariance for each column of Z, columns independent.
#include <Eigen/Eigenvalues>

#include "families_list.hpp"

namespace loopcert {
namespace {

PacBayesResult minimize_blocks(const QuadraticForm& form, const BoundInputs& inputs,
                               const Prior& prior, const PacBayesOptions& options,
                               PacBayesResult diagonal) {
  const CausalPattern& pattern = form.pattern;
  const FrameFrom better = [&](const std::vector<Matrix>& precision, Matrix& variance) {
    Frame frame{pattern, {}, {}, {}, {}};
    for (Index j = 0; j < pattern.cols(); ++j) {
      const Matrix& one = precision[static_cast<size_t>(j)];
      const Index free = one.rows();
      Matrix turn = Matrix::Identity(pattern.rows(), pattern.rows());
      if (free > 0) {
        const Eigen::SelfAdjointEigenSolver<Matrix> eigen(one);
        turn.bottomRightCorner(free, free) = eigen.eigenvectors();
        variance.col(j).tail(free) = eigen.eigenvalues().cwiseInverse();
      }
      frame.turns.push_back(std::move(turn));
      frame.turn_of.push_back(j);
    }
    return std::make_shared<const Frame>(std::move(frame));
  };
  return improve_frame(
      form, inputs, prior, options, better,
      minimize_in_frame(form, inputs, prior, options, rotated_frame(form), diagonal));
}

}  // namespace

PosteriorFamily block_family() {
  return {"a full covariance for each column of Z", minimize_blocks};
}

}  // namespace loopcert

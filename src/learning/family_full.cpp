// Any covariance: the reference, for small p.
#include <fmt/format.h>

#include <Eigen/Eigenvalues>

#include "families_list.hpp"
#include "loopcert/core/error.hpp"

namespace loopcert {
namespace {

PacBayesResult minimize_full(const QuadraticForm& form, const BoundInputs& inputs,
                             const Prior& prior, const PacBayesOptions& options,
                             PacBayesResult diagonal) {
  const CausalPattern& pattern = form.pattern;
  if (pattern.count() > largest_full_p)
    throw_input_error("learning.posterior", fmt::format("'full' with p = {}", pattern.count()),
                      fmt::format("p at most {}: it needs p x p matrices", largest_full_p));
  const FrameFrom better = [&](const std::vector<Matrix>& precision, Matrix& variance) {
    const Eigen::SelfAdjointEigenSolver<Matrix> eigen(precision[0]);
    variance = unpack(pattern, eigen.eigenvalues().cwiseInverse());
    Frame frame{pattern, {}, {}, {}, eigen.eigenvectors()};
    return std::make_shared<const Frame>(std::move(frame));
  };
  PacBayesResult block = posterior_family("block").minimize(form, inputs, prior, options, diagonal);
  const Matrix whole = frame_matrix(*block.posterior.frame);
  block.posterior.frame = std::make_shared<const Frame>(Frame{pattern, {}, {}, {}, whole});
  return improve_frame(form, inputs, prior, options, better, std::move(block));
}

}  // namespace

PosteriorFamily full_family() {
  return {"any covariance, for small p (a reference)", minimize_full};
}

}  // namespace loopcert

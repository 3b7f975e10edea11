// The posterior-localized surrogate (paper, Cor. posterior-localized-pb-bound): one joint
// exponential moment under the posterior instead of a radius that every response in its support
// must share.
#pragma once

#include <memory>
#include <optional>

#include "certificate/kinds.hpp"
#include "response/space.hpp"

namespace loopcert {

// Spectrum of Gt = D^1/2' G D^1/2 (D = Sigma_rho, the posterior's covariance) and the slope along
// it. It needs a p x p matrix: p is limited.
struct LocalizedMoment {
  double risk = 0;    // L at the mean
  Vector gamma;       // eigenvalues of Gt
  Vector slope;       // coordinates of D^1/2 grad L / 2 along its eigenvectors
  Matrix directions;  // D^1/2 times the eigenvectors
};

LocalizedMoment localized_moment(const ResponseSpace& space, const MatrixView& second_moment,
                                 const Posterior& posterior);

// The right end of the admissible interval (0, end): I - 2 lambda Gt > 0. Empty when no positive
// lambda is admissible (a posterior without finite variance).
std::optional<double> admissible_end(const LocalizedMoment& moment);

// log E_rho exp(lambda L(alpha)), for lambda inside the interval; an upper bound on the joint CGF
// log E_{rho, w} exp(lambda (L - l)) whatever the law of w.
double log_exponential_moment(const LocalizedMoment& moment, double lambda);

// A sharper one for a Gaussian z = w, or (1, w), of this mean and covariance; never above the
// other, infinite outside the interval.
double joint_cgf_bound(const QuadraticForm& form, const Posterior& posterior,
                       const VectorView& mean, const MatrixView& covariance,
                       const LocalizedMoment& moment, double lambda);

// The same for many lambda. The caller keeps form, posterior and moment.
class JointCgf {
 public:
  JointCgf(const QuadraticForm& form, const Posterior& posterior, const VectorView& mean,
           const MatrixView& covariance, const LocalizedMoment& moment);
  double operator()(double lambda) const;

 private:
  struct Parts;
  std::shared_ptr<const Parts> parts_;
};

// Monte Carlo of the joint CGF log E_{rho, w} exp(lambda (L - l)): a diagnostic, never a
// certificate.
struct JointCgfDiagnostic {
  double estimate = 0;
  double standard_error = 0;  // by the delta method
  Index draws = 0;
};
JointCgfDiagnostic joint_cgf_diagnostic(const System& system, const ResponseSpace& space,
                                        const Law& law, const Posterior& posterior, double lambda,
                                        Index draws, const Stream& stream);

// Hanson-Wright type pointwise radius 1 / (2 ||Sigma_y||) of one response: what collapses when the
// posterior widens.
double pointwise_radius(const System& system, const ResponseSpace& space, const MatrixView& Z,
                        const MatrixView& covariance);

}  // namespace loopcert

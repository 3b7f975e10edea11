#include "certificate/envelope.hpp"

#include <Eigen/Cholesky>
#include <cmath>

#include "certificate/premises.hpp"
#include "certificate/tails.hpp"
#include "core/check.hpp"
#include "core/find_named.hpp"
#include "envelopes/envelope_list.hpp"
#include "kinds/kind_list.hpp"
#include "loopcert/core/error.hpp"

namespace loopcert {

const std::vector<EnvelopeKind>& envelope_kinds() {
  static const std::vector<EnvelopeKind> kinds = {
#define ADD(maker) maker(),
#include "envelopes/envelopes.inc"
  };
  return kinds;
}

const EnvelopeKind& envelope_kind(const std::string& name) {
  return find_named(envelope_kinds(), name, "envelope");
}

Envelope make_envelope(const EnvelopeKind& kind, const Assumptions& assumptions,
                       const Evidence& evidence, const Sizes& sizes, const Deltas& delta) {
  require_granted(kind.needs({assumptions, sizes, evidence.n, false}));
  return kind.make(assumptions, evidence, sizes,
                   kind.events.empty() ? 0.0 : delta.at(kind.events.front()));
}

std::optional<Missing> missing_centred_gaussian(const Premises& premises, const std::string& kind) {
  return first_missing({missing_gaussian(premises, kind), missing_zero_mean(premises, kind)});
}

std::optional<Missing> missing_samples(const Premises& premises, Index d, const std::string& kind) {
  if (premises.n > d) return std::nullopt;
  return Missing{"trajectories for certificate '" + kind + "'", std::to_string(premises.n),
                 "at least " + std::to_string(d + 1)};
}

void require_quantile(double q, Index n, const std::string& kind) {
  if (!(q > 0))
    throw_input_error("trajectories for certificate '" + kind + "'", std::to_string(n),
                      "more of them, or a larger delta: its quantile is zero");
}

// M Sigma_hat M'/q has trace Lhat/q. The margin is smallest when its d_w eigenvalues are equal, and
// then it is (1 - x) Lhat/q with x of n d_w samples; above tr(M Sigma_hat M')/q - Lhat it never is
// (docs/theory/portfolio.md).
double least_under(double q, const Premises& premises) {
  const Index samples = premises.n * premises.sizes.d_w();
  return std::min(1 + (1 - centred_factor(samples, premises.delta.value())) / q, 1 / q);
}

bool loewner_below(const MatrixView& a, const MatrixView& b) {
  Matrix gap = b - a;
  for (Index i = 0; i < b.rows(); ++i) {
    if (b(i, i) == 0 && !gap.row(i).isZero(0.0)) return false;
    gap(i, i) += b(i, i) == 0 ? 1 : 1e-12 * b(i, i);  // in units of each row
  }
  return Eigen::LLT<Matrix>(gap).info() == Eigen::Success;
}

double covariance_radius(double scale, Index d, Index n, double delta) {
  check_positive("scale", scale);
  check_probability("delta", delta);
  const auto samples = static_cast<double>(n);
  const double a =
      std::sqrt(static_cast<double>(d) / samples) + std::sqrt(2 * std::log(2 / delta) / samples);
  return scale * (2 * a + a * a);
}

double effective_rank_radius(double scale, double trace, Index n, double delta) {
  check_positive("scale", scale);
  check_probability("delta", delta);
  const double sigma = std::sqrt(scale), t = std::sqrt(2 * std::log(2 / delta));
  const double u = (std::sqrt(trace) + (0.75 + t) * sigma) / std::sqrt(static_cast<double>(n));
  return u * (2 * sigma + u);
}

double mean_radius(double scale, Index d, Index n, double delta) {
  check_positive("scale", scale);
  check_probability("delta", delta);
  const auto samples = static_cast<double>(n);
  return std::sqrt(scale) * (std::sqrt(static_cast<double>(d) / samples) +
                             std::sqrt(2 * std::log(1 / delta) / samples));
}

}  // namespace loopcert

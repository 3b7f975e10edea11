// Steps that are independent of each other: a block-diagonal covariance, each n_w x n_w block with
// an envelope as relative, delta shared by the blocks. When w_0, …, w_{T-1} have one law, their
// block is estimated from n T samples.
#include <algorithm>

#include "certificate/premises.hpp"
#include "certificate/wishart.hpp"
#include "envelopes/envelope_list.hpp"
#include "kinds/kind_list.hpp"

namespace loopcert {
namespace {

const std::string name = "white";

auto block(const Matrix& Sigma, Index t, Index n_w) {
  return Sigma.block(t * n_w, t * n_w, n_w, n_w);
}

// The law's covariance is what white (and stationary) say it is, to the last bit: a link between
// two steps may be small beside the largest variance and complete in units of its own.
std::optional<Missing> missing_white(const Premises& premises) {
  const Assumptions& assumptions = premises.assumptions;
  if (!assumptions.white)
    return Missing{"disturbance.white", "false",
                   "true: certificate 'white' assumes steps that are independent of each other"};
  if (!assumptions.law) return std::nullopt;
  const Index n_w = premises.sizes.n_w, T = premises.sizes.T;
  Matrix rest = assumptions.law->covariance;
  const Matrix first = T > 0 ? Matrix(block(rest, 1, n_w)) : Matrix();
  for (Index t = 0; t <= T; ++t) {
    if (assumptions.stationary && t > 0 && block(rest, t, n_w) != first)
      return Missing{"disturbance.stationary", "true with steps of different covariance",
                     "false, or one covariance for all w_t"};
    rest.block(t * n_w, t * n_w, n_w, n_w).setZero();
  }
  if (rest.isZero(0.0)) return std::nullopt;
  return Missing{"disturbance.white", "true with a covariance that correlates steps",
                 "false, or a block-diagonal covariance"};
}

std::optional<Missing> needs(const Premises& premises) {
  return first_missing({missing_centred_gaussian(premises, name), missing_white(premises),
                        missing_samples(premises, premises.sizes.n_w, name)});
}

Envelope make(const Assumptions& assumptions, const Evidence& evidence, const Sizes& sizes,
              double delta) {
  const Index n_w = sizes.n_w, T = sizes.T, n = evidence.n;
  const Matrix& Sigma_hat = evidence.moments.second;
  const bool shared = assumptions.stationary;
  const double each = delta / static_cast<double>(shared ? 2 : T + 1);
  const double q_0 = wishart_floor(n_w, n, each);
  const double q = shared ? wishart_floor(n_w, n * T, each) : q_0;
  require_quantile(std::min(q_0, q), n, name);

  Envelope envelope;
  envelope.U = Matrix::Zero(sizes.d_w(), sizes.d_w());
  envelope.U.topLeftCorner(n_w, n_w) = block(Sigma_hat, 0, n_w) / q_0;
  Matrix pooled = Matrix::Zero(n_w, n_w);  // (1/(nT)) sum over trajectories and steps of w_t w_t'
  for (Index t = 1; t <= T; ++t) pooled += block(Sigma_hat, t, n_w) / static_cast<double>(T);
  for (Index t = 1; t <= T; ++t)
    envelope.U.block(t * n_w, t * n_w, n_w, n_w) =
        (shared ? pooled : Matrix(block(Sigma_hat, t, n_w))) / q;
  envelope.floor = Vector::Zero(sizes.d_w());
  envelope.events = {{"covariance", delta, {"covariance-white", {{"q_0", q_0}, {"q", q}}}}};
  envelope.assumptions = {gaussian_law(true), {"white"}};
  if (shared) envelope.assumptions.push_back({"stationary"});
  return envelope;
}

double least_white(const Premises& premises) {
  const Index n_w = premises.sizes.n_w, T = premises.sizes.T;
  const bool shared = premises.assumptions.stationary;
  const double each = *premises.delta / 2 / static_cast<double>(shared ? 2 : T + 1);
  double q = wishart_floor(n_w, premises.n, each);
  if (shared) q = std::max(q, wishart_floor(n_w, premises.n * T, each));
  return least_under(q, premises);
}

}  // namespace

EnvelopeKind white_envelope() {
  return {name,
          "block diagonal, each block / q, q the Wishart quantile",
          {"covariance"},
          needs,
          make,
          {"white", "mean response, zero mean, independent steps: covariance block by block"},
          {"hold-out-white",
           "Gaussian, zero mean, independent steps, covariance from the same trajectories"},
          least_white,
          /*dominated_by=*/"",
          /*averages=*/true};
}

}  // namespace loopcert

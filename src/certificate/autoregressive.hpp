// A known plant under disturbances whose colour is unknown: w_t = Phi_1 w_{t-1} + ... + Phi_p
// w_{t-p} + v_t for t >= p. What the trajectories say about Phi and the covariance of v, and what
// any response costs at most (docs/theory/identified-cost.md).
#pragma once

#include "certificate/confidence_set.hpp"
#include "certificate/expansion.hpp"
#include "certificate/premises.hpp"
#include "loopcert/certificate/event.hpp"
#include "loopcert/core/types.hpp"

namespace loopcert {

// The directions that disturbances act in: w_t = basis omega_t, omega_t = inverse w_t. Both are the
// identity unless the data lie in fewer directions than there are states.
struct Support {
  Matrix basis;    // n_w x m
  Matrix inverse;  // m x n_w

  Index size() const { return basis.cols(); }
  bool whole() const { return basis.cols() == basis.rows(); }
};

Support disturbance_support(const Evidence& evidence, const Sizes& sizes);

// Transitions omega_t = Phi (omega_{t-1}, ..., omega_{t-p}) + v_t of all trajectories. V_0 is the
// Gram matrix of the first regressors of all trajectories, scaled: they are known before any v.
// The transitions from step `first` on, which is at least `lags`.
TransitionSums autoregressive_sums(const Evidence& evidence, const Sizes& sizes, Index lags,
                                   Index first, const Support& support);

struct AutoregressiveModel {
  Index lags = 0;
  Support support;
  ConfidenceSet set;  // of Phi = [Phi_1 ... Phi_p] and the covariance of v, in omega
  Matrix U_0;         // E s s' <= U_0, s = (x_0, w_0, ..., w_{p-1}), on the event start
  double q_0 = 0;     // its Wishart floor
};

// With the deltas of the events model, noise and start. Throws NotProved when the data do not
// suffice.
AutoregressiveModel autoregressive_model(const Evidence& evidence, const Sizes& sizes, Index lags,
                                         const Deltas& delta);

// The three events, and what is assumed besides.
std::vector<Event> autoregressive_events(const AutoregressiveModel& model, const Deltas& delta);
std::vector<Statement> autoregressive_assumptions(const AutoregressiveModel& model, Index n_w);

// w = Lambda (s, v_p, ..., v_{T-1}) of the estimate, with the covariances of the model's events.
struct ColouredLoop {
  Matrix root;           // Lambda D^1/2: root root' is above the covariance of w, were Phi known
  Interconnection loop;  // of the response's M
};
ColouredLoop coloured_loop(const AutoregressiveModel& model, const MatrixView& M,
                           const Sizes& sizes);

// c_k: what the k largest eigenvalues of the covariance of z = M w add up to at most, for every
// model of the set (docs/theory/identified-cost.md, 6).
Vector spectrum_caps(const ColouredLoop& coloured, const MatrixView& M, const Expansion& expansion);

}  // namespace loopcert

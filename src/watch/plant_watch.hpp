// An identified plant, watched step by step: is what its model leaves over still what the model and
// the bound on its noise allow (docs/theory/watch.md)?
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "loopcert/core/types.hpp"
#include "model/linear_model.hpp"

namespace loopcert {

// Given the past, v_t = y_t - Theta r_t is Gaussian with mean zero and covariance at most U, and
// Theta = Theta_hat + U^1/2 F G with one F, ||F||_F <= beta.
struct PlantClaim {
  LinearModel model;
  Matrix Theta;             // the estimate, n_v x n_r
  Matrix root;              // U^1/2, lower triangular
  Matrix G;                 // n_r x n_r
  double beta = 0;          // 0: the model is exact
  double transitions = 1;   // that it was identified from: they set the scale of G
  double alpha = 0.01;      // a true claim is ever rejected with at most this probability
  double delta = 0;         // the events that make the claim fail with at most this probability
  std::string certificate;  // SHA-256 of its file, if there is one
};

struct PlantWatchState {
  Matrix y, u;                 // the last p steps, one in a row
  std::string episode;         // of the last step, as its log names it
  std::optional<double> step;  // its number there
  Index n = 0;                 // transitions so far
  std::vector<double> sums;    // of each bet: over the times at which it may have begun
  Matrix information, fitted;  // of the drift: sums of regressors, and of these with z
  double evidence = 1, largest = 1;
  std::optional<Index> rejected_at;  // the transition, from 1
  std::string cause;                 // then: drift | spread | spread of output k
};

// Where the numbers of a step stand in a line of its log, and in which units.
struct StepColumns {
  std::vector<size_t> places;          // measured, then inputs
  std::vector<double> factors, zeros;  // factor (number - zero)
  std::optional<size_t> episode, step;
};
class PlantWatch {
 public:
  // Throws InputError.
  explicit PlantWatch(PlantClaim claim);
  PlantWatch(PlantClaim claim, PlantWatchState state);

  // What was measured and the input that followed. True once the claim is rejected: it stays so.
  // Throws InputError for numbers that are not finite, and where a row that is known does not hold.
  bool update(const Vector& y, const Vector& u);
  // A new run begins: the next measurement does not follow from the last one.
  void restart();
  // Before an update: what its log says of the step. A new run begins where it does not follow.
  void place(const std::string& episode, std::optional<double> step);

  const PlantClaim& claim() const { return claim_; }
  const PlantWatchState& state() const { return state_; }
  bool rejected() const { return state_.rejected_at.has_value(); }

 private:
  void bet(const Vector& r, const Vector& left);

  PlantClaim claim_;
  PlantWatchState state_;
};

}  // namespace loopcert

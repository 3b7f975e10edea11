// What logs say about a model before any controller: the estimate, how sure each number is, what
// speaks against the model, and what more logs would bring.
#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "certificate/pole_reach.hpp"
#include "data/logs.hpp"
#include "inspection/innovations.hpp"
#include "loopcert/data/disturbances.hpp"
#include "loopcert/inspection/warning.hpp"

namespace loopcert {

// With this many logs like these.
struct Forecast {
  Index n = 0, transitions = 0;
  double width = 0;                   // of every interval, relative to now
  std::optional<double> certificate;  // of the controller of the estimate; nothing: none
};

// One step ahead: what was logged, and what the estimate says from the steps before.
struct Prediction {
  std::string name;  // of the signal
  Vector logged, predicted;
};

struct Identification {
  std::string problem;
  bool colour = false;  // the plant is known, and the colour of its disturbance is not
  bool infinite = false;
  Index n = 0, transitions = 0, pilot = 0, lags = 1;
  double confidence = 0;         // of all intervals, the noise bound and the certificate together
  Matrix A, B;                   // over xi; of a colour: the known plant
  Matrix A_radius, B_radius;     // |entry - its estimate| is at most this, all at once; 0: known
  Vector offset, offset_radius;  // empty: none
  Matrix Phi, Phi_radius;        // colour: [Phi_1 … Phi_p]
  Matrix noise, noise_bound;     // of the innovations: estimate, and a matrix above the covariance
  double radius = 0;             // b: || U^-1/2 (Theta_hat - Theta) V^1/2 ||_F is at most this
  std::vector<PoleReach> poles;  // of the plant, or of the colour
  double excitation = 0;         // of the least excited direction beside the most excited one
  std::string least_excited;     // that direction
  InnovationTests tests;
  std::vector<Warning> warnings;
  std::optional<double> certificate;  // now
  std::vector<Forecast> forecasts;
  std::vector<Prediction> predictions;  // the first steps of the first log
  Matrix innovations;                   // one a row, in the order of the logs
};

// A plant that the problem does not know. Throws NotProved when the logs are not enough for any
// statement.
Identification identify(const Problem& problem, const Logs& logs);

// A known plant under disturbances of unknown colour (disturbance.autoregressive).
Identification identify_colour(const Problem& problem, const Disturbances& data);

// The tests alone, as `inspect` shows them.
Inspection inspection_of(const Identification& found);

nlohmann::json identification_to_json(const Identification& found);

}  // namespace loopcert

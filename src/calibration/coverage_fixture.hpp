// What does not depend on the data of a cell.
#pragma once

#include <optional>

#include "calibration/coverage.hpp"
#include "certificate/gaussian.hpp"
#include "data/moments.hpp"
#include "workflow/learning_setup.hpp"

namespace loopcert {

struct CoverageFixture {
  explicit CoverageFixture(const CoverageCell& cell);

  // The cell's response and its coordinates; only `erm` looks at the data.
  Response response(const Disturbances& data) const;
  Matrix coordinates(const Disturbances& data) const;

  // The response of the deployed plant to the controller of this one.
  Response deployed(const Response& response) const;
  const System& deployed_system() const;

  // The true value of what a certificate is about, by the trace formula.
  double truth(const Certificate& c, const Response& r, const Posterior* posterior) const;

  const CoverageCell& cell;
  LearningSetup setup;
  Response baseline;  // what improvements are over
  std::optional<CostsUnderLaw> costs;
  Law law;  // after deployment
  Moments moments;
};

}  // namespace loopcert

// The responses to choose from, and what they cost.
#pragma once

#include "loopcert/response/options.hpp"
#include "loopcert/system/cost.hpp"
#include "response/coordinates.hpp"
#include "response/functional.hpp"
#include "response/quadratic_form.hpp"
#include "system/plant_operator.hpp"

namespace loopcert {

struct ResponseSpace {
  Coordinates coordinates;
  QuadraticForm cost;
};

// A known offset, a reference, or an affine response brings the constant column. When the response
// is not affine the offset column stays where the start puts it.
ResponseSpace make_response_space(const System& system, const ResponseOptions& options);

// The same for a plant of any form. Throws InputError for start = lqr, which needs a state.
ResponseSpace make_response_space(const PlantOperator& plant, const Functional& cost,
                                  const ResponseOptions& options);

}  // namespace loopcert

#include <cmath>

#include "certificate/identified_cost.hpp"
#include "certificate/wishart.hpp"

namespace loopcert {

IdentifiedPlant with_more_logs(const IdentifiedPlant& plant, double factor) {
  IdentifiedPlant more = plant;
  more.set = with_more_transitions(plant.set, factor, plant.delta.at("noise"));
  if (plant.loop.T == 0) return more;
  more.n = static_cast<Index>(std::floor(factor * static_cast<double>(plant.n)));
  more.start_floor = wishart_floor(plant.model.n_y, more.n, plant.delta.at("start"));
  const Matrix start = plant.U_0 * (plant.start_floor / more.start_floor);
  const Index f = plant.model.first(), n = plant.model.n() - f;
  more.U_0.bottomRightCorner(n, n) = start.bottomRightCorner(n, n);
  return more;
}

}  // namespace loopcert

#include <cmath>

#include "certificate/identified_cost.hpp"
#include "certificate/wishart.hpp"

namespace loopcert {

// V grows with N, and V_0 with V: beta stays, G shrinks, the floors rise towards 1.
IdentifiedPlant with_more_logs(const IdentifiedPlant& plant, double factor) {
  IdentifiedPlant more = plant;
  const auto N = static_cast<double>(plant.set.transitions);
  const auto N_more = static_cast<Index>(std::floor(factor * N));
  const double q = wishart_floor(plant.model.n_v(), N_more, plant.delta.at("noise"));
  const double left = N * plant.set.q - plant.set.b_sq;  // U_v = R / left
  const double noise = factor * left / (static_cast<double>(N_more) * q - plant.set.b_sq);
  more.set.transitions = N_more;
  more.set.q = q;
  more.set.U_v *= noise;
  more.set.root *= std::sqrt(noise);
  more.set.G /= std::sqrt(factor);
  if (plant.loop.T == 0) return more;
  more.n = static_cast<Index>(std::floor(factor * static_cast<double>(plant.n)));
  more.start_floor = wishart_floor(plant.model.n_y, more.n, plant.delta.at("start"));
  const Matrix start = plant.U_0 * (plant.start_floor / more.start_floor);
  const Index f = plant.model.first(), n = plant.model.n() - f;
  more.U_0.bottomRightCorner(n, n) = start.bottomRightCorner(n, n);
  return more;
}

}  // namespace loopcert

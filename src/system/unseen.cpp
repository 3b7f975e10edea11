#include "system/unseen.hpp"

namespace loopcert {

Index unseen_outputs(const Plant& plant) {
  if (plant.G_x.size() == 0 || !plant.C.empty()) return 0;
  return (plant.G_x.rows() - plant.G.rows()) / (plant.T + 1);
}

std::vector<Index> free_places(const Plant& plant) {
  const Sizes s = plant.sizes();
  const Index unseen = unseen_outputs(plant);
  std::vector<Index> places;
  for (Index t = 0; t <= s.T; ++t)
    for (Index i = 0; i < s.n_x; ++i) {
      if (unseen == 0)  // the last of a trajectory
        places.push_back(s.d_w() - s.d_x() + t * s.n_x + i);
      else if (i < s.n_y)
        places.push_back(t * s.n_y + i);
      else
        places.push_back(s.d_y() + t * unseen + (i - s.n_y));
    }
  return places;
}

}  // namespace loopcert

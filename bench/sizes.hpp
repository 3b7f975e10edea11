// The sizes that every program goes through: three series, and what grows along each.
#pragma once

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "response/pattern.hpp"

namespace loopcert::bench {

inline Index parameters(const Sizes& sizes) { return CausalPattern{sizes}.count(); }

inline bool same(const Sizes& a, const Sizes& b) {
  return a.n_x == b.n_x && a.n_u == b.n_u && a.T == b.T;
}

struct Series {
  std::string variable;
  Index (*value)(const Sizes& sizes);
  std::vector<Sizes> sizes;
};

inline const std::vector<Series> all_series = {
    {"p",
     parameters,
     {state_feedback(2, 1, 10), state_feedback(4, 2, 20), state_feedback(8, 3, 30),
      state_feedback(12, 4, 50), state_feedback(24, 8, 50), state_feedback(60, 20, 40),
      state_feedback(80, 20, 50)}},
    {"T",
     [](const Sizes& sizes) { return sizes.T; },
     {state_feedback(12, 4, 12), state_feedback(12, 4, 25), state_feedback(12, 4, 50),
      state_feedback(12, 4, 100)}},
    {"n_x",  // and n_u = n_x / 3
     [](const Sizes& sizes) { return sizes.n_x; },
     {state_feedback(6, 2, 20), state_feedback(12, 4, 20), state_feedback(24, 8, 20),
      state_feedback(48, 16, 20)}},
};

constexpr Index quick_limit = 61200;  // on p

// Each size once, in the order of the series.
inline std::vector<Sizes> sizes_to_measure(bool quick) {
  std::vector<Sizes> list;
  for (const Series& series : all_series)
    for (const Sizes& sizes : series.sizes) {
      const bool wanted = !quick || parameters(sizes) <= quick_limit;
      const auto known = [&](const Sizes& other) { return same(sizes, other); };
      if (wanted && std::none_of(list.begin(), list.end(), known)) list.push_back(sizes);
    }
  return list;
}

// To learn from: more for more parameters, far fewer than these. 20 at p = 110, 200 at 61,200.
inline Index trajectories(const Sizes& sizes) {
  return 10 * std::lround(std::cbrt(static_cast<double>(parameters(sizes))) / 2);
}

}  // namespace loopcert::bench

// Trajectory files: what reading disturbances and reading rollouts share.
#pragma once

#include <filesystem>

#include "loopcert/data/axes.hpp"
#include "loopcert/data/formats.hpp"
#include "loopcert/data/layout.hpp"
#include "loopcert/system/plant.hpp"

namespace loopcert {

constexpr std::uintmax_t largest_trajectory_file = std::uintmax_t{4} << 30;

// What a file holds of each episode.
inline Quantity states_of(const Sizes& s, const DataLayout& layout) {
  return {"x", s.T + 1, s.n_x, layout.longer != Longer::refuse};
}

inline Quantity inputs_of(const Sizes& s, const DataLayout& layout) {
  return {"u", s.T + (layout.last_input ? 1 : 0), s.n_u, layout.longer != Longer::refuse};
}

inline Quantity disturbances_of(const Sizes& s, const DataLayout& layout) {
  return {"w", s.T + 1, s.n_x, layout.longer != Longer::refuse};
}

inline bool is_csv(const std::filesystem::path& path) {
  return format_of(path).extension == ".csv";
}

// A CSV table has rows for episodes: no other order of axes is possible.
inline Episodes episodes_from_table(const Array& array, const Quantity& quantity) {
  return episodes_from_array(array, {Axis::episode, Axis::step, Axis::component}, quantity);
}

inline void append_rows(Matrix& rows, const Matrix& more) {
  const Index before = rows.rows();
  rows.conservativeResize(before + more.rows(), more.cols());
  rows.bottomRows(more.rows()) = more;
}

}  // namespace loopcert

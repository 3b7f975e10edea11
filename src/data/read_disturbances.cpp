// Disturbance trajectories from files: names and axes say what is what, nothing is guessed.
#include <fmt/format.h>

#include <algorithm>

#include "core/file.hpp"
#include "core/work.hpp"
#include "csv/csv_episodes.hpp"
#include "data/csv.hpp"
#include "data/cut.hpp"
#include "loopcert/core/error.hpp"
#include "loopcert/data/trajectory_files.hpp"
#include "trajectory_rows.hpp"

namespace loopcert {
namespace {

namespace fs = std::filesystem;

// A header is free text unless it speaks our own names: then it must mean what we expect.
void check_names(const Names& found, const Sizes& sizes) {
  const Names expected = trajectory_column_names(sizes);
  if (found.size() != expected.size() || found == expected) return;

  Names sorted_found = found, sorted_expected = expected;
  std::sort(sorted_found.begin(), sorted_found.end());
  std::sort(sorted_expected.begin(), sorted_expected.end());
  if (sorted_found == sorted_expected) {
    const auto at = std::mismatch(found.begin(), found.end(), expected.begin());
    throw_input_error(fmt::format("row 1, column {}", at.first - found.begin() + 1), *at.first,
                      *at.second + ": the columns are out of order");
  }

  const auto is_state = [](const std::string& name) { return name.starts_with("x0_"); };
  const auto n_w = static_cast<Index>(std::count_if(found.begin(), found.end(), is_state));
  if (n_w == 0 || sizes.d_w() % n_w != 0) return;
  const Sizes other = state_feedback(n_w, sizes.n_u, sizes.d_w() / n_w - 1);
  if (found == trajectory_column_names(other))
    throw_input_error("row 1", fmt::format("names for n_x = {} and T = {}", other.n_w, other.T),
                      fmt::format("n_x = {} and T = {}", sizes.n_w, sizes.T));
}

Episodes csv_disturbances(const std::string& text, const DataLayout& layout, const Sizes& sizes) {
  const Quantity w = disturbances_of(sizes, layout);
  // What we wrote ourselves says so, whatever the logs look like that it was made from.
  if (parse_csv_header(text) == trajectory_column_names(sizes))
    return episodes_from_table(parse_csv(text), w);
  if (layout.long_rows) return long_episodes(text, layout, sizes, false).w;
  if (!layout.disturbances.empty()) {
    if (auto found = wide_episodes(text, layout, w)) return *std::move(found);
    throw_input_error("row 1", "no column of data.disturbances at step 0",
                      "the names of data.pattern");
  }
  const Array array = parse_csv(text);
  check_names(array.columns, sizes);
  return episodes_from_table(array, w);
}

Matrix file_disturbances(const fs::path& path, const DataLayout& layout, const Sizes& sizes) {
  if (is_csv(path)) {
    const std::string text = read_file(path, largest_file);
    return at_place(path.string(), [&] {
      return cut_disturbances(csv_disturbances(text, layout, sizes), layout, sizes);
    });
  }
  const Array array = read_array(path, layout.w_name);
  return at_place(path.string(), [&] {
    return cut_disturbances(disturbance_episodes(array, layout, sizes), layout, sizes);
  });
}

}  // namespace

Disturbances read_disturbances(const Paths& paths, const DataLayout& layout, const Sizes& sizes) {
  Disturbances data;
  Work work("read", std::ssize(paths));
  for (const fs::path& path : paths) {
    append_rows(data.w, file_disturbances(path, layout, sizes));
    work.add();
  }
  check_disturbances(data, sizes);
  return data;
}

Disturbances read_disturbances(const fs::path& path, const Sizes& sizes) {
  return read_disturbances(Paths{path}, DataLayout{}, sizes);
}

}  // namespace loopcert

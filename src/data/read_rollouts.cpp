// Logged episodes from files: a file has states and inputs, or one of them.
#include <optional>

#include "core/file.hpp"
#include "core/work.hpp"
#include "csv/csv_episodes.hpp"
#include "data/csv.hpp"
#include "data/cut.hpp"
#include "data/logs.hpp"
#include "data/offsets.hpp"
#include "excerpt.hpp"
#include "loopcert/core/error.hpp"
#include "loopcert/data/trajectory_files.hpp"
#include "trajectory_rows.hpp"

namespace loopcert {
namespace {

namespace fs = std::filesystem;

// What one file has of an episode's states and inputs, and of offsets that are known.
struct FileRollouts {
  std::optional<Episodes> x, u, d = {};
};

Quantity offsets_in(const Sizes& s, const DataLayout& layout) {
  return {"d", s.T + (layout.last_input ? 1 : 0), s.n_x, layout.longer != Longer::refuse};
}

// By the names that loopcert itself would write: d0_0, …, or d0, d1, … of a row for each step.
std::optional<Episodes> csv_offsets(const std::string& text, const DataLayout& layout,
                                    const Sizes& sizes) {
  DataLayout own = layout;
  own.disturbances.clear();
  if (!layout.long_rows) return wide_episodes(text, own, offsets_in(sizes, own));
  own.inputs = component_columns({}, "d", sizes.n_x);
  const Names header = parse_csv_header(text);
  for (const ColumnSpec& column : own.inputs)
    if (!find_column(header, column)) return std::nullopt;
  Sizes read = sizes;
  read.n_u = sizes.n_x;
  return long_episodes(text, own, read, true).u;
}

// A .csv without names that we know, or a .npy: states or inputs, by its place in the list.
FileRollouts nameless_rollouts(const Array& array, const DataLayout& layout, const Sizes& sizes,
                               bool is_input) {
  const Quantity quantity = is_input ? inputs_of(sizes, layout) : states_of(sizes, layout);
  Episodes episodes = array.columns.empty() || quantity.log
                          ? episodes_from_array(array, layout.axes, quantity)
                          : episodes_from_table(array, quantity);
  FileRollouts found;
  (is_input ? found.u : found.x) = std::move(episodes);
  return found;
}

FileRollouts csv_rollouts(const std::string& text, const DataLayout& layout, const Sizes& sizes,
                          bool after_states) {
  if (sizes.T > 0 &&
      parse_csv_header(text) == rollout_column_names(sizes, layout)) {  // simulate --paths wrote it
    DataLayout own;
    own.symbol = layout.symbol;
    return {wide_episodes(text, own, states_of(sizes, own)),
            wide_episodes(text, own, inputs_of(sizes, own))};
  }
  if (layout.long_rows) {
    LongEpisodes found = long_episodes(text, layout, sizes, true);
    FileRollouts all{std::move(found.x), std::move(found.u)};
    if (sizes.T > 0) all.d = csv_offsets(text, layout, sizes);
    return all;
  }
  FileRollouts found{wide_episodes(text, layout, states_of(sizes, layout)),
                     wide_episodes(text, layout, inputs_of(sizes, layout))};
  if (found.u && sizes.T > 0) found.d = csv_offsets(text, layout, sizes);
  if (found.x || found.u) return found;
  if (!layout.states.empty() || !layout.inputs.empty())
    throw_input_error("row 1",
                      "no column of data." +
                          std::string(layout.symbol == "y" ? "outputs" : "states") +
                          " or data.inputs at step 0",
                      "the names of data.pattern");
  return nameless_rollouts(parse_csv(text), layout, sizes, after_states);
}

FileRollouts named_rollouts(const NamedArrays& arrays, const DataLayout& layout,
                            const Sizes& sizes) {
  FileRollouts found;
  const auto read = [&](const std::string& name, const Quantity& quantity) {
    const auto array = arrays.find(name);
    if (array == arrays.end()) return std::optional<Episodes>();
    return std::optional(
        at_place(name, [&] { return episodes_from_array(array->second, layout.axes, quantity); }));
  };
  found.x = read(layout.x_name, states_of(sizes, layout));
  found.u = read(layout.u_name, inputs_of(sizes, layout));
  if (found.u && sizes.T > 0) found.d = read("d", offsets_in(sizes, layout));
  return found;
}

FileRollouts file_rollouts(const fs::path& path, const DataLayout& layout, const Sizes& sizes,
                           bool after_states) {
  const ArrayFormat& format = format_of(path);
  if (format.read_named) {
    const std::vector<std::string> names = {layout.x_name, layout.u_name};
    const NamedArrays arrays = [&] {
      try {
        return format.read_named(path, {names[0], names[1], "d"});
      } catch (const InputError&) {
        return format.read_named(path,
                                 names);  // nobody need have a d: the message names the others
      }
    }();
    return at_place(path.string(), [&] { return named_rollouts(arrays, layout, sizes); });
  }
  if (is_csv(path)) {
    const std::string text = read_file(path, largest_file);
    return at_place(path.string(), [&] { return csv_rollouts(text, layout, sizes, after_states); });
  }
  const Array array = format.read(path);
  return at_place(path.string(),
                  [&] { return nameless_rollouts(array, layout, sizes, after_states); });
}

// Block (t, s) of G depends on t - s alone. What inputs before a piece do in it is a part of its
// purified outputs, as the state it starts from is.
bool repeats_itself(const Plant& plant) {
  const Sizes s = plant.sizes();
  for (Index t = 1; t < s.T; ++t) {
    const Index rows = (s.T + 1 - t) * s.n_y;
    if (plant.G.block(t * s.n_y, t * s.n_u, rows, s.n_u) != plant.G.block(0, 0, rows, s.n_u))
      return false;
  }
  return !plant.has_offset();
}

// Pieces of one log start at other steps than 0: the plant must not care.
void check_cutting(const DataLayout& layout, const Plant& plant) {
  const bool varying = plant.A.size() > 1 || plant.B.size() > 1 ||
                       (!plant.has_state() && !repeats_itself(plant)) ||
                       (plant.d.size() > 0 && plant.has_state() &&
                        (plant.d.colwise() - plant.d.col(0)).cwiseAbs().maxCoeff() > 0);
  if (layout.longer == Longer::windows && varying)
    throw InputError(
        "data.longer: \"windows\" is not possible, because the system varies in time (refuse or "
        "first is)");
}

}  // namespace

namespace {

// Hands the states of every episode with their inputs and offsets to `take`, file by file.
template <class Take>
void pair_files(const Paths& paths, const DataLayout& layout, const Sizes& sizes,
                const Take& take) {
  std::optional<Episodes> states;  // of the file before, still without inputs
  fs::path before;
  Work work("read", std::ssize(paths));
  for (const fs::path& path : paths) {
    work.add();
    FileRollouts found = file_rollouts(path, layout, sizes, states.has_value());
    if (states && found.x)
      throw InputError(path.string() + ": states, and the inputs to the states of " +
                       before.string() + " are still missing");
    if (!states && !found.x)
      throw InputError(path.string() + ": inputs alone, with no file of states before it");
    if (found.x) states = std::move(found.x);
    before = path;
    if (!found.u) continue;
    at_place(path.string(), [&] { take(*states, *found.u, found.d.value_or(Episodes())); });
    states.reset();
  }
  if (states)
    throw InputError(before.string() + ": states alone, with no file of inputs after it" +
                     (format_of(before).read_named
                          ? " (inputs are the variable " + excerpt(layout.u_name) +
                                " unless data.variables says otherwise)"
                          : ""));
}

}  // namespace

KnownEpisodes read_known_episodes(const Paths& paths, const DataLayout& layout,
                                  const Plant& plant) {
  const Sizes sizes = plant.sizes();
  Sizes of_offsets = sizes;
  of_offsets.n_u = sizes.n_x;
  check_cutting(layout, plant);
  KnownEpisodes all;
  pair_files(paths, layout, sizes, [&](const Episodes& x, const Episodes& u, const Episodes& d) {
    const Rollouts more = cut_rollouts(x, u, layout, sizes);
    if ((d.size() > 0) != (all.d.rows() > 0) && all.logs.x.rows() > 0)
      throw InputError("d: in some of the files alone");
    append_rows(all.logs.x, more.x);
    append_rows(all.logs.u, more.u);
    if (d.size() > 0) append_rows(all.d, cut_rollouts(x, d, layout, of_offsets).u);
  });
  return all;
}

Rollouts read_rollouts(const Paths& paths, const DataLayout& layout, const Plant& plant) {
  return read_known_episodes(paths, layout, plant).logs;
}

Logs read_long_logs(const Paths& paths, const DataLayout& layout, Index n_y, Index n_u) {
  if (layout.longer != Longer::refuse)
    throw InputError("data.longer: there is nothing to cut when the horizon is infinite");
  Logs logs;
  pair_files(paths, layout, state_feedback(n_y, n_u, 0),
             [&](const Episodes& x, const Episodes& u, const Episodes&) {
               check_counts(x, u);
               for (size_t i = 0; i < x.size(); ++i) {
                 check_inputs(i, x[i], u[i]);
                 logs.push_back({x[i], u[i].topRows(x[i].rows() - 1)});
               }
             });
  return logs;
}

}  // namespace loopcert

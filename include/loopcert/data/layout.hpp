// How log files name things: the [data] section of a problem file. What it does not say is not
// guessed.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "loopcert/core/types.hpp"

namespace loopcert {

// A column: `name` or `name [unit]` in the header. A value v of the file counts as factor (v -
// zero).
struct ColumnSpec {
  std::string name;
  std::string unit;  // empty: not checked
  double factor = 1;
  double zero = 0;  // the operating point, in the unit of the file

  double value(double in_file) const { return factor * (in_file - zero); }

  bool operator==(const ColumnSpec&) const = default;
};

enum class Axis { episode, step, component };

// What to do with episodes of more than T steps. windows: consecutive pieces of T steps, the last
// state of one being the first of the next when gap = 0.
enum class Longer { refuse, first, windows };

struct DataLayout {
  // What the logged signals are called where nothing else is said: y of outputs.
  std::string symbol = "x";
  // In the order of the problem; empty: the names that loopcert itself writes. Outputs are states
  // here.
  std::vector<ColumnSpec> states, inputs, disturbances;

  // .csv
  bool long_rows = false;                 // one row per step, not per episode
  std::string pattern = "{name}_{step}";  // one row per episode: the column of a name and a step
  ColumnSpec episode;                     // one row per step; no name: each file is one episode
  ColumnSpec step, time;                  // one row per step: exactly one of the two has a name
  double period = 0;                      // between two rows, in the unit of `time`

  // .npy, .npz, .mat, .h5
  std::vector<Axis> axes;                                // empty: not said
  std::string x_name = "x", u_name = "u", w_name = "w";  // variables of .npz, .mat, .h5
  bool last_input = false;  // inputs have one more step than is used: the one at the last state

  Longer longer = Longer::refuse;
  Index gap = 0;               // steps left out between two windows
  bool keep_repeated = false;  // equal episodes are different recordings: the user says so

  static DataLayout of_outputs();  // y in place of x

  bool is_default() const;
  bool operator==(const DataLayout&) const = default;
};

// "name [unit]" apart and together.
ColumnSpec parse_column(const std::string& text);
std::string column_text(const ColumnSpec& column);

// "name - zero [unit]": what the signal of a controller is.
std::string signal_text(const ColumnSpec& column);

// The words of files: episode, step, component; refuse, first, windows.
const std::vector<std::string>& axis_names();
const std::vector<std::string>& longer_names();

}  // namespace loopcert

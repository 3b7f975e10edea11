// A plant by what it does to its outputs: the forms that [system] may have. Adding one is one file,
// form_<name>.cpp, and one line in plant_forms.inc.
#pragma once

#include <functional>

#include "loopcert/system/plant.hpp"
#include "problem/fields.hpp"

namespace loopcert {

// A form as it was read. Nothing of the size of the horizon exists before make() is called.
struct FormRead {
  Index n_y = 0, n_u = 0;
  std::function<void(Plant&)> make;  // sets G, and d where the form has one
};

struct PlantForm {
  std::vector<std::string> keys;  // its own among them
  FormRead (*read)(const Table& system, Index T);
};

// A finite number of matrices n_y x n_u, or of plain numbers where both are 1.
std::vector<Matrix> parameters_of(const Node& node);

// delay, a whole number of steps.
Index whole_delay(const Table& system);

// continuous = true, with its dt; nothing when it is not.
std::optional<double> sampling_time(const Table& system);

// Throws InputError: entries of a list that are not one size, and not of the given rows or columns.
void check_list(const Node& node, const std::vector<Matrix>& list, Index rows, Index cols);

// [system] as one of the forms: nothing without C, impulse, step, transfer or G.
struct ChosenForm {
  PlantForm form;
  std::string key;
};
std::optional<ChosenForm> form_of(const Table& system);

// Its keys as a text that says the same in one way: every number a double.
std::string form_text(const nlohmann::json& system);

}  // namespace loopcert

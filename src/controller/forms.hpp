// Forms in which controllers in use are written down: a gain, PID, lead-lag, state space. Each is a
// causal linear law, and so one K and k over a horizon. Adding one is one file
// forms/form_<name>.cpp and one line in forms.inc.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "loopcert/controller/controller.hpp"
#include "loopcert/core/types.hpp"
#include "loopcert/system/sizes.hpp"

namespace loopcert {

// What a key of a form holds. gain: n_u x n_y, where a number stands for that times I and a list
// for a diagonal; number: one; matrix: of any size.
enum class FormValue { gain, number, matrix };

struct FormKey {
  std::string name;
  FormValue holds = FormValue::gain;
  bool required = false;
};

using FormValues = std::map<std::string, Matrix>;  // a number is 1 x 1

struct ControllerForm {
  std::string name;
  std::vector<FormKey> keys;  // one without a name: the form is that value
  // The inputs (T n_u rows) for the signal y - setpoint ((T+1) n_y rows), one case to a column.
  // What is not required may be missing. Throws InputError "key: found …".
  Matrix (*inputs)(const FormValues& values, const Sizes& sizes, const Matrix& y) = nullptr;
};

const std::vector<ControllerForm>& controller_forms();
const ControllerForm& controller_form(const std::string& name);  // throws InputError

// u = K y + k of the form at y - setpoint, with `offset` added to every input. setpoint: n_y x T;
// offset: n_u; empty ones are zero.
Controller controller_of_form(const ControllerForm& form, const FormValues& values,
                              const Sizes& sizes, const Matrix& setpoint, const Vector& offset);

}  // namespace loopcert

#include "controller/forms.hpp"

#include "core/check.hpp"
#include "core/find_named.hpp"
#include "core/text.hpp"
#include "form_list.hpp"
#include "loopcert/core/error.hpp"

namespace loopcert {
namespace {

ControllerForm named_form(const std::string& name, ControllerForm form) {
  form.name = name;
  return form;
}

// y_0, …, y_T as functions of (1, y), minus the setpoint. The last one comes after the last input.
Matrix measured(const Sizes& s, const Matrix& setpoint) {
  Matrix y = Matrix::Zero(s.d_y(), 1 + s.d_y());
  y.rightCols(s.d_y()).setIdentity();
  if (setpoint.size() > 0) y.col(0).head(s.T * s.n_y) = -setpoint.reshaped();
  return y;
}

}  // namespace

const std::vector<ControllerForm>& controller_forms() {
  static const std::vector<ControllerForm> table = {
#define ADD(name, maker) named_form(name, maker()),
#include "controller/forms.inc"
  };
  return table;
}

const ControllerForm& controller_form(const std::string& name) {
  for (const ControllerForm& form : controller_forms())
    if (form.name == name) return form;
  std::vector<std::string> names;
  for (const ControllerForm& form : controller_forms()) names.push_back(form.name);
  throw_input_error("baseline", "'" + name + "'", join(names, " | "));
}

Matrix value_or_zero(const FormValues& values, const std::string& key, Index rows, Index cols) {
  const auto found = values.find(key);
  return found == values.end() ? Matrix(Matrix::Zero(rows, cols)) : found->second;
}

double number_or(const FormValues& values, const std::string& key, double otherwise) {
  const auto found = values.find(key);
  return found == values.end() ? otherwise : found->second(0, 0);
}

double positive_of(const FormValues& values, const std::string& key, double otherwise, bool zero) {
  const double value = number_or(values, key, otherwise);
  if (!(value > 0 || (zero && value == 0)))
    throw_input_error(key, number_text(value), zero ? "zero or more" : "a number above zero");
  return value;
}

Controller controller_of_form(const ControllerForm& form, const FormValues& values,
                              const Sizes& sizes, const Matrix& setpoint, const Vector& offset) {
  const Matrix u = form.inputs(values, sizes, measured(sizes, setpoint));
  Controller controller;
  controller.sizes = sizes;
  controller.k = u.col(0);
  if (offset.size() > 0) controller.k += offset.replicate(sizes.T, 1);
  controller.K = u.rightCols(sizes.d_y());
  check_controller(controller);
  return controller;
}

}  // namespace loopcert

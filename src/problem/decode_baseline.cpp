#include "arrays.hpp"
#include "controller/controller_trees.hpp"
#include "controller/fit.hpp"
#include "controller/forms.hpp"
#include "core/check.hpp"
#include "loopcert/controller/controller_file.hpp"
#include "loopcert/core/error.hpp"
#include "sections.hpp"

namespace loopcert {
namespace {

// n_u x n_y: whole, or as a number or a diagonal where there is an input for every measurement.
Matrix decode_gain(const Node& node, const Sizes& s) {
  Matrix gain;
  if (node.value->is_number() || (node.value->is_array() && list_depth(node) == 1)) {
    if (s.n_u != s.n_y)
      refuse(node, "a matrix of " + size_text(s.n_u, s.n_y) + ": a row for each input");
    const Vector diagonal =
        node.value->is_number() ? Vector::Constant(s.n_u, number(node)) : vector_of(node, s.n_u);
    gain = diagonal.asDiagonal();
  } else {
    gain = matrix_of(node);
  }
  check_size(node.path, gain, s.n_u, s.n_y);
  return gain;
}

Matrix decode_value(const Node& node, FormValue holds, const Sizes& s) {
  if (holds == FormValue::gain) return decode_gain(node, s);
  if (holds == FormValue::number) return Matrix::Constant(1, 1, number(node));
  return matrix_of(node);
}

FormValues decode_values(const ControllerForm& form, const Node& node, const Sizes& s) {
  FormValues values;
  if (form.keys.size() == 1 && form.keys[0].name.empty()) {
    values[""] = decode_value(node, form.keys[0].holds, s);
    return values;
  }
  std::vector<std::string> keys;
  for (const FormKey& key : form.keys) keys.push_back(key.name);
  const Table table(node, keys);
  if (node.value->empty()) refuse(node, "some of " + join(keys));
  for (const FormKey& key : form.keys) {
    const std::optional<Node> value =
        key.required ? table.need(key.name, "a value") : table.find(key.name);
    if (value) values[key.name] = decode_value(*value, key.holds, s);
  }
  return values;
}

// One list for all steps, or one for each: n_y x T.
Matrix decode_setpoint(const Node& node, const Sizes& s) {
  if (node.value->is_array() && list_depth(node) == 2) {
    const Matrix rows = matrix_of(node);
    check_size(node.path, rows, s.T, s.n_y);
    return rows.transpose();
  }
  if (node.value->is_number() && s.n_y == 1) return Matrix::Constant(1, s.T, number(node));
  return vector_of(node, s.n_y).replicate(1, s.T);
}

Vector decode_input_offset(const Node& node, const Sizes& s) {
  if (node.value->is_number() && s.n_u == 1) return Vector::Constant(1, number(node));
  return vector_of(node, s.n_u);
}

// From a file, or as records hold it.
Controller decode_controller(const Node& node, const Sizes& s) {
  Controller controller =
      node.value->is_string()
          ? read_controller(text(node))
          : at_place(node.path, [&] { return controller_from_json(*node.value); });
  check_fits(node.path, controller, s, "the problem");
  return controller;
}

}  // namespace

std::optional<Baseline> decode_baseline(const Table& root, const Sizes& sizes, bool identified) {
  const std::optional<Node> section = root.find("baseline");
  if (!section) return std::nullopt;
  if (identified)
    refuse(*section, "nothing where the plant is identified: its certificates compare with none");
  std::vector<std::string> forms;
  for (const ControllerForm& form : controller_forms()) forms.push_back(form.name);
  forms.insert(forms.end(), {"file", "controller"});
  std::vector<std::string> keys = forms;
  keys.insert(keys.end(), {"setpoint", "offset", "fallback"});
  const Table table(*section, keys);
  std::optional<Node> given;
  Baseline baseline;
  for (const std::string& form : forms) {
    const std::optional<Node> node = table.find(form);
    if (!node) continue;
    if (given) refuse(*node, "one controller: " + given->path + " is another");
    given = node;
    baseline.form = form == "file" ? "controller" : form;
  }
  if (!given) refuse(*section, "a controller: one of " + join(forms));
  if (const auto node = table.find("fallback")) baseline.fallback = boolean(*node);
  const std::optional<Node> setpoint = table.find("setpoint"), offset = table.find("offset");
  if (baseline.form == "controller") {
    for (const std::optional<Node>& node : {setpoint, offset})
      if (node) refuse(*node, "nothing: the file has a k of its own");
    baseline.controller = decode_controller(*given, sizes);
    return baseline;
  }
  if (setpoint) baseline.setpoint = decode_setpoint(*setpoint, sizes);
  if (offset) baseline.offset = decode_input_offset(*offset, sizes);
  const ControllerForm& form = controller_form(baseline.form);
  baseline.values = decode_values(form, *given, sizes);
  baseline.controller = at_place(given->path, [&] {
    return controller_of_form(form, baseline.values, sizes, baseline.setpoint, baseline.offset);
  });
  return baseline;
}

nlohmann::json baseline_section(const Baseline& baseline) {
  nlohmann::json section = {{"fallback", baseline.fallback}};
  if (baseline.form == "controller") {
    section["controller"] = controller_to_json(baseline.controller);
    return section;
  }
  const ControllerForm& form = controller_form(baseline.form);
  nlohmann::json& given = section[form.name];
  for (const FormKey& key : form.keys) {
    const auto value = baseline.values.find(key.name);
    if (value == baseline.values.end()) continue;
    nlohmann::json& at = key.name.empty() ? given : given[key.name];
    at = key.holds == FormValue::number ? nlohmann::json(value->second(0, 0))
                                        : rows_from_matrix(value->second);
  }
  if (baseline.setpoint.size() > 0)
    section["setpoint"] = rows_from_matrix(baseline.setpoint.transpose());
  if (baseline.offset.size() > 0) section["offset"] = list_from_vector(baseline.offset);
  return section;
}

}  // namespace loopcert

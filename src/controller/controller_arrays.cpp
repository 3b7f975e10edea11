// A controller as arrays: K, k, horizon, n_x, n_u, input_limits, learned_from as n x 2 halves of 32
// bits, for recordings of disturbances and logs NAME_rows, NAME_bits, NAME_first, NAME_later, and
// provenance as the bytes of a JSON object: what is written into C code must survive a detour.
#include <fmt/format.h>

#include <charconv>
#include <cmath>
#include <nlohmann/json.hpp>

#include "controller/controller_trees.hpp"
#include "core/check.hpp"
#include "core/json.hpp"
#include "loopcert/controller/controller_file.hpp"
#include "loopcert/core/error.hpp"
#include "recordings_json.hpp"

namespace loopcert {
namespace {

constexpr size_t half = 8;  // hexadecimal digits

Array scalar(Index value) { return {{1}, {static_cast<double>(value)}, {}}; }

Array halves(const std::vector<std::string>& fingerprints) {
  Array array{{static_cast<Index>(fingerprints.size()), 2}, {}, {}};
  for (const std::string& text : fingerprints)
    for (const size_t begin : {size_t{0}, half}) {
      std::uint32_t value = 0;
      std::from_chars(text.data() + begin, text.data() + begin + half, value, 16);
      array.values.push_back(value);
    }
  return array;
}

std::vector<std::string> whole_fingerprints(const Array& array) {
  if (array.shape.size() != 2 || array.shape[1] != 2)
    throw_input_error("learned_from", shape_text(array.shape), "n x 2");
  std::vector<std::string> fingerprints;
  for (size_t i = 0; i < array.values.size(); i += 2) {
    std::string text;
    for (const double value : {array.values[i], array.values[i + 1]}) {
      if (!(value >= 0 && value <= 4294967295.0) || value != std::floor(value))
        throw_input_error("learned_from", fmt::format("{}", value), "whole numbers of 32 bits");
      text += fmt::format("{:08x}", static_cast<std::uint32_t>(value));
    }
    fingerprints.push_back(text);
  }
  return fingerprints;
}

Array list_array(const std::vector<double>& values) {
  return {{1, static_cast<Index>(values.size())}, values, {}};
}

// Whole numbers below 2^47 are exact in double precision.
void add_traces(NamedArrays& arrays, const std::string& of, const Traces& traces) {
  arrays[of + "_rows"] = {
      {traces.n(), traces.steps()}, {traces.rows.begin(), traces.rows.end()}, {}};
  Array bits{{2, traces.steps()}, {traces.lost.begin(), traces.lost.end()}, {}};
  bits.values.insert(bits.values.end(), traces.most.begin(), traces.most.end());
  arrays[of + "_bits"] = bits;
  arrays[of + "_first"] = list_array(traces.first);
  arrays[of + "_later"] = list_array(traces.later);
}

// Arrays hold finite numbers only: input_limited, of ones and zeros, says which sides there are.
void add_limits(NamedArrays& arrays, const Matrix& limits) {
  if (limits.size() == 0) return;
  const Matrix sides = limits.array().isFinite().cast<double>();
  arrays["input_limits"] = array_from_matrix((sides.array() > 0).select(limits, 0.0));
  arrays["input_limited"] = array_from_matrix(sides);
}

Matrix read_limits(const NamedArrays& arrays) {
  if (!arrays.contains("input_limits")) return {};
  const auto matrix = [&](const char* name) {
    return at_place(name, [&] { return matrix_from_array(arrays.at(name)); });
  };
  Matrix limits = matrix("input_limits");
  if (!arrays.contains("input_limited")) return limits;
  const Matrix sides = matrix("input_limited");
  if (limits.cols() != 2)
    throw_input_error("input_limits", shape_text(arrays.at("input_limits").shape), "n_u x 2");
  check_size("input_limited", sides, limits.rows(), 2);
  for (Index i = 0; i < limits.rows(); ++i) {
    if (sides(i, 0) == 0) limits(i, 0) = -INFINITY;
    if (sides(i, 1) == 0) limits(i, 1) = INFINITY;
  }
  return limits;
}

Array bytes_of(const std::map<std::string, std::string>& provenance) {
  const auto replace = nlohmann::json::error_handler_t::replace;  // names may be no UTF-8
  const std::string text = nlohmann::json(provenance).dump(-1, ' ', true, replace);
  Array array{{static_cast<Index>(text.size())}, {}, {}};
  for (const char c : text) array.values.push_back(static_cast<unsigned char>(c));
  return array;
}

std::map<std::string, std::string> provenance_of(const Array& array) {
  std::string text;
  for (const double value : array.values) {
    if (!(value >= 1 && value <= 127) || value != std::floor(value))
      throw_input_error("provenance", fmt::format("{}", value), "the codes of ASCII characters");
    text += static_cast<char>(value);
  }
  const nlohmann::json tree = at_place("provenance", [&] { return parse_json(text); });
  if (!tree.is_object()) throw_input_error("provenance", tree.type_name(), "an object");
  std::map<std::string, std::string> provenance;
  for (const auto& [key, value] : tree.items())
    provenance[key] = value.is_string() ? value.get<std::string>() : value.dump();
  return provenance;
}

const Array& need(const NamedArrays& arrays, const std::string& name) {
  const auto found = arrays.find(name);
  if (found == arrays.end()) throw_input_error(name, "nothing", "an array of this name");
  return found->second;
}

Index size_of(const NamedArrays& arrays, const std::string& name) {
  const Array& array = need(arrays, name);
  const bool one = array.values.size() == 1;
  const double value = one ? array.values[0] : 0;
  if (!one || !(value >= 1 && value <= 1e6) || value != std::floor(value))
    throw_input_error(name, one ? fmt::format("{}", value) : shape_text(array.shape),
                      "one whole number from 1 to 1000000");
  return static_cast<Index>(value);
}

std::int64_t whole(const std::string& name, double value, double limit) {
  if (!(std::abs(value) <= limit) || value != std::floor(value))
    throw_input_error(name, fmt::format("{}", value), fmt::format("whole numbers to {}", limit));
  return static_cast<std::int64_t>(value);
}

Traces read_traces(const NamedArrays& arrays, const std::string& of) {
  Traces traces;
  const Array &rows = need(arrays, of + "_rows"), &bits = need(arrays, of + "_bits");
  if (rows.shape.size() != 2) throw_input_error(of + "_rows", shape_text(rows.shape), "n x steps");
  if (bits.shape.size() != 2 || bits.shape[0] != 2 || bits.shape[1] != rows.shape[1])
    throw_input_error(of + "_bits", shape_text(bits.shape), fmt::format("2 x {}", rows.shape[1]));
  for (size_t i = 0; i < bits.values.size(); ++i)
    (2 * i < bits.values.size() ? traces.lost : traces.most)
        .push_back(static_cast<int>(whole(of + "_bits", bits.values[i], 64)));
  for (const double value : rows.values) traces.rows.push_back(whole(of + "_rows", value, 0x1p47));
  traces.first = need(arrays, of + "_first").values;
  traces.later = need(arrays, of + "_later").values;
  check_traces(of + "_", traces);
  return traces;
}

}  // namespace

std::vector<std::string> controller_array_names() {
  std::vector<std::string> names = {"K",
                                    "k",
                                    "horizon",
                                    "n_x",
                                    "n_u",
                                    "learned_from",
                                    "provenance",
                                    "input_limits",
                                    "input_limited"};
  for (const char* of : {"disturbances", "logs"})
    for (const char* part : {"_rows", "_bits", "_first", "_later"})
      names.push_back(std::string(of) + part);
  return names;
}

NamedArrays controller_to_arrays(const Controller& controller) {
  NamedArrays arrays = {{"K", array_from_matrix(controller.K)},
                        {"k", array_from_matrix(controller.k)},
                        {"horizon", scalar(controller.sizes.T)},
                        {"n_x", scalar(controller.sizes.n_y)},
                        {"n_u", scalar(controller.sizes.n_u)}};
  if (!controller.learned_from.empty()) arrays["learned_from"] = halves(controller.learned_from);
  for (const auto& [of, traces] : controller.recordings) add_traces(arrays, of, traces);
  if (!controller.provenance.empty()) arrays["provenance"] = bytes_of(controller.provenance);
  add_limits(arrays, controller.input_limits);
  return arrays;
}

Controller controller_from_arrays(const NamedArrays& arrays) {
  Controller controller;
  controller.sizes =
      state_feedback(size_of(arrays, "n_x"), size_of(arrays, "n_u"), size_of(arrays, "horizon"));
  const Array& K = need(arrays, "K");
  controller.K = at_place("K", [&] { return matrix_from_array(K); });
  const Array& k = need(arrays, "k");
  controller.k = Eigen::Map<const Vector>(k.values.data(), static_cast<Index>(k.values.size()));
  if (arrays.contains("learned_from"))
    controller.learned_from = whole_fingerprints(arrays.at("learned_from"));
  for (const std::string of : {"disturbances", "logs"})
    if (arrays.contains(of + "_rows")) controller.recordings[of] = read_traces(arrays, of);
  if (arrays.contains("provenance")) controller.provenance = provenance_of(arrays.at("provenance"));
  controller.input_limits = read_limits(arrays);
  check_controller(controller);
  return controller;
}

}  // namespace loopcert

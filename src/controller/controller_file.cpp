#include "loopcert/controller/controller_file.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "controller/controller_trees.hpp"
#include "controller/input_limits.hpp"
#include "core/file.hpp"
#include "core/json.hpp"
#include "core/json_fields.hpp"
#include "core/text.hpp"
#include "data/formats.hpp"
#include "loopcert/core/error.hpp"
#include "recordings_json.hpp"

namespace loopcert {
namespace {

using nlohmann::json;

constexpr std::uintmax_t size_limit = std::uintmax_t{4} << 30;
constexpr const char* format_name = "loopcert controller 1";

Index size_field(const json& tree, const char* key) { return whole_field(tree, key, 1, 1'000'000); }

Vector numbers(const json& row, const std::string& place, Index size) {
  const std::vector<double> values = numbers_in(row, place);
  if (static_cast<Index>(values.size()) != size)
    throw_input_error(place, fmt::format("{} entries", values.size()), std::to_string(size));
  return Eigen::Map<const Vector>(values.data(), size);
}

std::vector<std::string> fingerprints(const json& list) {
  if (!list.is_array()) throw_input_error("learned_from", list.type_name(), "a list of texts");
  std::vector<std::string> found;
  for (const json& entry : list) {
    const std::string text = entry.is_string() ? entry.get<std::string>() : "";
    const bool hexadecimal = text.find_first_not_of("0123456789abcdef") == text.npos;
    if (text.size() != 16 || !hexadecimal)
      throw_input_error(fmt::format("learned_from[{}]", found.size()), one_line(entry.dump()),
                        "16 hexadecimal digits");
    found.push_back(text);
  }
  return found;
}

}  // namespace

json controller_to_json(const Controller& controller) {
  json K = json::array();
  for (Index i = 0; i < controller.K.rows(); ++i) {
    const Vector row = controller.K.row(i);
    K.push_back(std::vector<double>(row.begin(), row.end()));
  }
  json tree = {{"format", format_name},
               {"horizon", controller.sizes.T},
               {"n_x", controller.sizes.n_y},
               {"n_u", controller.sizes.n_u},
               {"K", K},
               {"k", std::vector<double>(controller.k.begin(), controller.k.end())},
               {"learned_from", controller.learned_from},
               {"provenance", controller.provenance}};
  if (!controller.recordings.empty())
    tree["recordings"] = recordings_to_json(controller.recordings);
  if (controller.input_limits.size() > 0)
    tree["input_limits"] = input_limits_to_json(controller.input_limits);
  return tree;
}

Controller controller_from_json(const json& tree) {
  require_format(tree, format_name);
  if (text_at(tree, "horizon") == "infinite")
    throw InputError(
        "horizon: \"infinite\": a controller with memory, which only `export` takes, not one for a "
        "number of steps");
  Controller controller;
  controller.sizes =
      state_feedback(size_field(tree, "n_x"), size_field(tree, "n_u"), size_field(tree, "horizon"));
  const Sizes& s = controller.sizes;
  const json& K = field(tree, "K");
  if (!K.is_array() || static_cast<Index>(K.size()) != s.d_u())
    throw_input_error("K", fmt::format("{} rows", K.is_array() ? K.size() : 0),
                      std::to_string(s.d_u()));
  // Every row's length is checked before the matrix is made: memory follows the file's own size.
  for (Index i = 0; i < s.d_u(); ++i) {
    const json& row = K[static_cast<size_t>(i)];
    if (!row.is_array() || static_cast<Index>(row.size()) != s.d_y())
      throw_input_error(fmt::format("K[{}]", i),
                        fmt::format("{} entries", row.is_array() ? row.size() : 0),
                        std::to_string(s.d_y()));
  }
  controller.K.resize(s.d_u(), s.d_y());
  for (Index i = 0; i < s.d_u(); ++i)
    controller.K.row(i) = numbers(K[static_cast<size_t>(i)], fmt::format("K[{}]", i), s.d_y());
  controller.k = numbers(field(tree, "k"), "k", s.d_u());
  if (const auto found = tree.find("provenance"); found != tree.end()) {
    if (!found->is_object()) throw_input_error("provenance", found->type_name(), "an object");
    for (const auto& [key, value] : found->items())
      controller.provenance[key] = value.is_string() ? value.get<std::string>() : value.dump();
  }
  if (const auto found = tree.find("learned_from"); found != tree.end())
    controller.learned_from = fingerprints(*found);
  if (const auto found = tree.find("recordings"); found != tree.end())
    controller.recordings = recordings_from_json(*found);
  controller.input_limits = input_limits_of(tree, s.n_u);
  check_controller(controller);
  return controller;
}

Controller read_controller(const std::filesystem::path& path) {
  for (const ArrayFormat& format : array_formats())
    if (format.read_named && path.extension() == format.extension) {
      const NamedArrays arrays = format.read_named(path, controller_array_names());
      return at_place(path.string(), [&] { return controller_from_arrays(arrays); });
    }
  const std::string text = read_file(path, size_limit);
  return at_place(path.string(), [&] { return controller_from_json(parse_json(text)); });
}

void write_controller(const std::filesystem::path& path, const Controller& controller) {
  write_file(path, controller_to_json(controller).dump(1) + "\n");
}

}  // namespace loopcert

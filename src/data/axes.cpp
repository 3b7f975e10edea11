#include "data/axes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>

#include "core/check.hpp"
#include "core/text.hpp"
#include "loopcert/core/error.hpp"

namespace loopcert {
namespace {

using Order = std::vector<Axis>;

size_t place(Axis axis) { return static_cast<size_t>(axis); }

std::string order_text(const Order& order) {
  std::vector<std::string> names;
  for (const Axis axis : order) names.push_back(axis_names()[place(axis)]);
  return join(names, " x ");
}

// The shape with every axis of `order`, where it is possible to tell: merged axes taken apart.
std::optional<std::vector<Index>> split_shape(const std::vector<Index>& shape, const Order& order,
                                              Index components) {
  if (shape.size() == order.size()) return shape;
  if (shape.size() == 1 && order.size() == 2 && components == 1)  // one component needs no axis
    return order[0] == Axis::step ? std::vector<Index>{shape[0], 1}
                                  : std::vector<Index>{1, shape[0]};
  if (shape.size() != 2 || order.size() != 3 || order[1] == Axis::episode) return std::nullopt;
  const bool front = order[0] == Axis::episode;
  const Index merged = shape[front ? 1 : 0];
  if (merged % components != 0) return std::nullopt;
  std::vector<Index> full;
  for (const Axis axis : order)
    full.push_back(axis == Axis::episode     ? shape[front ? 0 : 1]
                   : axis == Axis::component ? components
                                             : merged / components);
  return full;
}

struct Reading {
  Order order;
  std::array<Index, 3> size{1, 1, 1};    // of episode, step, component
  std::array<Index, 3> stride{0, 0, 0};  // in values
};

// How the array reads in this order, if its sizes allow it.
std::optional<Reading> read_as(const std::vector<Index>& shape, const Order& order,
                               const Quantity& q) {
  const auto full = split_shape(shape, order, q.components);
  if (!full) return std::nullopt;
  Reading reading{order};
  Index stride = 1;
  for (size_t i = order.size(); i-- > 0;) {
    reading.size[place(order[i])] = (*full)[i];
    reading.stride[place(order[i])] = stride;
    stride *= (*full)[i];
  }
  const Index steps = reading.size[place(Axis::step)];
  const bool fits = reading.size[place(Axis::component)] == q.components &&
                    (steps == q.steps || (q.longer && steps > q.steps));
  return fits ? std::optional(reading) : std::nullopt;
}

// The same numbers in the same places: axes of one entry do not matter.
bool same_reading(const Reading& a, const Reading& b) {
  if (a.size != b.size) return false;
  for (size_t i = 0; i < 3; ++i)
    if (a.size[i] > 1 && a.stride[i] != b.stride[i]) return false;
  return true;
}

// Every way the array could be meant. The merged axes of a table are step by step in all of them:
// that is how trajectories are defined.
std::vector<Reading> readings(const std::vector<Index>& shape, const Quantity& q) {
  constexpr Axis E = Axis::episode, S = Axis::step, C = Axis::component;
  std::vector<Order> orders = {{E, S, C}, {S, C, E}, {S, C}, {C, S}};
  if (shape.size() == 3)
    orders = {{E, S, C}, {S, E, C}, {S, C, E}, {C, S, E}, {E, C, S}, {C, E, S}};
  std::vector<Reading> found;
  for (const Order& order : orders) {
    const auto reading = read_as(shape, order, q);
    const auto same = [&](const Reading& other) { return same_reading(*reading, other); };
    if (reading && std::none_of(found.begin(), found.end(), same)) found.push_back(*reading);
  }
  return found;
}

std::string expected_shape(const Quantity& q) {
  const std::string more = q.longer ? " or more" : "";
  return fmt::format("n x {}{} or n x {}{} x {}", q.steps * q.components, more, q.steps, more,
                     q.components);
}

// An array that several orders fit, or only one that nobody named.
[[noreturn]] void refuse_readings(const Array& array, const std::vector<Reading>& found,
                                  const Quantity& q) {
  std::vector<std::string> texts;
  for (const Reading& reading : found) texts.push_back(order_text(reading.order));
  const std::string shape = shape_text(array.shape);
  if (found.empty()) throw_input_error("shape", shape, expected_shape(q));
  if (found.size() == 1)
    throw_input_error("shape", shape + ", which reads as " + texts[0],
                      expected_shape(q) + ", or data.axes to say so");
  throw_input_error("axes", shape + ", which reads as " + join(texts, " or as "),
                    "data.axes to say which");
}

Reading choose_reading(const Array& array, const Order& given, const Quantity& q) {
  const Order one_log = {Axis::step, Axis::component};
  const Order& axes = given.empty() && q.log && array.shape.size() <= 2 ? one_log : given;
  if (!axes.empty()) {
    const auto reading = read_as(array.shape, axes, q);
    if (!reading)
      throw_input_error(
          "shape", shape_text(array.shape),
          fmt::format("{}{}, with {}{} steps and {} component{}", order_text(axes),
                      given.empty() ? "" : " as data.axes says", q.steps,
                      q.longer ? " or more" : "", q.components, q.components == 1 ? "" : "s"));
    return *reading;
  }
  const std::vector<Reading> found = readings(array.shape, q);
  const Order usual = {Axis::episode, Axis::step, Axis::component};
  if (found.size() != 1 || found[0].order != usual) refuse_readings(array, found, q);
  return found[0];
}

}  // namespace

Episodes episodes_from_array(const Array& array, const std::vector<Axis>& axes,
                             const Quantity& quantity) {
  const Reading reading = choose_reading(array, axes, quantity);
  const auto [n, steps, components] = reading.size;
  check_at_least("rows", n, 1);
  Episodes episodes;
  episodes.reserve(static_cast<size_t>(n));
  using Strides = Eigen::Stride<Eigen::Dynamic, Eigen::Dynamic>;
  for (Index i = 0; i < n; ++i)
    // Outer stride between columns (components), inner between rows (steps).
    episodes.emplace_back(Eigen::Map<const Matrix, 0, Strides>(
        array.values.data() + i * reading.stride[place(Axis::episode)], steps, components,
        Strides(reading.stride[place(Axis::component)], reading.stride[place(Axis::step)])));
  return episodes;
}

}  // namespace loopcert

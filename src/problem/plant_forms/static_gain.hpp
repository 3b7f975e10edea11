// What a constant input does to the outputs in the end, as the form of a plant says it.
#pragma once

#include <optional>

#include "loopcert/system/plant.hpp"

namespace loopcert {

// All outputs, also those that only tests measure, by inputs. Nothing for a plant that varies, that
// does not settle, or whose form says nothing of what comes after the horizon.
std::optional<Matrix> static_gain(const Plant& plant);

}  // namespace loopcert

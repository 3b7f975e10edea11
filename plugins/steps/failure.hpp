// What can go wrong on a device.
#pragma once

#include <stdexcept>
#include <string>

#include "device/plugin_api.h"

namespace lc {

struct Failure : std::runtime_error {
  Failure(lc_status code, const std::string& text) : std::runtime_error(text), status(code) {}
  lc_status status;
};

}  // namespace lc

#include "loopcert/core/error.hpp"

#include "core/visible.hpp"

namespace loopcert {

InputError::InputError(const std::string& message) : std::runtime_error(visible_line(message)) {}

void throw_input_error(const std::string& place, const std::string& found,
                       const std::string& expected) {
  throw InputError(place + ": found " + found + ", expected " + expected);
}

}  // namespace loopcert

#include "loopcert/core/error.hpp"

namespace loopcert {

void throw_input_error(const std::string& place, const std::string& found,
                       const std::string& expected) {
  throw InputError(place + ": found " + found + ", expected " + expected);
}

}  // namespace loopcert

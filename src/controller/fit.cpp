#include "controller/fit.hpp"

#include <fmt/format.h>

#include "loopcert/core/error.hpp"

namespace loopcert {
namespace {

std::string sizes_text(const Sizes& sizes) {
  return fmt::format("horizon {}, n_x {}, n_u {}", sizes.T, sizes.n_y, sizes.n_u);
}

}  // namespace

void check_fits(const std::string& name, const Controller& controller, const Sizes& expected,
                const std::string& problem_name) {
  const std::string found = sizes_text(controller.sizes), wanted = sizes_text(expected);
  if (found != wanted) throw_input_error(name, found, wanted + " as in " + problem_name);
}

}  // namespace loopcert

#include "loopcert/experiment/controller_fit.hpp"

#include <fmt/format.h>

#include "loopcert/core/error.hpp"

namespace loopcert {
namespace {

std::string sizes_text(const Sizes& sizes) {
  return fmt::format("horizon {}, n_x {}, n_u {}", sizes.T, sizes.n_x, sizes.n_u);
}

}  // namespace

void check_fits(const std::string& path, const Controller& controller, const Problem& problem,
                const std::string& problem_name) {
  const std::string found = sizes_text(controller.sizes), expected = sizes_text(problem.sizes());
  if (found != expected) throw_input_error(path, found, expected + " as in " + problem_name);
}

}  // namespace loopcert

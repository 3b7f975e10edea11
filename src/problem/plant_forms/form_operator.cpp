// G = (T+1) n_y rows of T n_u numbers: all of it, for plants that vary.
#include <fmt/format.h>

#include "loopcert/core/error.hpp"
#include "problem/arrays.hpp"
#include "problem/plant_forms/plant_form.hpp"

namespace loopcert {
namespace {

FormRead read_operator(const Table& system, Index T) {
  const Node node = system.need("G", "a matrix");
  Matrix G = matrix_of(node);
  if (G.rows() % (T + 1) != 0 || G.cols() % T != 0)
    throw_input_error(node.path, fmt::format("{} x {}", G.rows(), G.cols()),
                      fmt::format("{} n_y rows and {} n_u columns", T + 1, T));
  const Index n_y = G.rows() / (T + 1), n_u = G.cols() / T;
  return {n_y, n_u, [G = std::move(G)](Plant& p) { p.G = G; }};
}

}  // namespace

PlantForm operator_plant() { return {{"G", "d"}, read_operator}; }

}  // namespace loopcert

#include "loopcert/system/cost.hpp"

#include <fmt/format.h>

#include "core/check.hpp"
#include "core/linalg.hpp"
#include "loopcert/core/error.hpp"

namespace loopcert {
namespace {

using Check = void (*)(const std::string&, const MatrixView&);

void check_weights(const std::string& name, const std::vector<Matrix>& weights, Index T, Index size,
                   Check definite) {
  const auto count = static_cast<Index>(weights.size());
  if (count != 1 && count != T)
    throw_input_error(name, fmt::format("{} matrices", count),
                      T == 1 ? "1" : fmt::format("1 or {}", T));
  for (Index t = 0; t < count; ++t) {
    const std::string item = count == 1 ? name : fmt::format("{}[{}]", name, t);
    check_size(item, weights[static_cast<size_t>(t)], size, size);
    definite(item, weights[static_cast<size_t>(t)]);
  }
}

// Y block t = weight(t) X block t. `roots` asks for roots F with F'F = weight; a weight that
// repeats is rooted once.
template <class WeightAt>
Matrix apply_blocks(const MatrixView& X, Index blocks, Index size, bool roots, WeightAt weight_at) {
  Matrix Y(X.rows(), X.cols());
  const Matrix* last = nullptr;
  Matrix root;
  for (Index t = 0; t < blocks; ++t) {
    const Matrix& weight = weight_at(t);
    if (roots && &weight != last) root = scaled_root(weight);
    last = &weight;
    Y.middleRows(t * size, size).noalias() = (roots ? root : weight) * X.middleRows(t * size, size);
  }
  return Y;
}

}  // namespace

void check_cost(const Cost& cost, const Sizes& sizes) {
  check_weights("cost.Q", cost.Q, sizes.T, sizes.n_x, check_positive_semidefinite);
  check_weights("cost.R", cost.R, sizes.T, sizes.n_u, check_positive_definite);
  check_size("cost.P", cost.P, sizes.n_x, sizes.n_x);
  check_positive_semidefinite("cost.P", cost.P);
  if (cost.reference.size() == 0) return;
  check_size("cost.reference", cost.reference, sizes.n_x, sizes.T + 1);
  check_finite("cost.reference", cost.reference);
}

Vector tracking_error(const Cost& cost, const VectorView& x) {
  if (cost.reference.size() == 0) return x;
  return x - cost.reference.reshaped();
}

void check_system(const System& system) {
  check_plant(system.plant);
  check_cost(system.cost, system.sizes());
}

Matrix apply_Q(const Cost& cost, const Sizes& s, const MatrixView& X) {
  return apply_blocks(X, s.T + 1, s.n_x, false,
                      [&](Index t) -> const Matrix& { return cost.Q_at(t, s.T); });
}

Matrix apply_R(const Cost& cost, const Sizes& s, const MatrixView& X) {
  return apply_blocks(X, s.T, s.n_u, false, [&](Index t) -> const Matrix& { return cost.R_at(t); });
}

Matrix apply_sqrt_Q(const Cost& cost, const Sizes& s, const MatrixView& X) {
  return apply_blocks(X, s.T + 1, s.n_x, true,
                      [&](Index t) -> const Matrix& { return cost.Q_at(t, s.T); });
}

Matrix apply_sqrt_R(const Cost& cost, const Sizes& s, const MatrixView& X) {
  return apply_blocks(X, s.T, s.n_u, true, [&](Index t) -> const Matrix& { return cost.R_at(t); });
}

}  // namespace loopcert

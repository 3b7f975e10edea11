#include "loopcert/system/plant.hpp"

#include <fmt/format.h>

#include "core/check.hpp"
#include "loopcert/core/error.hpp"
#include "system/unseen.hpp"

namespace loopcert {
namespace {

// One matrix, or one for each of the T steps, all rows x cols and finite.
void check_sequence(const std::string& name, const std::vector<Matrix>& sequence, Index T,
                    Index rows, Index cols) {
  const auto count = static_cast<Index>(sequence.size());
  if (count != 1 && count != T)
    throw_input_error(name, fmt::format("{} matrices", count),
                      T == 1 ? "1" : fmt::format("1 or {}", T));
  for (Index t = 0; t < count; ++t) {
    const std::string item = count == 1 ? name : fmt::format("{}[{}]", name, t);
    check_size(item, sequence[static_cast<size_t>(t)], rows, cols);
    check_finite(item, sequence[static_cast<size_t>(t)]);
  }
}

// Of B only the rows are known: one for each state.
void check_rows_of_B(const Matrix& B, Index n_x) {
  if (B.rows() == n_x) return;
  throw_input_error("system.B", size_text(B.rows(), B.cols()),
                    fmt::format("{} rows, one for each state of A, and a column for each input{}",
                                n_x, B.cols() == n_x ? " (transposed?)" : ""));
}

// Strictly causal: block (t, s) is zero unless s < t.
void check_operator(const std::string& name, const Matrix& G, Index T, Index n_u) {
  if (G.rows() == 0 || G.rows() % (T + 1) != 0)
    throw_input_error(name, size_text(G.rows(), G.cols()),
                      fmt::format("rows for {} steps and columns for {}", T + 1, T));
  check_size(name, G, G.rows(), T * n_u);
  check_finite(name, G);
  const Index n = G.rows() / (T + 1);
  for (Index s = 0; s < T; ++s)
    if (!G.block(0, s * n_u, (s + 1) * n, n_u).isZero(0.0))
      throw_input_error(name, fmt::format("an effect of input {} at step {} or before", s, s),
                        "effects on later steps alone");
}

void check_outputs(const Plant& plant) {
  const Index T = plant.T, n_u = plant.G.cols() / T;
  check_at_least("system.G columns", n_u, 1);
  check_operator("system.G", plant.G, T, n_u);
  if (plant.G_x.size() > 0) check_operator("system.G_x", plant.G_x, T, n_u);
  const Index unseen = unseen_outputs(plant);
  if (unseen < 0) throw InputError("system.G_x: fewer rows than G");
  if (plant.d.size() == 0) return;
  if (plant.G_x.size() > 0 && unseen == 0)
    throw_input_error("system.d", "an offset", "none where the cost is not on outputs");
  check_size("system.d", plant.d, plant.sizes().n_x, T);
  check_finite("system.d", plant.d);
}

}  // namespace

Sizes Plant::sizes() const {
  if (has_state()) return state_feedback(B.at(0).rows(), B.at(0).cols(), T);
  const Index n_y = G.rows() / (T + 1), n_x = G_x.rows() / (T + 1), n_u = G.cols() / T;
  if (n_x == 0) return {n_y, n_y, n_y, n_u, T};
  if (unseen_outputs(*this) > 0) return {n_x, n_x, n_y, n_u, T};
  return {n_x, n_y + n_x, n_y, n_u, T};
}

Vector Plant::stacked_offset() const {
  const Sizes s = sizes();
  Vector offset = Vector::Zero(s.d_w());
  if (d.size() == 0) return offset;
  if (has_state()) {
    offset.tail(s.T * s.n_x) = d.reshaped();
    return offset;
  }
  const std::vector<Index> places = free_places(*this);
  const Vector stacked = d.reshaped();
  for (Index i = 0; i < stacked.size(); ++i)
    offset(places[static_cast<size_t>(s.n_x + i)]) = stacked(i);
  return offset;
}

void check_plant(const Plant& plant) {
  check_at_least("horizon", plant.T, 1);
  if (!plant.has_state()) return check_outputs(plant);
  if (plant.A.empty()) throw_input_error("system.A", "nothing", "a matrix");
  if (plant.B.empty()) throw_input_error("system.B", "nothing", "a matrix");
  const Index n_x = plant.A[0].rows();
  const Index n_u = plant.B[0].cols();
  check_at_least("system.A rows", n_x, 1);
  check_at_least("system.B columns", n_u, 1);
  check_sequence("system.A", plant.A, plant.T, n_x, n_x);
  check_rows_of_B(plant.B[0], n_x);
  check_sequence("system.B", plant.B, plant.T, n_x, n_u);
  if (plant.d.size() > 0) {
    check_size("system.d", plant.d, n_x, plant.T);
    check_finite("system.d", plant.d);
  }
}

}  // namespace loopcert

// H, h, selection, theta_0, N, M_k and M_G from the matrix coordinates.
#include "loopcert/response/vectorized.hpp"

#include <fmt/format.h>

#include "loopcert/core/error.hpp"
#include "response/response.hpp"
#include "response/space.hpp"

namespace loopcert {
namespace {

constexpr Index largest_p = 4000;        // G is a p x p matrix of 128 MB
constexpr Index largest_H = 10'000'000;  // entries

using Triplets = std::vector<Eigen::Triplet<double>>;

SparseMatrix sparse(Index rows, Index cols, const Triplets& entries) {
  SparseMatrix matrix(rows, cols);
  matrix.setFromTriplets(entries.begin(), entries.end());
  return matrix;
}

// A causal entry of Phi_x or Phi_u (x = state or not), or of the offsets (column = d_w).
struct Unknown {
  bool state;
  Index row, column;
};

// In the order of theta: column by column, what comes before its cause left out.
std::vector<Unknown> unknowns_of(const Sizes& s, bool affine) {
  std::vector<Unknown> unknowns;
  for (Index j = 0; j < s.d_w(); ++j)
    for (Index i = j / s.n_x * s.n_x; i < s.d_x(); ++i) unknowns.push_back({true, i, j});
  for (Index j = 0; j < s.d_w(); ++j)
    for (Index i = j / s.n_x * s.n_u; i < s.d_u(); ++i) unknowns.push_back({false, i, j});
  if (!affine) return unknowns;
  for (Index i = 0; i < s.d_x(); ++i) unknowns.push_back({true, i, s.d_w()});
  for (Index i = 0; i < s.d_u(); ++i) unknowns.push_back({false, i, s.d_w()});
  return unknowns;
}

// Where it stands in (vec Phi_x, vec Phi_u, phi_x, phi_u).
Index place_of(const Unknown& u, const Sizes& s) {
  if (u.column == s.d_w())
    return (s.d_x() + s.d_u()) * s.d_w() + (u.state ? u.row : s.d_x() + u.row);
  return u.state ? u.column * s.d_x() + u.row : s.d_x() * s.d_w() + u.column * s.d_u() + u.row;
}

// F = [I - Z_A, -Z_B] acts on each column of (Phi_x; Phi_u) and on (phi_x; phi_u).
SparseMatrix constraint(const Plant& plant, const std::vector<Unknown>& unknowns, Index rows) {
  const Sizes s = plant.sizes();
  Triplets entries;
  for (size_t k = 0; k < unknowns.size(); ++k) {
    const Unknown& u = unknowns[k];
    const Index first = u.column * s.d_w();  // of the equations of this column
    const auto add = [&](Index equation, double value) {
      if (value != 0) entries.emplace_back(first + equation, static_cast<Index>(k), value);
    };
    if (u.state) add(u.row, 1);
    const Index t = u.row / (u.state ? s.n_x : s.n_u);
    if (t == s.T) continue;  // x_T: nothing follows
    const auto effect =
        u.state ? plant.A_at(t).col(u.row % s.n_x) : plant.B_at(t).col(u.row % s.n_u);
    for (Index q = 0; q < s.n_x; ++q) add((t + 1) * s.n_x + q, -effect(q));
  }
  return sparse(rows, static_cast<Index>(unknowns.size()), entries);
}

// Column k: S e_i e_j' in place of a response, so T_u and G T_u column by column.
SparseMatrix null_space(const Vectorized& form, const Coordinates& c,
                        const std::vector<Unknown>& unknowns) {
  const Index d_w = form.sizes.d_w();
  // Directions by the column of the response that they change.
  std::vector<std::vector<Index>> of_column(static_cast<size_t>(d_w) + 1);
  for (Index k = 0; k < form.p(); ++k) {
    const Index j = form.column[static_cast<size_t>(k)] - (form.constant ? 1 : 0);
    of_column[static_cast<size_t>(j < 0 ? d_w : j)].push_back(k);
  }
  Triplets entries;
  for (size_t l = 0; l < unknowns.size(); ++l) {
    const Unknown& u = unknowns[l];
    const Matrix& map = u.state ? c.G_T : c.T_u;
    for (const Index k : of_column[static_cast<size_t>(u.column)]) {
      const double value = map(u.row, form.row[static_cast<size_t>(k)]);
      if (value != 0) entries.emplace_back(static_cast<Index>(l), k, value);
    }
  }
  return sparse(static_cast<Index>(unknowns.size()), form.p(), entries);
}

// P = S'S on each column of Z.
SparseMatrix gramian(const Vectorized& form) {
  const Matrix P = form.S.transpose() * form.S;
  Triplets entries;
  for (size_t k = 0; k < form.row.size(); ++k)
    for (size_t l = 0; l < form.row.size(); ++l)
      if (form.column[k] == form.column[l])
        entries.emplace_back(static_cast<Index>(k), static_cast<Index>(l),
                             P(form.row[k], form.row[l]));
  return sparse(form.p(), form.p(), entries);
}

void check_limits(const Sizes& s, Index p) {
  const std::string place = "vectorized form";
  if (p > largest_p)
    throw_input_error(place, fmt::format("p = {}", p),
                      fmt::format("at most {}: it writes every matrix out", largest_p));
  const Index blocks = (s.T + 1) * (s.T + 2) / 2;  // of Phi_x
  const double entries = static_cast<double>(blocks) * static_cast<double>(s.n_x * s.n_x) *
                             static_cast<double>(1 + s.n_x) +
                         static_cast<double>(p) * static_cast<double>(s.n_x);
  if (entries > static_cast<double>(largest_H))
    throw_input_error(place, fmt::format("up to {:.3g} entries in H", entries),
                      fmt::format("at most {}", largest_H));
}

}  // namespace

Vectorized vectorized(const System& system, const ResponseOptions& options) {
  if (!system.plant.has_state())
    throw InputError("the vectorized form is the paper's: it needs a state that is measured");
  const Sizes s = system.sizes();
  check_limits(s, CausalPattern{s, options.affine, options.affine}.count());
  const Coordinates c = make_response_space(system, options).coordinates;
  const CausalPattern& pattern = c.pattern;
  Vectorized form;
  form.sizes = s;
  form.affine = options.affine;
  form.constant = pattern.constant;
  for (Index j = pattern.first_free_column(); j < pattern.end_free_column(); ++j)
    for (Index i = pattern.first_row(j); i < pattern.rows(); ++i) {
      form.row.push_back(i);
      form.column.push_back(j);
    }

  const std::vector<Unknown> unknowns = unknowns_of(s, form.affine);
  const Index offsets = form.affine ? 1 : 0;
  Triplets places;
  for (size_t k = 0; k < unknowns.size(); ++k)
    places.emplace_back(place_of(unknowns[k], s), static_cast<Index>(k), 1.0);
  form.selection =
      sparse(s.d_xu() * (s.d_w() + offsets), static_cast<Index>(unknowns.size()), places);
  const Index equations = s.d_w() * (s.d_w() + offsets);
  form.H = constraint(system.plant, unknowns, equations);
  form.h = Vector::Zero(equations);
  form.h.head(s.d_w() * s.d_w()) = Matrix::Identity(s.d_w(), s.d_w()).reshaped();
  if (form.affine) form.h.tail(s.d_w()) = system.plant.stacked_offset();

  form.start = response_at(system, c, Matrix::Zero(pattern.rows(), pattern.cols()));
  form.theta_0 = theta_of(form, form.start);
  form.N = null_space(form, c, unknowns);
  form.S.resize(s.d_xu(), s.d_u());
  form.S << apply_sqrt_Q(system.cost, s, c.G_T), apply_sqrt_R(system.cost, s, c.T_u);
  const WeightedResponse y = weighted_response(system.cost, s, form.start);
  form.M_0 = y.M;
  form.m_0 = y.m;
  form.M_G = gramian(form);
  return form;
}

}  // namespace loopcert

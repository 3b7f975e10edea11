// transfer = { num, den[, delay] }, or rows of them, one row for each output: polynomials by
// descending powers of z; with continuous = true of s, and the delay in the unit of dt.
#include <algorithm>

#include "loopcert/core/error.hpp"
#include "problem/arrays.hpp"
#include "problem/plant_forms/plant_form.hpp"
#include "system/markov.hpp"

namespace loopcert {
namespace {

using Numbers = std::vector<double>;

// Without the zeros in front.
Numbers polynomial(const Node& node) {
  const Vector all = vector_of(node);
  const auto first = std::find_if(all.begin(), all.end(), [](double c) { return c != 0; });
  return {first, all.end()};
}

// x' = A x + B u, y = C x with the polynomials in A's first row and in C.
Numbers continuous_response(const Numbers& num, const Numbers& den, double dt, double dead_time,
                            Index T) {
  const auto n = static_cast<Index>(den.size()) - 1;
  Matrix A = Matrix::Zero(n, n), B = Matrix::Zero(n, 1), C = Matrix::Zero(1, n);
  for (Index i = 0; i < n; ++i) {
    A(0, i) = -den[static_cast<size_t>(i + 1)] / den[0];
    if (i + 1 < n) A(i + 1, i) = 1;
  }
  B(0, 0) = 1;
  const auto m = static_cast<Index>(num.size());
  for (Index i = 0; i < m; ++i) C(0, n - m + i) = num[static_cast<size_t>(i)] / den[0];
  Numbers h;
  for (const Matrix& entry : markov_of(sample_held(A, B, dt, dead_time), C, T))
    h.push_back(entry(0, 0));
  return h;
}

// One channel: what an input does to an output 1, …, T steps later.
Numbers channel(const Node& node, const std::optional<double>& dt, Index T) {
  if (!node.value->is_object()) refuse(node, "a table with num and den");
  const Table table(node, {"num", "den", "delay"});
  const Node num_node = table.need("num", "the coefficients of a polynomial"),
             den_node = table.need("den", "the coefficients of a polynomial");
  const Numbers num = polynomial(num_node), den = polynomial(den_node);
  if (den.empty()) refuse(den_node, "a polynomial that is not zero");
  if (num.empty()) return Numbers(static_cast<size_t>(T), 0.0);
  if (dt) {
    if (num.size() >= den.size())
      refuse(num_node, "fewer powers than den has: outputs must not jump with the inputs");
    const auto delay = table.find("delay");
    const double dead_time = delay ? number(*delay) : 0;
    if (dead_time < 0 || dead_time > 1e5 * *dt) refuse(*delay, "0 or more, up to 100000 dt");
    return at_place(node.path, [&] { return continuous_response(num, den, *dt, dead_time, T); });
  }
  const Index delay = whole_delay(table);
  const size_t lowest = den.size() - (delay == 0 ? 1 : 0);  // powers that num may have
  if (num.size() > lowest)
    refuse(num_node, delay == 0 ? "fewer powers than den has: an input must not act at once"
                                : "no more powers than den has");
  Numbers h = fraction_response(num, den, T);
  if (delay > 0) {  // the coefficient of z^0 comes first, after the delay
    h.insert(h.begin(), num.size() == den.size() ? num[0] / den[0] : 0.0);
    h.insert(h.begin(), static_cast<size_t>(delay - 1), 0.0);
  }
  h.resize(static_cast<size_t>(T));
  return h;
}

FormRead read_transfer(const Table& system, Index T) {
  const Node node = system.need("transfer", "{ num, den }");
  const auto dt = sampling_time(system);
  std::vector<std::vector<Node>> channels;
  if (node.value->is_object())
    channels = {{node}};
  else
    for (const Node& row : items(node, "{ num, den }, or a row of them for each output"))
      channels.push_back(items(row, "a row of { num, den }, one for each input"));
  const size_t n_y = channels.size(), n_u = channels[0].size();
  Markov markov(static_cast<size_t>(T),
                Matrix::Zero(static_cast<Index>(n_y), static_cast<Index>(n_u)));
  for (size_t i = 0; i < n_y; ++i) {
    if (channels[i].size() != n_u)
      throw InputError(node.path + ": rows of different lengths: one entry for each input");
    for (size_t j = 0; j < n_u; ++j) {
      const Numbers h = channel(channels[i][j], dt, T);
      for (size_t k = 0; k < markov.size(); ++k)
        markov[k](static_cast<Index>(i), static_cast<Index>(j)) = h[k];
    }
  }
  return {static_cast<Index>(n_y), static_cast<Index>(n_u),
          [markov = std::move(markov)](Plant& p) { p.G = operator_of(markov, p.T); }};
}

}  // namespace

PlantForm transfer_plant() { return {{"transfer", "continuous", "dt", "d"}, read_transfer}; }

}  // namespace loopcert

// Functionals of a closed loop that are quadratic in its signals (x, u): the cost, or a row of a
// limit. A functional is a value; in the coordinates of a response it is a quadratic form
// (quadratic_form.hpp). Adding one is one function that makes this value.
#pragma once

#include <functional>

#include "loopcert/core/types.hpp"
#include "loopcert/system/cost.hpp"

namespace loopcert {

// Stacked signals, one response per column: d_x and d_u rows.
struct Signals {
  Matrix x, u;
};

// E (x - reference, u)' W (x - reference, u) for a positive semidefinite W.
struct Functional {
  std::function<Signals(const MatrixView& X, const MatrixView& U)> weigh;  // W [X; U]
  Vector reference = {};  // d_x, subtracted from x before; empty: zero
};

// W = blkdiag(Qbar, Rbar).
Functional cost_functional(const Cost& cost, const Sizes& sizes);

// E (g_x'x + g_u'u)^2: one row of a limit, W = g g'.
Functional row_functional(Vector g_x, Vector g_u);

}  // namespace loopcert

// How responses are parametrized: chosen before any data is seen.
#pragma once

#include <string>

#include "loopcert/core/types.hpp"

namespace loopcert {

enum class Basis { orthonormal, input, cost, given };
enum class Start { min_norm, lqr, zero_input };

struct ResponseOptions {
  bool affine = false;  // adds the offset column (a feedforward term k in the controller)
  Start start = Start::min_norm;
  Basis basis = Basis::orthonormal;
  Matrix basis_matrix = {};  // T_u of a basis that is given: d_u x d_u, lower triangular
};

// Around LQR, in coordinates whose unit is that of the cost: no unit of a state or an input enters,
// and no plant that LQR stabilizes loses digits.
inline ResponseOptions around_lqr(bool affine) { return {affine, Start::lqr, Basis::cost, {}}; }

// The names used in files: "orthonormal", "input", "cost", "given"; "min-norm", "lqr",
// "zero-input". Unknown names throw InputError that lists the known ones.
Basis basis_from_name(const std::string& name);
Start start_from_name(const std::string& name);
std::string basis_name(Basis basis);
std::string start_name(Start start);

}  // namespace loopcert

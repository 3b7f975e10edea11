// Named checks of input. Each throws InputError "name: found …, expected …" and returns nothing.
#pragma once

#include <string>

#include "loopcert/core/types.hpp"

namespace loopcert {

void check_finite(const std::string& name, const MatrixView& value);
void check_finite(const std::string& name, double value);
void check_size(const std::string& name, const MatrixView& value, Index rows, Index cols);
void check_positive(const std::string& name, double value);
void check_at_least(const std::string& name, Index value, Index least);
void check_probability(const std::string& name, double value);  // in (0, 1)

// In units of its own diagonal: |a_ij - a_ji| <= 1e-12 sqrt(|a_ii a_jj|).
void check_symmetric(const std::string& name, const MatrixView& value);

// Symmetric with no eigenvalue below -1e-12 max|lambda|; singular is allowed.
void check_positive_semidefinite(const std::string& name, const MatrixView& value);

// Symmetric with every eigenvalue above 1e-13 max|lambda|.
void check_positive_definite(const std::string& name, const MatrixView& value);

// "2 x 3": how sizes are written in messages.
std::string size_text(Index rows, Index cols);

}  // namespace loopcert

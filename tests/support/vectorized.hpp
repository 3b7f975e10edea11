// The paper's vectorized form (app:sls_vectorized_constraints): H theta = h over the causal entries
// of (Phi_x, Phi_u) and the offsets, a particular solution and an orthonormal null-space basis. It
// is the independent route: nothing here uses the matrix coordinates of the library.
#pragma once

#include <vector>

#include "loopcert/system/cost.hpp"
#include "response/response.hpp"

namespace loopcert::testing {

struct VectorizedForm {
  Matrix H;  // rows of the constraint
  Vector h;
  Matrix S;        // selection: vec(Phi) and phi from the causal entries
  Vector theta_0;  // minimum-norm solution of H theta = h
  Matrix N;        // orthonormal basis of ker(H): p columns
};

// `affine` keeps the offset (phi_x, phi_u) as unknowns; otherwise they are zero and left out.
VectorizedForm vectorized_form(const System& system, bool affine);

// The response of theta.
Response response_of(const System& system, const VectorizedForm& form, const Vector& theta);

// theta of a response.
Vector theta_of(const VectorizedForm& form, const Response& response, bool affine);

}  // namespace loopcert::testing

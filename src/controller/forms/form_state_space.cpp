// state-space: z_{t+1} = A z_t + B y_t, u_t = C z_t + D y_t, z_0 = 0.
#include "core/check.hpp"
#include "form_list.hpp"

namespace loopcert {
namespace {

Matrix state_space_inputs(const FormValues& values, const Sizes& s, const Matrix& y) {
  const Matrix &A = values.at("A"), &B = values.at("B"), &C = values.at("C");
  const Matrix D = value_or_zero(values, "D", s.n_u, s.n_y);
  check_size("A", A, A.rows(), A.rows());
  check_size("B", B, A.rows(), s.n_y);
  check_size("C", C, s.n_u, A.rows());
  check_size("D", D, s.n_u, s.n_y);
  Matrix u(s.d_u(), y.cols()), z = Matrix::Zero(A.rows(), y.cols());
  for (Index t = 0; t < s.T; ++t) {
    const auto now = y.middleRows(t * s.n_y, s.n_y);
    u.middleRows(t * s.n_u, s.n_u) = C * z + D * now;
    z = (A * z + B * now).eval();
  }
  return u;
}

}  // namespace

ControllerForm state_space_form() {
  return {"",
          {{"A", FormValue::matrix, true},
           {"B", FormValue::matrix, true},
           {"C", FormValue::matrix, true},
           {"D", FormValue::matrix}},
          state_space_inputs};
}

}  // namespace loopcert

// pid: u_t = p e_t + i I_t + d D_t with e = setpoint - y,
//   I_t = I_{t-1} + dt e_t,  I_{-1} = 0                                    (backward Euler)
//   D_t = (filter D_{t-1} + e_t - e_{t-1}) / (filter + dt),  D_0 = 0      (filter D' + D = e')
// It is the linear law: no saturation, and so no anti-windup.
#include "form_list.hpp"

namespace loopcert {
namespace {

Matrix pid_inputs(const FormValues& values, const Sizes& s, const Matrix& y) {
  const Matrix p = value_or_zero(values, "p", s.n_u, s.n_y),
               i = value_or_zero(values, "i", s.n_u, s.n_y),
               d = value_or_zero(values, "d", s.n_u, s.n_y);
  const double dt = positive_of(values, "dt", 1);
  const double filter = positive_of(values, "filter", 0, /*zero=*/true);
  Matrix u(s.d_u(), y.cols());
  Matrix integral = Matrix::Zero(s.n_y, y.cols()), derivative = integral, before;
  for (Index t = 0; t < s.T; ++t) {
    const Matrix e = -y.middleRows(t * s.n_y, s.n_y);
    integral += dt * e;
    if (t > 0) derivative = (filter * derivative + e - before) / (filter + dt);
    u.middleRows(t * s.n_u, s.n_u) = p * e + i * integral + d * derivative;
    before = e;
  }
  return u;
}

}  // namespace

ControllerForm pid_form() {
  return {"",
          {{"p"}, {"i"}, {"d"}, {"filter", FormValue::number}, {"dt", FormValue::number}},
          pid_inputs};
}

}  // namespace loopcert

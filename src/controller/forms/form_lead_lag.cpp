// lead-lag: lag v' + v = gain (lead e' + e) with e = setpoint - y, by the trapezoidal rule:
//   (2 lag/dt + 1) v_t = (2 lag/dt - 1) v_{t-1} + gain ((2 lead/dt + 1) e_t - (2 lead/dt - 1)
//   e_{t-1}), v_0 = gain e_0                                            (at rest until the first
//   measurement)
#include "form_list.hpp"

namespace loopcert {
namespace {

Matrix lead_lag_inputs(const FormValues& values, const Sizes& s, const Matrix& y) {
  const Matrix& gain = values.at("gain");
  const double dt = positive_of(values, "dt", 1);
  const double lead = 2 * positive_of(values, "lead", 0, /*zero=*/true) / dt;
  const double lag = 2 * positive_of(values, "lag", 0, /*zero=*/true) / dt;
  Matrix u(s.d_u(), y.cols());
  Matrix v, before;
  for (Index t = 0; t < s.T; ++t) {
    const Matrix e = -y.middleRows(t * s.n_y, s.n_y);
    if (t == 0)
      v = gain * e;
    else
      v = ((lag - 1) * v + gain * ((lead + 1) * e - (lead - 1) * before)) / (lag + 1);
    u.middleRows(t * s.n_u, s.n_u) = v;
    before = e;
  }
  return u;
}

}  // namespace

ControllerForm lead_lag_form() {
  return {"",
          {{"gain", FormValue::gain, true},
           {"lead", FormValue::number, true},
           {"lag", FormValue::number, true},
           {"dt", FormValue::number}},
          lead_lag_inputs};
}

}  // namespace loopcert

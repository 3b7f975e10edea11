// gain: u_t = gain y_t.
#include "form_list.hpp"

namespace loopcert {
namespace {

Matrix gain_inputs(const FormValues& values, const Sizes& s, const Matrix& y) {
  const Matrix& gain = values.at("");
  Matrix u(s.d_u(), y.cols());
  for (Index t = 0; t < s.T; ++t)
    u.middleRows(t * s.n_u, s.n_u) = gain * y.middleRows(t * s.n_y, s.n_y);
  return u;
}

}  // namespace

ControllerForm gain_form() { return {"", {{"", FormValue::gain, true}}, gain_inputs}; }

}  // namespace loopcert

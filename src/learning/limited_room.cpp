#include <algorithm>
#include <cmath>

#include "learning/limited_mean.hpp"
#include "response/limit_rows.hpp"

namespace loopcert {

// Of the distances A and B to the two ends the deviation tau is homogeneous: with a = A / tau, b =
// B / tau and densities phi it solves Phi(-a) + Phi(-b) = share, so d tau = (phi_a dA + phi_b dB) /
// (a phi_a + b phi_b), and its second derivative vanishes along (A, B).
Room room_of(double low, double high, double unit, double mean, double excess, double share) {
  const double A = high - mean + excess * unit, B = mean - low + excess * unit;
  Room room;
  if (!(A > 0 && B > 0)) return room;
  // Concave up to one half; who allows more gets that.
  constexpr double most = 0.49;
  const double tau = largest_deviation(-B, A, 0, std::min(share, most));
  room.deviation = tau;
  const auto density = [](double x) { return std::exp(-0.5 * x * x); };
  const bool two = std::isfinite(A) && std::isfinite(B);
  const double a = A / tau, b = B / tau;
  const double fa = std::isfinite(A) ? density(a) : 0, fb = std::isfinite(B) ? density(b) : 0;
  const double whole = (fa > 0 ? a * fa : 0.0) + (fb > 0 ? b * fb : 0.0);
  room.slope = {(fb - fa) / whole, unit * (fa + fb) / whole};
  if (!two) return room;
  const double by_mean = room.slope(0);
  const double da = (-1 - a * by_mean) / tau, db = (1 - b * by_mean) / tau;
  const double change = a * fa * da - b * fb * db;  // of fb - fa
  const double whole_change = da * fa * (1 - a * a) + db * fb * (1 - b * b);
  const double curvature = (change - by_mean * whole_change) / whole;
  room.bend = std::max(0.0, -curvature) / ((A + B) * (A + B));
  room.along = {-(A + B), unit * (B - A)};
  return room;
}

}  // namespace loopcert

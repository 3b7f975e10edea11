#include "learning/second_order_cones.hpp"

#include <algorithm>
#include <cmath>

namespace loopcert {
namespace {

using ConeVector = Eigen::Ref<const Vector>;

ConeVector cone_part(const Vector& all, const Cone& cone) {
  return all.segment(cone.begin, cone.size);
}

// (2 v v' - J) x with v = (w + e) / sqrt(2 (w_0 + 1)); for the inverse of it w has the sign of its
// second part changed.
void reflect(const ConeVector& w, double sign, const ConeVector& x, Eigen::Ref<Vector> out) {
  const Index k = w.size() - 1;
  const double v0 = std::sqrt(0.5 * (w(0) + 1)), scale = 0.5 * sign / v0;  // v_1 = scale * w_1
  const double inner = v0 * x(0) + scale * w.tail(k).dot(x.tail(k));
  out(0) = 2 * inner * v0 - x(0);
  out.tail(k) = 2 * inner * scale * w.tail(k) + x.tail(k);
}

}  // namespace

double determinant(const Cone& cone, const Vector& s) {
  const double t = s(cone.begin), norm = s.segment(cone.begin + 1, cone.size - 1).norm();
  return (t - norm) * (t + norm);
}

double longest_step(const Cone& cone, const Vector& s, const Vector& change, double most) {
  const Index k = cone.size - 1;
  const auto x = s.segment(cone.begin + 1, k), dx = change.segment(cone.begin + 1, k);
  const double t = s(cone.begin), dt = change(cone.begin);
  // c + 2 b step + a step^2, the determinant along the way, must stay positive, and so must t.
  const double a = dt * dt - dx.squaredNorm(), b = t * dt - x.dot(dx), c = determinant(cone, s);
  if (dt < 0) most = std::min(most, -t / dt);
  const double root = b * b - a * c;
  if (root >= 0 && (b < 0 || a < 0)) {
    const double below = std::sqrt(root) - b;
    if (below > 0) most = std::min(most, c / below);
  }
  return most;
}

ConeScaling::ConeScaling(const std::vector<Cone>& cones, const Vector& s, const Vector& u)
    : w(s.size()), beta(std::ssize(cones)), lambda(s.size()) {
  for (size_t i = 0; i < cones.size(); ++i) {
    const Cone& cone = cones[i];
    const double det_s = determinant(cone, s), det_u = determinant(cone, u);
    const double per_s = 1 / std::sqrt(det_s), per_u = 1 / std::sqrt(det_u);
    const double inner = cone_part(s, cone).dot(cone_part(u, cone)) * per_s * per_u;
    const double gamma = std::sqrt(0.5 * (1 + inner));
    auto now = w.segment(cone.begin, cone.size);
    now = per_s * cone_part(s, cone);
    now(0) += per_u * u(cone.begin);
    now.tail(cone.size - 1) -= per_u * u.segment(cone.begin + 1, cone.size - 1);
    now /= 2 * gamma;
    const double scale = std::sqrt(std::sqrt(det_s / det_u));
    beta(static_cast<Index>(i)) = scale;
    auto out = lambda.segment(cone.begin, cone.size);
    reflect(now, 1, cone_part(u, cone), out);
    out *= scale;
  }
}

Vector ConeScaling::right_side(const std::vector<Cone>& cones, double mu, const Vector& ds,
                               const Vector& du) const {
  Vector f(lambda.size()), d, scaled_s, scaled_u;
  for (size_t i = 0; i < cones.size(); ++i) {
    const Cone& cone = cones[i];
    const Index k = cone.size - 1;
    const ConeVector l = cone_part(lambda, cone), now = cone_part(w, cone);
    const double scale = beta(static_cast<Index>(i));
    d.resize(cone.size);
    d(0) = mu - l.squaredNorm();
    d.tail(k) = -2 * l(0) * l.tail(k);
    if (ds.size() > 0) {
      scaled_s.resize(cone.size);
      scaled_u.resize(cone.size);
      reflect(now, -1, cone_part(ds, cone), scaled_s);  // times 1 / scale
      reflect(now, 1, cone_part(du, cone), scaled_u);   // times scale
      d(0) -= scaled_s.dot(scaled_u);
      d.tail(k) -= scaled_s(0) * scaled_u.tail(k) + scaled_u(0) * scaled_s.tail(k);
    }
    // lambda o f = d
    const double norm = l.tail(k).norm();
    const double f0 = (l(0) * d(0) - l.tail(k).dot(d.tail(k))) / ((l(0) - norm) * (l(0) + norm));
    d.tail(k) = (d.tail(k) - f0 * l.tail(k)) / l(0);
    d(0) = f0;
    auto out = f.segment(cone.begin, cone.size);
    reflect(now, -1, d, out);
    out /= scale;
  }
  return f;
}

}  // namespace loopcert

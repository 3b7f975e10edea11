#include "learning/vectors.hpp"

#include "core/parts.hpp"

namespace loopcert {
namespace {

struct HostVector : HeldVector {
  explicit HostVector(Index size) : x(size) {}
  Vector x;
};

class HostVectors : public Vectors {
 public:
  explicit HostVectors(Team& team) : team_(team) {}

  Held make(Index size) override { return std::make_unique<HostVector>(size); }
  void write(const Vector& values, HeldVector& x) override { on_host(x) = values; }
  Vector read(const HeldVector& x) override { return on_host(x); }

  double dot(const HeldVector& x, const HeldVector& y) override {
    const Vector &a = on_host(x), &b = on_host(y);
    return sum_parts(team_, by_length(a.size()),
                     [&](const Part& part) { return part(a).dot(part(b)); });
  }

  void negate(const HeldVector& x, HeldVector& d) override {
    const Vector& from = on_host(x);
    Vector& to = on_host(d);
    for_parts(team_, by_length(to.size()), [&](const Part& part) { part(to) = -part(from); });
  }

  void step(const HeldVector& x, double t, const HeldVector& y, HeldVector& d) override {
    const Vector &from = on_host(x), &along = on_host(y);
    Vector& to = on_host(d);
    for_parts(team_, by_length(to.size()),
              [&](const Part& part) { part(to) = part(from) + t * part(along); });
  }

  double differences(const HeldVector& x, const HeldVector& y, HeldVector& d, const HeldVector& u,
                     const HeldVector& v, HeldVector& e) override {
    const Vector &x_now = on_host(x), &x_before = on_host(y), &now = on_host(u),
                 &before = on_host(v);
    Vector &step = on_host(d), &change = on_host(e);
    return sum_parts(team_, by_length(step.size()), [&](const Part& part) {
      part(step) = part(x_now) - part(x_before);
      part(change) = part(now) - part(before);
      return part(step).dot(part(change));
    });
  }

  double add_and_dot(double factor, double t, const HeldVector& x, HeldVector& d,
                     const HeldVector& y) override {
    const Vector &added = on_host(x), &next = on_host(y);
    Vector& to = on_host(d);
    return sum_parts(team_, by_length(to.size()), [&](const Part& part) {
      part(to) = factor * (part(to) + t * part(added));
      return part(next).dot(part(to));
    });
  }

 private:
  Team& team_;
};

}  // namespace

std::unique_ptr<Vectors> host_vectors(Team& team) { return std::make_unique<HostVectors>(team); }

Vector& on_host(HeldVector& x) { return static_cast<HostVector&>(x).x; }
const Vector& on_host(const HeldVector& x) { return static_cast<const HostVector&>(x).x; }

}  // namespace loopcert

// Long vectors where the work on them is done: in this computer's memory, or in that of another
// device. The optimizer holds them by handle and reads numbers only.
#pragma once

#include <memory>

#include "core/team.hpp"
#include "loopcert/core/types.hpp"

namespace loopcert {

// A vector in some device's memory. Only the `Vectors` that made it can look inside.
class HeldVector {
 public:
  virtual ~HeldVector() = default;
};
using Held = std::unique_ptr<HeldVector>;

// What the optimizer does with vectors, each in one pass over memory. Results do not depend on how
// many threads or streams do it. `d` may be none of the other arguments.
class Vectors {
 public:
  virtual ~Vectors() = default;

  virtual Held make(Index size) = 0;
  virtual void write(const Vector& values, HeldVector& x) = 0;
  virtual Vector read(const HeldVector& x) = 0;

  virtual double dot(const HeldVector& x, const HeldVector& y) = 0;
  virtual void negate(const HeldVector& x, HeldVector& d) = 0;  // d = -x
  virtual void step(const HeldVector& x, double t, const HeldVector& y,
                    HeldVector& d) = 0;  // d = x + t y
  // d = x - y, e = u - v; returns d'e.
  virtual double differences(const HeldVector& x, const HeldVector& y, HeldVector& d,
                             const HeldVector& u, const HeldVector& v, HeldVector& e) = 0;
  // d = factor (d + t x); returns y'd.
  virtual double add_and_dot(double factor, double t, const HeldVector& x, HeldVector& d,
                             const HeldVector& y) = 0;
};

// In this computer's memory. The caller keeps the team alive.
std::unique_ptr<Vectors> host_vectors(Team& team);
Vector& on_host(HeldVector& x);  // of those alone
const Vector& on_host(const HeldVector& x);

}  // namespace loopcert

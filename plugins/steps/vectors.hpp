// Long vectors on a device: learning/vectors.hpp, each operation in one pass over memory.
#pragma once

#include "matrix.hpp"

namespace lc {

template <class Machine>
struct Vector {
  Vector(Machine& machine_, long size) : machine(machine_), arena(machine_), x(arena.array(size)) {}

  Machine& machine;
  Arena<Machine> arena;
  Array x;
};

template <class Machine>
double dot(Machine& machine, const Array& x, const Array& y) {
  const Array out = machine.results();
  machine.template sums<1>(
      x.size, [=] LC_KERNEL(long i, double* s) { s[0] += x[i] * y[i]; }, out, 0);
  return machine.result();
}

template <class Machine>
void negate(Machine& machine, const Array& x, const Array& d) {
  machine.along(d.size, [=] LC_KERNEL(long i) { d[i] = -x[i]; });
}

template <class Machine>
void step(Machine& machine, const Array& x, double t, const Array& y, const Array& d) {
  machine.along(d.size, [=] LC_KERNEL(long i) { d[i] = x[i] + t * y[i]; });
}

template <class Machine>
double differences(Machine& machine, const Array& x, const Array& y, const Array& d, const Array& u,
                   const Array& v, const Array& e) {
  const Array out = machine.results();
  machine.template sums<1>(
      d.size,
      [=] LC_KERNEL(long i, double* s) {
        d[i] = x[i] - y[i];
        e[i] = u[i] - v[i];
        s[0] += d[i] * e[i];
      },
      out, 0);
  return machine.result();
}

template <class Machine>
double add_and_dot(Machine& machine, double factor, double t, const Array& x, const Array& d,
                   const Array& y) {
  const Array out = machine.results();
  machine.template sums<1>(
      d.size,
      [=] LC_KERNEL(long i, double* s) {
        d[i] = factor * (d[i] + t * x[i]);
        s[0] += y[i] * d[i];
      },
      out, 0);
  return machine.result();
}

}  // namespace lc

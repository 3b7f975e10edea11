// The plugin of a machine: the table of device/plugin_api.h over its vectors and bounds. Nothing
// throws across the border.
#pragma once

#include <cstring>
#include <exception>
#include <memory>
#include <new>
#include <string>

#include "bound.hpp"
#include "vectors.hpp"

namespace lc {

template <class Machine>
struct Plugin {
  struct Device {
    Machine machine;
    std::string message;
  };
  struct HeldVector {
    HeldVector(Device& on, long size) : device(on), vector(on.machine, size) {}
    Device& device;
    Vector<Machine> vector;
  };
  struct HeldBound {
    HeldBound(Device& on, const lc_bound_inputs& in) : device(on), bound(on.machine, in) {
      bound.prepare();
    }
    Device& device;
    Bound<Machine> bound;
  };

  static Device& of(lc_device* device) { return *reinterpret_cast<Device*>(device); }
  static HeldVector& of(lc_vector* x) { return *reinterpret_cast<HeldVector*>(x); }
  static const HeldVector& of(const lc_vector* x) {
    return *reinterpret_cast<const HeldVector*>(x);
  }
  static HeldBound& of(lc_bound* bound) { return *reinterpret_cast<HeldBound*>(bound); }
  static Array array(const lc_vector* x) { return of(x).vector.x; }

  template <class Action>
  static int guarded(Device& device, const Action& action) {
    try {
      action(device.machine);
      return LC_OK;
    } catch (const Failure& failure) {
      device.message = failure.what();
      return failure.status;
    } catch (const std::bad_alloc&) {
      device.message = "out of memory";
      return LC_OUT_OF_MEMORY;
    } catch (const std::exception& error) {
      device.message = error.what();
      return LC_LOST;
    }
  }
  template <class Held, class Action>
  static int with(Held* held, const Action& action) {
    auto& it = of(held);
    return guarded(it.device, [&](Machine&) { action(it); });
  }

  static int open(lc_device** device, char* why, size_t why_size) {
    std::string text = "out of memory";
    int status = LC_NO_DEVICE;
    try {
      *device = reinterpret_cast<lc_device*>(new Device);
      return LC_OK;
    } catch (const Failure& failure) {
      text = failure.what();
      status = failure.status;
    } catch (const std::exception& error) {
      text = error.what();
    }
    if (why_size > 0) {
      std::strncpy(why, text.c_str(), why_size - 1);
      why[why_size - 1] = 0;
    }
    return status;
  }
  static void close(lc_device* device) { delete &of(device); }
  static int describe(lc_device* device, lc_device_info* info) {
    return guarded(of(device), [&](Machine& machine) { machine.describe(*info); });
  }
  static const char* message(lc_device* device) { return of(device).message.c_str(); }

  static int multiply(lc_device* device, long m, long n, long k, const double* A, const double* B,
                      double* C) {
    return guarded(of(device), [&](Machine& machine) {
      Arena<Machine> arena(machine);
      const Matrix a = arena.copy(A, m, k), b = arena.copy(B, k, n), c = arena.matrix(m, n);
      machine.products(whole(a, b, c));
      machine.download(c, C);
    });
  }
  static int product_seconds(lc_device* device, long size, int repetitions, double* seconds) {
    return guarded(of(device), [&](Machine& machine) {
      Arena<Machine> arena(machine);
      const Matrix a = arena.matrix(size, size), b = arena.matrix(size, size),
                   c = arena.matrix(size, size);
      fill(machine, a, 0.5);
      fill(machine, b, 1.5);
      const Tasks all = whole(a, b, c);
      machine.products(all);
      *seconds = machine.seconds([&] {
        for (int i = 0; i < repetitions; ++i) machine.products(all);
      }) / repetitions;
    });
  }
  static Tasks whole(const Matrix& A, const Matrix& B, const Matrix& C) {
    const Product product = {full(A), full(B)};
    return {{{{product, {{0, A.rows}, {0, B.cols}, {0, A.cols}}}}, C, false}};
  }
  // Numbers without a pattern.
  static void fill(Machine& machine, const Matrix& A, double seed) {
    machine.each(A.rows, A.cols, [=] LC_KERNEL(long i, long j) {
      A(i, j) = sin(seed + 3.7 * static_cast<double>(i) + 1.3 * static_cast<double>(j));
    });
  }

  static int vector_make(lc_device* device, long size, lc_vector** x) {
    return guarded(of(device), [&](Machine&) {
      *x = reinterpret_cast<lc_vector*>(new HeldVector(of(device), size));
    });
  }
  static void vector_free(lc_vector* x) { delete &of(x); }
  static int vector_write(lc_vector* x, const double* values) {
    return guarded(of(x).device, [&](Machine& machine) { machine.upload(values, array(x)); });
  }
  static int vector_read(const lc_vector* x, double* values) {
    return guarded(of(x).device,
                   [&](Machine& machine) { machine.download(array(x), values, array(x).size); });
  }
  static int dot_(const lc_vector* x, const lc_vector* y, double* result) {
    return guarded(of(x).device,
                   [&](Machine& machine) { *result = dot(machine, array(x), array(y)); });
  }
  static int negate_(const lc_vector* x, lc_vector* d) {
    return guarded(of(x).device, [&](Machine& machine) { negate(machine, array(x), array(d)); });
  }
  static int step_(const lc_vector* x, double t, const lc_vector* y, lc_vector* d) {
    return guarded(of(x).device,
                   [&](Machine& machine) { step(machine, array(x), t, array(y), array(d)); });
  }
  static int differences_(const lc_vector* x, const lc_vector* y, lc_vector* d, const lc_vector* u,
                          const lc_vector* v, lc_vector* e, double* result) {
    return guarded(of(x).device, [&](Machine& machine) {
      *result = differences(machine, array(x), array(y), array(d), array(u), array(v), array(e));
    });
  }
  static int add_and_dot_(double factor, double t, const lc_vector* x, lc_vector* d,
                          const lc_vector* y, double* result) {
    return guarded(of(x).device, [&](Machine& machine) {
      *result = add_and_dot(machine, factor, t, array(x), array(d), array(y));
    });
  }

  static int bound_make(lc_device* device, const lc_bound_inputs* inputs, lc_bound** bound) {
    return guarded(of(device), [&](Machine&) {
      *bound = reinterpret_cast<lc_bound*>(new HeldBound(of(device), *inputs));
    });
  }
  static void bound_free(lc_bound* bound) { delete &of(bound); }
  static int bound_set(lc_bound* bound, const double* mean, const double* variance) {
    return with(bound, [&](HeldBound& held) { held.bound.set(mean, variance); });
  }
  static int bound_set_coordinates(lc_bound* bound, const lc_vector* x) {
    return with(bound, [&](HeldBound& held) { held.bound.set_coordinates(array(x)); });
  }
  static int bound_read(lc_bound* bound, double* mean, double* variance) {
    return with(bound, [&](HeldBound& held) { held.bound.read(mean, variance); });
  }
  static int bound_values(lc_bound* bound, lc_values* values) {
    return with(bound, [&](HeldBound& held) { *values = held.bound.values(); });
  }
  static int bound_slopes(lc_bound* bound, const lc_factors* factors) {
    return with(bound, [&](HeldBound& held) { held.bound.slopes(*factors); });
  }
  static int bound_read_slopes(lc_bound* bound, double* d_mean, double* d_variance) {
    return with(bound, [&](HeldBound& held) { held.bound.read_slopes(d_mean, d_variance); });
  }
  static int bound_refine(lc_bound* bound, double per_kl) {
    return with(bound, [&](HeldBound& held) { held.bound.refine(per_kl); });
  }
  static int bound_gradient(lc_bound* bound, lc_vector* gradient) {
    return with(bound, [&](HeldBound& held) { held.bound.gradient(array(gradient)); });
  }
  static int bound_scale(lc_bound* bound, const lc_scaling* scaling) {
    return with(bound, [&](HeldBound& held) { held.bound.scale(*scaling); });
  }
  static int bound_start(lc_bound* bound, lc_vector* x) {
    return with(bound, [&](HeldBound& held) { held.bound.start(array(x)); });
  }

  static int learn_many(lc_device* device, const lc_many_setting* setting, long count,
                        const lc_many_data* data, lc_many_result* results) {
    return guarded(of(device),
                   [&](Machine& machine) { machine.learn_many(*setting, count, data, results); });
  }

  static const lc_plugin* table() {
    static const lc_plugin functions = {
        LC_PLUGIN_VERSION, open,           close,           describe,
        message,           multiply,       product_seconds, vector_make,
        vector_free,       vector_write,   vector_read,     dot_,
        negate_,           step_,          differences_,    add_and_dot_,
        bound_make,        bound_free,     bound_set,       bound_set_coordinates,
        bound_read,        bound_values,   bound_slopes,    bound_read_slopes,
        bound_refine,      bound_gradient, bound_scale,     bound_start,
        learn_many};
    return &functions;
  }
};

}  // namespace lc

// A, B, C and a delay of the inputs; in continuous time the dead time, in the unit of dt. Matrices
// may be given step by step: T of A and B, T + 1 of C.
#include <fmt/format.h>

#include "core/check.hpp"
#include "loopcert/core/error.hpp"
#include "problem/arrays.hpp"
#include "problem/plant_forms/plant_form.hpp"
#include "system/markov.hpp"

namespace loopcert {
namespace {

struct StateSpace {
  std::vector<Matrix> A, B, C;
  Index n() const { return A[0].rows(); }
};

StateSpace matrices_in(const Table& system, Index T) {
  const Node A = system.need("A", "a matrix"), B = system.need("B", "a matrix"),
             C = system.need("C", "a matrix");
  StateSpace s{matrices_of(A, T), matrices_of(B, T), matrices_of(C, T + 1)};
  check_list(A, s.A, s.n(), s.n());
  check_list(B, s.B, s.n(), s.B[0].cols());
  check_list(C, s.C, s.C[0].rows(), s.n());
  return s;
}

// What the known offset of the state does to the outputs: as an input of its own would.
Matrix offset_of_outputs(const StateSpace& s, const Node& d, Index T) {
  Matrix rows = d.value->is_array() && list_depth(d) == 2
                    ? matrix_of(d)
                    : Matrix(vector_of(d, s.n()).transpose().replicate(T, 1));
  check_size(d.path, rows, T, s.n());
  const Matrix G = operator_of(s.A, {Matrix::Identity(s.n(), s.n())}, s.C, 0, T);
  const Vector y = G * Vector(Matrix(rows.transpose()).reshaped());
  const Index n_y = s.C[0].rows();
  return y.tail(T * n_y).reshaped(n_y, T);
}

FormRead read_discrete(const Table& system, Index T) {
  StateSpace s = matrices_in(system, T);
  const Index delay = whole_delay(system), n_y = s.C[0].rows(), n_u = s.B[0].cols();
  Matrix offset;
  if (const auto d = system.find("d")) offset = offset_of_outputs(s, *d, T);
  return {n_y, n_u, [s = std::move(s), delay, offset = std::move(offset)](Plant& p) {
            p.G = operator_of(s.A, s.B, s.C, delay, p.T);
            p.d = offset;
            p.A = s.A;
            p.B = s.B;
            p.C = s.C;
            p.delay = delay;
          }};
}

FormRead read_continuous(const Table& system, Index T, double dt) {
  const StateSpace s = matrices_in(system, T);
  if (s.A.size() > 1 || s.B.size() > 1 || s.C.size() > 1)
    throw InputError("system.continuous: one A, B and C for all steps");
  if (const auto d = system.find("d"))
    throw InputError(d->path +
                     ": an offset of each step does not go together with "
                     "system.continuous");
  const auto delay = system.find("delay");
  const double dead_time = delay ? number(*delay) : 0;
  if (dead_time < 0 || dead_time > 1e5 * dt) refuse(*delay, "0 or more, up to 100000 dt");
  const Sampled step =
      at_place("system", [&] { return sample_held(s.A[0], s.B[0], dt, dead_time); });
  return {s.C[0].rows(), s.B[0].cols(), [step, C = s.C[0]](Plant& p) {
            p.G = operator_of(markov_of(step, C, p.T), p.T);
            if (!step.B_before.isZero(0.0)) return;  // a dead time between steps is no plain state
            p.A = {step.A};
            p.B = {step.B_now};
            p.C = {C};
            p.delay = step.m;
          }};
}

FormRead read_state_space(const Table& system, Index T) {
  const auto dt = sampling_time(system);
  return dt ? read_continuous(system, T, *dt) : read_discrete(system, T);
}

}  // namespace

PlantForm state_space_plant() {
  return {{"A", "B", "C", "d", "delay", "continuous", "dt"}, read_state_space};
}

}  // namespace loopcert

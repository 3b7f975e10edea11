// Uses the installed library as a stranger would, through its one header: learns a controller with
// a certificate, runs it, and compares the two. Compiled without the library's vector flags, so
// that matrices passing between the two show any disagreement about their memory.
#include <cstdint>
#include <cstdio>

#include "loopcert/delivery/paper.hpp"
#include "loopcert/loopcert.hpp"

using loopcert::Matrix, loopcert::Vector;

namespace {

bool aligned(const Matrix& matrix) {
  return reinterpret_cast<std::uintptr_t>(matrix.data()) % 64 == 0;
}

int fail(const char* what) {
  std::printf("consumer: %s\n", what);
  return 1;
}

}  // namespace

int main() {
  static_assert(EIGEN_MAX_ALIGN_BYTES == 64, "the library's alignment must reach its consumers");
#ifdef __AVX__
  return fail("compiled for this machine: the test of mixed flags tests nothing");
#endif

  loopcert::Problem problem;
  problem.system.plant.T = 10;
  problem.system.plant.A = {Matrix{{1, 1}, {0, 1}}};
  problem.system.plant.B = {Matrix{{0.5}, {1}}};
  problem.system.cost = {{Matrix{{1, 0}, {0, 0.1}}}, {Matrix{{0.5}}}, Matrix{{2, 0}, {0, 0.2}}};
  problem.disturbance.scale_bound = 0.1;
  const loopcert::Law law{Vector::Zero(22), 0.1 * Matrix::Identity(22, 22)};
  const auto data = loopcert::sample_disturbances(law, {1, 0}, 100);
  const auto learned = loopcert::learn(problem, data);
  const Matrix& K = learned.controller.K;
  if (!aligned(K) || !aligned(data.w) || !aligned(Matrix(K * K.transpose())))
    return fail("memory is not aligned as the library expects it");

  const auto fresh = loopcert::sample_disturbances(law, {2, 0}, 5000);
  const auto run = loopcert::simulate(problem.system, learned.controller, fresh, false);
  const auto cost = loopcert::cost_statistics(run.cost);
  std::printf("loopcert %s: certificate %.4f, simulated cost %.4f +- %.4f\n", loopcert::version,
              learned.certificate->value, cost.mean, cost.standard_error);
  if (learned.stopped_early) return fail("did not converge");
  if (!(learned.certificate->value > cost.mean + 5 * cost.standard_error))
    return fail("the certificate is not above the cost");
  if (!(cost.mean > 2.9 && cost.mean < 3.4)) return fail("the cost is not that of this plant");

  // The paper's symbols, as docs/cpp.md has them.
  const auto rho = loopcert::paper::posterior_of(learned).value();
  int computed = 0;
  for (const auto& bound : loopcert::paper::bounds(problem, data, rho))
    if (bound.certificate) ++computed;
  if (computed < 5) return fail("bounds are missing at the learned posterior");
  const auto form = loopcert::vectorized(problem.system, problem.response);
  const Vector theta = form.theta_0 + form.N * Vector::Ones(form.p());
  if (form.p() != 110 || !((form.H * theta - form.h).norm() < 1e-9))
    return fail("theta_0 + N alpha does not solve H theta = h");

  // The same from files: written, and verified again.
  loopcert::write_run("out", problem, data, learned);
  const auto verdict = loopcert::verify("out/certificate.json", data);
  if (!verdict.agrees) return fail(verdict.reason.c_str());
  return 0;
}

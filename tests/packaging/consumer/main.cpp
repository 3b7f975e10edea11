// Uses the installed library as a stranger would: learns a controller with a certificate, runs it,
// and compares the two. Compiled without the library's vector flags, so that matrices passing
// between the two show any disagreement about their memory.
#include <cstdint>
#include <cstdio>

#include "certificate/kinds.hpp"
#include "certificate/premises.hpp"
#include "controller/closed_loop.hpp"
#include "learning/pac_bayes.hpp"
#include "loopcert/controller/controller.hpp"
#include "loopcert/core/version.hpp"
#include "loopcert/data/law.hpp"
#include "loopcert/simulation/rollout.hpp"
#include "response/space.hpp"

using loopcert::Matrix, loopcert::Vector;

namespace {

loopcert::System double_integrator() {
  loopcert::System system;
  system.plant.T = 10;
  system.plant.A = {Matrix{{1, 1}, {0, 1}}};
  system.plant.B = {Matrix{{0.5}, {1}}};
  system.cost.Q = {Matrix{{1, 0}, {0, 0.1}}};
  system.cost.R = {Matrix{{0.5}}};
  system.cost.P = Matrix{{2, 0}, {0, 0.2}};
  return system;
}

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

  const loopcert::System system = double_integrator();
  const auto space = loopcert::make_response_space(system, {});
  const loopcert::Law law{Vector::Zero(22), 0.1 * Matrix::Identity(22, 22)};
  const auto data = loopcert::sample_disturbances(law, {1, 0}, 100);
  if (!aligned(space.cost.P) || !aligned(data.w) || !aligned(Matrix(space.cost.P * space.cost.P)))
    return fail("memory is not aligned as the library expects it");

  loopcert::Assumptions assumptions;
  assumptions.scale_bound = 0.1;
  const auto evidence = loopcert::evidence_of(data);
  const auto& kind = loopcert::certificate_kind("data-driven");
  const loopcert::Setting setting{system, space, assumptions, evidence,
                                  loopcert::split_delta(kind.events, 0.05, {})};
  const loopcert::Prior prior{Matrix::Zero(10, 22), 1.0};
  const auto learned = loopcert::minimize_bound(space.cost, kind.setup(setting).inputs, prior);
  const auto certificate = loopcert::evaluate_certificate(kind, setting, prior, learned.posterior);

  const auto response = loopcert::response_at(system, space.coordinates, learned.posterior.mean);
  const auto controller = loopcert::recover_controller(response, system.sizes());
  const auto fresh = loopcert::sample_disturbances(law, {2, 0}, 5000);
  const auto cost =
      loopcert::cost_statistics(loopcert::simulate(system, controller, fresh, false).cost);
  std::printf("loopcert %s: certificate %.4f, simulated cost %.4f +- %.4f\n", loopcert::version,
              certificate.value, cost.mean, cost.standard_error);

  if (learned.status != loopcert::SolverStatus::converged) return fail("did not converge");
  if (certificate.value != learned.bound.value) return fail("two values for one bound");
  if (!(certificate.value > cost.mean + 5 * cost.standard_error))
    return fail("the certificate is not above the cost");
  if (!(cost.mean > 2.9 && cost.mean < 3.4)) return fail("the cost is not that of this plant");
  return 0;
}

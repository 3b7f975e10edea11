#include "coverage_fixture.hpp"

#include "controller/closed_loop.hpp"
#include "learning/minimizers.hpp"
#include "loopcert/core/error.hpp"
#include "risk/risk.hpp"

namespace loopcert {
namespace {

const Law& deployed_law(const CoverageSource& source) {
  return source.deployed ? source.deployed->disturbance.law.value() : source.law;
}

}  // namespace

CoverageFixture::CoverageFixture(const CoverageCell& c)
    : cell(c),
      setup(make_learning_setup(c.problem)),
      baseline(baseline_response(c.problem)),
      costs(costs_under_law(c.problem, setup)),
      law(deployed_law(c.source)),
      moments(law_moments(law)) {}

Response CoverageFixture::response(const Disturbances& data) const {
  if (cell.response == "lqr") return setup.lqr;
  return response_at(cell.problem.system, setup.space.value().coordinates, coordinates(data));
}

Matrix CoverageFixture::coordinates(const Disturbances& data) const {
  if (cell.response == "lqr") return coordinates_of(setup.space.value().coordinates, setup.lqr);
  if (cell.response == "erm")
    return minimize_risk(
               setup.space.value().cost,
               moment_matrix(sample_moments(data), setup.space->coordinates.pattern.constant))
        .Z;
  return Matrix::Zero(setup.space->coordinates.pattern.rows(),
                      setup.space->coordinates.pattern.cols());
}

const System& CoverageFixture::deployed_system() const {
  return cell.source.deployed ? cell.source.deployed->system : cell.problem.system;
}

Response CoverageFixture::deployed(const Response& response) const {
  if (!cell.source.deployed) return response;
  return closed_loop_response(deployed_system(),
                              recover_controller(response, cell.problem.sizes()));
}

double CoverageFixture::truth(const Certificate& c, const Response& r,
                              const Posterior* posterior) const {
  const System& system = deployed_system();
  const double L = response_risk(system, deployed(r), moments);
  if (is_difference(c)) return L - response_risk(system, deployed(baseline), moments);
  if (c.subject != Subject::posterior_average) return L;
  if (!posterior || cell.source.deployed)
    throw NumericsError("coverage: the true average over a posterior is not known");
  // E_rho L = L(mu) + tr(G Sigma_rho)
  const QuadraticForm& cost = setup.space.value().cost;
  const Matrix Sigma = moment_matrix(moments, cost.pattern.constant);
  if (!posterior->frame)
    return L + curvature_diagonal(cost, Sigma).cwiseProduct(posterior->variance).sum();
  const Matrix root = frame_matrix(*posterior->frame) *
                      pack(cost.pattern, posterior->variance.cwiseSqrt()).asDiagonal();
  double spread = 0;
  for (Index k = 0; k < root.cols(); ++k) {
    const Matrix E = unpack(cost.pattern, root.col(k));
    spread += E.cwiseProduct(cost.P * E * Sigma).sum();
  }
  return L + spread;
}

}  // namespace loopcert

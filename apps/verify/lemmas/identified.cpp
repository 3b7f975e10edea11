// docs/theory/identified-models.md: what transitions y = Theta r + v say about Theta and the
// covariance of v.
#include "lemmas/lemmas.hpp"

namespace verify {

// beta^2 = 2 log(1/delta) + n_v log det(I + V_0^-1 V)
Ball model_radius_squared(const Transitions& seen, double delta) {
  const Mat I = identity(seen.V.rows());
  return 2 * log(1 / Ball(delta)) + seen.yy.rows() * log(determinant(I + solve(seen.V_0, seen.V)));
}

ConfidenceSet confidence_set(const Transitions& seen, double delta_model, double delta_noise) {
  const Mat inverse = solve(seen.V, identity(seen.V.rows()));
  const Mat Theta = seen.yr * inverse, R = seen.yy - Theta * transpose(seen.yr);
  const Ball beta_squared = model_radius_squared(seen, delta_model);
  // eta = lambda_max(V^-1 V_0), b^2 = (1 + eta) beta^2, U_v = R/(N q - b^2)
  const Ball eta = largest_eigenvalue(inverse * seen.V_0);
  const double q = wishart_floor(seen.yy.rows(), seen.N, delta_noise);
  const Ball left = seen.N * Ball(q) - (1 + eta) * beta_squared;
  if (!(lower(left) > 0)) throw TooWide{"what few transitions leave of the noise"};
  // G'G = V^-1 (V + V_0) V^-1
  const Mat G = transpose(upper_factor(inverse + inverse * seen.V_0 * inverse));
  return {Theta, upper_factor(1 / left * R), G, sqrt(beta_squared), q, left};
}

}  // namespace verify

// One family for every PAC-Bayes bound of the paper. With rho = N(Z, diag V) and a = V' diag(P):
//
//   bound = Lhat(Z)                                  empirical cost of the mean response
//         + sum_j t_j a_j                            posterior spread or curvature mismatch
//         + 2 r ||(a_j z_j)_{j in w}||               unknown mean
//         + inf_lambda (rate + psi(lambda))/lambda   complexity (Thm. pb_cgf)
//
// with rate = (KL + log(n/delta))/(n-1) and psi = scale lambda^2 (q(U, U) + 2 q(U, B)), q the
// quartic moment, or the rank-aware refinement of the first part, or scale lambda^2 2 q(U, B)
// alone.
#pragma once

#include <memory>
#include <optional>

#include "certificate/complexity.hpp"
#include "certificate/gaussian.hpp"
#include "certificate/quartic.hpp"
#include "core/team.hpp"
#include "loopcert/core/types.hpp"
#include "response/quadratic_form.hpp"

namespace loopcert {

enum class Psi { quadratic, rank_aware, cross };

// All numbers a bound depends on besides prior and posterior. Matrices are d_z x d_z.
struct BoundInputs {
  Index n = 0;
  double delta = 0;  // of the PAC-Bayes event
  Matrix Sigma_hat;  // second moment of the data
  Matrix U;          // stands above the covariance of w; zero row and column for the constant
  Matrix B;  // stands above mu mu'; empty when the mean of y is zero. Cross psi: above E zz'
  double scale = 1;  // factor of psi
  Psi psi = Psi::quadratic;
  Index rank = 0;                // of Sigma_y, for the rank-aware psi
  std::optional<double> lambda;  // fixed beforehand instead of optimized; any value is valid
  Vector spread;                 // t (d_z): the coefficient of V_ij is P_ii t_j
  double mean_radius = 0;        // r
  Vector mean_hat;               // z (d_z), zero at the constant; empty when r = 0
};

struct BoundValue {
  double value = 0;
  double empirical = 0;   // Lhat(Z)
  double spread = 0;      // sum_j t_j a_j
  double mean_event = 0;  // 2 r ||(a_j z_j)||
  Complexity complexity;
  double kl = 0;
  double C = 0;          // q(U, U)
  double mean_term = 0;  // 2 q(U, B)
};

// Evaluates one bound many times: what does not depend on the posterior is computed once, and the
// workspace is kept. The caller keeps all arguments alive.
class BoundEvaluator {
 public:
  BoundEvaluator(const QuadraticForm& form, const BoundInputs& inputs, const Prior& prior,
                 Team& team);
  ~BoundEvaluator();

  // With `gradient`, d/dZ and d/dV on the causal entries are written there.
  BoundValue evaluate(const Posterior& posterior, MomentGradient* gradient = nullptr);

 private:
  double empirical_cost(const Posterior& posterior);
  void require_digits(const BoundValue& bound) const;
  void add_up_slopes(const Posterior& posterior, const BoundValue& bound, double norm,
                     MomentGradient& gradient);

  const QuadraticForm& form_;
  const BoundInputs& inputs_;
  const Prior& prior_;
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

BoundValue evaluate_bound(const QuadraticForm& form, const BoundInputs& inputs, const Prior& prior,
                          const Posterior& posterior, MomentGradient* gradient = nullptr);

}  // namespace loopcert

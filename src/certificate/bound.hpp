// One family for every PAC-Bayes bound of the paper. With rho = N(Z, Sigma_rho) and
// A_rho = E[(Z - mean)'P (Z - mean)], which is Diag(a), a = V' diag(P), when Sigma_rho = diag V:
//
//   bound = Lhat(Z)                                  empirical cost of the mean response
//         + tr(T A_rho), or sum_j t_j a_j            posterior spread or curvature mismatch
//         + 2 r ||(a_j z_j)_{j in w}||               unknown mean
//         + inf_lambda (rate + psi(lambda))/lambda   complexity (Thm. pb_cgf)
//
// with the rate of complexity.hpp and psi = scale lambda^2 (q(U, U) + 2 q(U, B)), q the
// quartic moment, or the rank-aware refinement of the first part, or scale lambda^2 2 q(U, B)
// alone.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "certificate/complexity.hpp"
#include "certificate/gaussian.hpp"
#include "certificate/quartic.hpp"
#include "core/team.hpp"
#include "loopcert/core/error.hpp"
#include "loopcert/core/types.hpp"
#include "response/quadratic_form.hpp"

namespace loopcert {

enum class Psi { quadratic, rank_aware, cross };

// All numbers a bound depends on besides prior and posterior. Matrices are d_z x d_z.
struct BoundInputs {
  Index n = 0;
  double delta = 0;  // of the PAC-Bayes event
  Index priors = 1;  // that each have such an event, this one among them
  Matrix Sigma_hat;  // second moment of the data
  Matrix U;          // stands above the covariance of w; zero row and column for the constant
  Matrix B;  // stands above mu mu'; empty when the mean of y is zero. Cross psi: above E zz'
  double scale = 1;  // factor of psi
  Psi psi = Psi::quadratic;
  Index rank = 0;                // of Sigma_y, for the rank-aware psi
  std::optional<double> lambda;  // fixed beforehand instead of optimized; any value is valid
  Vector spread;                 // t (d_z): where A_rho = Diag(a) it counts t'a
  Matrix spread_matrix;          // T (d_z x d_z): for any A_rho; empty where nothing is proved
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

// Evaluates one bound many times, for posteriors of one frame: what does not depend on the
// posterior is computed once, and the workspace is kept.
class BoundEvaluation {
 public:
  virtual ~BoundEvaluation() = default;

  // With `gradient`, d/dZ and d/dV on the causal entries are written there.
  virtual BoundValue evaluate(const Posterior& posterior, MomentGradient* gradient = nullptr) = 0;

  // The precision of the best covariance, all else at this posterior: one matrix for each column on
  // its free rows, or one p x p matrix; nothing where the frame is not of that kind.
  virtual std::vector<Matrix> stationary_precision(const Posterior&) { return {}; }
};

// A bound that is not proved for posteriors of this frame.
struct NotProved : InputError {
  using InputError::InputError;
};

// The caller keeps all arguments alive. Throws NotProved.
std::unique_ptr<BoundEvaluation> make_evaluation(const QuadraticForm& form,
                                                 const BoundInputs& inputs, const Prior& prior,
                                                 Team& team, const SharedFrame& frame);

// A KL that somebody else knows: its value, and w of sum (V w - log V)/2 in it.
struct GivenKl {
  double value = 0;
  const Matrix* weights = nullptr;
};

// Diagonal posteriors: a handful of matrix products, causal ones at half their cost.
class BoundEvaluator : public BoundEvaluation {
 public:
  BoundEvaluator(const QuadraticForm& form, const BoundInputs& inputs, const Prior& prior,
                 Team& team);
  ~BoundEvaluator() override;

  BoundValue evaluate(const Posterior& posterior, MomentGradient* gradient = nullptr) override;
  // The same with another KL, whose part of d/dZ is left out.
  BoundValue evaluate(const Posterior& posterior, MomentGradient* gradient, const GivenKl& kl);

 private:
  BoundValue evaluate_with(const Posterior& posterior, MomentGradient* gradient,
                           const GivenKl* given);
  double empirical_cost(const Posterior& posterior);
  void require_digits(const BoundValue& bound) const;
  void add_up_slopes(const Posterior& posterior, const BoundValue& bound, double norm,
                     const GivenKl* given, MomentGradient& gradient);

  const QuadraticForm& form_;
  const BoundInputs& inputs_;
  const Prior& prior_;
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

// kappa n and the rate of complexity.hpp for these inputs.
double weight_of(const BoundInputs& inputs);
double rate_of(const BoundInputs& inputs, double kl);

// inf over lambda of (rate + psi)/lambda for these inputs.
Complexity complexity_of(const BoundInputs& inputs, double rate, double C, double mean_term);

// Throws NumericsError when too few digits of the bound are left: K = M'M has an error of epsilon
// v_j v_l in entry (j, l), `moved` is what that does to psi.
void require_digits(const QuadraticForm& form, const BoundInputs& inputs, const BoundValue& bound,
                    const Vector& v, double moved);
// v: the size of the terms that may cancel in each column of M = M_0 + S Z.
Vector size_of_terms(const QuadraticForm& form, const Matrix& Z);
// By how many epsilon tr(K A K B) moves; KA = K~A, KB = K~B.
double moved_by_rounding(const Vector& v, const Matrix& A, const Matrix& KA, const Matrix& B,
                         const Matrix& KB);

BoundValue evaluate_bound(const QuadraticForm& form, const BoundInputs& inputs, const Prior& prior,
                          const Posterior& posterior, MomentGradient* gradient = nullptr);

}  // namespace loopcert

#include "certificate/framed_bound.hpp"

#include <cmath>

#include "certificate/prior_kl.hpp"
#include "core/product.hpp"
#include "loopcert/core/error.hpp"
#include "tails/spread.hpp"

namespace loopcert {
namespace {

// X L^-1 and its transpose X L^-T, for a lower triangular L; nothing for an empty one.
void divide_right(const Matrix& L, Matrix& X) {
  if (L.size() > 0) L.triangularView<Eigen::Lower>().solveInPlace<Eigen::OnTheRight>(X);
}
void divide_right_transposed(const Matrix& L, Matrix& X) {
  if (L.size() > 0) L.transpose().triangularView<Eigen::Upper>().solveInPlace<Eigen::OnTheRight>(X);
}
void divide_left(const Matrix& C, Matrix& X) {
  if (C.size() > 0) C.triangularView<Eigen::Lower>().solveInPlace(X);
}
void divide_left_transposed(const Matrix& C, Matrix& X) {
  if (C.size() > 0) C.transpose().triangularView<Eigen::Upper>().solveInPlace(X);
}

Matrix mix_of(const SharedFrame& frame) { return frame ? frame->mix : Matrix(); }

void require_proved(const BoundInputs& inputs, const SharedFrame& frame) {
  if (!frame || frame->columns_apart()) return;
  if (inputs.spread_matrix.size() == 0 || inputs.mean_radius > 0)
    throw NotProved(
        "learning.posterior: this certificate is proved for posteriors whose columns are "
        "independent: diagonal, rotated or block");
}

// Diagonal in coordinates of its own: the identity, or Z = C Z' L.
class KroneckerBound : public BoundEvaluation {
 public:
  KroneckerBound(const QuadraticForm& form, const BoundInputs& inputs, const Prior& prior,
                 Team& team, const SharedFrame& frame)
      : pattern_(form.pattern),
        weight_(weight_of(inputs)),
        C_(frame ? frame->turns[0] : Matrix()),
        L_(mix_of(frame)),
        at_(in_frame(form, inputs, C_, L_)),
        kl_(prior, form.pattern, frame),
        evaluator_(at_.form, at_.inputs, prior, team) {}

  BoundValue evaluate(const Posterior& posterior, MomentGradient* gradient) override {
    Posterior inside{posterior.mean, posterior.variance};
    divide_left(C_, inside.mean);
    divide_right(L_, inside.mean);
    const GivenKl kl{kl_.value(posterior), &kl_.weights()};
    const BoundValue bound = evaluator_.evaluate(inside, gradient, kl);
    if (!gradient) return bound;
    divide_left_transposed(C_, gradient->d_mean);
    divide_right_transposed(L_, gradient->d_mean);
    project_causal(pattern_, gradient->d_mean);
    gradient->d_mean += bound.complexity.d_rate / weight_ * kl_.pull(posterior.mean);
    return bound;
  }

 private:
  const CausalPattern& pattern_;
  double weight_;
  Matrix C_, L_;
  Coordinated at_;
  PriorKl kl_;
  BoundEvaluator evaluator_;
};

// One of the two matrices of a quartic moment, at a posterior.
struct Side {
  explicit Side(const Matrix& matrix) : A(matrix) {}
  const Matrix& A;
  Matrix HA, KA, D, HAH, PsiHA;  // H A, K~ A, D_A, H A H', Psi(H A)
};

// Any other frame: dense, through the moments of the spread.
class SpreadBound : public BoundEvaluation {
 public:
  SpreadBound(const QuadraticForm& form, const BoundInputs& inputs, const Prior& prior, Team& team,
              const SharedFrame& frame)
      : L_(frame->mix),
        at_(in_frame(form, inputs, Matrix(), L_)),
        prior_(prior),
        kl_(prior, form.pattern, frame),
        team_(team),
        frame_(frame),
        spread_(frame->is_full() ? full_spread(at_.form.P, frame)
                                 : column_spread(at_.form.P, frame, team)),
        U_(at_.inputs.U),
        B_(at_.inputs.B) {
    T_ = at_.inputs.spread_matrix.size() > 0 ? at_.inputs.spread_matrix
                                             : Matrix(at_.inputs.spread.asDiagonal());
    if (frame->columns_apart()) T_ = at_.inputs.spread.asDiagonal();
  }

  BoundValue evaluate(const Posterior& posterior, MomentGradient* gradient) override {
    const BoundInputs& in = at_.inputs;
    const bool with_mean = in.B.size() > 0;
    set_point(posterior);
    BoundValue bound;
    bound.empirical = at_.form.K_0.cwiseProduct(in.Sigma_hat).sum() +
                      Z_.cwiseProduct((at_.form.N_0 + H_) * in.Sigma_hat).sum();
    finish(U_);
    bound.C = quartic(U_, U_);
    if (with_mean) {
      finish(B_);
      bound.mean_term = 2 * quartic(U_, B_);
    }
    bound.kl = kl_.value(posterior);
    bound.complexity = complexity_of(in, rate_of(in, bound.kl), bound.C, bound.mean_term);
    bound.spread = T_.cwiseProduct(A_rho_).sum();
    const Vector a = A_rho_.diagonal();
    const double norm = in.mean_radius > 0 ? a.cwiseProduct(in.mean_hat).norm() : 0;
    bound.mean_event = 2 * in.mean_radius * norm;
    bound.value = bound.empirical + bound.spread + bound.mean_event + bound.complexity.value;
    if (!std::isfinite(bound.value))
      throw NumericsError("the bound is too large for double precision: use other units");
    check_digits(bound);
    per_T_ = T_;
    if (norm > 0)
      per_T_.diagonal() += (2 * in.mean_radius / norm) * a.cwiseProduct(in.mean_hat.cwiseAbs2());
    if (gradient) add_up_slopes(posterior, bound, *gradient);
    return bound;
  }

  // 1/2 per_kl Cov^-1 = 1/2 per_kl Lambda + d(bound - KL part)/dCov
  std::vector<Matrix> stationary_precision(const Posterior& posterior) override {
    const BoundValue bound = evaluate(posterior, nullptr);
    const BoundInputs& in = at_.inputs;
    const double per_kl = bound.complexity.d_rate / weight_of(in);
    Spread& spread = *spread_;
    spread.clear_matrices();
    spread.add_product(1.0, at_.form.P, per_T_);
    add_quartic_matrices(in.scale * bound.complexity.d_phi, U_, U_);
    if (in.B.size() > 0) add_quartic_matrices(2 * in.scale * bound.complexity.d_mean, U_, B_);
    std::vector<Matrix> precision = spread.matrices();
    for (Matrix& one : precision) one *= 2 / per_kl;
    add_prior(precision);
    return precision;
  }

 private:
  void set_point(const Posterior& posterior) {
    Z_ = posterior.mean;
    divide_right(L_, Z_);
    H_ = at_.form.N_0 + at_.form.P * Z_;
    spread_->set(posterior.variance);
    A_rho_ = spread_->A_rho();
    K_ = at_.form.K_0 + at_.form.N_0.transpose() * Z_ + Z_.transpose() * H_ + A_rho_;
  }

  void finish(Side& side) {
    multiply(H_, side.A, side.HA, team_);
    multiply(K_, side.A, side.KA, team_);
    side.D = spread_->D(side.A);
    side.HAH = side.HA * H_.transpose();
    side.PsiHA = spread_->Psi(side.HA);
  }

  // q(A, B): the formula of spread.hpp
  double quartic(const Side& A, const Side& B) {
    const Matrix& P = at_.form.P;
    return A.KA.cwiseProduct(B.KA.transpose()).sum() + 2 * A.HA.cwiseProduct(B.PsiHA).sum() +
           A.D.cwiseProduct(B.HAH).sum() + B.D.cwiseProduct(A.HAH).sum() +
           (P * A.D * P).cwiseProduct(B.D).sum() + spread_->cross(A.A, B.A);
  }

  // A K~ B + B K~ A
  static Matrix middle(const Side& A, const Side& B) {
    const Matrix AKB = A.A * B.KA;
    return AKB + AKB.transpose();
  }

  // Calls add(Y, X) for every product Y (x) X in dq/dCov.
  template <class Add>
  void for_products(const Side& A, const Side& B, const Add& add) const {
    const Matrix& P = at_.form.P;
    add(P, middle(A, B));
    add(B.HAH + P * B.D * P, A.A);
    add(A.HAH + P * A.D * P, B.A);
  }

  void add_quartic_slopes(double factor, const Side& A, const Side& B, MomentGradient& gradient) {
    if (at_.inputs.B.size() > 0) spread_->cross(A.A, B.A);  // add_cross is about the last one
    for_products(A, B, [&](const Matrix& Y, const Matrix& X) {
      spread_->add_product(factor, Y, X, gradient.d_variance);
    });
    spread_->add_pair(factor, A.HA, B.HA, gradient.d_variance);
    spread_->add_cross(factor, gradient.d_variance);
    // 2 H (A K~ B + B K~ A) + P (2 Psi(H B) A + 2 Psi(H A) B + 2 D_B H A + 2 D_A H B)
    const Matrix inner = B.PsiHA * A.A + A.PsiHA * B.A + B.D * A.HA + A.D * B.HA;
    gradient.d_mean += 2 * factor * (A.HA * B.KA + B.HA * A.KA + at_.form.P * inner);
  }

  void add_quartic_matrices(double factor, const Side& A, const Side& B) {
    if (at_.inputs.B.size() > 0) spread_->cross(A.A, B.A);
    for_products(A, B,
                 [&](const Matrix& Y, const Matrix& X) { spread_->add_product(factor, Y, X); });
    spread_->add_pair(factor, A.HA, B.HA);
    spread_->add_cross(factor);
  }

  void add_up_slopes(const Posterior& posterior, const BoundValue& bound,
                     MomentGradient& gradient) {
    const BoundInputs& in = at_.inputs;
    const CausalPattern& pattern = at_.form.pattern;
    const double per_kl = bound.complexity.d_rate / weight_of(in);
    gradient.d_mean = 2 * H_ * in.Sigma_hat;
    gradient.d_variance = Matrix::Zero(pattern.rows(), pattern.cols());
    spread_->add_product(1.0, at_.form.P, per_T_, gradient.d_variance);
    add_quartic_slopes(in.scale * bound.complexity.d_phi, U_, U_, gradient);
    if (in.B.size() > 0)
      add_quartic_slopes(2 * in.scale * bound.complexity.d_mean, U_, B_, gradient);
    divide_right_transposed(L_, gradient.d_mean);
    project_causal(pattern, gradient.d_mean);
    gradient.d_mean += per_kl * kl_.pull(posterior.mean);
    const Vector V = pack(pattern, posterior.variance), w = pack(pattern, kl_.weights());
    gradient.d_variance += unpack(pattern, 0.5 * per_kl * (w - V.cwiseInverse()));
  }

  // The prior's precision: of each column, or of all.
  void add_prior(std::vector<Matrix>& precision) const {
    const CausalPattern& pattern = at_.form.pattern;
    const Index p = pattern.count();
    if (frame_->is_full()) {
      for (Index k = 0; k < p; ++k)
        precision[0].col(k) +=
            pack(pattern, apply_precision(prior_, pattern, unpack(pattern, Vector::Unit(p, k))));
      return;
    }
    for (Index j = 0; j < pattern.cols(); ++j) {
      Matrix& one = precision[static_cast<size_t>(j)];
      const Index f = pattern.rows() - one.rows();
      if (!prior_.shape) {
        one.diagonal().array() += 1 / (prior_.scale * prior_.scale);
        continue;
      }
      Matrix step = Matrix::Zero(pattern.rows(), pattern.cols());
      for (Index i = 0; i < one.rows(); ++i) {
        step(f + i, j) = 1;
        one.col(i) += apply_precision(prior_, pattern, step).col(j).tail(one.rows());
        step(f + i, j) = 0;
      }
    }
  }

  void check_digits(const BoundValue& bound) const {
    const BoundInputs& in = at_.inputs;
    const Vector v = size_of_terms(at_.form, Z_);
    double moved =
        in.scale * bound.complexity.d_phi * moved_by_rounding(v, U_.A, U_.KA, U_.A, U_.KA);
    if (in.B.size() > 0)
      moved +=
          2 * in.scale * bound.complexity.d_mean * moved_by_rounding(v, U_.A, U_.KA, B_.A, B_.KA);
    require_digits(at_.form, in, bound, v, moved);
  }

  Matrix L_;
  Coordinated at_;
  const Prior& prior_;
  PriorKl kl_;
  Team& team_;
  SharedFrame frame_;
  std::unique_ptr<Spread> spread_;
  Side U_, B_;
  Matrix T_, per_T_;  // of tr(T A_rho); with the slope of the mean event
  Matrix Z_, H_, K_, A_rho_;
};

}  // namespace

Coordinated in_frame(const QuadraticForm& form, const BoundInputs& inputs, const Matrix& C,
                     const Matrix& L) {
  Coordinated at{form, inputs};
  if (C.size() > 0) {
    at.form.P = C.transpose() * form.P * C;
    at.form.N_0 = C.transpose() * form.N_0;
  }
  if (L.size() == 0) return at;
  divide_right(L, at.form.N_0);
  divide_right(L, at.form.K_0);  // L^-T K_0 L^-1
  at.form.K_0.transposeInPlace();
  divide_right(L, at.form.K_0);
  for (Matrix* second :
       {&at.inputs.Sigma_hat, &at.inputs.U, &at.inputs.B, &at.inputs.spread_matrix})
    if (second->size() > 0) *second = (L * *second * L.transpose()).eval();
  at.inputs.spread = at.inputs.spread_matrix.diagonal();  // tr(T L'diag(a)L) = sum a_j (L T L')_jj
  return at;
}

std::unique_ptr<BoundEvaluation> make_framed_evaluation(const QuadraticForm& form,
                                                        const BoundInputs& inputs,
                                                        const Prior& prior, Team& team,
                                                        const SharedFrame& frame) {
  require_proved(inputs, frame);
  if (!frame || frame->is_kronecker())
    return std::make_unique<KroneckerBound>(form, inputs, prior, team, frame);
  return std::make_unique<SpreadBound>(form, inputs, prior, team, frame);
}

}  // namespace loopcert

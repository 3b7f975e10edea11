#include "dense_bound.hpp"
#include "response/space.hpp"

namespace loopcert::testing {

DenseForm dense_form(const System& system, const ResponseSpace& space) {
  const auto extended = [&](const Matrix& Z) {
    const auto y =
        weighted_response(system.cost, system.sizes(), response_at(system, space.coordinates, Z));
    if (!space.coordinates.pattern.constant) return y.M;
    Matrix M(y.M.rows(), y.M.cols() + 1);
    M << y.m, y.M;
    return M;
  };
  DenseForm form;
  form.M_0 =
      extended(Matrix::Zero(space.coordinates.pattern.rows(), space.coordinates.pattern.cols()));
  for (Index k = 0; k < space.coordinates.p(); ++k)
    form.M.push_back(
        extended(unpack(space.coordinates.pattern, Vector::Unit(space.coordinates.p(), k))) -
        form.M_0);
  return form;
}

Matrix dense_M(const DenseForm& form, const Vector& alpha) {
  Matrix M = form.M_0;
  for (size_t k = 0; k < form.M.size(); ++k) M += alpha(static_cast<Index>(k)) * form.M[k];
  return M;
}

// With X = Mbar, and independent zero-mean coordinates e_k of variance v_k along M_k:
// K = X'X + sum_k e_k (X'M_k + M_k'X) + sum_kl e_k e_l M_k'M_l. Collect E[K A K B] by degree.
double dense_quartic(const DenseForm& form, const Vector& mean, const Vector& variance,
                     const Matrix& A, const Matrix& B) {
  const Matrix X = dense_M(form, mean);
  const Matrix K = X.transpose() * X;
  const size_t p = form.M.size();
  double total = (K * A * K * B).trace();
  Matrix spread = Matrix::Zero(K.rows(), K.cols());  // E of the second-degree part of K
  for (size_t k = 0; k < p; ++k) {
    const double v = variance(static_cast<Index>(k));
    const Matrix linear = X.transpose() * form.M[k] + form.M[k].transpose() * X;
    total += v * (linear * A * linear * B).trace();
    spread += v * form.M[k].transpose() * form.M[k];
  }
  total += (spread * A * K * B).trace() + (K * A * spread * B).trace();
  // Degree four: E[e_k e_l e_m e_n] pairs (kl)(mn), (km)(ln), (kn)(lm).
  total += (spread * A * spread * B).trace();
  for (size_t k = 0; k < p; ++k)
    for (size_t l = 0; l < p; ++l) {
      const double v = variance(static_cast<Index>(k)) * variance(static_cast<Index>(l));
      const Matrix kl = form.M[k].transpose() * form.M[l];
      total += v * (kl * A * kl * B).trace() + v * (kl * A * kl.transpose() * B).trace();
    }
  return total;
}

}  // namespace loopcert::testing

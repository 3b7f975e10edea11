#include "loopcert/certificate/quartic.hpp"

#include "loopcert/risk/risk.hpp"

namespace loopcert {
namespace {

double dot(const Matrix& a, const Matrix& b) { return a.cwiseProduct(b).sum(); }

// diag(X Y') without the product.
Vector row_dots(const Matrix& X, const Matrix& Y) { return X.cwiseProduct(Y).rowwise().sum(); }

}  // namespace

// E tr(M'M A M'M B) = tr(K A K B)
//   + <V, 2 diag(P) diag(A K B)' + 2 (H A).*(H B) + diag(H A H') diag(B)' + diag(H B H') diag(A)'>
//   + a'(A.*B) a + <(P.^2) V, V (A.*B)> + d_A'(P.^2) d_B,
// a = V' diag(P), d_A = V diag(A), d_B = V diag(B), H = S'M = N_0 + P Z.
double quartic_moment(const ResponseSpace& space, const Posterior& posterior, const MatrixView& A,
                      const MatrixView& B, MomentGradient* gradient) {
  const Matrix& Z = posterior.mean;
  const Matrix& V = posterior.variance;
  const Matrix& P = space.P;
  const bool same = A.data() == B.data();

  const Matrix K = gram(space, Z);
  Matrix H = space.N_0;
  H.noalias() += P * Z;
  const Matrix HA = H * A;
  const Matrix HB_store = same ? Matrix() : Matrix(H * B);
  const Matrix& HB = same ? HA : HB_store;
  const Matrix KA = K * A;
  const Matrix KB_store = same ? Matrix() : Matrix(K * B);
  const Matrix& KB = same ? KA : KB_store;
  const Matrix AB = A.cwiseProduct(B);
  const Matrix PP = P.cwiseAbs2();

  const Vector diag_P = P.diagonal();
  const Vector diag_A = A.diagonal(), diag_B = B.diagonal();
  const Vector a = V.transpose() * diag_P;
  const Vector d_A = V * diag_A, d_B = V * diag_B;
  const Vector diag_AKB = A.cwiseProduct(KB.transpose()).rowwise().sum();
  const Vector diag_HAH = row_dots(HA, H), diag_HBH = row_dots(HB, H);
  const Vector PP_dA = PP * d_A, PP_dB = PP * d_B;
  const Vector AB_a = AB * a;
  const Matrix PP_V_AB = PP * Matrix(V * AB);

  Matrix slope = 2 * diag_P * diag_AKB.transpose() + 2 * HA.cwiseProduct(HB) +
                 diag_HAH * diag_B.transpose() + diag_HBH * diag_A.transpose();
  const double value = KA.cwiseProduct(KB.transpose()).sum() + dot(V, slope) + a.dot(AB_a) +
                       dot(V, PP_V_AB) + d_A.dot(PP_dB);
  if (!gradient) return value;

  slope += 2 * diag_P * AB_a.transpose() + 2 * PP_V_AB + PP_dB * diag_A.transpose() +
           PP_dA * diag_B.transpose();
  project_causal(space.pattern, slope);
  gradient->d_variance = std::move(slope);

  // 2 H (A K B + B K A) + 2 H (A diag(a) B + B diag(a) A)
  //   + P (2 (V.*HB) A + 2 (V.*HA) B + 2 diag(d_B) HA + 2 diag(d_A) HB)
  Matrix inner = 2 * d_B.asDiagonal() * HA + 2 * d_A.asDiagonal() * HB;
  inner.noalias() += 2 * V.cwiseProduct(HB) * A;
  inner.noalias() += 2 * V.cwiseProduct(HA) * B;
  Matrix d_mean = P * inner;
  d_mean.noalias() += 2 * HA * (KB + Matrix(a.asDiagonal() * B));
  d_mean.noalias() += 2 * HB * (KA + Matrix(a.asDiagonal() * A));
  project_causal(space.pattern, d_mean);
  gradient->d_mean = std::move(d_mean);
  return value;
}

}  // namespace loopcert

// Cumulants of costs, of one response and averaged over posteriors.
#include "lemmas/lemmas.hpp"

namespace verify {

// Lambda = lambda tr(KU) - log det(I + 2 lambda KU)/2 + 2 lambda^2 k'U (I + 2 lambda KU)^-1 k.
Ball chernoff_margin(const Mat& G, const Mat& U, const Ball& lambda, long n, double delta) {
  const long d = U.rows();
  const Mat k = block(G, 1, 0, d, 1), KU = block(G, 1, 1, d, d) * U;
  const Mat shifted = identity(d) + 2 * lambda * KU;
  Ball cumulant = lambda * trace(KU) - log(determinant(shifted)) / 2;
  if (size_of(k) > 0) cumulant = cumulant + 2 * lambda * lambda * dot(U * k, solve(shifted, k));
  return (log(1 / Ball(delta)) / n + cumulant) / lambda;
}

Ball pac_bayes_rate(const Ball& kl, long choices, long n, double delta) {
  const Ball weight = choices > 1 && n > 20 ? Ball(19) * n / 20 : Ball(n - 1);  // kappa n
  return (kl + log(n / (n - weight) * choices / delta)) / weight;
}

Places free_places(const Mat& free) {
  Places places;
  for (long j = 0; j < free.cols(); ++j)
    for (long i = 0; i < free.rows(); ++i)
      if (!arb_is_zero(free(i, j).x)) places.push_back({i, j});
  return places;
}

Ball gaussian_kl(const Mat& free, const Mat& step, const Mat& V, const Mat& prior) {
  Ball sum;
  for (const auto& [i, j] : free_places(free)) {
    const Ball v = V(i, j) / prior(i, j);
    sum = sum + step(i, j) * step(i, j) / prior(i, j) + v - 1 - log(v);
  }
  return sum / 2;
}

Ball rank_aware(const Ball& lambda, const Ball& C, long rank) {
  const Ball x = lambda * sqrt(C / rank);
  return rank * (x - log(1 + 2 * x) / 2);
}

Ball quartic(const Point& at, const Mat& A, const Mat& B) {
  if (at.spread.C.rows() > 0) return correlated_quartic(at, A, B);
  const bool same = &A == &B;
  const Mat KA = at.gram * A, HA = at.H * A;
  const Mat KB = same ? KA : at.gram * B, HB = same ? HA : at.H * B;
  const Mat d_A = at.V * diagonal(A), d_B = at.V * diagonal(B), all = ones(at.H.cols(), 1);
  return dot(KA, transpose(KB)) + 2 * dot(at.V, entrywise(HA, HB)) +
         dot(d_B, entrywise(HA, at.H) * all) + dot(d_A, entrywise(HB, at.H) * all) +
         dot(at.PP * at.V, at.V * entrywise(A, B)) + dot(d_A, at.PP * d_B);
}

}  // namespace verify

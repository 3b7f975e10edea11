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
  return (kl + log(Ball(n) * choices / delta)) / Ball(n - 1);
}

Ball gaussian_kl(const Mat& free, const Mat& step, const Mat& V, const Mat& prior) {
  Ball sum;
  for (long j = 0; j < step.cols(); ++j) {
    const Ball inverse = 1 / prior(j, 0);
    for (long i = 0; i < step.rows(); ++i) {
      if (arb_is_zero(free(i, j).x)) continue;
      const Ball v = V(i, j) * inverse;
      sum = sum + step(i, j) * step(i, j) * inverse + v - 1 - log(v);
    }
  }
  return sum / 2;
}

Ball rank_aware(const Ball& lambda, const Ball& C, long rank) {
  const Ball x = lambda * sqrt(C / rank);
  return rank * (x - log(1 + 2 * x) / 2);
}

Ball quartic(const Point& at, const Mat& A, const Mat& B) {
  const bool same = &A == &B;
  const Mat KA = at.gram * A, HA = at.H * A;
  const Mat KB = same ? KA : at.gram * B, HB = same ? HA : at.H * B;
  const Mat d_A = at.V * diagonal(A), d_B = at.V * diagonal(B), all = ones(at.H.cols(), 1);
  return dot(KA, transpose(KB)) + 2 * dot(at.V, entrywise(HA, HB)) +
         dot(d_B, entrywise(HA, at.H) * all) + dot(d_A, entrywise(HB, at.H) * all) +
         dot(at.PP * at.V, at.V * entrywise(A, B)) + dot(d_A, at.PP * d_B);
}

Ball localized_moment(const Mat& free, const Mat& P, const Mat& gram, const Mat& H, const Mat& V,
                      const Mat& second, const Ball& lambda) {
  std::vector<std::pair<long, long>> entries;
  for (long j = 0; j < V.cols(); ++j)
    for (long i = 0; i < V.rows(); ++i)
      if (!arb_is_zero(free(i, j).x)) entries.push_back({i, j});
  const auto p = static_cast<long>(entries.size());
  const Mat slopes = H * second;
  Mat I_G = identity(p), g(p, 1);  // I - 2 lambda G
  for (long k = 0; k < p; ++k) {
    const auto [i, j] = entries[static_cast<size_t>(k)];
    const Ball sigma = sqrt(V(i, j));
    g.set(k, 0, sigma * slopes(i, j));
    for (long l = 0; l < p; ++l) {
      const auto [m, n] = entries[static_cast<size_t>(l)];
      const Ball G = sigma * sqrt(V(m, n)) * P(i, m) * second(j, n);
      I_G.set(k, l, I_G(k, l) - 2 * lambda * G);
    }
  }
  if (!is_positive_definite(I_G)) throw TooWide{"lambda: whether the moment is finite there"};
  return lambda * dot(gram, second) - log(determinant(I_G)) / 2 +
         2 * lambda * lambda * dot(g, solve(I_G, g));
}

}  // namespace verify

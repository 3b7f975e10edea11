// Priors and posteriors whose entries are correlated: priors.md, quartic-moment.md. A matrix
// without rows stands for the identity.
#include "lemmas/lemmas.hpp"

namespace verify {
namespace {

Mat times(const Mat& A, const Mat& B) { return A.rows() == 0 ? B : B.rows() == 0 ? A : A * B; }
Mat inverse(const Mat& A) { return A.rows() == 0 ? A : solve(A, identity(A.rows())); }
Mat squares(const Mat& A) { return entrywise(A, A); }
Mat column(const Mat& A, long j) { return block(A, 0, j, A.rows(), 1); }
Ball log_size(const Ball& a) { return log(a * a) / 2; }

Mat entries_at(const Places& places, const Mat& A) {  // as a column
  Mat found(std::ssize(places), 1);
  for (long k = 0; const auto& [i, j] : places) found.set(k++, 0, A(i, j));
  return found;
}

// F_j, with zeros around it.
Mat turn_of(const Gaussian& g, long j) {
  const Mat free = column(g.free, j);
  return entrywise(g.turns[static_cast<size_t>(g.turn_of[static_cast<size_t>(j)])],
                   free * transpose(free));
}

// p x p: column k is what the k-th independent number does to the free entries.
Mat responses(const Gaussian& g, const Places& places) {
  if (g.full.rows() > 0) return g.full;
  Mat all(std::ssize(places), std::ssize(places));
  for (long k = 0; const auto& [i, j] : places) {
    Mat E(g.V.rows(), g.V.cols());
    E.set(i, j, 1);
    if (!g.turns.empty()) set_block(E, 0, j, column(turn_of(g, j), i));
    set_block(all, 0, k++, entries_at(places, times(E, g.mix)));
  }
  return all;
}

Mat column_covariance(const Gaussian& g, long j) {  // of F_j xi_j
  const Mat F = turn_of(g, j);
  return F * diagonal_matrix(column(g.V, j)) * transpose(F);
}

// Of all entries of E, column by column, also those that are zero.
Mat joint_covariance(const Gaussian& g) {
  const Places places = free_places(g.free);
  Mat all(g.V.rows() * g.V.cols(), g.full.cols());
  for (long k = 0; const auto& [i, j] : places)
    set_block(all, j * g.V.rows() + i, 0, block(g.full, k++, 0, 1, all.cols()));
  return all * diagonal_matrix(entries_at(places, g.V)) * transpose(all);
}

}  // namespace

// In the coordinates that are independent under the prior: X the step, T the posterior's variances,
// whose logarithms are replaced by that of the determinant. The map to them, but for the turns, is
// triangular with `sizes` on its diagonal.
Ball correlated_kl(const Mat& step, const Gaussian& rho, const Gaussian& pi) {
  Mat T = rho.V, X = entrywise(rho.free, step), sizes = rho.free;
  Ball logs;
  const Places places = free_places(rho.free);
  if (rho.full.rows() + pi.full.rows() > 0) {
    const Mat back = inverse(responses(pi, places)), both = back * responses(rho, places);
    const Mat variances = squares(both) * entries_at(places, T),
              moved = back * entries_at(places, X);
    for (long k = 0; const auto& [i, j] : places) {
      T.set(i, j, variances(k, 0));
      X.set(i, j, moved(k++, 0));
    }
    logs = log_size(determinant(both));
  } else {
    const Mat rows = inverse(pi.turns.empty() ? Mat(0, 0) : pi.turns[0]), columns = inverse(pi.mix);
    if (rho.turns.empty()) T = times(squares(rows), T);
    for (long j = 0; j < T.cols() && !rho.turns.empty(); ++j) {
      const Mat F = turn_of(rho, j),
                rest = identity(T.rows()) - diagonal_matrix(column(rho.free, j));
      set_block(T, 0, j, squares(times(rows, F)) * column(rho.V, j));
      logs = logs + log_size(determinant(F + rest));
    }
    const Mat mix = times(rho.mix, columns);
    T = times(T, squares(mix));
    X = times(times(rows, X), columns);
    sizes = times(diagonal_matrix(diagonal(rows)), times(sizes, diagonal_matrix(diagonal(mix))));
  }
  for (const auto& [i, j] : places) logs = logs - log(T(i, j) / rho.V(i, j)) / 2 + log(sizes(i, j));
  return gaussian_kl(rho.free, X, T, pi.V) - logs;
}

Spread spread_of(const Gaussian& rho, const Mat& P) {
  const long n = rho.V.rows(), d = rho.V.cols();
  const bool all = rho.full.rows() > 0, turned = all || !rho.turns.empty();
  Spread s{{}, {}, transpose(rho.V), transpose(squares(P) * rho.V), Mat(d, d), rho.mix};
  for (long a = 0; a < d; ++a)
    for (long c = all ? 0 : a; c < (all ? d : a + 1); ++c) s.columns.push_back({a, c});
  for (long i = 0; i < n; ++i)
    for (long m = turned ? 0 : i; m < (turned ? n : i + 1); ++m) s.rows.push_back({i, m});
  if (turned) s.C = s.G = Mat(std::ssize(s.columns), n * n);
  const Mat joint = all ? joint_covariance(rho) : Mat(0, 0);
  for (long r = 0; r < s.C.rows() && turned; ++r) {
    const auto [a, c] = s.columns[static_cast<size_t>(r)];
    const Mat C = all ? block(joint, a * n, c * n, n, n) : column_covariance(rho, a);
    set_block(s.C, r, 0, transpose(entries_at(s.rows, C)));
    set_block(s.G, r, 0, transpose(entries_at(s.rows, P * C * P)));
  }
  s.G = s.C * transpose(s.G);
  const Mat a = s.C * entries_at(s.rows, P);
  for (long r = 0; const auto& [j, l] : s.columns) s.A.set(j, l, a(r++, 0));
  s.A = times(transpose(s.mix), times(s.A, s.mix));
  return s;
}

// With L the mix, A and B become L A L' and L B L', H becomes H L^-1; (a, d) and (c, g) are pairs
// of columns, (i, m) of rows.
Ball correlated_quartic(const Point& at, const Mat& A, const Mat& B) {
  const Mat &gram = at.gram, &H = at.H;
  const Spread& s = at.spread;
  const Mat L = s.mix, L_ = transpose(L), LAL = times(L, times(A, L_)),
            LBL = times(L, times(B, L_));
  const Mat HA = H * A, HB = H * B, HAL = times(HA, L_), HBL = times(HB, L_), H_ = transpose(H);
  const Mat a_ = entries_at(s.columns, LAL), b_ = entries_at(s.columns, LBL);
  Ball sum = dot(gram * A, transpose(gram * B)) + dot(a_, s.G * b_) +
             dot(s.C * entries_at(s.rows, HA * H_), b_) +
             dot(s.C * entries_at(s.rows, HB * H_), a_);
  for (long r = 0; r < s.C.rows(); ++r) {
    const auto [a, d] = s.columns[static_cast<size_t>(r)];
    for (long k = 0; const auto& [i, m] : s.rows)
      sum = sum + 2 * s.C(r, k++) * HAL(i, d) * HBL(m, a);
    for (long k = 0; const auto& [c, g] : s.columns)
      sum = sum + LAL(c, d) * LBL(g, a) * s.G(r, k++);
  }
  return sum;
}

}  // namespace verify

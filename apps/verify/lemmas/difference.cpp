// docs/theory/improvement.md: the parts of a difference, and what follows from their means.
#include <algorithm>
#include <cmath>

#include "lemmas/lemmas.hpp"

namespace verify {
namespace {

double product(const double* x, const double* y, long n) {
  double sums[8] = {};  // for the vector units
  long j = 0;
  for (; j + 8 <= n; j += 8)
    for (long k = 0; k < 8; ++k) sums[k] += x[j + k] * y[j + k];
  for (; j < n; ++j) sums[0] += x[j] * y[j];
  double sum = 0;
  for (const double part : sums) sum += part;
  return sum;
}

// Rotates rows in pairs until they are orthogonal to each other (Hestenes). Doubles are good
// enough: what comes out is checked.
void orthogonalize(Table& G, double size) {
  bool moved = true;
  for (int sweep = 0; moved && sweep < 40; ++sweep) {
    moved = false;
    for (long p = 0; p < G.rows; ++p)
      for (long q = p + 1; q < G.rows; ++q) {
        double *x = &G(p, 0), *y = &G(q, 0);
        const double c = product(x, y, G.cols);
        const double a = product(x, x, G.cols), b = product(y, y, G.cols);
        if (!(std::abs(c) > 1e-15 * size * std::sqrt(std::max(a, b)))) continue;
        moved = true;
        const double zeta = (b - a) / (2 * c);
        const double t = (zeta < 0 ? -1 : 1) / (std::abs(zeta) + std::hypot(1, zeta));
        const double cosine = 1 / std::hypot(1, t), sine = cosine * t;
        for (long j = 0; j < G.cols; ++j) {
          const double before = x[j];
          x[j] = cosine * before - sine * y[j];
          y[j] = sine * before + cosine * y[j];
        }
      }
  }
}

// Close to a root of |M|: rotated rows g_i of M = V diag(e) V' are those of diag(e) V', so that |M|
// is the sum of g_i g_i' / |g_i|.
Mat root_of_absolute(const Mat& M, double size) {
  Table G = centres(M);
  orthogonalize(G, size);
  for (long i = 0; i < G.rows; ++i) {
    const double squares = std::max(product(&G(i, 0), &G(i, 0), G.cols), 1e-300);
    for (long j = 0; j < G.cols; ++j) G(i, j) /= std::sqrt(std::sqrt(squares));
  }
  return Mat(G);
}

}  // namespace

// In the metric R R' the smallest E has R'ER = |R'DR|. It is W'W, W close to the root of that times
// R^-1, and a little more for what rounding did to W; its balls hold W'W too, so that the little
// more refutes nothing.
std::optional<Mat> absolute(const Mat& D, const Mat& metric) {
  Mat R = identity(D.rows()), inverse = R;
  const long first = D.rows() - metric.rows();  // of w: after the constant, if D has it
  if (metric.rows() > 0) set_block(R, first, first, Mat(cholesky(centres(metric), 0)));
  arb_mat_approx_solve_tril(inverse.m, R.m, inverse.m, 0, bits);
  const Mat M = transpose(R) * D * R;
  const double size = size_of(M);
  const Mat W(centres(root_of_absolute(M, size) * inverse)), E = transpose(W) * W;
  const Mat more = size * (transpose(entrywise(inverse, inverse)) * ones(D.rows(), 1));
  for (const Mat& room : {diagonal(E), more})  // in units of its own, if that will do
    for (const double share : {1e-14, 1e-13, 1e-12}) {
      Mat pad = diagonal_matrix(share * middle(room)), wider = E + pad;
      if (!is_positive_definite(wider - D) || !is_positive_definite(wider + D)) continue;
      for (long i = 0; i < D.rows(); ++i) arb_add_error(wider.at(i, i), pad.at(i, i));
      return wider;
    }
  return std::nullopt;
}

namespace {

struct Factors {
  double ratio, above, below;
};

// Each with all of delta; of single variables in the range where they are the worst case.
Factors factors_of(long n, bool centred, double delta) {
  const Factors any{scale_free_ratio(n, delta), scale_free_above(n, delta),
                    scale_free_below(n, delta)};
  if (!centred || n < 3) return any;
  const Factors single{std::min(chi_square_ratio(n, delta), lower(Ball(n - 2) / (n + 2))),
                       chi_square_above(n, delta),
                       std::min(chi_square_below(n, delta), lower(Ball(n - 2) / (n + 5)))};
  const bool worse =
      single.ratio < any.ratio || single.above > any.above || single.below < any.below;
  return worse ? any : single;
}

}  // namespace

// Better: -(N_hat - P_hat/x)/x_up, otherwise (P_hat - x N_hat)/x_low.
Ball by_ratio(const Ball& P_hat, const Ball& N_hat, long n, bool centred, double delta) {
  const Factors by = factors_of(n, centred, delta);
  const Ball x = by.ratio, gap = P_hat - x * N_hat;
  if (upper(gap) < 0) return gap / x / by.above;
  if (!(lower(gap) >= 0)) throw TooWide{"which of the two costs less"};
  return gap / by.below;
}

}  // namespace verify

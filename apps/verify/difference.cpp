// Cost of a response minus that of a baseline (docs/theory/improvement.md).
#include <algorithm>
#include <cmath>

#include "bound.hpp"

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

// E with E - D and E + D certainly positive semidefinite, and close to the smallest such in the
// metric R R', where R'ER = |R'DR|. It is W'W, W close to the root of that times R^-1, and a little
// more for what rounding did to W; its balls hold W'W too, so that the little more refutes nothing.
Mat absolute(const Mat& D, const Mat& metric) {
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
  if (bits > 64)  // W is of doubles, whatever the bits
    throw Undecided{
        "the part of the difference in which the controller is better: too small to tell"};
  throw TooWide{"the part of the difference in which the controller is better"};
}

struct Means {
  Ball P, N;  // of the parts in which the controller is worse and better
};

// D = D_+ - D_-, halves of E + D and E - D, in a metric that no certifying data have touched.
Means signed_means(const Mat& D, const Mat& metric, const Data& data) {
  const long d = D.rows() - 1;
  Mat E(1 + d, 1 + d);  // without an offset nothing is added to the constant's row, whatever units
  if (size_of(block(D, 0, 0, 1, 1 + d)) > 0)
    E = absolute(D, metric);
  else
    set_block(E, 1, 1, absolute(block(D, 1, 1, d, d), metric));
  return {dot(E + D, data.moment) / 2, dot(E - D, data.moment) / 2};
}

// P <= P_hat/(x N_hat) N. Better: -(N_hat - P_hat/x)/x_up, otherwise (P_hat - x N_hat)/x_low.
Ball by_ratio(const Record& record, const Means& hat, long n, bool centred) {
  const double delta = record.delta("scale");
  const Ball x = ratio_factor(centred, n, record.delta("ratio"));
  const Ball gap = hat.P - x * hat.N;
  if (upper(gap) < 0) return gap / x / above_factor(centred, n, lower(0.9 * Ball(delta)));
  if (!(lower(gap) >= 0)) throw TooWide{"which of the two costs less"};
  return gap / below_factor(centred, n, lower(delta - 0.9 * Ball(delta)));
}

}  // namespace

Bound difference_bound(const Record& record, const Mat& D, const Mat& metric, const Data& data,
                       const Ball& lambda) {
  const bool by_scale = record.kind == "improvement-scale", centred = record.kind == "improvement";
  require_gaussian(record);
  if (by_scale || centred) require_zero_mean(record);
  if (centred && size_of(block(D, 0, 0, 1, D.cols())) > 0)
    throw Refuted{"assumptions: kind improvement allows no offset"};
  const Ball empirical = dot(D, data.moment);
  Bound bound;
  bound.assumptions = {{"Controller and baseline were fixed before these trajectories were seen."},
                       {gaussian_any_mean},
                       {model_sentence}};
  Ball margin;
  if (by_scale) {
    const Ball scale = scale_of(record);
    const long d = record.problem.d_w();
    const Mat G = scale * block(D, 1, 1, d, d);
    require_likely(record, data, Mat(d, 1), scale * ones(d, 1));
    const auto finite = [&](const Ball& at) {
      return is_positive_definite(identity(d) + at * (G + transpose(G)));
    };
    Ball used = lambda;  // any is valid: a smaller one where rounding moved the end of the domain
    for (int halves = 0; halves < 10 && !finite(used); ++halves) used = used / 2;
    if (!finite(used)) throw TooWide{"lambda: whether the cumulant is finite there"};
    margin = chernoff_margin(D, scale * identity(d), used, data.n, record.delta("chernoff"));
    bound.events = {{"chernoff",
                     {"the mean cost difference of the trajectories is not far below its "
                      "expectation"}}};
    bound.assumptions.push_back({zero_mean_sentence});
    bound.assumptions.push_back(scale_sentence(record));
  } else {
    const Means hat = signed_means(D, metric, data);
    margin = by_ratio(record, hat, data.n, centred) - empirical;
    bound.events = {
        {"ratio",
         {"P/N <= k, P and N the expected parts of the difference in which the "
          "controller is worse and better"}},
        {"scale", {"N is not far below its mean on the trajectories, nor P far above"}}};
    if (metric.rows() > 0)
      bound.assumptions.push_back(
          {"The metric that tells better from worse was made without these trajectories."});
    if (centred) bound.assumptions.push_back({zero_mean_sentence});
  }
  bound.terms = {{"difference of the empirical costs", empirical}, {"margin", margin}};
  return bound;
}

}  // namespace verify

// Cost of a response minus that of a baseline (docs/theory/improvement.md).
#include <cmath>

#include "bound.hpp"

namespace verify {
namespace {

using Rows = std::vector<std::vector<double>>;

// Rotates rows of G and R in pairs until those of G are orthogonal to each other (Hestenes).
// Doubles are good enough: what comes out is checked.
void orthogonalize(Rows& G, Rows& R) {
  bool moved = true;
  for (int sweep = 0; moved && sweep < 40; ++sweep) {
    moved = false;
    for (size_t p = 0; p < G.size(); ++p)
      for (size_t q = p + 1; q < G.size(); ++q) {
        double a = 0, b = 0, c = 0;
        for (size_t j = 0; j < G.size(); ++j) {
          a += G[p][j] * G[p][j];
          b += G[q][j] * G[q][j];
          c += G[p][j] * G[q][j];
        }
        if (!(std::abs(c) > 1e-15 * std::sqrt(a * b))) continue;
        moved = true;
        const double zeta = (b - a) / (2 * c);
        const double t = (zeta < 0 ? -1 : 1) / (std::abs(zeta) + std::hypot(1, zeta));
        const double cosine = 1 / std::hypot(1, t), sine = cosine * t;
        for (Rows* rows : {&G, &R})
          for (size_t j = 0; j < G.size(); ++j) {
            const double x = (*rows)[p][j], y = (*rows)[q][j];
            (*rows)[p][j] = cosine * x - sine * y;
            (*rows)[q][j] = sine * x + cosine * y;
          }
      }
  }
}

// Close to |M|, with E - M and E + M certainly positive semidefinite: R M = G has orthogonal rows,
// |M| = R' diag(their lengths) R.
Mat absolute(const Mat& M) {
  const auto n = static_cast<size_t>(M.rows());
  Rows G(n, std::vector<double>(n)), R = G;
  for (size_t i = 0; i < n; ++i) {
    R[i][i] = 1;
    for (size_t j = 0; j < n; ++j)
      G[i][j] = arf_get_d(arb_midref(arb_mat_entry(M.m, i, j)), ARF_RND_NEAR);
  }
  orthogonalize(G, R);
  Mat root(M.rows(), M.rows());
  for (size_t i = 0; i < n; ++i) {
    double squares = 0;
    for (const double x : G[i]) squares += x * x;
    for (size_t j = 0; j < n; ++j)
      arb_set_d(arb_mat_entry(root.m, i, j), std::sqrt(std::sqrt(squares)) * R[i][j]);
  }
  const Mat E = middle(transpose(root) * root), I = identity(M.rows());
  const double size = size_of(M);
  for (const double more : {1e-15, 1e-14, 1e-13, 1e-12}) {
    const Mat wider = E + more * size * I;
    if (is_positive_definite(wider - M) && is_positive_definite(wider + M)) return wider;
  }
  throw TooWide{"the part of the difference in which the controller is better"};
}

struct Means {
  Ball P, N;  // of the parts in which the controller is worse and better
};

// D = D_+ - D_- in the metric R R', which no certifying data have touched.
Means signed_means(const Mat& D, const Mat& metric, const Data& data) {
  Mat R = identity(D.rows());
  if (metric.rows() > 0) set_block(R, 1, 1, lower_factor(metric));
  const Mat M = transpose(R) * D * R, E = absolute(Ball(0.5) * (M + transpose(M)));
  const Mat S = solve_lower(R, transpose(solve_lower(R, data.moment)));
  return {dot(E + M, S) / 2, dot(E - M, S) / 2};
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
    const double scale = record.assumed("scale_bound", 0);
    const long d = record.problem.d_w();
    const Mat G = scale * block(D, 1, 1, d, d);
    if (!is_positive_definite(identity(d) + lambda * (G + transpose(G))))
      throw TooWide{"lambda: whether the cumulant is finite there"};
    margin = chernoff_margin(D, scale * identity(d), lambda, data.n, record.delta("chernoff"));
    bound.events = {{"chernoff",
                     {"the mean cost difference of the trajectories is not far below its "
                      "expectation"}}};
    bound.assumptions.push_back({zero_mean_sentence});
    bound.assumptions.push_back({scale_pattern, {scale}});
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

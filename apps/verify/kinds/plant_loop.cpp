#include "kinds/plant_loop.hpp"

namespace verify {

Mat on_state(const Plant& plant, const Mat& on_y) {
  Mat all(plant.n(), plant.n());
  set_block(all, plant.first(), plant.first(), on_y);
  return all;
}

Estimate estimate_of(const Problem& p, const Plant& plant, const ConfidenceSet& set,
                     const std::vector<Table>& gains) {
  const long n = plant.n(), n_r = plant.Cr.rows();
  const Mat of_state = block(plant.Cr, 0, 0, n_r, n), of_input = block(plant.Cr, 0, n, n_r, p.n_u);
  Estimate found{{}, plant.E * set.root, set.beta};
  for (size_t t = 0; t < gains.size(); ++t) {
    const Mat K(gains[t]), C = of_state + of_input * K;
    found.gains.push_back(K);
    found.steps.push_back({plant.A + plant.B * K + plant.E * (set.Theta_hat * C), set.G * C,
                           on_state(plant, p.Q[t]) + transpose(K) * p.R[t] * K});
  }
  return found;
}

std::vector<Mat> costs_to_go(const Estimate& at, const Mat& last) {
  std::vector<Mat> S(at.steps.size() + 1, last);
  for (size_t t = at.steps.size(); t-- > 0;)
    S[t] = at.steps[t].weight + transpose(at.steps[t].A) * S[t + 1] * at.steps[t].A;
  return S;
}

Ball cost_of(const Estimate& at, const std::vector<Mat>& S, const Mat& U_0) {
  Ball cost = dot(S[0], U_0);
  for (size_t t = 1; t < S.size() && at.noise; ++t) cost = cost + dot(at.H, S[t] * at.H);
  return cost;
}

Ball guaranteed_cost(const Estimate& at, const Mat& last, const Mat& U_0, double tau) {
  std::vector<Mat> P(at.steps.size() + 1, last);
  for (size_t t = at.steps.size(); t-- > 0;)
    P[t] = guaranteed_step(at.steps[t], at.H, at.beta, P[t + 1], tau);
  return cost_of(at, P, U_0);
}

// Of item 4: zeta_t = sum over the start and e_j of what reaches it. M_j = E zeta_j zeta_j'.
Interconnection loop_of(const Estimate& at, const std::vector<Mat>& S, const Mat& U_0) {
  const long T = std::ssize(at.steps), v = at.H.cols(), r = at.steps[0].C.rows();
  Interconnection loop{T,
                       v,
                       r,
                       cost_of(at, S, U_0),
                       Mat(T * v, T * r),
                       Mat(T * v, T * v),
                       Mat(T * r, T * r),
                       Mat(T * r, T * v)};
  std::vector<Mat> moments, replies;  // E zeta_t r_j', and zeta_t from e_j
  Mat M = U_0;
  const auto put = [](Mat& all, long t, long j, const Mat& part) {
    set_block(all, t * part.rows(), j * part.cols(), part);
  };
  for (long t = 0; t < T; ++t) {
    const auto& [A, C, weight] = at.steps[static_cast<size_t>(t)];
    moments.push_back(M * transpose(C));
    for (long j = 0; j <= t; ++j) {
      Mat& from = moments[static_cast<size_t>(j)];
      put(loop.moments, t, j, C * from);
      put(loop.moments, j, t, transpose(C * from));
      if (j < t) put(loop.replies, t, j, C * replies[static_cast<size_t>(j)]);
      from = A * from;
      if (j < t) replies[static_cast<size_t>(j)] = A * replies[static_cast<size_t>(j)];
    }
    replies.push_back(at.H);
    const Mat to_go = transpose(at.H) * S[static_cast<size_t>(t) + 1];
    for (long j = 0; j <= t; ++j) {
      const Mat reply = to_go * replies[static_cast<size_t>(j)];
      put(loop.to_cost, t, j, to_go * moments[static_cast<size_t>(j)]);
      put(loop.inputs, t, j, reply);
      put(loop.inputs, j, t, transpose(reply));
    }
    M = A * M * transpose(A);
    if (at.noise) M = M + at.H * transpose(at.H);
  }
  return loop;
}

std::pair<Ball, Ball> finite_cost(const Estimate& at, bool riccati, double tau, double nu,
                                  const Mat& last, const Mat& U_0) {
  const std::vector<Mat> S = costs_to_go(at, last);
  const Ball nominal = cost_of(at, S, U_0);
  if (riccati) return {nominal, guaranteed_cost(at, last, U_0, tau) - nominal};
  const long size = std::ssize(at.steps) * (at.H.cols() + at.steps[0].C.rows());
  if (size > 3000) throw Undecided{"an expansion of so many steps"};
  return {nominal, largest_error(loop_of(at, S, U_0), at.beta, nu)};
}

}  // namespace verify

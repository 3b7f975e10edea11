#include "system/markov.hpp"

#include "system/plain_product.hpp"

namespace loopcert {
namespace {

// One matrix for all steps, or one for each.
const Matrix& at(const std::vector<Matrix>& list, Index t) {
  return list.size() == 1 ? list[0] : list[static_cast<size_t>(t)];
}

}  // namespace

Matrix operator_of(const Markov& markov, Index T) {
  const Index n_y = markov.at(0).rows(), n_u = markov[0].cols();
  Matrix G = Matrix::Zero((T + 1) * n_y, T * n_u);
  for (Index s = 0; s < T; ++s)
    for (Index t = s + 1; t <= T && t - s <= static_cast<Index>(markov.size()); ++t)
      G.block(t * n_y, s * n_u, n_y, n_u) = markov[static_cast<size_t>(t - s - 1)];
  return G;
}

Markov delayed(Markov markov, Index steps) {
  const Matrix zero = Matrix::Zero(markov.at(0).rows(), markov[0].cols());
  markov.insert(markov.begin(), static_cast<size_t>(steps), zero);
  return markov;
}

Markov markov_of_step(const std::vector<Matrix>& step) {
  Markov markov = {step.at(0)};
  for (size_t k = 1; k < step.size(); ++k) {
    Matrix change = step[k];
    for (Index j = 0; j < change.cols(); ++j)
      for (Index i = 0; i < change.rows(); ++i) change(i, j) -= step[k - 1](i, j);
    markov.push_back(std::move(change));
  }
  return markov;
}

Matrix operator_of(const std::vector<Matrix>& A, const std::vector<Matrix>& B,
                   const std::vector<Matrix>& C, Index delay, Index T) {
  const Index n_y = C.at(0).rows(), n_u = B.at(0).cols();
  const bool varies = A.size() > 1 || B.size() > 1 || C.size() > 1;
  Matrix G = Matrix::Zero((T + 1) * n_y, T * n_u);
  for (Index s = 0; s + delay < T; ++s) {
    if (s > 0 && !varies) {  // as the first input, later
      const Index rows = (T + 1 - s) * n_y;
      G.block(s * n_y, s * n_u, rows, n_u) = G.block(0, 0, rows, n_u);
      continue;
    }
    Matrix X = at(B, s + delay);
    for (Index t = s + delay + 1; t <= T; ++t) {
      G.block(t * n_y, s * n_u, n_y, n_u) = plain_times(at(C, t), X);
      if (t < T) X = plain_times(at(A, t), X);
    }
  }
  return G;
}

// u_s enters x_{s+m+1} by B_now and x_{s+m+2} by B_before.
Markov markov_of(const Sampled& plant, const Matrix& C, Index T) {
  Markov markov;
  Matrix now = plant.B_now, before = plant.B_before;
  for (Index k = 0; k < T; ++k) {
    markov.push_back(plain_times(C, now));
    now = plain_times(plant.A, now);
    if (k == 0)
      for (Index j = 0; j < now.cols(); ++j)
        for (Index i = 0; i < now.rows(); ++i) now(i, j) += before(i, j);
  }
  markov = delayed(std::move(markov), plant.m);
  markov.resize(static_cast<size_t>(T));
  return markov;
}

// den h = num, by powers: den_0 h_k = num_k - sum over i >= 1 of den_i h_{k-i}.
std::vector<double> fraction_response(std::vector<double> num, const std::vector<double>& den,
                                      Index T) {
  num.insert(num.begin(), den.size() - num.size(), 0.0);
  std::vector<double> h;
  for (size_t k = 0; k <= static_cast<size_t>(T); ++k) {
    double sum = k < num.size() ? num[k] : 0.0;
    for (size_t i = 1; i < den.size() && i <= k; ++i) sum -= den[i] * h[k - i];
    h.push_back(sum / den[0]);
  }
  h.erase(h.begin());
  return h;
}

}  // namespace loopcert

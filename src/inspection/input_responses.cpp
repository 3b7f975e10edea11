#include "input_responses.hpp"

#include <Eigen/Cholesky>
#include <algorithm>
#include <cmath>

#include "inspect_common.hpp"

namespace loopcert {
namespace {

constexpr Index column_limit = 60;       // regressors of one step
constexpr double dependent = 1e-7;       // a column that others explain but for this part is theirs
constexpr double rounding_part = 1e-10;  // of the terms that a one-step error consists of
constexpr double smallest_room = 0.05;   // of 1 - leverage

// An orthonormal basis that grows column by column.
class Basis {
 public:
  Basis(Index rows, Index most) : Q_(rows, most + 1) {
    Q_.col(0).setConstant(1 / std::sqrt(static_cast<double>(rows)));  // the mean
    count_ = 1;
  }
  // What the basis leaves of M. Twice is enough.
  Matrix residual(const MatrixView& M) const {
    const auto Q = Q_.leftCols(count_);
    Matrix R = M - Q * (Q.transpose() * M);
    R -= Q * (Q.transpose() * R).eval();
    return R;
  }
  void add(const MatrixView& M) {
    for (Index j = 0; j < M.cols(); ++j) {
      const Matrix R = residual(M.col(j));
      const double size = (M.col(j).array() - M.col(j).mean()).matrix().norm();
      if (!(R.norm() > dependent * size)) continue;
      Q_.col(count_++) = R / R.norm();
    }
  }
  Vector leverage() const { return Q_.leftCols(count_).rowwise().squaredNorm(); }

 private:
  Matrix Q_;
  Index count_ = 0;
};

struct Steps {
  Sizes sizes;
  Matrix x, u, w;   // w: n x T n_x, one-step errors of the model
  Vector rounding;  // T n_x: norms of w below which it is rounding of the terms it consists of
  auto x_at(Index t) const { return x.middleCols(t * sizes.n_x, sizes.n_x); }
  auto u_at(Index t) const { return u.middleCols(t * sizes.n_u, sizes.n_u); }
  auto w_at(Index t) const { return w.middleCols(t * sizes.n_x, sizes.n_x); }
};

Steps steps_of(const Plant& plant, const Rollouts& logs, Index most) {
  const Sizes sizes = plant.sizes();
  const Index n = std::min(logs.x.rows(), most);
  Rollouts part{logs.x.topRows(n), logs.u.topRows(n)};
  Matrix w = reconstruct_disturbances(plant, part).w.rightCols(sizes.T * sizes.n_x);
  Steps steps{sizes, std::move(part.x), std::move(part.u), std::move(w), {}};
  steps.rounding.resize(sizes.T * sizes.n_x);
  for (Index t = 0; t < sizes.T; ++t) {
    const Vector x = steps.x_at(t).colwise().norm(), u = steps.u_at(t).colwise().norm();
    const Vector next = steps.x_at(t + 1).colwise().norm();
    steps.rounding.segment(t * sizes.n_x, sizes.n_x) =
        rounding_part * (next + plant.A_at(t).cwiseAbs() * x + plant.B_at(t).cwiseAbs() * u);
  }
  return steps;
}

// How many steps back a regression can look with this many episodes: 1 + (H + 1)(n_x + n_u)
// columns are at most half of them.
Index steps_back(const Sizes& sizes, Index n, Index most) {
  const Index width = sizes.n_x + sizes.n_u;
  const Index columns = std::min(n / 2, std::max(column_limit, 2 * width + 1)) - 1;
  return std::min({columns / width - 1, most, sizes.T - 1});
}

// What is known and conditioned on, and from which step on inputs are tested.
Index condition(Basis& basis, const Steps& steps, Index t, Index back) {
  const Index s = std::max<Index>(t - back, 0);
  basis.add(steps.x_at(s));
  const bool whole = t < back;  // the whole past, and every input is tested
  if (back == 0) return t;
  if (!whole) basis.add(steps.u_at(s));
  for (Index r = s; r < t; ++r) basis.add(steps.w_at(r));
  return whole ? s : s + 1;
}

// The terms of step t with what is left of u_r, r = t - k, given the past.
void add_terms(InputResponses& found, const Steps& steps, const Basis& basis, Index t, Index k) {
  const Sizes& sizes = steps.sizes;
  const auto u = steps.u_at(t - k);
  const Matrix e = basis.residual(u);
  Matrix v = basis.residual(steps.w_at(t));
  for (Index i = 0; i < sizes.n_x; ++i)
    if (!(v.col(i).norm() > steps.rounding(t * sizes.n_x + i))) v.col(i).setZero();
  const Vector room = (1 - basis.leverage().array()).max(smallest_room).sqrt();
  for (Index j = 0; j < sizes.n_u; ++j) {
    if (!(e.col(j).norm() > 10 * dependent * (u.col(j).array() - u.col(j).mean()).matrix().norm()))
      continue;
    const auto at = static_cast<size_t>(k * sizes.n_u + j);
    const auto e_j = e.col(j).array();
    const Matrix product = v.array().colwise() * e_j;
    found.products[at] += product;
    found.weighed[at] += Matrix(product.array().colwise() / room.array());
    if (found.regressors.empty()) continue;
    found.regressors[at].leftCols(sizes.n_x) +=
        Matrix(basis.residual(steps.x_at(t)).array().colwise() * e_j);
    found.regressors[at].rightCols(sizes.n_u) +=
        Matrix(basis.residual(steps.u_at(t)).array().colwise() * e_j);
  }
  for (Index i = 0; i < e.rows(); ++i) {
    Vector row(sizes.n_u + sizes.n_x);
    row << e.row(i).transpose(), v.row(i).transpose();
    found.halves[static_cast<size_t>(2 * k + i % 2)].noalias() += row * row.transpose();
  }
}

void add_step(InputResponses& found, const Steps& steps, Index t, Index back) {
  Basis basis(steps.x.rows(), (back + 1) * (steps.sizes.n_x + steps.sizes.n_u) + steps.sizes.n_u);
  for (Index r = condition(basis, steps, t, back); r <= t; ++r) {
    if (t - r < found.lags) add_terms(found, steps, basis, t, t - r);
    if (r < t) basis.add(steps.u_at(r));
  }
}

// The sum over its standard deviation, with episodes as independent units, has the tail of
// Student's law; and never less than that of n coins, whatever the law of an episode.
double sum_p(double z, double n) {
  const double room = n - z * z;
  const double student = room > 0 ? student_two_sided(z * std::sqrt((n - 1) / room), n - 1) : 0.0;
  return std::max(student, std::exp2(1 - n));
}

void judge_sums(InputResponses& found) {
  const auto rows = static_cast<Index>(found.products.size());
  const auto n = static_cast<double>(found.products[0].rows());
  found.z = Matrix::Zero(rows, found.sizes.n_x);
  double largest = 0;
  for (Index at = 0; at < rows; ++at)
    for (Index i = 0; i < found.sizes.n_x; ++i) {
      const double size = found.weighed[static_cast<size_t>(at)].col(i).norm();
      if (!(size > 0) || !std::isfinite(size)) continue;
      ++found.tests;
      const double z = found.products[static_cast<size_t>(at)].col(i).sum() / size;
      found.z(at, i) = z;
      if (std::abs(z) <= largest) continue;
      largest = std::abs(z);
      found.worst_lag = at / found.sizes.n_u;
      found.worst_input = at % found.sizes.n_u;
      found.worst_state = i;
    }
  if (found.tests > 0) found.p = corrected(sum_p(largest, n), found.tests);
}

}  // namespace

std::optional<InputResponses> input_responses(const Plant& plant, const Rollouts& logs,
                                              const ResponseEffort& effort) {
  const Steps steps = steps_of(plant, logs, effort.episodes);
  const Sizes& sizes = steps.sizes;
  const Index n = steps.x.rows(), back = steps_back(sizes, n, effort.back);
  if (back < 0) return std::nullopt;
  InputResponses found;
  found.sizes = sizes;
  found.lags = std::max<Index>(back, 1);
  const auto count = static_cast<size_t>(found.lags * sizes.n_u);
  found.products.assign(count, Matrix::Zero(n, sizes.n_x));
  found.weighed = found.products;
  const Index side = sizes.n_u + sizes.n_x;
  if (effort.regressors) found.regressors.assign(count, Matrix::Zero(n, side));
  found.halves.assign(static_cast<size_t>(2 * found.lags), Matrix::Zero(side, side));
  for (Index t = 0; t < sizes.T; ++t) add_step(found, steps, t, back);
  judge_sums(found);
  if (found.tests == 0) return std::nullopt;
  return found;
}

double cross_fitted_gain(const InputResponses& found, Index state) {
  const Index n_u = found.sizes.n_u, at = n_u + state;
  double best = 0;
  for (Index k = 0; k < found.lags; ++k) {
    double before = 0, saved = 0;
    for (size_t half = 0; half < 2; ++half) {
      const Matrix& fit = found.halves[static_cast<size_t>(2 * k) + half];
      const Matrix& other = found.halves[static_cast<size_t>(2 * k) + 1 - half];
      const Vector c = Matrix(fit.topLeftCorner(n_u, n_u)).ldlt().solve(fit.col(at).head(n_u));
      if (!c.allFinite()) continue;
      before += other(at, at);
      saved += 2 * c.dot(other.col(at).head(n_u)) - c.dot(other.topLeftCorner(n_u, n_u) * c);
    }
    if (before > 0) best = std::max(best, saved / before);
  }
  return best;
}

double innovation_size(const InputResponses& found) {
  const Index n_u = found.sizes.n_u;
  const auto terms = static_cast<double>(found.products[0].rows() * found.sizes.T);
  double sum = 0;
  for (Index i = n_u; i < n_u + found.sizes.n_x; ++i)
    sum += std::log(std::max((found.halves[0](i, i) + found.halves[1](i, i)) / terms, 1e-300));
  return sum;
}

}  // namespace loopcert

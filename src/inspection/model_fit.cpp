#include "model_fit.hpp"

#include <fmt/format.h>

#include <Eigen/Cholesky>
#include <algorithm>
#include <cmath>

namespace loopcert {
namespace {

constexpr double clear = 3.5;       // standard errors that make an entry worth naming
constexpr size_t most_entries = 4;  // in one sentence
constexpr int refinements = 3;

ModelCheck::Entry entry(const char* matrix, Index i, Index j, double file, double change,
                        double error) {
  return {fmt::format("{}[{},{}]", matrix, i, j), file, file + change, error};
}

// One entry of row i of A, all else as it is: the moments of the inputs before (lags >= 1) are
// m_a = R_a theta, weighed by their variances.
struct EntryFit {
  Index column = -1;
  double change = 0, error = 0, left = INFINITY;
};

EntryFit fit_entry(const InputResponses& r, Index i, Index column) {
  double RR = 0, Rm = 0;
  const auto first = static_cast<size_t>(r.sizes.n_u);
  std::vector<double> R, m, s;
  for (size_t a = first; a < r.products.size(); ++a) {
    const double size = r.weighed[a].col(i).norm();
    if (!(size > 0)) continue;
    R.push_back(r.regressors[a].col(column).sum() / size);
    m.push_back(r.products[a].col(i).sum() / size);
    s.push_back(size);
    RR += R.back() * R.back();
    Rm += R.back() * m.back();
  }
  EntryFit fit{column, RR > 0 ? Rm / RR : 0, 0, 0};
  Vector influence = Vector::Zero(r.products[0].rows());
  size_t at = 0;
  for (size_t a = first; a < r.products.size(); ++a) {
    if (!(r.weighed[a].col(i).norm() > 0)) continue;
    fit.left += std::pow(m[at] - R[at] * fit.change, 2);
    influence += R[at] / s[at] * (r.products[a].col(i) - fit.change * r.regressors[a].col(column));
    ++at;
  }
  fit.error = RR > 0 ? influence.norm() / RR : INFINITY;
  return fit;
}

EntryFit best_entry(const InputResponses& r, Index i) {
  EntryFit best;
  for (Index j = 0; j < r.sizes.n_x; ++j) {
    const EntryFit fit = fit_entry(r, i, j);
    if (fit.left < best.left && std::abs(fit.change) > clear * fit.error) best = fit;
  }
  return best;
}

// Rows that are still contradicted, worst first.
std::vector<Index> contradicted_rows(const InputResponses& r) {
  const Vector worst = r.z.cwiseAbs().colwise().maxCoeff();
  std::vector<Index> rows;
  for (Index i = 0; i < worst.size(); ++i)
    if (worst(i) > clear) rows.push_back(i);
  std::sort(rows.begin(), rows.end(), [&](Index a, Index b) { return worst(a) > worst(b); });
  return rows;
}

// One entry of A in each row that needs it, refined; empty when that does not make peace.
std::vector<ModelCheck::Entry> entries_of_A(Plant plant, const Rollouts& logs) {
  const ResponseEffort effort{.episodes = 300, .back = 4, .regressors = true};
  std::optional<InputResponses> r = input_responses(plant, logs, effort);
  std::vector<ModelCheck::Entry> entries;
  if (!r || r->p > agrees_above) return {};  // B alone explains it
  for (const Index i : contradicted_rows(*r)) {
    EntryFit fit = best_entry(*r, i);
    if (fit.column < 0) return {};
    const double file = plant.A[0](i, fit.column);
    for (int step = 0; step < refinements && r; ++step) {
      plant.A[0](i, fit.column) += fit.change;
      r = input_responses(plant, logs, effort);
      if (r) fit = fit_entry(*r, i, fit.column);
    }
    entries.push_back(entry("A", i, fit.column, file, plant.A[0](i, fit.column) - file, fit.error));
  }
  return r && r->p > agrees_above ? entries : std::vector<ModelCheck::Entry>();
}

}  // namespace

FittedInputs fit_inputs(const InputResponses& r) {
  const Index n_x = r.sizes.n_x, n_u = r.sizes.n_u, n = r.products[0].rows();
  Matrix M(n_u, n_u), m(n_u, n_x);
  for (Index j = 0; j < n_u; ++j) {
    M.row(j) = r.regressors[static_cast<size_t>(j)].rightCols(n_u).colwise().sum();
    m.row(j) = r.products[static_cast<size_t>(j)].colwise().sum();
  }
  const Eigen::LDLT<Matrix> factor(M);
  FittedInputs fit{factor.solve(m).transpose(), Matrix::Zero(n_x, n_u)};
  for (Index i = 0; i < n_x; ++i) {
    Matrix left(n_u, n);
    for (Index j = 0; j < n_u; ++j) {
      const Matrix& own = r.regressors[static_cast<size_t>(j)];
      left.row(j) = (r.products[static_cast<size_t>(j)].col(i) -
                     own.rightCols(n_u) * fit.change.row(i).transpose())
                        .transpose();
    }
    fit.error.row(i) = factor.solve(left).rowwise().norm().transpose();
  }
  return fit;
}

std::vector<ModelCheck::Entry> disagreeing_entries(const Plant& plant, const Rollouts& logs,
                                                   const FittedInputs& inputs, bool only_inputs) {
  std::vector<ModelCheck::Entry> entries;
  for (Index i = 0; i < inputs.change.rows(); ++i)
    for (Index j = 0; j < inputs.change.cols(); ++j)
      if (std::abs(inputs.change(i, j)) > clear * inputs.error(i, j))
        entries.push_back(
            entry("B", i, j, plant.B[0](i, j), inputs.change(i, j), inputs.error(i, j)));
  Plant other = plant;
  if (inputs.change.allFinite()) other.B[0] += inputs.change;
  if (!only_inputs)
    for (ModelCheck::Entry& more : entries_of_A(other, logs)) entries.push_back(std::move(more));
  const auto doubt = [](const ModelCheck::Entry& e) {
    return std::abs(e.fitted - e.file) / std::max(e.error, 1e-300);
  };
  std::stable_sort(entries.begin(), entries.end(),
                   [&](const auto& a, const auto& b) { return doubt(a) > doubt(b); });
  if (entries.size() > most_entries) entries.resize(most_entries);
  return entries;
}

}  // namespace loopcert

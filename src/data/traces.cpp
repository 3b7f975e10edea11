// One number for each step: sum_i c_i s_i / (sum_i c_i), s_i the entries in parts of the largest of
// their kind, c_i = 1 + the fractional part of i / golden ratio.
#include "loopcert/data/traces.hpp"

#include <algorithm>
#include <cmath>

#include "system/unseen.hpp"
#include "trace_steps.hpp"

namespace loopcert {
namespace {

constexpr double unit = 0x1p40, farthest = 0x1p46;

double weight(size_t i) {
  const double x = static_cast<double>(i) * 0.6180339887498949;
  return 1 + (x - std::floor(x));
}

// The least power of two above |x|, so that dividing by it rounds nothing.
double power_above(double x) {
  int exponent = 0;
  std::frexp(x, &exponent);
  return x > 0 ? std::ldexp(1.0, std::clamp(exponent, -1000, 1023)) : 1;
}

// What is far outside matches nothing, anywhere.
double in_units(double x) {
  return std::isfinite(x) ? std::clamp(unit * x, -farthest, farthest) : farthest;
}

StepNumber step_number(const std::vector<double>& entries, const std::vector<double>& sizes) {
  double sum = 0, size = 0, weights = 0;
  for (size_t i = 0; i < entries.size(); ++i) {
    const double part = weight(i) * (entries[i] / sizes[i]);
    sum += part;
    size += std::abs(part);
    weights += weight(i);
  }
  return {std::llround(in_units(sum / weights)), in_units(size / weights)};
}

// Entry i of a step of a row. Step 0 has states only.
struct Steps {
  const Matrix *states, *inputs;  // inputs: null for disturbances
  Index n_x, n_u, count;

  std::vector<double> of(Index row, Index t) const {
    std::vector<double> entries;
    for (Index j = 0; inputs && t > 0 && j < n_u; ++j)
      entries.push_back((*inputs)(row, (t - 1) * n_u + j));
    for (Index j = 0; j < n_x; ++j) entries.push_back((*states)(row, t * n_x + j));
    return entries;
  }
};

StepNumbers numbers_of(const Steps& steps, const Traces& traces) {
  StepNumbers numbers{{}, steps.count};
  numbers.all.reserve(static_cast<size_t>(steps.states->rows() * steps.count));
  for (Index i = 0; i < steps.states->rows(); ++i)
    for (Index t = 0; t < steps.count; ++t)
      numbers.all.push_back(step_number(steps.of(i, t), t == 0 ? traces.first : traces.later));
  return numbers;
}

Traces sizes_of(const Steps& steps) {
  Traces traces;
  for (Index i = 0; i < steps.states->rows(); ++i)
    for (Index t = 0; t < steps.count; ++t) {
      const std::vector<double> entries = steps.of(i, t);
      std::vector<double>& largest = t == 0 ? traces.first : traces.later;
      largest.resize(entries.size(), 0.0);
      for (size_t j = 0; j < entries.size(); ++j)
        largest[j] = std::max(largest[j], std::abs(entries[j]));
    }
  return traces;
}

StepNumbers finish(Traces& traces, const Steps& steps) {
  for (std::vector<double>* sizes : {&traces.first, &traces.later})
    for (double& size : *sizes) size = power_above(size);
  const StepNumbers numbers = numbers_of(steps, traces);
  for (const StepNumber& number : numbers.all) traces.rows.push_back(number.value);
  count_bits(numbers, traces);
  return numbers;
}

// |y_t| + |G| |u| + |d_t|, the largest of each entry.
void cover_output_terms(const Plant& plant, const Rollouts& logs, std::vector<double>& sizes) {
  const Sizes s = plant.sizes();
  const bool unseen = unseen_outputs(plant) > 0;
  const Matrix& G = unseen ? plant.G_x : plant.G;
  for (Index i = 0; i < logs.x.rows(); ++i)
    for (Index t = 1; t <= s.T; ++t)
      for (Index k = 0; k < s.n_x; ++k) {
        const Index row = t * s.n_x + k;
        double sum = std::abs(logs.x(i, row));
        for (Index j = 0; j < t * s.n_u; ++j) sum += std::abs(G(row, j) * logs.u(i, j));
        if (plant.d.size() > 0) sum += std::abs(plant.d(k, t - 1));
        double& size = sizes[static_cast<size_t>(k)];
        size = std::max(size, sum);
      }
  // Their order in w is another one: what covers all of them covers each.
  if (unseen) std::fill(sizes.begin(), sizes.end(), *std::max_element(sizes.begin(), sizes.end()));
}

// |x_{t+1}| + |A_t| |x_t| + |B_t| |u_t| + |d_t|, the largest of each entry.
void cover_terms(const Plant& plant, const Rollouts& logs, std::vector<double>& sizes) {
  if (!plant.has_state()) return cover_output_terms(plant, logs, sizes);
  const Sizes s = plant.sizes();
  for (Index i = 0; i < logs.x.rows(); ++i)
    for (Index t = 0; t < s.T; ++t)
      for (Index k = 0; k < s.n_x; ++k) {
        double sum = std::abs(logs.x(i, (t + 1) * s.n_x + k));
        for (Index j = 0; j < s.n_x; ++j)
          sum += std::abs(plant.A_at(t)(k, j) * logs.x(i, t * s.n_x + j));
        for (Index j = 0; j < s.n_u; ++j)
          sum += std::abs(plant.B_at(t)(k, j) * logs.u(i, t * s.n_u + j));
        if (plant.d.size() > 0) sum += std::abs(plant.d(k, t));
        double& size = sizes[static_cast<size_t>(k)];
        size = std::max(size, sum);
      }
}

Steps disturbance_steps(const Disturbances& data, Index n_w) {
  return {&data.w, nullptr, n_w, 0, data.w.cols() / n_w};
}

Steps log_steps(const Rollouts& logs, Index n_x, Index n_u) {
  return {&logs.x, &logs.u, n_x, n_u, logs.x.cols() / n_x};
}

std::optional<RowPair> pair_of(const std::vector<Index>& earlier) {
  for (size_t i = 0; i < earlier.size(); ++i)
    if (earlier[i] >= 0) return RowPair{earlier[i], static_cast<Index>(i)};
  return {};
}

}  // namespace

Traces disturbance_traces(const Disturbances& data, const Plant& plant) {
  const Steps steps = disturbance_steps(data, plant.sizes().n_w);
  Traces traces = sizes_of(steps);
  if (data.from_logs()) cover_terms(plant, data.logs, traces.later);
  finish(traces, steps);
  return traces;
}

Traces log_traces(const Rollouts& logs, const Sizes& sizes) {
  const Steps steps = log_steps(logs, sizes.n_x, sizes.n_u);
  Traces traces = sizes_of(steps);
  finish(traces, steps);
  return traces;
}

std::vector<Index> known_disturbances(const Traces& known, const Disturbances& data) {
  const auto n_w = static_cast<Index>(known.first.size());
  if (n_w == 0 || data.w.cols() % n_w != 0 || known.later.size() != known.first.size()) return {};
  const Steps steps = disturbance_steps(data, n_w);
  return known_rows(known, numbers_of(steps, known), false);
}

std::vector<Index> known_logs(const Traces& known, const Rollouts& logs) {
  const auto n_x = static_cast<Index>(known.first.size());
  const Index n_u = static_cast<Index>(known.later.size()) - n_x;
  if (n_x == 0 || n_u < 1 || logs.x.cols() % n_x != 0 ||
      logs.u.cols() != (logs.x.cols() / n_x - 1) * n_u)
    return {};
  const Steps steps = log_steps(logs, n_x, n_u);
  return known_rows(known, numbers_of(steps, known), false);
}

std::optional<RowPair> first_copy(const Disturbances& data, const Plant& plant) {
  const Steps w = disturbance_steps(data, plant.sizes().n_w);
  Traces traces = sizes_of(w);
  if (data.from_logs()) cover_terms(plant, data.logs, traces.later);
  const StepNumbers numbers = finish(traces, w);
  const auto pair = pair_of(known_rows(traces, numbers, true));
  if (pair || !data.from_logs()) return pair;
  const Steps logged = log_steps(data.logs, plant.sizes().n_x, plant.sizes().n_u);
  traces = sizes_of(logged);
  const StepNumbers also = finish(traces, logged);
  return pair_of(known_rows(traces, also, true));
}

}  // namespace loopcert

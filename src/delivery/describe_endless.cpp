// The loop of a controller without a last step, as long as a picture is wide: the estimate of the
// plant, driven by what it leaves over of the logs.
#include <fmt/format.h>

#include <algorithm>

#include "controller/memory_controller.hpp"
#include "delivery/describe_parts.hpp"
#include "model/linear_model.hpp"

namespace loopcert {
namespace {

constexpr Index steps = 60, most_stretches = 400;

// v_t = xi_{t+1} - A xi_t - B u_t - offset of all transitions, a column each, log by log.
Matrix left_over(const LinearModel& m, const Logs& logs, const IdentifiedRun& run) {
  std::vector<Vector> all;
  for (const LogEpisode& log : logs) {
    const Matrix xi = states_of_log(m, log).bottomRows(run.A.rows());
    for (Index k = 0; k + 1 < xi.cols(); ++k) {
      Vector v = xi.col(k + 1) - run.A * xi.col(k) - run.B * log.u.row(m.lags - 1 + k).transpose();
      if (run.offset.size() > 0) v -= run.offset;
      all.push_back(std::move(v));
    }
  }
  Matrix columns(run.A.rows(), static_cast<Index>(all.size()));
  for (size_t k = 0; k < all.size(); ++k) columns.col(static_cast<Index>(k)) = all[k];
  return columns;
}

// From rest, a row for each stretch; without a controller no input.
report::Loop loop_of(const std::string& name, const IdentifiedRun& run, const Matrix& v,
                     bool controlled) {
  const MemoryController& c = *run.endless;
  const Index count = std::min(v.cols() / steps, most_stretches);
  report::Loop loop;
  loop.name = name;
  loop.states = Matrix(count, (steps + 1) * c.n_y);
  loop.inputs = Matrix(count, steps * c.n_u);
  for (Index i = 0; i < count; ++i) {
    MemoryRun memory(c);
    Vector xi = Vector::Zero(run.A.rows());
    for (Index t = 0; t < steps; ++t) {
      loop.states.row(i).segment(t * c.n_y, c.n_y) = xi.head(c.n_y);
      const Vector u = controlled ? memory.step(xi.head(c.n_y)) : Vector(Vector::Zero(c.n_u));
      loop.inputs.row(i).segment(t * c.n_u, c.n_u) = u;
      xi = run.A * xi + run.B * u + v.col(i * steps + t);
      if (run.offset.size() > 0) xi += run.offset;
    }
    loop.states.row(i).tail(c.n_y) = xi.head(c.n_y);
  }
  return loop;
}

}  // namespace

void add_endless_loops(report::RunReport& page, const Problem& problem, const Logs& logs,
                       const IdentifiedRun& run) {
  add_names(page, problem);
  const Matrix v = left_over(model_of(problem), logs, run);
  if (v.cols() < steps) return;
  std::vector<report::SignalFacts> signals = page.loop.signals;
  page.loop = loop_of("this controller", run, v, true);
  const Index n_y = run.endless->n_y, n_u = run.endless->n_u;
  if (static_cast<Index>(signals.size()) == n_y + n_u)
    for (Index i = 0; i < n_y + n_u; ++i) {
      const Matrix& paths = i < n_y ? page.loop.states : page.loop.inputs;
      const auto own = i < n_y ? Eigen::seqN(i, steps + 1, n_y) : Eigen::seqN(i - n_y, steps, n_u);
      signals[static_cast<size_t>(i)].largest = paths(Eigen::all, own).cwiseAbs().maxCoeff();
    }
  page.loop.signals = std::move(signals);
  page.others = {loop_of("no input", run, v, false)};
  page.horizon = steps;
  page.paths_source =
      fmt::format("what the estimate leaves over of the logs, {} stretches of {} steps from rest",
                  page.loop.states.rows(), steps);
}

}  // namespace loopcert

// The closed loops of a page: the controller, the one that runs today, and LQR.
#include <fmt/format.h>

#include "certificate/from_problem.hpp"
#include "delivery/describe_parts.hpp"
#include "response/lqr.hpp"
#include "risk/cost_parts.hpp"
#include "workflow/limits_report.hpp"
#include "workflow/sampling.hpp"

namespace loopcert {
namespace {

// Trajectories drawn for the plots: enough for steady quantiles, and soon computed.
constexpr Index drawn = 400;

// What every loop of the page is shown on.
struct Stage {
  const Problem& problem;
  const Disturbances& data;
  Disturbances shown;
  std::optional<Moments> moments;  // of the law, or of the data
};

Matrix paths_of(const Matrix& Phi, const Vector& phi, const Matrix& w) {
  return (w * Phi.transpose()).rowwise() + phi.transpose();
}

// Largest of the trajectories shown: states from step 1 on.
void add_largest(std::vector<report::SignalFacts>& signals, const Matrix& x, const Matrix& u,
                 const Sizes& s) {
  if (signals.size() != static_cast<size_t>(s.n_x + s.n_u)) return;
  const auto largest = [](const Matrix& paths, Index first, Index stride, Index count) {
    return paths(Eigen::all, Eigen::seqN(first, count, stride)).cwiseAbs().maxCoeff();
  };
  for (Index i = 0; i < s.n_x; ++i)
    signals[static_cast<size_t>(i)].largest = largest(x, s.n_x + i, s.n_x, s.T);
  for (Index i = 0; i < s.n_u; ++i)
    signals[static_cast<size_t>(s.n_x + i)].largest = largest(u, i, s.n_u, s.T);
}

report::Loop loop_of(const Stage& stage, const std::string& name, const Response& response,
                     std::vector<report::SignalFacts> signals) {
  report::Loop loop;
  loop.name = name;
  loop.states = paths_of(response.Phi_x, response.phi_x, stage.shown.w);
  loop.inputs = paths_of(response.Phi_u, response.phi_u, stage.shown.w);
  loop.signals = std::move(signals);
  add_largest(loop.signals, loop.states, loop.inputs, stage.problem.sizes());
  if (stage.moments) {
    CostParts parts = cost_parts(stage.problem.system, response, *stage.moments);
    loop.state_costs = std::move(parts.states);
    loop.input_costs = std::move(parts.inputs);
  }
  return loop;
}

std::vector<report::SignalFacts> signals_of(const Stage& stage, const Response& response) {
  std::vector<report::SignalFacts> facts;
  for (const SignalSize& s : report_signals(stage.problem, response, stage.data).sizes)
    facts.push_back({s.name, s.expected, s.rms, s.level_95, s.level_99});
  return facts;
}

}  // namespace

void add_loops(report::RunReport& run, const Problem& problem, const Disturbances& data,
               const Response& own) {
  const bool estimate = run.signals_from == "estimate";
  Stage stage{problem, data, {}, std::nullopt};
  if (const auto& law = problem.disturbance.law) {
    stage.shown = sample_disturbances(*law, Stream{0, sample_to_simulate}, drawn);
    stage.moments = law_moments(*law);
    run.costs_from = "law";
    run.paths_source = fmt::format("{} fresh trajectories from the problem's law", drawn);
  } else if (data.n() > 0) {
    stage.shown = data;
    stage.moments = sample_moments(data);
    run.costs_from = "data";
    run.paths_source = estimate
                           ? fmt::format("what the estimate leaves over of the {} logs", data.n())
                           : fmt::format("the {} trajectories of the data", data.n());
  } else {
    return;
  }
  run.loop = loop_of(stage, "this controller", own,
                     run.loop.signals.empty() ? signals_of(stage, own) : run.loop.signals);
  const auto add = [&](const std::string& name, const Response& response) {
    run.others.push_back(
        loop_of(stage, name, response,
                estimate ? std::vector<report::SignalFacts>() : signals_of(stage, response)));
  };
  if (problem.baseline && run.deployed != "baseline")
    add("today's controller", baseline_response(problem));
  if (estimate) {
    const Sizes s = problem.sizes();
    add("no input",
        complete_response(problem.system, Matrix::Zero(s.d_u(), s.d_w()), Vector::Zero(s.d_u())));
  } else if (run.deployed != "lqr") {
    add(run.reference, lqr_response(problem.system));
  }
}

}  // namespace loopcert

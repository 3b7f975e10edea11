// loopcert as one of the ways compared by bench/alternatives. Requests on stdin, answers on stdout,
// one JSON object per line: the two sides can take turns within one run.
#include <fmt/format.h>

#include <functional>
#include <iostream>
#include <map>

#include "dense_bound.hpp"
#include "dual.hpp"
#include "learning/minimizers.hpp"
#include "learning/pac_bayes.hpp"
#include "requests.hpp"
#include "response/lqr.hpp"
#include "response/space.hpp"
#include "risk/risk.hpp"

namespace loopcert::bench {
namespace {

// Plant, data and assumptions, and what the library makes of them.
Json problem_json(const Json& request) {
  const LearningProblem problem = problem_of(request);
  Json json = system_json(system_of(request));
  json["n"] = problem.inputs.n;
  json["delta"] = problem.inputs.delta;
  json["Sigma_hat"] = rows_of(problem.inputs.Sigma_hat);
  json["U"] = rows_of(problem.inputs.U);
  json["eps"] = problem.inputs.spread(0);
  json["gram"] = rows_of(problem.space.cost.P);
  json["N_0"] = rows_of(problem.space.cost.N_0);
  json["K_0"] = rows_of(problem.space.cost.K_0);
  return json;
}

Posterior posterior_of(const CausalPattern& pattern, const Json& request) {
  const Vector x = vector_of(request.at("x"));
  const Index p = pattern.count();
  const Vector variance = (2 * x.tail(p)).array().exp();
  return {unpack(pattern, x.head(p)), unpack(pattern, variance)};
}

// Value, gradient in (alpha, log sigma), and the time of both.
Json evaluation_json(const Json& request) {
  const LearningProblem problem = problem_of(request);
  const CausalPattern& pattern = problem.space.coordinates.pattern;
  const Posterior posterior = posterior_of(pattern, request);
  Team team(1);
  BoundEvaluator evaluator(problem.space.cost, problem.inputs, problem.prior, team);
  MomentGradient slopes;
  const double value = evaluator.evaluate(posterior, &slopes).value;
  const Matrix d_log_sigma = 2 * slopes.d_variance.cwiseProduct(posterior.variance);
  Vector gradient(2 * pattern.count());
  gradient << pack(pattern, slopes.d_mean), pack(pattern, d_log_sigma);
  return {{"value", value},
          {"gradient", list_of(gradient)},
          {"seconds", cpu_seconds_of([&] { evaluator.evaluate(posterior, &slopes); })}};
}

Json learning_json(const Json& request) {
  const LearningProblem problem = problem_of(request);
  PacBayesOptions options;
  options.gradient_tolerance = request.value("tolerance", options.gradient_tolerance);
  const auto learn = [&] {
    return minimize_bound(problem.space.cost, problem.inputs, problem.prior, options);
  };
  const PacBayesResult result = learn();
  return {{"bound", result.bound.value},
          {"evaluations", result.evaluations},
          {"status", solver_status_name(result.status)},
          {"seconds", cpu_seconds_of(learn)}};
}

// --- forward-mode automatic differentiation on the dense form
// -------------------------------------

constexpr int directions = 20;  // at once; more would not stay in the cache

double dual_gradient(const DenseBound& bound, const Vector& x, Vector& gradient) {
  using Number = Dual<directions>;
  std::vector<Number> point(x.begin(), x.end());
  double value = 0;
  gradient.resize(x.size());
  for (Index first = 0; first < x.size(); first += directions) {
    const Index count = std::min<Index>(directions, x.size() - first);
    for (Index i = 0; i < count; ++i) point[static_cast<size_t>(first + i)].slopes(i) = 1;
    const Number result = bound.value(point);
    value = result.value;
    gradient.segment(first, count) = result.slopes.head(count);
    for (Index i = 0; i < count; ++i) point[static_cast<size_t>(first + i)].slopes(i) = 0;
  }
  return value;
}

Json dual_evaluation_json(const Json& request) {
  const LearningProblem problem = problem_of(request);
  const DenseBound bound(system_of(request), problem);
  const Vector x = vector_of(request.at("x"));
  Vector gradient;
  const double start = cpu_seconds();
  const double value = dual_gradient(bound, x, gradient);
  return {{"value", value}, {"gradient", list_of(gradient)}, {"seconds", cpu_seconds() - start}};
}

// From x, in plain coordinates, with the library's own optimizer. The M_k are not counted.
Json dual_learning_json(const Json& request) {
  const LearningProblem problem = problem_of(request);
  const DenseBound bound(system_of(request), problem);
  const Vector start = vector_of(request.at("x"));
  OptimizerOptions options;
  options.gradient_tolerance = request.value("tolerance", options.gradient_tolerance);
  const double unit = bound.value(std::vector<double>(start.begin(), start.end()));
  const double begin = cpu_seconds();
  const Minimum minimum = minimize(
      [&](const Vector& x, Vector& gradient) {
        const double value = dual_gradient(bound, x, gradient);
        gradient /= unit;
        return value / unit;
      },
      start, options);
  return {{"bound", minimum.value * unit},
          {"evaluations", minimum.evaluations},
          {"status", solver_status_name(minimum.status)},
          {"seconds", cpu_seconds() - begin}};
}

// --- reference controllers
// ------------------------------------------------------------------------

Json lqr_json(const Json& request) {
  const System system = system_of(request);
  const LqrGains gains = lqr_gains(system);
  Json K = Json::array();
  for (const Matrix& gain : gains.K) K.push_back(rows_of(gain));
  Json json = {{"system", system_json(system)}, {"K", K}};
  if (!request.at("response")) return json;  // a long horizon: only the gains are wanted
  json["Phi_u"] = rows_of(lqr_response(system, gains).Phi_u);
  json["seconds"] = cpu_seconds_of([&] { lqr_response(system, lqr_gains(system)); });
  return json;
}

Json erm_json(const Json& request) {
  const System system = system_of(request);
  const ResponseSpace space = make_response_space(system, {});
  const Matrix Sigma = white_sample_moment(system.sizes(), request.at("seed"));
  return {{"system", system_json(system)},
          {"Sigma", rows_of(Sigma)},
          {"risk", risk(space.cost, Sigma, minimize_risk(space.cost, Sigma).Z)},
          {"seconds", cpu_seconds_of([&] { minimize_risk(space.cost, Sigma); })}};
}

void serve() {
  const std::map<std::string, std::function<Json(const Json&)>> known = {
      {"problem", problem_json},
      {"evaluate", evaluation_json},
      {"learn", learning_json},
      {"evaluate dual", dual_evaluation_json},
      {"learn dual", dual_learning_json},
      {"lqr", lqr_json},
      {"erm", erm_json}};
  for (std::string line; std::getline(std::cin, line);) {
    const Json request = Json::parse(line);
    std::cout << known.at(request.at("do"))(request).dump() << std::endl;
  }
}

}  // namespace
}  // namespace loopcert::bench

int main() {
  try {
    loopcert::bench::serve();
  } catch (const std::exception& error) {
    fmt::print(stderr, "reference: {}\n", error.what());
    return 1;
  }
}

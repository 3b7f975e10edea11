#include "workflow/learn_run.hpp"

#include <chrono>
#include <cmath>
#include <functional>

#include "certificate/from_problem.hpp"
#include "certificate/record_json.hpp"
#include "controller/closed_loop.hpp"
#include "core/text.hpp"
#include "data/moments.hpp"
#include "data/recording.hpp"
#include "learn_certified.hpp"
#include "learning/learn_limited.hpp"
#include "learning/priors.hpp"
#include "loopcert/core/error.hpp"
#include "loopcert/core/version.hpp"
#include "response/space.hpp"
#include "risk/risk.hpp"
#include "system/doubts.hpp"
#include "system/unseen.hpp"
#include "workflow/custom_prior.hpp"
#include "workflow/freshness.hpp"
#include "workflow/record_files.hpp"
#include "workflow/signal_names.hpp"

namespace loopcert {
namespace {

// A number that is not finite means that the numerics failed, and no record may hold one.
void require_finite(const std::string& name, const MatrixView& value) {
  if (!value.allFinite())
    throw NumericsError(name + ": an entry is too large for double precision: use other units");
}

double finite(const std::string& name, double value) {
  if (!std::isfinite(value))
    throw NumericsError(name + ": too large for double precision (" + number_text(value) +
                        "): use other units");
  return value;
}

void require_finite_numbers(const std::string& name, const nlohmann::json& tree) {
  if (tree.is_number_float()) finite(name, tree.get<double>());
  if (tree.is_structured())
    for (const auto& [key, value] : tree.items()) require_finite_numbers(name + "." + key, value);
}

void check_data(const LearnMethod& method, const Disturbances& data, const Sizes& sizes) {
  if (data.n() > 0) check_disturbances(data, sizes);
  if (data.n() == 0 && method.needs_data)
    throw_input_error("data", "no trajectories", "at least one for method " + method.name);
}

void add_costs_on_data(LearnRun& run, const Problem& problem, const Response& lqr,
                       const Moments& sample) {
  run.empirical_cost =
      finite("empirical_cost", response_risk(problem.system, run.response, sample));
  run.lqr_empirical_cost = finite("lqr_empirical_cost", response_risk(problem.system, lqr, sample));
}

void add_costs_under_law(LearnRun& run, const Problem& problem, const CostsUnderLaw& law) {
  run.population_cost =
      finite("population_cost", response_risk(problem.system, run.response, law.moments));
  run.sensitivity = finite(
      "sensitivity",
      response_sensitivity(problem.system, run.response, problem.disturbance.law->covariance));
  if (law.optimal) run.optimal_cost = finite("optimal_cost", *law.optimal);
  run.lqr_cost = finite("lqr_cost", law.lqr);
}

const ResponseSpace& space_for(const LearnMethod& method, const LearningSetup& setup) {
  return method.coordinates ? setup.space.value() : setup.around_lqr;
}

LearnRun::Baseline run_other(const std::string& name, const LearningSetup& setup,
                             const LearnTask& given) {
  const LearnMethod& method = find_learn_method(name, "baseline");
  const LearnTask task{given.problem, given.data, space_for(method, setup), given.Sigma_hat,
                       given.callbacks};
  const Learned learned =
      method.posterior ? method.learn(task) : learn_without_certificate(method, task);
  LearnRun::Baseline baseline;
  baseline.method = name;
  if (task.data.n() > 0)
    baseline.empirical_cost =
        finite(name + " empirical_cost",
               response_risk(task.problem.system, learned.response, sample_moments(task.data)));
  if (task.problem.disturbance.law) {
    const Law& law = *task.problem.disturbance.law;
    baseline.population_cost =
        finite(name + " population_cost",
               response_risk(task.problem.system, learned.response, law_moments(law)));
    baseline.sensitivity =
        finite(name + " sensitivity",
               response_sensitivity(task.problem.system, learned.response, law.covariance));
  }
  return baseline;
}

// The controller runs, the response is certified: in floating point they are the same only as far
// as K Phi_x = Phi_u could be solved. A response with huge entries (ERM on nearly singular data)
// gives a K whose closed loop is another one, or none at all.
void require_achieved(const System& system, const Controller& controller,
                      const Response& response) {
  constexpr double tolerance = 1e-6;
  const double error = realization_error(system, controller, response);
  if (!(error <= tolerance))
    throw NumericsError("controller: its closed loop differs from the learned response by " +
                        number_text(error) +
                        " of its size: the data are too close to singular for this method (use "
                        "more data, or another method)");
}

// What files say of the problem and of the data.
struct Origin {
  nlohmann::json problem;
  Recording data;
};

void add_origin(LearnRun& run, const LearnMethod& method, const Problem& problem,
                const Origin& origin) {
  run.controller.provenance = {{"loopcert", version},
                               {"method", method.name},
                               {"problem", problem.name},
                               {"n", std::to_string(run.n)}};
  add_signal_names(run.controller.provenance, problem);
  // Who certifies this controller later must do so on other data.
  if (run.n > 0 && method.needs_data) {
    run.controller.provenance["data_sha256"] = origin.data.hashes.data_sha256;
    remember(run.controller, origin.data);
  }
}

// Where the baseline is deployed its own numbers are, and it stays known by what it was learned
// from.
void take_baseline(LearnRun& run, const Problem& problem) {
  if (!problem.baseline || run.details.value("deployed", run.method) != "baseline") return;
  const Controller& today = problem.baseline->controller;
  run.controller.K = today.K;
  run.controller.k = today.k;
  run.controller.learned_from.insert(run.controller.learned_from.end(), today.learned_from.begin(),
                                     today.learned_from.end());
  if (run.controller.recordings.empty()) run.controller.recordings = today.recordings;
}

// What the records say of the problem, the data and the files beside them.
void add_inputs(LearnRun& run, const Problem& problem, const Origin& origin) {
  if (!run.posterior && !run.deployment) return;  // nothing is certified
  const nlohmann::json inputs = certificate_inputs(origin.problem, origin.data.hashes);
  run.inputs = run.posterior ? posterior_inputs(inputs, problem, run.prior.value(), *run.posterior,
                                                run.prior_center)
                             : deployment_inputs(inputs, run.method, run.deployment.value());
}

// The method as the problem wants it certified.
Learned learn_by_method(const LearnMethod& method, const LearnTask& task) {
  const std::string& kind = task.problem.certificate.kind;
  const CertificateChoice choice = certificate_choice(kind);
  if (method.gated && choice.route == Route::posterior)
    throw_input_error("certificate.kind", "'" + kind + "'",
                      "best, a hold-out kind or a cross kind for method " + method.name);
  if (method.posterior) return method.learn(task);
  return choice.route == Route::posterior ? learn_without_certificate(method, task)
                                          : learn_certified(method, choice, task);
}

// What stands beside the certificates.
void look_at_data(LearnRun& run, const Problem& problem, const Disturbances& data) {
  const auto of = [](const std::optional<Certificate>& c) { return c ? &*c : nullptr; };
  for (Warning& w : data_warnings(problem, data, {of(run.certificate), of(run.improvement)}))
    run.warnings.push_back(std::move(w));
  note_warnings(run.controller, run.warnings);
  run.logged_cost = logged_cost(problem.system, data);
}

// By a posterior over what all of them say, or one response for which they all certify.
bool learned_from_all(const LearnRun& run) {
  return run.posterior || (run.deployment && run.deployment->use_of_data == UseOfData::whole);
}

using Learner = std::function<Learned(const LearnTask&)>;

// The numbers of the data, and of the law if there is one.
struct Seen {
  Moments sample;
  Matrix Sigma_hat;
  std::optional<Moments> law;
  Matrix Sigma_law;
};

Seen look_at_moments(const Problem& problem, const Disturbances& data, bool with_law) {
  Seen seen;
  if (data.n() > 0) {
    seen.sample = sample_moments(data);
    seen.Sigma_hat = moment_matrix(seen.sample, problem.has_constant());
    require_finite("second moment of the data", seen.Sigma_hat);
  }
  if (with_law && problem.disturbance.law) {
    seen.law = law_moments(*problem.disturbance.law);
    seen.Sigma_law = moment_matrix(*seen.law, problem.has_constant());
  }
  return seen;
}

// What one run is given besides its problem and data, which are checked. `costs` and `origin` are
// nothing where nobody knows them beforehand, and where no file is written.
struct Given {
  const LearnMethod& method;
  const Learner& learner;
  const LearningSetup& setup;
  const LearnCallbacks& callbacks;
  const std::vector<std::string>& baselines;
  const CostsUnderLaw* costs = nullptr;
  const Origin* origin = nullptr;
};

LearnRun take_over(Learned learned) {
  LearnRun run;
  run.response = std::move(learned.response);
  run.details = std::move(learned.details);
  for (std::string& text : learned.warnings) run.warnings.push_back({"method", std::move(text)});
  run.stopped_early = learned.stopped_early;
  run.certificate = std::move(learned.certificate);
  run.posterior = std::move(learned.posterior);
  run.prior_center = std::move(learned.prior_center);
  run.deployment = std::move(learned.deployment);
  run.prior = std::move(learned.prior);
  run.improvement = std::move(learned.improvement);
  run.prescient_certificate = learned.prescient_certificate;
  require_finite_numbers("details", run.details);
  return run;
}

// learning > certificate > controller > risk: each room once (docs/architecture.md).
LearnRun learn_on(const Given& given, const Problem& problem, const Disturbances& data,
                  const Seen& seen) {
  const ResponseSpace& space = space_for(given.method, given.setup);
  const Index p = space.coordinates.p();

  Matrix Z_optimal;
  if (seen.law) Z_optimal = optimum_under_law(problem, given.setup, seen.Sigma_law);
  const LearnTask task{problem, data, space, seen.Sigma_hat, given.callbacks};
  Learned learned = given.learner(task);
  std::optional<LimitsBound> limits_bound = std::move(learned.limits);
  std::optional<LimitedMinimizer> limits_design = std::move(learned.limited);
  const std::string infeasible = std::move(learned.infeasible);
  LearnRun run = take_over(std::move(learned));
  if (!infeasible.empty())
    run.warnings.push_back({"limits-infeasible", infeasible + "; deployed is what comes nearest"});
  run.method = given.method.name;
  if (!problem.system.plant.has_state()) run.reference = "open-loop";
  run.n = data.n();
  run.p = p;
  if (problem.baseline) run.compared_with = "baseline";
  if (given.origin) add_inputs(run, problem, *given.origin);

  run.controller = recover_controller(run.response, problem.system.plant);
  require_finite("K", run.controller.K);
  require_finite("k", run.controller.k);
  require_achieved(problem.system, run.controller, run.response);
  if (given.origin) add_origin(run, given.method, problem, *given.origin);
  take_baseline(run, problem);

  if (data.n() > 0) add_costs_on_data(run, problem, given.setup.lqr, seen.sample);
  if (given.costs) add_costs_under_law(run, problem, *given.costs);
  if (seen.law)
    add_costs_under_law(
        run, problem, costs_under_law(problem, given.setup, *seen.law, seen.Sigma_law, Z_optimal));
  for (const std::string& name : given.baselines)
    run.baselines.push_back(run_other(name, given.setup, task));
  if (given.origin) {  // what only a person reads
    run.signals = report_signals(problem, run.response, data);
    run.limits = report_limits(problem, run.response, given.setup.lqr, data);
  } else if (problem.limits) {
    run.limits = LimitsReport{*problem.limits, {}, {}, {}, {}, {}, {}};
  }
  if (run.limits) {
    run.limits->bound = std::move(limits_bound);
    run.limits->design = std::move(limits_design);
    run.controller.input_limits = input_limits(*problem.limits, problem.sizes());
  }
  return run;
}

double seconds_since(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

}  // namespace

// problem > system > data > response, learn_on, inspection.
LearnRun run_learn(const Problem& problem, const Disturbances& data,
                   const LearnCallbacks& callbacks, const std::vector<std::string>& baselines) {
  require_known_plant(problem, "learning from disturbances");
  check_stated_colour(problem);
  const auto start = std::chrono::steady_clock::now();
  const LearnMethod& method = find_learn_method(problem.learning.method);
  bool coordinates = method.coordinates;
  for (const std::string& name : baselines)
    coordinates = coordinates || find_learn_method(name, "baseline").coordinates;
  const Learner learner = [&](const LearnTask& task) { return learn_by_method(method, task); };

  check_memory_for(problem);
  Origin origin{problem_inputs(problem), {}};
  const std::string doubt = continuous_time_doubt(problem.system.plant);
  const Plant& plant = problem.system.plant;
  if (plant.G_x.size() > 0 && unseen_outputs(plant) == 0 && method.needs_data)
    throw InputError("cost.of: the states are never measured, so no data say what they cost: " +
                     method.name + " is for a cost on the outputs; use lqg or optimum");
  check_data(method, data, problem.sizes());
  if (problem.baseline && data.n() > 0)
    check_fresh(problem.baseline->controller, data, "the baseline");
  LearnRun run = with_likely_mistake(problem.system.plant, [&] {
    const Seen seen = look_at_moments(problem, data, /*with_law=*/true);
    origin.data = recording_of(data, problem.system.plant);
    const LearningSetup setup = make_learning_setup(problem, coordinates);
    return learn_on({method, learner, setup, callbacks, baselines, nullptr, &origin}, problem, data,
                    seen);
  });
  if (problem.baseline) {
    run.baseline = run_baseline(problem, data);
    for (const auto& cost : {run.baseline->cost, run.baseline->population_cost})
      if (cost) finite("cost of the baseline", *cost);
    run.baseline->verdict =
        against_baseline(run.improvement, run.details.value("deployed", run.method),
                         run.certificate.has_value(), learned_from_all(run));
  }
  run.steady_state = steady_state(problem.system);
  run.step_time = problem.step_time;
  if (!doubt.empty()) run.warnings.push_back({"continuous-time", doubt});
  look_at_data(run, problem, data);
  run.seconds = seconds_since(start);
  return run;
}

LearnRun learn_numbers(const Problem& problem, const LearningSetup& setup,
                       const std::optional<CostsUnderLaw>& costs, const Disturbances& data,
                       const LearnCallbacks& callbacks) {
  require_known_plant(problem, "learning from disturbances");
  const LearnMethod& method = find_learn_method(problem.learning.method);
  const Learner learner = [&](const LearnTask& task) { return learn_by_method(method, task); };
  check_data(method, data, problem.sizes());
  return learn_on({method, learner, setup, callbacks, {}, costs ? &*costs : nullptr}, problem, data,
                  look_at_moments(problem, data, /*with_law=*/false));
}

LearnRun learn_with_prior(const Problem& problem, const Prior& prior,
                          const CertifyingPart& certifying, const Disturbances& seen,
                          const LearnCallbacks& callbacks) {
  const auto start = std::chrono::steady_clock::now();
  const LearnMethod& method = find_learn_method("pac-bayes");
  const Learner learner = [&](const LearnTask& task) {
    check_prior(prior, task.space.coordinates.pattern);
    return learn_at_priors(task, {{prior}, certifying});
  };
  check_memory_for(problem);
  check_data(method, certifying.data, problem.sizes());
  const LearningSetup setup = make_learning_setup(problem, method.coordinates);
  LearnRun run = learn_on({method, learner, setup, callbacks, {}}, problem, certifying.data,
                          look_at_moments(problem, certifying.data, /*with_law=*/true));
  look_at_data(run, problem, certifying.data);
  run.prior_center = prior.center;
  remember(run.controller, recording_of(seen, problem.system.plant));
  run.seconds = seconds_since(start);
  return run;
}

nlohmann::json learn_run_to_json(const LearnRun& run) {
  const auto number = [](const std::optional<double>& value) {
    return value ? nlohmann::json(*value) : nlohmann::json();
  };
  const auto record_of = [&](const std::optional<Certificate>& c) {
    return c ? certificate_to_json(*c, run.inputs) : nlohmann::json();
  };
  nlohmann::json baselines = nlohmann::json::array();
  for (const LearnRun::Baseline& b : run.baselines)
    baselines.push_back({{"method", b.method},
                         {"empirical_cost", number(b.empirical_cost)},
                         {"population_cost", number(b.population_cost)},
                         {"sensitivity", number(b.sensitivity)}});
  nlohmann::json record = {{"status", run.stopped_early ? "stopped-early" : "done"},
                           {"method", run.method},
                           {"n", run.n},
                           {"p", run.p},
                           {"certificate", record_of(run.certificate)},
                           {"improvement", record_of(run.improvement)},
                           {"empirical_cost", number(run.empirical_cost)},
                           {"reference", run.reference},
                           {"lqr_empirical_cost", number(run.lqr_empirical_cost)},
                           {"population_cost", number(run.population_cost)},
                           {"sensitivity", number(run.sensitivity)},
                           {"optimal_cost", number(run.optimal_cost)},
                           {"lqr_cost", number(run.lqr_cost)},
                           {"prescient_certificate", number(run.prescient_certificate)},
                           {"baselines", baselines},
                           {"details", run.details},
                           {"seconds", run.seconds}};
  add_baseline(record, run.baseline);
  add_steady_state(record, run.steady_state);
  add_step_time(record, run.step_time);
  if (run.improvement || run.baseline) record["compared_with"] = run.compared_with;
  add_looks(record, run.warnings, run.logged_cost);
  add_limits(record, run.limits, run.signals, run.certificate ? &*run.certificate : nullptr);
  return record;
}

}  // namespace loopcert

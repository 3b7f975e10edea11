// One job of a sweep, from its numbers to its record.

#include "loopcert/core/error.hpp"
#include "loopcert/data/law.hpp"
#include "loopcert/simulation/rollout.hpp"
#include "sweeps/sweep.hpp"
#include "system/doubts.hpp"
#include "workflow/learn_run.hpp"

namespace loopcert {
namespace {

using Json = nlohmann::json;

// Cells of the random stream of a seed: the numbers of `loopcert learn --sample` and of
// `loopcert simulate --sample`.
constexpr std::uint64_t training_cell = 0;
constexpr std::uint64_t test_cell = 1;

Json number(const std::optional<double>& value) { return value ? Json(*value) : Json(); }

Json certificate_part(const Certificate& certificate) {
  Json terms = Json::array();
  for (const Term& term : certificate.terms)
    terms.push_back({{"id", term.id}, {"value", term.value}});
  return {{"kind", certificate.kind},
          {"chosen", certificate.chosen.empty() ? Json() : Json(certificate.chosen)},
          {"value", certificate.value},
          {"confidence", certificate.confidence},
          {"kl", number(certificate.kl)},
          {"lambda", number(certificate.lambda)},
          {"terms", terms}};
}

CostStatistics test_cost(const Problem& problem, const Controller& controller,
                         const Disturbances& held_out) {
  return finite_statistics(simulate(problem.system, controller, held_out, false).cost);
}

// Every field, so that a record of a failure has them too.
Json empty_record(const SweepJobs& jobs, const SweepJob& job) {
  const Problem& problem = jobs.variants.at(job.variant).problem;
  Json record = {{"problem", problem.name},
                 {"method", problem.learning.method},
                 {"n", job.n},
                 {"seed", job.seed},
                 {"test", jobs.test},
                 {"status", "failed"},
                 {"warnings", Json::array()}};
  for (const char* key : {"p", "gamma", "test_cost", "test_standard_error", "population_cost",
                          "sensitivity", "empirical_cost", "lqr_cost", "optimal_cost",
                          "certificate", "prescient_certificate", "improvement", "failure"})
    record[key] = nullptr;
  return record;
}

void fill_record(Json& record, const LearnRun& run, const CostStatistics& test) {
  record["status"] = run.stopped_early ? "stopped-early" : "done";
  record["p"] = run.p;
  if (run.details.contains("gamma")) record["gamma"] = run.details["gamma"];
  record["test_cost"] = test.mean;
  record["test_standard_error"] = test.standard_error;
  record["population_cost"] = number(run.population_cost);
  record["sensitivity"] = number(run.sensitivity);
  record["empirical_cost"] = number(run.empirical_cost);
  record["lqr_cost"] = number(run.lqr_cost);
  record["optimal_cost"] = number(run.optimal_cost);
  if (run.certificate) record["certificate"] = certificate_part(*run.certificate);
  record["prescient_certificate"] = number(run.prescient_certificate);
  if (run.improvement) record["improvement"] = run.improvement->value;
  for (const Warning& warning : run.warnings) record["warnings"].push_back(warning.text);
}

}  // namespace

void JobRunner::prepare(const SweepJob& job) {
  const SweepVariant& variant = jobs_.variants.at(job.variant);
  const bool coordinates = find_learn_method(variant.problem.learning.method).coordinates;
  if (base_ != variant.base || (coordinates && !setup_.space)) {
    base_.reset();  // stays so if this fails, to fail again with the next job
    seed_.reset();
    check_memory_for(variant.problem);
    setup_ = make_learning_setup(variant.problem, coordinates);
    costs_ = costs_under_law(variant.problem, setup_);
    base_ = variant.base;
  }
  if (seed_ != job.seed) {
    held_out_ = sample_disturbances(*variant.problem.disturbance.law, Stream{job.seed, test_cell},
                                    jobs_.test);
    seed_ = job.seed;
  }
}

std::optional<Json> JobRunner::run(const SweepJob& job, const std::stop_token& stop) {
  const Problem& problem = jobs_.variants.at(job.variant).problem;
  Json record = empty_record(jobs_, job);
  bool cut_short = false;  // the optimizer was told to stop: its result depends on when
  LearnCallbacks callbacks;
  callbacks.step = [&](const LearningStep&) {
    cut_short = cut_short || stop.stop_requested();
    return !cut_short;
  };
  try {
    const Disturbances training =
        sample_disturbances(*problem.disturbance.law, Stream{job.seed, training_cell}, job.n);
    const LearnRun run = with_likely_mistake(problem.system.plant, [&] {
      prepare(job);
      return learn_numbers(problem, setup_, costs_, training, callbacks);
    });
    if (cut_short) return std::nullopt;
    fill_record(record, run, test_cost(problem, run.controller, held_out_));
  } catch (const NumericsError& error) {
    if (cut_short) return std::nullopt;
    record["failure"] = error.what();
    record["warnings"] = Json::array({error.what()});
  } catch (const InputError& error) {
    throw InputError(job_name(jobs_, job) + ": " + error.what());
  }
  return record;
}

std::optional<Json> run_job(const SweepJobs& jobs, const SweepJob& job,
                            const std::stop_token& stop) {
  return JobRunner(jobs).run(job, stop);
}

}  // namespace loopcert

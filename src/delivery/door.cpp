// The functions of loopcert/loopcert.hpp.
#include "controller/closed_loop.hpp"
#include "delivery/folder.hpp"
#include "delivery/run_files.hpp"
#include "delivery/write_measured.hpp"
#include "loopcert/loopcert.hpp"
#include "response/lqr.hpp"
#include "workflow/certify_run.hpp"
#include "workflow/identified_run.hpp"
#include "workflow/learn_run.hpp"

namespace loopcert {
namespace {

std::optional<Certificate> certificate_of(const std::optional<LimitsReport>& limits) {
  if (!limits || !limits->bound) return std::nullopt;
  return limits->bound->certificate;
}

}  // namespace

Disturbances read_logs(const Paths& paths, const Problem& problem) {
  require_known_plant(problem, "computing disturbances from logs");
  const Plant& plant = problem.system.plant;
  return reconstruct_disturbances(plant, read_rollouts(paths, problem.data, plant));
}

LearnResult learn(const Problem& problem, const Disturbances& data) {
  const auto run = std::make_shared<const LearnRun>(run_learn(problem, data));
  LearnResult result;
  result.controller = run->controller;
  result.certificate = run->certificate;
  result.improvement = run->improvement;
  result.limits = certificate_of(run->limits);
  result.warnings = run->warnings;
  result.stopped_early = run->stopped_early;
  result.empirical_cost = run->empirical_cost;
  result.lqr_empirical_cost = run->lqr_empirical_cost;
  result.logged_cost = run->logged_cost;
  result.population_cost = run->population_cost;
  result.optimal_cost = run->optimal_cost;
  result.lqr_cost = run->lqr_cost;
  result.run = run;
  return result;
}

Logs read_raw_logs(const Paths& paths, const Problem& problem) {
  return read_logs_of(problem, paths);
}

IdentifiedResult learn(const Problem& problem, const Logs& logs) {
  const auto run = std::make_shared<const IdentifiedRun>(run_identified(problem, logs));
  return {run->controller, run->endless,  run->certificate, run->limits,      run->A, run->B,
          run->A_radius,   run->B_radius, run->warnings,    run->logged_cost, run};
}

CertifyResult certify(const Problem& problem, const Controller& controller,
                      const Disturbances& data, const std::string& kind,
                      const std::optional<Controller>& baseline) {
  std::optional<NamedController> other;
  if (baseline) other = NamedController{*baseline, "baseline"};
  const auto run = std::make_shared<const CertifyRun>(
      run_certify(problem, {controller, "controller"}, data, kind, other));
  return {run->certificate, run->warnings, run->logged_cost, certificate_of(run->limits), run};
}

Verification verify(const std::filesystem::path& certificate, const Disturbances& data) {
  return verify_certificate(certificate, data);
}

Controller lqr_controller(const Problem& problem) {
  require_known_plant(problem, "LQR");
  return recover_controller(lqr_response(problem.system), problem.system.plant);
}

void write_run(const std::filesystem::path& folder, const Problem& problem,
               const Disturbances& data, const LearnResult& result) {
  OutputFolder files(folder);
  add_learn_files(files, problem, data, *result.run, learn_run_to_json(*result.run));
  files.commit();
}

void write_run(const std::filesystem::path& folder, const Problem& problem, const Logs& logs,
               const IdentifiedResult& result) {
  OutputFolder files(folder);
  add_identified_files(files, problem, logs, *result.run, identified_run_to_json(*result.run));
  files.commit();
}

void write_certificate(const std::filesystem::path& folder, const MeasureResult& result) {
  OutputFolder files(folder);
  add_measure_files(files, result);
  files.commit();
}

void write_certificate(const std::filesystem::path& folder, const CertifyResult& result) {
  OutputFolder files(folder);
  add_certify_files(files, certify_run_to_json(*result.run), *result.run);
  files.commit();
}

}  // namespace loopcert

// The bytes are the record of the one job of a sweep, whose results are then exported.
#include <map>

#include "../fixture.hpp"
#include "../targets.hpp"
#include "sweeps/sweep_run.hpp"
#include "sweeps/sweep_store.hpp"

namespace loopcert::fuzz {
namespace {

SweepJobs one_job() {
  Sweep sweep;
  sweep.name = "one";
  sweep.problems = {small_problem("lqr", "hold-out")};
  sweep.n = {4};
  sweep.methods = {{"lqr", "lqr", {}}};
  sweep.seeds = {0};
  sweep.test = 2;
  return list_jobs(sweep);
}

}  // namespace

void sweep_record(Bytes bytes) {
  static const SweepJobs jobs = one_job();
  const auto folder = scratch_folder() / "sweep";
  std::filesystem::remove_all(folder);
  std::filesystem::create_directory(folder);
  const SweepJob& job = jobs.jobs.at(0);
  SweepStore(folder / "sweep.sqlite").add({{job.key, job_text(jobs, job), std::string(bytes)}});
  SweepRunOptions options;
  options.folder = folder;
  options.resume = true;
  accepted([&] { run_sweep(jobs, options); });
}

}  // namespace loopcert::fuzz

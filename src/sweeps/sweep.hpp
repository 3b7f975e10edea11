// A sweep: many independent experiments (problems x methods x certificates x n x seeds), each a
// pure function of its job, so that any number of threads, processes and restarts gives the same
// results.
#pragma once

#include <cstdint>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "loopcert/core/types.hpp"
#include "loopcert/problem/problem.hpp"
#include "workflow/learning_setup.hpp"

namespace loopcert {

struct SweepMethod {
  std::string label;   // how results call it; distinct within a sweep
  std::string method;  // of learn_methods()
  // Method ridge: its weight, nullopt inside for cross-validation; nullopt for the problem's own.
  std::optional<std::optional<double>> gamma;
};

// The sweep file.
struct Sweep {
  std::string name;
  std::vector<Problem> problems;  // distinct names, each with a law
  std::vector<Index> n;
  std::vector<SweepMethod> methods;
  std::vector<std::string> certificates;  // empty: each problem's own kind
  std::vector<std::uint64_t> seeds;
  Index test = 5000;  // held-out trajectories per job
};

// Reads .toml or .json, and the problems it names relative to itself. Throws InputError.
Sweep read_sweep(const std::filesystem::path& path);

// From an already parsed tree. Problems are files, relative to `folder`, or tables with the keys of
// a problem file.
Sweep sweep_from_json(const nlohmann::json& tree, const std::filesystem::path& folder);

struct SweepJob {
  std::size_t variant = 0;  // which of SweepJobs::variants
  Index n = 0;
  std::uint64_t seed = 0;
  std::string key;  // SHA-256 of job_text
};

// What jobs that differ in n and seed alone share.
struct SweepVariant {
  std::size_t base = 0;     // which problem of the sweep it is of
  Problem problem;          // with the method, gamma and certificate kind of these jobs
  std::string problem_sha;  // of that problem
  std::string label;
  bool certifies = false;
};

// Every job in the order of the results: by problem, method, certificate, n, seed, each as the
// sweep file lists them.
struct SweepJobs {
  std::string name;
  Index test = 0;
  std::vector<SweepVariant> variants;
  std::vector<SweepJob> jobs;
};

// Throws InputError when two jobs are the same computation, or a method can give none of the
// certificates.
SweepJobs list_jobs(const Sweep& sweep);

// What defines the result of a job, as canonical JSON, and as a person names it in a message.
std::string job_text(const SweepJobs& jobs, const SweepJob& job);
std::string job_name(const SweepJobs& jobs, const SweepJob& job);

// Runs jobs one after the other. Keeps what the last one shares with the next, so neighbours in
// by_shared_work() are cheap; a record depends on its job alone. For one thread.
class JobRunner {
 public:
  explicit JobRunner(const SweepJobs& jobs) : jobs_(jobs) {}  // the jobs must outlive it

  // Samples (stream cell 0), learns, and simulates on held-out trajectories (cell 1). The record
  // has no times and no label: the same job gives the same bytes. A numerical failure is a record
  // with status "failed". nullopt when `stop` came before the end. Throws InputError.
  std::optional<nlohmann::json> run(const SweepJob& job, const std::stop_token& stop = {});

 private:
  void prepare(const SweepJob& job);

  const SweepJobs& jobs_;
  std::optional<std::size_t> base_;  // what setup_, costs_ and held_out_ are of
  std::optional<std::uint64_t> seed_;
  LearningSetup setup_;
  std::optional<CostsUnderLaw> costs_;
  Disturbances held_out_;
};

// Numbers of jobs, sorted by problem, then seed: what these share is then made once.
std::vector<std::size_t> by_shared_work(const SweepJobs& jobs, std::vector<std::size_t> numbers);

// One job on its own.
std::optional<nlohmann::json> run_job(const SweepJobs& jobs, const SweepJob& job,
                                      const std::stop_token& stop = {});

}  // namespace loopcert

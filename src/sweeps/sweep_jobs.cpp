#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <tuple>

#include "certificate/certificate_choice.hpp"
#include "core/sha256.hpp"
#include "core/text.hpp"
#include "learning/learn_method.hpp"
#include "loopcert/core/error.hpp"
#include "sweeps/sweep.hpp"

namespace loopcert {
namespace {

// Changes whenever the meaning or the fields of a record do: old results are then computed again.
constexpr int record_format = 2;

constexpr double most_jobs = 1e6;

// The kinds that this method can give. An oracle certificate is not for data, and the oracle method
// gives no other. A method that needs none is run without.
std::vector<std::string> kinds_for(const LearnMethod& method, const Sweep& sweep,
                                   const Problem& problem) {
  std::vector<std::string> wanted = sweep.certificates;
  if (wanted.empty()) wanted.push_back(problem.certificate.kind);
  const bool oracle = method.name == "oracle-pac-bayes";
  std::vector<std::string> kinds;
  for (const std::string& kind : wanted) {
    const CertificateChoice choice = certificate_choice(kind);
    const bool kind_oracle = choice.posterior && choice.posterior->oracle;
    if (gives(method, choice) && kind_oracle == oracle) kinds.push_back(kind);
  }
  if (kinds.empty() && oracle) kinds.push_back("oracle");
  if (kinds.empty() && !method.posterior && !method.gated) kinds.push_back("");
  if (kinds.empty())
    throw_input_error("certificates", join(wanted), "one that method " + method.name + " can give");
  return kinds;
}

void set_kind(Problem& problem, const std::string& name) {
  CertificateOptions& options = problem.certificate;
  options.kind = name;
  keep_total_delta(options);
}

SweepVariant make_variant(const Sweep& sweep, size_t base, const SweepMethod& choice,
                          const std::string& kind) {
  SweepVariant variant;
  variant.base = base;
  variant.problem = sweep.problems[base];
  variant.problem.learning.method = choice.method;
  if (choice.gamma) variant.problem.learning.gamma = *choice.gamma;
  set_kind(variant.problem, kind.empty() ? CertificateOptions{}.kind : kind);
  variant.problem_sha = problem_hash(variant.problem);
  variant.label = choice.label;
  variant.certifies = !kind.empty();
  return variant;
}

void check_distinct(const SweepJobs& jobs) {
  std::map<std::string, const SweepJob*> seen;
  for (const SweepJob& job : jobs.jobs) {
    const auto [at, added] = seen.emplace(job.key, &job);
    if (!added)
      throw InputError(fmt::format("methods: the same computation twice: {} and {}",
                                   job_name(jobs, *at->second), job_name(jobs, job)));
  }
}

}  // namespace

SweepJobs list_jobs(const Sweep& sweep) {
  SweepJobs result;
  result.name = sweep.name;
  result.test = sweep.test;
  for (size_t base = 0; base < sweep.problems.size(); ++base)
    for (const SweepMethod& choice : sweep.methods)
      for (const std::string& kind :
           kinds_for(find_learn_method(choice.method), sweep, sweep.problems[base]))
        result.variants.push_back(make_variant(sweep, base, choice, kind));
  const double count = static_cast<double>(result.variants.size()) *
                       static_cast<double>(sweep.n.size()) *
                       static_cast<double>(sweep.seeds.size());
  if (count > most_jobs)
    throw_input_error("sweep", number_text(count) + " jobs", "at most " + number_text(most_jobs));
  for (size_t v = 0; v < result.variants.size(); ++v)
    for (const Index n : sweep.n)
      for (const std::uint64_t seed : sweep.seeds) {
        SweepJob job{v, n, seed, ""};
        job.key = sha256_hex(job_text(result, job));
        result.jobs.push_back(std::move(job));
      }
  check_distinct(result);
  return result;
}

std::vector<size_t> by_shared_work(const SweepJobs& jobs, std::vector<size_t> numbers) {
  const auto place = [&](size_t i) {
    const SweepJob& job = jobs.jobs.at(i);
    return std::tuple(jobs.variants.at(job.variant).base, job.seed, i);
  };
  std::sort(numbers.begin(), numbers.end(),
            [&](size_t a, size_t b) { return place(a) < place(b); });
  return numbers;
}

std::string job_text(const SweepJobs& jobs, const SweepJob& job) {
  const SweepVariant& variant = jobs.variants.at(job.variant);
  const Problem& problem = variant.problem;
  nlohmann::json gamma;  // null: the method has none
  if (problem.learning.method == "ridge")
    gamma = problem.learning.gamma ? nlohmann::json(*problem.learning.gamma) : "cv";
  return nlohmann::json{{"record_format", record_format},
                        {"problem_sha256", variant.problem_sha},
                        {"method", problem.learning.method},
                        {"gamma", gamma},
                        {"certificate", variant.certifies ? nlohmann::json(problem.certificate.kind)
                                                          : nlohmann::json()},
                        {"n", job.n},
                        {"seed", job.seed},
                        {"test", jobs.test}}
      .dump();
}

std::string job_name(const SweepJobs& jobs, const SweepJob& job) {
  const SweepVariant& variant = jobs.variants.at(job.variant);
  return fmt::format("{}, {}{}, n = {}, seed {}", variant.problem.name, variant.label,
                     variant.certifies ? " (" + variant.problem.certificate.kind + ")" : "", job.n,
                     job.seed);
}

}  // namespace loopcert

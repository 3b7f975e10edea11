#include "sweeps/sweep.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <set>

#include "core/file.hpp"
#include "core/sha256.hpp"
#include "input_error.hpp"
#include "loopcert/data/law.hpp"
#include "problem/problem_json.hpp"
#include "random_system.hpp"
#include "response/space.hpp"
#include "sweeps/sweep_store.hpp"
#include "workflow/learn_run.hpp"

namespace loopcert::testing {
namespace {

namespace fs = std::filesystem;

Problem white_problem(const std::string& name = "double integrator") {
  Problem problem;
  problem.name = name;
  problem.system = double_integrator();
  const Index d_w = problem.sizes().d_w();
  problem.disturbance.law = Law{Vector::Zero(d_w), 0.1 * Matrix::Identity(d_w, d_w)};
  problem.disturbance.scale_bound = 0.1;
  return problem;
}

Sweep small_sweep() {
  Sweep sweep;
  sweep.name = "small";
  sweep.problems = {white_problem()};
  sweep.n = {40, 10};
  sweep.methods = {{"lqr", "lqr", {}},
                   {"ridge-cv", "ridge", std::optional<double>()},
                   {"pac-bayes", "pac-bayes", {}},
                   {"oracle-pac-bayes", "oracle-pac-bayes", {}}};
  sweep.seeds = {0, 7};
  sweep.test = 100;
  return sweep;
}

std::vector<std::string> keys_of(const Sweep& sweep) {
  std::vector<std::string> keys;
  for (const SweepJob& job : list_jobs(sweep).jobs) keys.push_back(job.key);
  return keys;
}

class InFolder : public ::testing::Test {
 protected:
  InFolder() {
    const auto* test = ::testing::UnitTest::GetInstance()->current_test_info();
    folder = fs::temp_directory_path() /
             (std::string("loopcert-sweep-") + test->name() + "-" + std::to_string(::getpid()));
    make_directory(folder);
  }
  ~InFolder() override { fs::remove_all(folder); }

  fs::path folder;
};

using SweepFile = InFolder;
using Store = InFolder;

TEST_F(SweepFile, TomlAndItsProblemsBesideIt) {
  make_directory(folder / "plants");
  write_file(folder / "plants/a.json", problem_to_json(white_problem("a")).dump());
  write_file(folder / "s.toml",
             "name = 'x'\nproblems = ['plants/a.json']\nn = [10, 20]\nseeds = 3\ntest = 60\n"
             "methods = ['start', {method = 'ridge', gamma = 0.5}, {method = 'ridge', gamma = "
             "'cv', label = 'by data'}]\ncertificates = ['oracle']\n");
  const Sweep sweep = read_sweep(folder / "s.toml");
  EXPECT_EQ(sweep.name, "x");
  EXPECT_EQ(sweep.problems.at(0).name, "a");
  EXPECT_EQ(sweep.n, (std::vector<Index>{10, 20}));
  EXPECT_EQ(sweep.seeds, (std::vector<std::uint64_t>{0, 1, 2}));
  EXPECT_EQ(sweep.test, 60);
  EXPECT_EQ(sweep.methods.at(0).label, "start");
  EXPECT_EQ(sweep.methods.at(1).label, "ridge-0.5");
  EXPECT_EQ(sweep.methods.at(1).gamma, std::optional<double>(0.5));
  EXPECT_EQ(sweep.methods.at(2).label, "by data");
  EXPECT_TRUE(sweep.methods.at(2).gamma && !*sweep.methods.at(2).gamma);
}

TEST_F(SweepFile, MessagesNameFileAndKey) {
  write_file(folder / "s.json", R"({"problems": [], "n": [1], "methods": ["lqr"]})");
  const std::string message = input_error([&] { read_sweep(folder / "s.json"); });
  EXPECT_TRUE(contains(message, "s.json: problems: found an empty list"));
}

TEST(SweepJobs, ComeInTheOrderOfTheFile) {
  const SweepJobs jobs = list_jobs(small_sweep());
  ASSERT_EQ(jobs.jobs.size(), 4u * 2 * 2);
  EXPECT_EQ(job_name(jobs, jobs.jobs[0]), "double integrator, lqr, n = 40, seed 0");
  EXPECT_EQ(job_name(jobs, jobs.jobs[1]), "double integrator, lqr, n = 40, seed 7");
  EXPECT_EQ(job_name(jobs, jobs.jobs[2]), "double integrator, lqr, n = 10, seed 0");
  EXPECT_EQ(job_name(jobs, jobs.jobs[8]),
            "double integrator, pac-bayes (data-driven), n = 40, seed 0");
  EXPECT_EQ(job_name(jobs, jobs.jobs[12]),
            "double integrator, oracle-pac-bayes (oracle), n = 40, seed 0");
}

TEST(SweepJobs, EachMethodGetsTheCertificatesItCanGive) {
  Sweep sweep = small_sweep();
  sweep.certificates = {"data-driven", "oracle", "data-driven-randomized"};
  std::vector<std::string> kinds;
  for (const SweepVariant& v : list_jobs(sweep).variants)
    kinds.push_back(v.certifies ? v.problem.certificate.kind : "");
  EXPECT_EQ(kinds,
            (std::vector<std::string>{"", "", "data-driven", "data-driven-randomized", "oracle"}));
  sweep.certificates = {"oracle"};
  EXPECT_TRUE(contains(input_error([&] { list_jobs(sweep); }), "method pac-bayes can give"));
}

TEST(SweepJobs, KeysFollowFromWhatDefinesAResultAndNothingElse) {
  const std::vector<std::string> keys = keys_of(small_sweep());
  EXPECT_EQ(std::set<std::string>(keys.begin(), keys.end()).size(), keys.size());

  Sweep same = small_sweep();
  same.name = "another";
  same.methods[0].label = "Riccati";
  EXPECT_EQ(keys_of(same), keys);

  const auto all_differ = [&](auto change) {
    Sweep other = small_sweep();
    change(other);
    const std::vector<std::string> changed = keys_of(other);
    const std::set<std::string> before(keys.begin(), keys.end());
    for (const std::string& key : changed)
      if (before.contains(key)) return false;
    return true;
  };
  EXPECT_TRUE(all_differ([](Sweep& s) { s.test = 101; }));
  EXPECT_TRUE(all_differ([](Sweep& s) { s.seeds = {1}; }));
  EXPECT_TRUE(all_differ([](Sweep& s) { s.n = {11}; }));
  EXPECT_TRUE(all_differ([](Sweep& s) { s.problems[0].system.cost.R[0](0, 0) += 1e-15; }));
  EXPECT_TRUE(all_differ([](Sweep& s) { s.methods = {{"ridge-cv", "ridge", 0.3}}; }));
}

TEST(SweepJobs, TheSameComputationTwiceIsRefused) {
  Sweep sweep = small_sweep();
  sweep.methods.push_back({"again", "lqr", {}});
  EXPECT_TRUE(contains(input_error([&] { list_jobs(sweep); }), "lqr, n = 40, seed 0 and "));
}

TEST(SweepJobs, RunGivesTheSameBytesAndWhatLearnSays) {
  const SweepJobs jobs = list_jobs(small_sweep());
  for (const SweepJob& job : jobs.jobs) {
    const nlohmann::json record = run_job(jobs, job).value();
    EXPECT_EQ(record.dump(), run_job(jobs, job)->dump());
    EXPECT_EQ(sha256_hex(job_text(jobs, job)), job.key);
    const Problem& problem = jobs.variants[job.variant].problem;
    const Law& law = *problem.disturbance.law;
    const LearnRun run = run_learn(problem, sample_disturbances(law, Stream{job.seed, 0}, job.n));
    EXPECT_EQ(record["population_cost"], *run.population_cost);
    EXPECT_EQ(record["empirical_cost"], *run.empirical_cost);
    EXPECT_EQ(record["certificate"].is_null(), !run.certificate);
    EXPECT_LT(std::abs(record["test_cost"].get<double>() - *run.population_cost),
              6 * record["test_standard_error"].get<double>());
  }
}

// A runner keeps what jobs share: in no order may that show.
TEST(SweepJobs, ARunnerGivesTheRecordsOfJobsOnTheirOwn) {
  Sweep sweep = small_sweep();
  sweep.problems.push_back(white_problem("coloured"));
  const Sizes sizes = sweep.problems[1].sizes();
  sweep.problems[1].disturbance.law->covariance = ar1_covariance(sizes, 0.6, 0.02);
  const SweepJobs jobs = list_jobs(sweep);
  std::vector<size_t> order;
  for (size_t i = 0; i < jobs.jobs.size(); ++i) order.push_back(i * 5 % jobs.jobs.size());
  for (const auto& numbers : {order, by_shared_work(jobs, order)}) {
    JobRunner runner(jobs);
    for (const size_t i : numbers)
      EXPECT_EQ(runner.run(jobs.jobs[i])->dump(), run_job(jobs, jobs.jobs[i])->dump());
  }
}

TEST(SweepJobs, SharedWorkIsDoneInOnePiece) {
  Sweep sweep = small_sweep();
  sweep.problems.push_back(white_problem("b"));
  const SweepJobs jobs = list_jobs(sweep);
  std::vector<size_t> all;
  for (size_t i = jobs.jobs.size(); i-- > 0;) all.push_back(i);
  const std::vector<size_t> sorted = by_shared_work(jobs, all);
  EXPECT_EQ(std::set(sorted.begin(), sorted.end()), std::set(all.begin(), all.end()));
  std::set<std::pair<size_t, std::uint64_t>> seen;
  std::pair<size_t, std::uint64_t> last{99, 99};
  for (const size_t i : sorted) {
    const SweepJob& job = jobs.jobs[i];
    const std::pair now(jobs.variants[job.variant].base, job.seed);
    EXPECT_TRUE(now == last || seen.insert(now).second);
    last = now;
  }
  EXPECT_EQ(seen.size(), 4U);  // two problems, two seeds
}

// The first job of a problem that fails must not leave its ground to the next.
TEST(SweepJobs, ARunnerFailsForEveryJobOfABadProblem) {
  Sweep sweep = small_sweep();
  sweep.problems.push_back(white_problem("overflows"));
  sweep.problems[1].system.plant.A[0] *= 1e200;
  sweep.methods = {{"pac-bayes", "pac-bayes", {}}};
  const SweepJobs jobs = list_jobs(sweep);
  JobRunner runner(jobs);
  for (const SweepJob& job : jobs.jobs) {
    const nlohmann::json record = runner.run(job).value();
    EXPECT_EQ(record["status"], record["problem"] == "overflows" ? "failed" : "done");
    EXPECT_EQ(record.dump(), run_job(jobs, job)->dump());
  }
}

TEST(SweepJobs, AJobCutShortHasNoRecord) {
  Sweep sweep = small_sweep();
  sweep.methods = {{"pac-bayes", "pac-bayes", {}}};
  const SweepJobs jobs = list_jobs(sweep);
  std::stop_source stop;
  stop.request_stop();
  EXPECT_FALSE(run_job(jobs, jobs.jobs[0], stop.get_token()));
}

TEST(SweepJobs, StartIsTheResponseWithZeroCoordinates) {
  Problem problem = white_problem();
  problem.learning.method = "start";
  const LearnRun run = run_learn(problem, {});
  const ResponseSpace space = make_response_space(problem.system, problem.response);
  EXPECT_LT((run.response.Phi_u - space.coordinates.Phi_u0).norm(), 1e-12);
  EXPECT_LT(coordinates_of(space.coordinates, run.response).norm(), 1e-12);
}

TEST_F(Store, KeepsTheFirstResultOfAKey) {
  const std::string job = "{\"n\":1}";
  const std::string key = sha256_hex(job);
  {
    SweepStore store(folder / "a.sqlite");
    EXPECT_EQ(store.count(), 0);
    store.add({{key, job, "{\"x\":1}"}});
    store.add({{key, job, "{\"x\":2}"}, {sha256_hex("b"), "b", "{}"}});
  }
  SweepStore store(folder / "a.sqlite");
  EXPECT_EQ(store.count(), 2);
  EXPECT_EQ(store.keys(), (std::set<std::string>{key, sha256_hex("b")}));
  EXPECT_EQ(store.record(key), "{\"x\":1}");
  EXPECT_FALSE(store.record("absent"));
}

TEST_F(Store, MayHoldAnEmptyRecord) {
  SweepStore store(folder / "s.sqlite");
  store.add({{"key", "job", ""}});
  EXPECT_EQ(store.record("key"), "");
}

TEST_F(Store, KeepsNothingOfABatchThatFails) {
  SweepStore store(folder / "s.sqlite");
  const std::string huge((64 << 20) + 1, 'x');
  EXPECT_TRUE(contains(input_error([&] {
                         store.add({{"a", "job", "record"}, {"b", "job", huge}});
                       }),
                       "string or blob too big"));
  EXPECT_EQ(store.count(), 0);
  store.add({{"a", "job", "record"}});
  EXPECT_EQ(store.count(), 1);
}

TEST_F(Store, ThatCannotBeWrittenIsSaid) {
  EXPECT_THROW(SweepStore(folder / "no/such/folder/s.sqlite"), OutputError);
  SweepStore(folder / "s.sqlite").add({{"a", "job", "record"}});
  std::string bytes = read_file(folder / "s.sqlite", 1 << 20);
  bytes[18] = 9;  // a later version of the format: SQLite may read it, not write it
  write_file(folder / "later.sqlite", bytes);
  EXPECT_TRUE(contains(input_error([&] {
                         SweepStore(folder / "later.sqlite").add({{"b", "job", "record"}});
                       }),
                       "later.sqlite: the file itself forbids writing"));
}

// The journal has no place: the store itself can be written, so the file is not to blame.
TEST_F(Store, AFolderThatCannotBeWrittenIsSaid) {
  namespace fs = std::filesystem;
  SweepStore(folder / "s.sqlite").add({{"a", "job", "record"}});
  fs::permissions(folder / "s.sqlite", fs::perms(0666));
  fs::permissions(folder, fs::perms(0555));
  const uid_t user = ::geteuid();
  const bool weak = user != 0 || ::seteuid(65534) == 0;  // to root every folder is writable
  EXPECT_THROW(SweepStore(folder / "s.sqlite").add({{"b", "job", "record"}}), OutputError);
  EXPECT_TRUE(weak && ::seteuid(user) == 0);
  fs::permissions(folder, fs::perms(0755));
}

TEST_F(Store, ResultsOfAnotherJobUnderAKeyAreRefused) {
  SweepStore store(folder / "a.sqlite");
  store.add({{sha256_hex("a"), "b", "{}"}});
  EXPECT_TRUE(contains(input_error([&] { store.for_each([](const StoredResult&) {}); }),
                       "does not fit its job"));
}

TEST(SweepFromJson, TakesProblemsInPlace) {
  const auto tree = [](nlohmann::json problem) -> nlohmann::json {
    return {{"problems", {std::move(problem)}}, {"n", {10}}, {"methods", {"lqr"}}};
  };
  const nlohmann::json problem = problem_to_json(white_problem());
  const Sweep sweep = sweep_from_json(tree(problem), ".");
  ASSERT_EQ(sweep.problems.size(), 1u);
  EXPECT_EQ(problem_to_json(sweep.problems[0]), problem);
  EXPECT_EQ(sweep.name, "sweep");

  nlohmann::json broken = problem, lawless = problem;
  broken["cost"]["R"] = "none";
  lawless["disturbance"].erase("covariance");
  lawless["disturbance"].erase("mean");
  const auto error = [&](const nlohmann::json& bad) {
    return input_error([&] { sweep_from_json(tree(bad), "."); });
  };
  EXPECT_TRUE(contains(error(broken), "problems[0]: cost.R"));
  EXPECT_TRUE(contains(error(lawless), "problems[0]: disturbance.covariance: found nothing"));
  EXPECT_TRUE(contains(error(3), "problems[0]"));
  EXPECT_TRUE(contains(input_error([] { sweep_from_json(3, "."); }), "expected a table"));
}

}  // namespace
}  // namespace loopcert::testing

#include "inspection/warnings.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "../../src/inspection/assumed_checks.hpp"
#include "certificate/fixed_response.hpp"
#include "certificate/kinds.hpp"
#include "chance.hpp"
#include "controller/closed_loop.hpp"
#include "input_error.hpp"
#include "logged_plant.hpp"
#include "random_system.hpp"
#include "response/lqr.hpp"
#include "seed.hpp"
#include "workflow/certify_run.hpp"
#include "workflow/learn_run.hpp"

namespace loopcert::testing {
namespace {

const std::vector<Statement> all_of_them = {
    {"gaussian-zero-mean"}, {"scale-bound", {{"scale", 1}}}, {"white"}, {"stationary"}};

Certificate assuming(std::vector<Statement> assumptions) {
  Certificate certificate;
  certificate.assumptions = std::move(assumptions);
  return certificate;
}

Problem granting_all(Index n_x, Index T) {
  Problem problem;
  problem.system = random_system({.n_x = n_x, .n_u = 1, .T = T}, 5);
  problem.disturbance.white = problem.disturbance.stationary = true;
  problem.disturbance.scale_bound = 1;
  return problem;
}

std::vector<std::string> ids(const std::vector<Warning>& warnings) {
  std::vector<std::string> names;
  for (const Warning& w : warnings) names.push_back(w.id);
  return names;
}

bool has(const std::vector<Warning>& warnings, const std::string& id) {
  const auto names = ids(warnings);
  return std::find(names.begin(), names.end(), id) != names.end();
}

// Runs with a warning, of `sets` data sets w = white noise times a map.
Index alarms(const Problem& problem, const Certificate& certificate, const Matrix& map, Index n,
             Index sets, double mean = 0) {
  Index count = 0;
  for (Index k = 0; k < sets; ++k) {
    const Stream stream = test_stream(static_cast<std::uint64_t>(k), 91);
    Matrix w = standard_normal_rows(stream, 0, n, map.cols()) * map.transpose();
    w.array() += mean;
    count += !data_warnings(problem, {w}, {&certificate}).empty();
  }
  return count;
}

TEST(Warnings, HonestDataGiveNone) {
  const Index sets = test_count(500), most = most_of(sets, 0.01);
  const Problem all = granting_all(2, 4);
  const Index d = all.sizes().d_w();
  const Certificate white = assuming(all_of_them);
  EXPECT_LE(alarms(all, white, Matrix::Identity(d, d), 20, sets), most);
  EXPECT_LE(alarms(all, white, Matrix::Identity(d, d), 80, sets), most);

  Problem coloured = all;
  coloured.disturbance.white = coloured.disturbance.stationary = false;
  const Certificate gaussian = assuming({all_of_them[0]});
  Matrix ar = Matrix::Zero(d, d);  // w_t = 0.9 w_{t-1} + e_t
  for (Index i = 0; i < d; ++i)
    for (Index j = i; j >= 0; j -= 2) ar(i, j) = std::pow(0.9, static_cast<double>((i - j) / 2));
  EXPECT_LE(alarms(coloured, gaussian, ar, 30, sets), most);
  const Matrix low_rank = random_matrix(d, 3, 8);
  EXPECT_LE(alarms(coloured, gaussian, low_rank, 30, sets), most);

  coloured.disturbance.zero_mean = false;
  const Certificate unknown_mean = assuming({{"gaussian"}});
  EXPECT_LE(alarms(coloured, unknown_mean, ar, 30, sets, 4), most);
}

TEST(Warnings, SayWhatIsContradictedAndNothingElse) {
  const Problem all = granting_all(2, 4);
  const Index d = all.sizes().d_w();
  const Certificate certificate = assuming(all_of_them);
  const Matrix honest = standard_normal_rows(Stream{3, 92}, 0, 80, d);
  EXPECT_TRUE(data_warnings(all, {honest}, {&certificate}).empty());
  const auto warned = [&](const Problem& problem, const Matrix& w, const Certificate& c) {
    return ids(data_warnings(problem, {w}, {&c}));
  };
  Problem tight = all;
  tight.disturbance.scale_bound = 1e-3;
  EXPECT_EQ(warned(tight, honest, certificate), std::vector<std::string>{"scale-bound"});
  // Not assumed by the certificate that is reported: no warning.
  EXPECT_TRUE(warned(tight, honest, assuming({all_of_them[0]})).empty());
  EXPECT_TRUE(data_warnings(tight, {honest}, {nullptr}).empty());
  Matrix shifted = honest;
  shifted.col(5).array() += 2;
  EXPECT_EQ(warned(all, shifted, certificate), std::vector<std::string>{"mean"});
  const Matrix signs = honest.array().sign() * (0.5 + 0.01 * honest.array());
  EXPECT_TRUE(has(data_warnings(all, {signs}, {&certificate}), "gaussian"));
  const std::vector<Warning> text = data_warnings(tight, {honest}, {&certificate});
  EXPECT_NE(text.at(0).text.find("scale_bound = 0.001"), std::string::npos);
  EXPECT_EQ(text.at(0).text.find('\n'), std::string::npos);
}

// The same data in other units: the same warnings.
TEST(Warnings, UnitsDoNotMatter) {
  Problem problem = granting_all(2, 4);
  problem.disturbance.white = problem.disturbance.stationary = false;
  const Certificate certificate = assuming({all_of_them[0]});
  const Index d = problem.sizes().d_w();
  for (const double size : {0.0, 2.0}) {
    Matrix w = standard_normal_rows(Stream{5, 93}, 0, 40, d);
    w.col(3).array() += size;
    Matrix scaled = w;
    for (Index j = 0; j < d; ++j) scaled.col(j) *= j % 2 == 0 ? 1e5 : 3e-6;
    EXPECT_EQ(ids(data_warnings(problem, {w}, {&certificate})),
              ids(data_warnings(problem, {scaled}, {&certificate})));
  }
}

// A sentence that no check knows would be an assumption that nobody looks at.
TEST(Warnings, EveryAssumptionOfEveryKindIsKnown) {
  const auto about_what_was_done = [](const Statement& s) {
    return s.id.ends_with("-fixed") || s.id == "known-law";
  };
  Problem problem;
  problem.system = double_integrator();
  const Index d = problem.sizes().d_w();
  Assumptions& given = problem.disturbance;
  given.scale_bound = 1;
  given.covariance_bound = Matrix::Identity(d, d);
  given.white = given.stationary = true;
  given.kurtosis = 20;
  const Disturbances data{0.5 * standard_normal_rows(Stream{1, 94}, 0, 400, d)};
  const Controller lqr = recover_controller(lqr_response(problem.system), problem.sizes());
  std::set<std::string> seen;
  const auto look = [&](const Certificate& c) {
    for (const Statement& s : c.assumptions) {
      EXPECT_TRUE(is_checked(s) || about_what_was_done(s)) << s.id;
      for (const AssumedCheck& check : assumed_checks({&c})) seen.insert(check.id);
    }
  };
  for (const bool bounded : {false, true}) {
    given.model = bounded ? "bounded" : "gaussian";
    if (bounded) given.radius = 100;
    for (const FixedResponseKind& kind : fixed_response_kinds()) try {
        look(run_certify(problem, {lqr, "lqr"}, data, kind.name).certificate);
      } catch (const InputError&) {  // not granted by this model
      }
    for (const PosteriorKind& kind : posterior_kinds()) {
      Problem learned = problem;
      learned.certificate.kind = kind.name;
      try {
        look(*run_learn(learned, data).certificate);
      } catch (const InputError&) {
      }
    }
  }
  EXPECT_EQ(seen,
            (std::set<std::string>{"gaussian", "mean", "scale-bound", "covariance-bound", "white",
                                   "stationary", "kurtosis", "radius", "repetitions", "order"}));
}

TEST(Warnings, OfLearnAndCertifyWithLogs) {
  Problem problem = logged_problem(12);
  problem.learning.method = "auto";
  problem.certificate.kind = "best";
  const Rollouts logs = logged_episodes(problem, {.n = 80, .seed = 4});
  const auto learned = [&](const Problem& p) {
    return run_learn(p, reconstruct_disturbances(p.system.plant, logs));
  };
  const LearnRun honest = learned(problem);
  EXPECT_TRUE(honest.warnings.empty()) << warnings_to_json(honest.warnings);
  // sum x'Qx + u'Ru with Q = R = P = I.
  const Vector cost = logs.x.rowwise().squaredNorm() + logs.u.rowwise().squaredNorm();
  ASSERT_TRUE(honest.logged_cost);
  EXPECT_NEAR(honest.logged_cost->mean, cost.mean(), 1e-12 * cost.mean());
  const double deviation = std::sqrt((cost.array() - cost.mean()).square().sum() / 79);
  EXPECT_NEAR(honest.logged_cost->standard_error, deviation / std::sqrt(80.0), 1e-12);
  EXPECT_EQ(learn_run_to_json(honest)["logged_cost"], honest.logged_cost->mean);

  Problem wrong = problem;
  wrong.system.plant.B[0] *= 1.3;
  const LearnRun warned = learned(wrong);
  ASSERT_TRUE(has(warned.warnings, "model"));
  EXPECT_EQ(learn_run_to_json(warned)["warnings"][0]["id"], "model");
  EXPECT_EQ(warned.controller.provenance.at("warning 1"), warned.warnings[0].text);
  const Disturbances data = reconstruct_disturbances(wrong.system.plant, logs);
  const Controller lqr = recover_controller(lqr_response(wrong.system), wrong.sizes());
  const CertifyRun certified = run_certify(wrong, {lqr, "lqr"}, data, "hold-out-scale-free");
  EXPECT_TRUE(has(certified.warnings, "model"));
  EXPECT_EQ(certify_run_to_json(certified)["warnings"], warnings_to_json(certified.warnings));
  // The states themselves as data.
  EXPECT_TRUE(has(run_learn(problem, {logs.x}).warnings, "states"));
  // Sweeps and coverage do not look.
  EXPECT_TRUE(
      learn_numbers(wrong, make_learning_setup(wrong), std::nullopt, data).warnings.empty());
}

TEST(Warnings, ReadBack) {
  const std::vector<Warning> warnings = {{"mean", "one"}, {"model", "two"}};
  const auto again = warnings_from_json(warnings_to_json(warnings));
  EXPECT_EQ(ids(again), ids(warnings));
  EXPECT_EQ(again[1].text, "two");
  EXPECT_THROW(warnings_from_json(nlohmann::json::array({"a sentence"})), InputError);
  EXPECT_THROW(warnings_from_json(3), InputError);
}

}  // namespace
}  // namespace loopcert::testing

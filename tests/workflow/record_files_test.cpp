// From a problem and data to a certificate, through its files, and back.
#include "certificate/record_arrays.hpp"
#include "data/hash.hpp"
#include "learning/priors.hpp"
#include "loopcert/verification/recheck.hpp"
#include "system/sound_cost.hpp"

#include <gtest/gtest.h>

#include <Eigen/Eigenvalues>
#include <fstream>

#include "certificate/record_json.hpp"
#include "controller/closed_loop.hpp"
#include "data/moments.hpp"
#include "data/npz.hpp"
#include "input_error.hpp"
#include "loopcert/data/trajectory_files.hpp"
#include "problem/problem_json.hpp"
#include "random_system.hpp"
#include "response/lqr.hpp"
#include "response/space.hpp"
#include "risk/risk.hpp"
#include "seed.hpp"
#include "temp_folder.hpp"
#include "workflow/learn_run.hpp"

namespace loopcert::testing {
namespace {

const std::vector<std::string> from_data = {"data-driven", "data-driven-rank-aware",
                                            "data-driven-mean", "data-driven-randomized"};

Problem random_problem(std::uint64_t seed) {
  Shape shape = random_shape(seed);
  shape.T = std::min<Index>(shape.T, 4);
  shape.time_varying = seed % 2 == 0;
  shape.offset = seed % 3 == 0;
  Problem problem;
  problem.system = random_system(shape, seed);
  problem.response.affine = seed % 4 < 2;
  problem.certificate.kind = from_data[seed % from_data.size()];
  problem.learning.prior_center = seed % 5 == 0 && problem.response.affine ? "lqr" : "start";
  problem.learning.prior_scale = seed % 3 == 0 ? 0.6 : 1.0;
  problem.system.cost = sound_cost(problem.system.cost);  // as every problem from a file is
  // Where the plant grows so much that the minimum-norm start costs a multiple of LQR, bounds
  // around it are refused for want of digits.
  const auto cost_of = [&](Start start) {
    return make_response_space(problem.system, {problem.response.affine, start}).cost.K_0.trace();
  };
  if (cost_of(Start::min_norm) > 1e4 * cost_of(Start::lqr)) problem.response.start = Start::lqr;
  const Index d = problem.sizes().d_w();
  const Matrix root = random_matrix(d, d, seed + 7);
  const Matrix square = root * root.transpose() / static_cast<double>(d);
  Law law{Vector::Zero(d), 0.5 * (square + square.transpose())};
  problem.disturbance.zero_mean = problem.certificate.kind != "data-driven-mean";
  if (!problem.disturbance.zero_mean) law.mean = random_matrix(d, 1, seed + 8);
  problem.disturbance.scale_bound =
      Eigen::SelfAdjointEigenSolver<Matrix>(law.covariance).eigenvalues().maxCoeff();
  problem.disturbance.law = law;
  return problem;
}

Disturbances sampled(const Problem& problem, Index n, std::uint64_t seed) {
  return sample_disturbances(*problem.disturbance.law, test_stream(seed, 0), n);
}

std::filesystem::path write_certificate(const TempFolder& folder, const CertificateRecord& record,
                                        const Posterior& posterior) {
  folder.write("posterior.npz", format_posterior(posterior));
  return folder.write("certificate.json",
                      certificate_to_json(record.certificate, record.inputs).dump(2));
}

class RandomProblem : public ::testing::TestWithParam<int> {
 protected:
  RandomProblem()
      : seed(static_cast<std::uint64_t>(GetParam())),
        problem(random_problem(seed)),
        data(sampled(problem, 20, seed)),
        space(make_response_space(problem.system, problem.response)) {}
  std::uint64_t seed;
  Problem problem;
  Disturbances data;
  ResponseSpace space;
};

TEST_P(RandomProblem, CertificateSurvivesItsFiles) {
  const LearnRun run = run_learn(problem, data);
  const TempFolder folder;
  const auto path = write_certificate(folder, {*run.certificate, run.inputs}, *run.posterior);
  const Reevaluation result = reevaluate_certificate(path, data);
  EXPECT_TRUE(result.agrees) << result.disagreement;
  EXPECT_EQ(result.recomputed.kind, problem.certificate.kind);
  EXPECT_EQ(result.recomputed.value, run.certificate->value);  // same machine: to the last bit
  EXPECT_EQ(certificate_to_json(result.recorded), certificate_to_json(*run.certificate));
  EXPECT_EQ(problem_to_json(problem_of_certificate(path)), problem_to_json(problem));
  const Posterior back = parse_posterior(format_posterior(*run.posterior));
  EXPECT_EQ(back.mean, run.posterior->mean);
  EXPECT_EQ(back.variance, run.posterior->variance);
}

TEST_P(RandomProblem, CertificateIsAboutWhatIsDeployed) {
  const LearnRun run = run_learn(problem, data);
  const Response mean = response_at(problem.system, space.coordinates, run.posterior->mean);
  EXPECT_EQ(run.response.Phi_u, mean.Phi_u);
  EXPECT_EQ(run.response.phi_u, mean.phi_u);
  EXPECT_NEAR(run.certificate->terms[0].value, *run.empirical_cost, 1e-9 * *run.empirical_cost);
  const Response back = closed_loop_response(problem.system, run.controller);
  const double cost = response_risk(problem.system, back, sample_moments(data));
  EXPECT_NEAR(cost, *run.empirical_cost, 1e-7 * cost);
}

// The KL in the record is that to the prior of the problem: no other prior was used.
TEST_P(RandomProblem, PriorIsThatOfTheProblem) {
  const Prior prior = make_priors(problem, space, data).priors.at(0);
  check_prior(prior, space.coordinates.pattern);
  for (const std::uint64_t draw : {seed, seed + 100}) {
    const LearnRun run = run_learn(problem, sampled(problem, 20, draw));
    const double kl = kl_divergence(*run.posterior, prior, space.coordinates.pattern);
    EXPECT_NEAR(*run.certificate->kl, kl, 1e-10 * kl);
    const nlohmann::json& recorded = run.inputs["prior"];
    EXPECT_EQ(recorded["center"], problem.learning.prior_center);
    EXPECT_EQ(recorded["scale"], prior.scale);
  }
  const Prior again =
      make_priors(problem_from_json(problem_to_json(problem)), space, data).priors.at(0);
  EXPECT_EQ(again.center, prior.center);
  EXPECT_EQ(again.scale, prior.scale);
}

INSTANTIATE_TEST_SUITE_P(Random, RandomProblem, ::testing::Range(1, 13));

TEST(MakePrior, CentresWhereTheProblemSays) {
  Problem problem = random_problem(8);  // affine: LQR's feedforward fits
  problem.response.affine = true;
  const ResponseSpace space = make_response_space(problem.system, problem.response);
  const Disturbances data = sampled(problem, 5, 1);
  problem.learning.prior_center = "start";
  EXPECT_TRUE(make_priors(problem, space, data).priors.at(0).center.isZero(0.0));
  problem.learning.prior_center = "lqr";
  const Response center = response_at(problem.system, space.coordinates,
                                      make_priors(problem, space, data).priors.at(0).center);
  const Response lqr = lqr_response(problem.system);
  EXPECT_LT((center.Phi_u - lqr.Phi_u).norm(), 1e-9 * (1 + lqr.Phi_u.norm()));
  EXPECT_LT((center.phi_u - lqr.phi_u).norm(), 1e-9 * (1 + lqr.phi_u.norm()));
}

TEST(PosteriorFile, NeedsBothArrays) {
  const Array one{{1, 1}, {1}, {}};
  EXPECT_EQ(input_error([&] {
              parse_posterior(format_npz({{"mean", one}}));
            }),
            "variance: found nothing, expected an array of this name");
  EXPECT_EQ(input_error([&] {
              parse_posterior(format_npz({{"variance", one}}));
            }),
            "mean: found nothing, expected an array of this name");
}

TEST(DataHash, IsThatOfTheNumbers) {
  const Problem problem = random_problem(1);
  const Disturbances data = sampled(problem, 7, 3);
  const std::string hash = data_hash(data);
  const TempFolder folder;
  for (const char* name : {"w.csv", "w.npy"}) {
    write_disturbances(folder / name, data, problem.sizes());
    EXPECT_EQ(data_hash(read_disturbances(folder / name, problem.sizes())), hash) << name;
  }
  Disturbances other = data;
  other.w(6, 0) = std::nextafter(other.w(6, 0), 10.0);
  EXPECT_NE(data_hash(other), hash);
  other = data;
  other.w.row(0).swap(other.w.row(1));
  EXPECT_NE(data_hash(other), hash);
}

TEST(ProblemHash, SeesEveryOption) {
  const Problem problem = random_problem(3);
  const std::string hash = problem_hash(problem);
  EXPECT_EQ(problem_hash(problem_from_json(problem_to_json(problem))), hash);
  Problem other = problem;
  other.learning.prior_scale = 0.7;
  EXPECT_NE(problem_hash(other), hash);
  other = problem;
  other.certificate.delta = 0.06;
  EXPECT_NE(problem_hash(other), hash);
  other = problem;
  *other.disturbance.scale_bound *= 0.5;
  EXPECT_NE(problem_hash(other), hash);
}

TEST(Reevaluation, NamesWhatDiffers) {
  const Problem problem = random_problem(4);
  const Disturbances data = sampled(problem, 20, 4);
  const LearnRun run = run_learn(problem, data);
  const TempFolder folder;
  const auto disagreement = [&](const Certificate& c) {
    return reevaluate_certificate(write_certificate(folder, {c, run.inputs}, *run.posterior), data)
        .disagreement;
  };
  const Certificate honest = *run.certificate;
  EXPECT_EQ(disagreement(honest), "");
  Certificate c = honest;
  c.terms.back().value -= 1e-6 * honest.value;
  c.value -= 1e-6 * honest.value;
  EXPECT_TRUE(contains(disagreement(c), "term 'complexity'"));
  c = honest;
  c.kl = 0;
  EXPECT_EQ(disagreement(c).substr(0, 16), "kl: 0 recorded, ");
  c = honest;
  c.assumptions.pop_back();
  EXPECT_EQ(disagreement(c), "assumptions");
  c = honest;
  c.functional = {"cost-difference"};
  EXPECT_NE(disagreement(c), "");
  for (const auto& change : std::vector<void (*)(Event&)>{
           [](Event& e) { e.choices = 2; }, [](Event& e) { e.fold = 1; },
           [](Event& e) { e.kind = "scale"; }, [](Event& e) { e.statement.id = "chernoff"; },
           [](Event& e) { e.statement.parameters["eps"] = 1e-3; }}) {
    c = honest;
    change(c.events.back());
    EXPECT_EQ(disagreement(c).substr(0, 6), "event ");
  }
  const auto refusal = [&](const CertificateRecord& changed, const Posterior& posterior,
                           const Disturbances& w) {
    const auto path = write_certificate(folder, changed, posterior);
    return input_error([&] { reevaluate_certificate(path, w); });
  };
  EXPECT_TRUE(contains(refusal({honest, run.inputs}, *run.posterior, {2 * data.w}),
                       "data: not the one that the certificate was computed from"));
  Posterior narrow = *run.posterior;
  narrow.variance *= 0.5;
  EXPECT_TRUE(contains(refusal({honest, run.inputs}, narrow, data), "posterior: not the one"));
  CertificateRecord r{honest, run.inputs};
  r.inputs["prior"]["center"] = "elsewhere";
  EXPECT_TRUE(contains(refusal(r, *run.posterior, data), "inputs.prior"));
  r.inputs = run.inputs;
  r.inputs["problem"]["learning"]["prior"]["scale"] = 0.3;
  EXPECT_TRUE(contains(refusal(r, *run.posterior, data), "problem: not the one"));
}

}  // namespace
}  // namespace loopcert::testing

// Learning on parts, cross-certification, portfolios, priors: through learn, and by definition.
#include "certificate/portfolio.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <map>
#include <set>

#include "certificate/certificate_choice.hpp"
#include "certificate/from_problem.hpp"
#include "certificate/premises.hpp"
#include "certificate/record_json.hpp"
#include "input_error.hpp"
#include "learning/priors.hpp"
#include "loopcert/verification/recheck.hpp"
#include "random_system.hpp"
#include "response/lqr.hpp"
#include "response/space.hpp"
#include "risk/risk.hpp"
#include "seed.hpp"
#include "temp_folder.hpp"
#include "workflow/learn_run.hpp"
#include "workflow/record_files.hpp"

namespace loopcert::testing {
namespace {

// The paper's plant; `ar1` = 0 is white noise.
Problem plant(double ar1, const std::string& method, const std::string& kind) {
  Problem problem;
  problem.name = "double integrator";
  problem.system = double_integrator();
  const Sizes sizes = problem.sizes();
  problem.disturbance.law = Law{Vector::Zero(sizes.d_w()), ar1_covariance(sizes, ar1, 0.1)};
  problem.learning.method = method;
  problem.certificate.kind = kind;
  return problem;
}

Disturbances draw(const Problem& problem, Index n, std::uint64_t seed) {
  return sample_disturbances(*problem.disturbance.law, test_stream(seed, 0), n);
}

Reevaluation through_files(const LearnRun& run, const Certificate& certificate,
                           const Disturbances& data) {
  const TempFolder folder;
  if (run.deployment) folder.write("responses.npz", format_responses(*run.deployment));
  if (run.posterior)
    folder.write("posterior.npz", format_posterior(*run.posterior, run.prior_center));
  return reevaluate_certificate(
      folder.write("certificate.json", certificate_to_json(certificate, run.inputs).dump(2)), data);
}

double ledger(const Certificate& c) {
  double sum = 0;
  for (const Event& event : c.events) sum += event.delta;
  return sum;
}

// A certificate may be below the cost with probability delta; not by as much as this.
double surely_below(double cost) { return 0.7 * cost; }

// Every way to a certificate that learn offers survives its files and pays exactly its delta.
TEST(Certified, EveryRouteIsReevaluated) {
  struct Case {
    double ar1;
    std::string method, kind;
  };
  const std::vector<Case> cases = {{0, "auto", "best"},
                                   {0.8, "auto", "best"},
                                   {0.8, "auto", "cross"},
                                   {0.8, "shrinkage", "hold-out-chi-square"},
                                   {0.8, "ridge", "cross-chi-square"},
                                   {0, "lqr", "hold-out"},
                                   {0, "lqr", "best"},
                                   {0.8, "erm", "assumed-scale"},
                                   {0, "pac-bayes", "best"},
                                   {0.8, "pac-bayes", "relative"},
                                   {0.8, "start", "hold-out-relative"}};
  for (const Case& c : cases) {
    SCOPED_TRACE(c.method + " " + c.kind);
    Problem problem = plant(c.ar1, c.method, c.kind);
    problem.disturbance.scale_bound = c.ar1 == 0 ? 0.1 : 0.6;
    problem.certificate.delta = 0.04;
    const Disturbances data = draw(problem, 60, 3);
    const LearnRun run = run_learn(problem, data);
    ASSERT_TRUE(run.certificate.has_value());
    EXPECT_EQ(run.certificate->kind, c.kind);
    EXPECT_GE(run.certificate->value, surely_below(*run.population_cost));
    EXPECT_NEAR(ledger(*run.certificate), c.kind == "assumed-scale" ? 0 : 0.04, 1e-12);
    const Reevaluation again = through_files(run, *run.certificate, data);
    EXPECT_TRUE(again.agrees) << again.disagreement;
    EXPECT_EQ(again.recomputed.value, run.certificate->value);
    if (run.improvement) {
      EXPECT_GE(run.improvement->value, *run.population_cost - *run.lqr_cost - 0.3 * *run.lqr_cost);
      EXPECT_NEAR(ledger(*run.improvement), 0.04, 1e-12);
      EXPECT_TRUE(through_files(run, *run.improvement, data).agrees);
    }
  }
}

// The mean response, and the mean of two hold-out certificates at delta/2.
TEST(CrossCertification, IsItsDefinition) {
  Problem problem = plant(0.8, "shrinkage", "cross-chi-square");
  const Disturbances data = draw(problem, 40, 5);
  const LearnRun run = run_learn(problem, data);
  const FixedKind& kind = fixed_kind("hold-out-chi-square");
  const Assumptions& assumptions = problem.disturbance;
  Matrix mean = Matrix::Zero(problem.sizes().d_u(), problem.sizes().d_w());
  double value = 0;
  for (Index fold = 0; fold < 2; ++fold) {
    std::vector<Index> inside, outside;
    for (Index i = 0; i < 40; ++i) (i % 2 == fold ? inside : outside).push_back(i);
    Problem half = problem;
    half.certificate.kind = "data-driven";  // of no interest to this method
    const LearnRun part = run_learn(half, select_rows(data, outside));
    mean += 0.5 * part.response.Phi_u;
    value += 0.5 * kind.evaluate({problem.system,
                                  part.response,
                                  assumptions,
                                  evidence_of(select_rows(data, inside)),
                                  {{"quantile", 0.025}}})
                       .value;
  }
  EXPECT_LT((run.response.Phi_u - mean).norm(), 1e-12 * mean.norm());
  EXPECT_NEAR(run.certificate->value, value, 1e-12 * value);
  EXPECT_EQ(run.certificate->n, 40);
  EXPECT_EQ(run.certificate->events.size(), 2U);
}

// A fold's certificate depends on the fold only through what was recorded there: changing one
// certifying trajectory leaves the response of that fold alone.
TEST(CrossCertification, AResponseDoesNotSeeItsFold) {
  const Problem problem = plant(0.8, "shrinkage", "cross");
  Problem granted = problem;
  granted.disturbance.scale_bound = 0.6;
  Disturbances data = draw(problem, 40, 6);
  const auto responses = [&] { return run_learn(granted, data).deployment->responses; };
  const std::vector<Response> before = responses();
  data.w.row(4) *= 2;  // fold 0 certifies with it, fold 1 learns from it
  const std::vector<Response> after = responses();
  EXPECT_EQ(before[0].Phi_u, after[0].Phi_u);
  EXPECT_NE(before[1].Phi_u, after[1].Phi_u);
}

TEST(Portfolio, SharesAreFixedByProblemMethodAndCount) {
  Problem problem = plant(0.8, "auto", "best");
  problem.disturbance.scale_bound = 0.6;
  const auto shares = [&](std::uint64_t seed) {
    std::map<std::string, double> deltas;
    const LearnRun run = run_learn(problem, draw(problem, 60, seed));
    for (const auto& row : run.certificate->all) deltas[row.kind] = row.delta;
    return deltas;
  };
  const auto first = shares(1);
  EXPECT_EQ(first, shares(2));
  double total = 0;
  for (const auto& [kind, delta] : first) total += delta;
  EXPECT_NEAR(total, 0.05, 1e-12);
  EXPECT_EQ(first.at("assumed-scale"), 0);
  EXPECT_GT(first.at("hold-out"), 0);  // kept for LQR
  EXPECT_GT(first.at("cross"), 0);
  EXPECT_EQ(first.at("hold-out-scale-free"), 0);  // chi-square is never larger
  EXPECT_EQ(first.at("white"), 0);                // not granted
}

TEST(Portfolio, ReportsTheSmallestAndListsWhatIsMissing) {
  Problem problem = plant(0, "lqr", "best");
  problem.disturbance.scale_bound = 0.3;
  const LearnRun run = run_learn(problem, draw(problem, 100, 2));
  double least = INFINITY;
  for (const auto& row : run.certificate->all) {
    EXPECT_EQ(row.needs.has_value(), row.status == "not-granted") << row.kind;
    EXPECT_EQ(row.value.has_value(), row.status == "computed") << row.kind;
    if (row.value) least = std::min(least, *row.value);
  }
  EXPECT_EQ(run.certificate->value, least);
  EXPECT_LT(run.certificate->value, 0.3 / 0.1 * *run.population_cost);  // data beat the assumption
  const auto& all = run.certificate->all;
  const auto white = std::find_if(all.begin(), all.end(),
                                  [](const auto& row) { return row.kind == "hold-out-white"; });
  ASSERT_NE(white, all.end());
  ASSERT_TRUE(white->needs);
  EXPECT_EQ(white->needs->place, "disturbance.white");
}

// A bound whose numbers are too large is listed with the reason, keeps its share, and the others
// stand. The certificate can be checked again as any other.
TEST(Portfolio, AKindThatCannotBeComputedIsListedAndTheOthersStand) {
  Problem problem = plant(0, "lqr", "best");
  problem.disturbance.law.reset();
  problem.disturbance.scale_bound = 1e308;  // hold-out and assumed-scale are above all numbers
  const Disturbances data = draw(plant(0, "lqr", "best"), 40, 11);
  const LearnRun run = run_learn(problem, data);
  std::set<std::string> failed;
  for (const auto& row : run.certificate->all) {
    EXPECT_EQ(!row.failure.empty(), row.status == "not-computed") << row.kind;
    if (row.failure.empty()) continue;
    failed.insert(row.kind);
    EXPECT_FALSE(row.value);
    EXPECT_FALSE(row.needs);
  }
  EXPECT_EQ(failed, (std::set<std::string>{"hold-out", "assumed-scale"}));
  EXPECT_EQ(run.certificate->chosen, "hold-out-chi-square");
  EXPECT_NEAR(ledger(*run.certificate), 0.05, 1e-12);
  const auto& events = run.certificate->events;
  EXPECT_EQ(std::count_if(events.begin(), events.end(),
                          [](const Event& event) {
                            return event.kind == "hold-out" && event.id == "kept" &&
                                   event.delta > 0 && event.statement.id == "kept-bound";
                          }),
            1);
  EXPECT_TRUE(through_files(run, *run.certificate, data).agrees);
}

// Where nothing else is granted, the failure is the answer.
TEST(Portfolio, NothingThatCouldBeComputedIsAnErrorWithItsReason) {
  Problem problem = plant(0, "lqr", "best");
  const Disturbances data = draw(problem, 40, 11);
  problem.disturbance.law.reset();
  problem.disturbance.model = "any";
  problem.disturbance.scale_bound = 1e308;
  try {
    run_learn(problem, data);
    FAIL() << "a certificate";
  } catch (const NumericsError& error) {
    EXPECT_NE(std::string(error.what()).find("assumed-scale: "), std::string::npos) << error.what();
  }
}

// L - L_0 <= L: what the cost's certificate says already is not said again.
TEST(Certified, AnImprovementAboveTheCertifiedCostIsWithheld) {
  int withheld = 0, shown = 0;
  // Few data taken at their word cost far more than LQR, many save something.
  for (const auto& [method, n] : {std::pair<std::string, Index>{"erm", 12}, {"shrinkage", 60}}) {
    SCOPED_TRACE(method);
    const Problem problem = plant(0.8, method, "cross-chi-square");
    const Disturbances data = draw(problem, n, 12);
    const LearnRun run = run_learn(problem, data);
    const Deployment deployment{"cross", run.deployment->responses};
    const auto improvement = certified_improvement(problem, deployment, data);
    ASSERT_TRUE(improvement.has_value());
    const bool says_more = improvement->value < run.certificate->value;
    ++(says_more ? shown : withheld);
    ASSERT_EQ(run.improvement.has_value(), says_more);
    EXPECT_EQ(run.details.contains("improvement"), !says_more) << run.details.dump();
    if (says_more) {
      EXPECT_EQ(run.improvement->value, improvement->value);
    }
  }
  EXPECT_GT(withheld, 0);
  EXPECT_GT(shown, 0);
}

// A kind that n is too small for is dropped only if it would lose with all of delta, and leaves
// its share to the others.
TEST(Portfolio, HopelessKindsGetNoShareAndTheOthersMore) {
  Problem problem = plant(0, "lqr", "best");
  const Problem law = problem;
  problem.disturbance.law.reset();
  problem.disturbance.white = true;
  const FixedKind& white = fixed_kind("hold-out-white");
  const FixedKind& chi_square = fixed_kind("hold-out-chi-square");
  const Response lqr = lqr_response(problem.system);
  const auto value = [&](const FixedKind& kind, const Disturbances& data) {
    Deltas deltas = split_delta(kind.events, 0.05, {});
    return kind.evaluate({problem.system, lqr, problem.disturbance, evidence_of(data), deltas})
        .value;
  };
  const auto shares = [&](Index n) {
    std::map<std::string, double> deltas;
    const LearnRun run = run_learn(problem, draw(law, n, 13));
    for (const auto& row : run.certificate->all) {
      deltas[row.kind] = row.delta;
      if (row.kind == "hold-out-white" && row.delta == 0) {
        EXPECT_EQ(row.status, "too-few-trajectories");
        EXPECT_EQ(row.dominated_by, "hold-out-chi-square");
      }
    }
    return deltas;
  };
  const auto few = shares(8), many = shares(400);
  EXPECT_EQ(few.at("hold-out-white"), 0);
  EXPECT_NEAR(few.at("hold-out-chi-square"), 0.05, 1e-15);  // nobody else
  EXPECT_GT(many.at("hold-out-white"), 0);
  EXPECT_LT(many.at("hold-out-chi-square"), 0.05);
  EXPECT_NEAR(
      many.at("hold-out-chi-square") + many.at("hold-out-white") + many.at("hold-out-relative"),
      0.05, 1e-15);
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    const Disturbances data = draw(law, 8, 100 + seed);
    EXPECT_GE(value(white, data), value(chi_square, data));
  }
}

// Even one trajectory gives a certificate, and no fold is empty.
TEST(Portfolio, AFewTrajectories) {
  for (const Index n : {1, 2, 3, 4, 5}) {
    Problem problem = plant(0.8, "auto", "best");
    const LearnRun run = run_learn(problem, draw(problem, n, 2));
    EXPECT_GE(run.certificate->value, surely_below(*run.population_cost)) << n;
    EXPECT_NEAR(ledger(*run.certificate), 0.05, 1e-12);
    problem.certificate.folds = n;  // more than the data allow
    if (n >= 2) {
      EXPECT_NO_THROW(run_learn(problem, draw(problem, n, 2)));
    }
  }
}

// Deltas of the problem's own certificate, as a table, count by their sum.
TEST(Portfolio, RefusesWhenNothingIsGranted) {
  Problem problem = plant(0, "auto", "best");
  problem.disturbance.law.reset();
  problem.disturbance.model = "any";
  problem.disturbance.zero_mean = false;
  const Disturbances data{random_matrix(20, problem.sizes().d_w(), 4)};
  EXPECT_NE(input_error([&] { run_learn(problem, data); }).find("no certificate"),
            std::string::npos);
}

TEST(Priors, SplitSeesTheFirstPartAlone) {
  Problem problem = plant(0.8, "pac-bayes", "relative");
  problem.learning.prior_center = "split";
  problem.learning.prior_fraction = 0.4;
  const ResponseSpace space = make_response_space(problem.system, problem.response);
  Disturbances data = draw(problem, 60, 7);
  const PriorSetting before = make_priors(problem, space, data);
  EXPECT_EQ(before.certifying.data.n(), 36);
  EXPECT_EQ(before.certifying.data.w, data.w.bottomRows(36));
  data.w.bottomRows(36) *= 3;
  EXPECT_EQ(make_priors(problem, space, data).priors[0].center, before.priors[0].center);
  data.w.row(0) *= 3;
  EXPECT_NE(make_priors(problem, space, data).priors[0].center, before.priors[0].center);
  EXPECT_FALSE(before.priors[0].center.isZero(1e-6));
}

// The grid's certificate is that of the best scale at delta / 5, and its event pays delta.
TEST(Priors, GridPaysForItsChoices) {
  Problem problem = plant(0, "pac-bayes", "scale");
  problem.disturbance.scale_bound = 0.1;
  problem.learning.prior_center = "lqr";
  problem.learning.prior_scale.reset();
  problem.certificate.delta = 0.05;
  const Disturbances data = draw(problem, 40, 8);
  const LearnRun grid = run_learn(problem, data);
  double best = INFINITY;
  for (const double scale : {1.0, 0.3, 0.1, 0.03, 0.01}) {
    Problem one = problem;
    one.learning.prior_scale = scale;
    one.certificate.delta = 0.01;
    best = std::min(best, run_learn(one, data).certificate->value);
  }
  EXPECT_NEAR(grid.certificate->value, best, 1e-9 * best);  // another start, the same minimum
  EXPECT_NEAR(grid.certificate->confidence, 0.95, 1e-12);
  EXPECT_EQ(grid.inputs["prior"]["grid"].size(), 5U);
  EXPECT_TRUE(through_files(grid, *grid.certificate, data).agrees);
}

TEST(Priors, SplitCertificateSurvivesItsFiles) {
  Problem problem = plant(0.8, "pac-bayes", "relative");
  problem.learning.prior_center = "split";
  problem.learning.prior_scale = 0.03;
  const Disturbances data = draw(problem, 200, 9);
  const LearnRun run = run_learn(problem, data);
  EXPECT_EQ(run.certificate->n, 100);
  EXPECT_GE(run.certificate->value, surely_below(*run.population_cost));
  EXPECT_TRUE(through_files(run, *run.certificate, data).agrees);
}

TEST(Priors, AnyMethodMayLearnTheCentre) {
  Problem problem = plant(0.8, "pac-bayes", "relative");
  problem.learning.prior_center = "split";
  problem.learning.prior_scale = 0.03;
  const Disturbances data = draw(problem, 100, 9);
  for (const LearnMethod& method : learn_methods()) {
    problem.learning.prior_method = method.name;
    if (method.name == "oracle-pac-bayes") {
      EXPECT_THROW(run_learn(problem, data), InputError);
      continue;
    }
    const LearnRun run = run_learn(problem, data);
    EXPECT_GE(run.certificate->value, surely_below(*run.population_cost)) << method.name;
    EXPECT_TRUE(through_files(run, *run.certificate, data).agrees) << method.name;
  }
}

// verify does not believe that a response owes nothing to data.
TEST(Certified, AResponseThatClaimsToBeFixedIsCheckedAgainstItsMethod) {
  Problem problem = plant(0, "lqr", "hold-out");
  problem.disturbance.scale_bound = 0.1;
  const Disturbances data = draw(problem, 30, 10);
  LearnRun run = run_learn(problem, data);
  Problem other = problem;
  other.learning.method = "erm";
  other.certificate.kind = "data-driven";
  const LearnRun overfitted = run_learn(other, data);
  run.deployment = Deployment{"fixed", {overfitted.response}};
  run.inputs["responses_sha256"] = "";
  EXPECT_THROW(through_files(run, *run.certificate, data), InputError);  // another hash
}

TEST(CertificateChoice, NamesAndMethods) {
  EXPECT_EQ(certificate_choice("best").route, Route::best);
  EXPECT_EQ(certificate_choice("cross-chi-square").route, Route::cross);
  EXPECT_EQ(certificate_choice("cross").fixed->name, "hold-out");
  EXPECT_EQ(certificate_choice("hold-out").route, Route::fixed);
  EXPECT_EQ(certificate_choice("scale").route, Route::posterior);
  EXPECT_THROW(certificate_choice("improvement"), InputError);  // not a cost
  EXPECT_THROW(certificate_choice("cross-scale"), InputError);
  EXPECT_TRUE(gives(find_learn_method("auto"), certificate_choice("best")));
  EXPECT_FALSE(gives(find_learn_method("auto"), certificate_choice("scale")));
  EXPECT_FALSE(gives(find_learn_method("pac-bayes"), certificate_choice("cross")));
  for (const std::string& name : certificate_names()) EXPECT_NO_THROW(certificate_choice(name));
  CertificateOptions options{"best", std::nullopt, {{"pac_bayes", 0.02}, {"covariance", 0.01}}};
  keep_total_delta(options);
  EXPECT_DOUBLE_EQ(*options.delta, 0.03);
  options = {"data-driven", std::nullopt, {{"pac_bayes", 0.02}, {"covariance", 0.01}}};
  keep_total_delta(options);
  EXPECT_FALSE(options.delta.has_value());
}

}  // namespace
}  // namespace loopcert::testing

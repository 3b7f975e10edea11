#include "loopcert/delivery/words.hpp"

#include <gtest/gtest.h>

#include <set>

#include "certificate/portfolio.hpp"
#include "controller/closed_loop.hpp"
#include "input_error.hpp"
#include "loopcert/controller/controller.hpp"
#include "random_system.hpp"
#include "response/lqr.hpp"
#include "seed.hpp"
#include "workflow/certify_run.hpp"
#include "workflow/learn_run.hpp"

namespace loopcert::testing {
namespace {

// No slot is left open, no number is missing.
void expect_sentence(const std::string& text) {
  EXPECT_FALSE(text.empty());
  for (std::size_t at = text.find('{'); at != text.npos; at = text.find('{', at + 1))
    EXPECT_EQ(text.substr(at, 5), "{T-1}") << text;
}

void expect_words(const Certificate& c, std::set<std::string>& seen) {
  SCOPED_TRACE(c.kind + " " + c.chosen);
  for (const Statement& s : c.assumptions) {
    expect_sentence(assumption_words(s));
    seen.insert(s.id);
  }
  for (const Event& e : c.events) {
    expect_sentence(event_words(e));
    EXPECT_FALSE(event_name(e).empty());
    seen.insert(e.statement.id);
  }
  for (const Term& t : c.terms) {
    EXPECT_FALSE(term_words(t).name.empty() || term_words(t).symbol.empty()) << t.id;
    seen.insert("term " + t.id);
  }
  for (const Candidate& row : c.all) {
    EXPECT_EQ(candidate_words(row).empty(),
              row.status == "computed" || row.status == "other-deployment")
        << row.kind;
    EXPECT_FALSE(status_words(row).empty());
  }
}

Problem generous(const std::string& model) {
  Problem problem;
  problem.system = double_integrator();
  const Index d = problem.sizes().d_w();
  Assumptions& given = problem.disturbance;
  given.model = model;
  given.scale_bound = 1;
  given.covariance_bound = Matrix::Identity(d, d);
  given.white = given.stationary = true;
  given.kurtosis = 20;
  if (model == "bounded") given.radius = 100;
  given.law = Law{Vector::Zero(d), 0.25 * Matrix::Identity(d, d)};
  return problem;
}

Disturbances draw(const Problem& problem, Index n) {
  return sample_disturbances(*problem.disturbance.law, test_stream(1, 95), n);
}

TEST(Words, ForEveryStatementOfEveryKind) {
  std::set<std::string> seen;
  for (const std::string model : {"gaussian", "bounded"}) {
    Problem problem = generous(model);
    const Disturbances data = draw(problem, 60);
    const Controller lqr = recover_controller(lqr_response(problem.system), problem.sizes());
    for (const FixedResponseKind& kind : fixed_response_kinds()) {
      try {
        expect_words(run_certify(problem, {lqr, "lqr"}, data, kind.name).certificate, seen);
      } catch (const InputError&) {  // not granted under this model
      }
    }
    problem.learning.method = "pac-bayes";
    for (const PosteriorKind& kind : posterior_kinds()) {
      problem.certificate.kind = kind.name;
      problem.learning.method = kind.oracle ? "oracle-pac-bayes" : "pac-bayes";
      try {
        expect_words(*run_learn(problem, data).certificate, seen);
      } catch (const InputError&) {
      }
    }
  }
  for (const std::string method : {"auto", "shrinkage", "pac-bayes"}) {
    Problem problem = generous("gaussian");
    problem.learning.method = method;
    problem.certificate.kind = "best";
    const LearnRun run = run_learn(problem, draw(problem, 40));
    expect_words(*run.certificate, seen);
    if (run.improvement) expect_words(*run.improvement, seen);
  }
  for (const char* id : {"controller-fixed",
                         "prior-fixed",
                         "model",
                         "gaussian",
                         "any-law",
                         "scale-bound",
                         "covariance-bound",
                         "radius",
                         "kurtosis",
                         "white",
                         "stationary",
                         "pac-bayes",
                         "covariance-additive",
                         "covariance-relative",
                         "covariance-one-sided",
                         "covariance-white",
                         "second-moment",
                         "chernoff",
                         "spread",
                         "difference",
                         "kept-deployment",
                         "term complexity",
                         "term margin",
                         "term assumed-scale",
                         "term posterior-spread"})
    EXPECT_TRUE(seen.contains(id)) << id;
}

// A kind that another one is never larger than lacks no assumption.
TEST(Words, OnlyWhatWasNotStatedIsMissing) {
  Candidate c{.kind = "hold-out-scale-free", .status = "dominated", .dominated_by = "cross"};
  EXPECT_EQ(status_words(c), "not needed");
  EXPECT_EQ(candidate_words(c), "'cross' is never larger");
  c = {.kind = "hold-out", .status = "not-granted", .needs = Missing{"a", "b", "c"}};
  EXPECT_EQ(status_words(c), "assumptions missing");
  EXPECT_EQ(candidate_words(c), "a: found b, expected c");
}

TEST(Words, NumbersAndNames) {
  EXPECT_EQ(assumption_words({"scale-bound", {{"scale", 0.3}}}),
            "No eigenvalue of the covariance of a trajectory exceeds 0.3.");
  const Event event{"covariance", 0.01, {"covariance-relative", {{"q", 1.0 / 3}}}, 3, "cross", 2};
  EXPECT_EQ(event_words(event), "Sigma_w <= Sigma_hat / 0.333333, for each of 3 controllers");
  EXPECT_EQ(event_name(event), "cross: covariance of fold 2");
  EXPECT_EQ(event_name({"kept", 0.1, {"kept-bound"}, 1, "hold-out"}), "hold-out");
  EXPECT_TRUE(contains(input_error([] { assumption_words(Statement{"good-weather"}); }),
                       "statement: found 'good-weather'"));
}

}  // namespace
}  // namespace loopcert::testing

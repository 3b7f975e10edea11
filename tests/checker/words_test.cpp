// The checker has words for every statement that one of its bounds makes.
#include "verdict/words.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <regex>
#include <set>

#include "kinds/fixed.hpp"
#include "small_problem.hpp"

namespace verify::testing {
namespace {

std::vector<std::string> parameters_of(const std::string& text) {
  const std::regex name("\\{([a-z_0-9]+)\\}");
  std::vector<std::string> names;
  for (std::sregex_iterator at(text.begin(), text.end(), name), end; at != end; ++at)
    names.push_back((*at)[1]);
  return names;
}

TEST(Words, RenderEveryIdOnce) {
  std::set<std::string> ids;
  for (const Words& words : all_words) {
    EXPECT_TRUE(ids.insert(words.id).second) << words.id;
    Statement statement{words.id};
    for (const std::string& name : parameters_of(words.text)) statement.parameters[name] = 0.125;
    const std::string text = in_words(statement);
    EXPECT_TRUE(parameters_of(text).empty()) << text;
    EXPECT_EQ(text.find("0.125") == text.npos, statement.parameters.empty()) << text;
  }
  EXPECT_EQ(in_words({"scale-bound", {{"scale", 0.1}}}),
            "No eigenvalue of the covariance of a trajectory exceeds 0.1.");
}

TEST(Words, RefuseWhatTheyAreNotFor) {
  EXPECT_THROW(in_words({"it-rains"}), Refuted);
  EXPECT_THROW(in_words({"model", {{"scale", 1}}}), Refuted);
}

// With an event of each id, and a law that grants everything.
struct Setting {
  Record record;
  Data data;
  const slong before = bits;

  ~Setting() { bits = before; }
  explicit Setting(const std::string& model = "gaussian") {
    bits = 256;  // an eigenvalue takes more than 64
    json tree = small_problem();
    tree["disturbance"]["model"] = model;
    record.problem = parse_problem(tree);
    for (const char* id :
         {"pac_bayes", "covariance", "mean", "chernoff", "quantile", "spread", "difference"})
      record.events.push_back({id, {id}, 1, 0, "", 0.05});
    Table rows{20, 2, {}};
    for (int i = 0; i < 40; ++i) rows.values.push_back(0.8 * std::sin(1.7 * i * i));
    data = moments_of(rows);
  }
};

void expect_words(const std::vector<Event>& events, const Statements& assumptions,
                  const std::string& name) {
  Statements all = assumptions;
  for (const Event& event : events) all.push_back(event.statement);
  EXPECT_FALSE(all.empty()) << name;
  for (const Statement& statement : all) {
    const std::string text = in_words(statement);
    EXPECT_TRUE(parameters_of(text).empty()) << name << ": " << text;
  }
}

TEST(Words, AreThereForEveryEnvelope) {
  const std::map<std::string, std::vector<std::string>> names = {
      {"gaussian",
       {"additive", "scale", "relative", "one-sided", "white", "known", "any-mean", "true"}},
      {"bounded", {"radius", "radius-self"}}};
  for (const auto& [model, envelopes] : names)
    for (const std::string& name : envelopes) {
      const Setting setting(model);
      const Envelope envelope = make_envelope(name, setting.record, setting.data);
      expect_words(envelope.events, envelope.assumptions, name);
    }
}

TEST(Words, AreThereForEveryFixedKind) {
  const std::vector<const char*> by = {"",           "-relative",      "-white",
                                       "-known",     "-scale-free",    "-chi-square",
                                       "-frobenius", "-fourth-moment", "-bounded"};
  std::vector<std::string> kinds = {"assumed-scale", "assumed-covariance", "improvement",
                                    "improvement-mean", "improvement-scale"};
  for (const std::string scheme : {"hold-out", "cross"})
    for (const char* suffix : by) kinds.push_back(scheme + suffix);
  for (const std::string& kind : kinds) {
    EXPECT_FALSE(one_response_kind(kind).scheme.empty()) << kind;
    Setting setting(kind.ends_with("-bounded") ? "bounded" : "gaussian");
    setting.record.kind = kind;
    const Problem& p = setting.record.problem;
    const Part part{cost_gram(p, open_loop(p, Mat(p.d_u(), 1 + p.d_w()))),
                    cost_gram(p, lqr_response(p)),
                    setting.data,
                    identity(p.d_w()),
                    0.01,
                    setting.data};
    const Bound bound = one_response(setting.record, part);
    expect_words(bound.events, bound.assumptions, kind);
    EXPECT_EQ(bound.functional, is_difference_kind(kind) ? "cost-difference" : "cost") << kind;
  }
  for (const char* none : {"", "assumed", "hold-out-scale", "cross-assumed", "improvement-ratio"})
    EXPECT_TRUE(one_response_kind(none).scheme.empty()) << none;
}

// What fixed_bound, cross_bound and posterior_bound add, and the shares that a portfolio keeps.
TEST(Words, AreThereForWhatKindsAdd) {
  for (const char* id : {"controllers-fixed", "controllers-and-baseline-fixed", "responses-fixed",
                         "prior-fixed", "pac-bayes", "kept-deployment", "kept-bound"})
    EXPECT_FALSE(in_words({id}).empty()) << id;
}

}  // namespace
}  // namespace verify::testing

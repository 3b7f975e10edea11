// A record says what the bound says: every id, every parameter, every number.
#include "verdict/judge.hpp"

#include <gtest/gtest.h>

#include <functional>

namespace verify::testing {
namespace {

Bound small_bound() {
  Bound bound;
  bound.terms = {{"empirical-controller", 1}, {"margin", 0.5}};
  bound.events = {{"covariance", {"covariance-white", {{"q", 0.5}, {"q_0", 0.25}}}, 3, 2}};
  bound.assumptions = {{"gaussian"}, {"scale-bound", {{"scale", 0.1}}}};
  return bound;
}

Record small_record() {
  Record record;
  record.subject = "controller";
  record.functional = {"cost"};
  record.value = 1.5;
  record.terms = {{"empirical-controller", 1}, {"margin", 0.5}};
  record.events = small_bound().events;
  record.assumptions = small_bound().assumptions;
  return record;
}

// "" when the record is as good as the bound.
std::string answer(const std::function<void(Record&)>& change) {
  Record record = small_record();
  change(record);
  try {
    judge(record, small_bound());
    return "";
  } catch (const Refuted& reason) {
    return reason.text;
  }
}

TEST(Judge, TakesWhatTheBoundSays) {
  EXPECT_EQ(judge(small_record(), small_bound()), 1.5);
  EXPECT_EQ(answer([](Record& r) { r.value = 2; }), "");
  const auto near = [](Record& r) { r.events[0].statement.parameters["q"] = 0.500004; };
  EXPECT_EQ(answer(near), "");  // of an event: to five digits
}

TEST(Judge, RefutesEveryOtherStatement) {
  const std::vector<std::pair<std::string, std::function<void(Record&)>>> changes = {
      {"subject", [](Record& r) { r.subject = "mean-response"; }},
      {"functional", [](Record& r) { r.functional.id = "cost-difference"; }},
      {"functional", [](Record& r) { r.functional.parameters["x"] = 0; }},
      {"assumptions", [](Record& r) { r.assumptions.pop_back(); }},
      {"assumptions", [](Record& r) { r.assumptions[0].id = "gaussian-zero-mean"; }},
      {"assumptions", [](Record& r) { r.assumptions[0].parameters["x"] = 1; }},
      {"assumptions", [](Record& r) { r.assumptions[1].parameters["scale"] = 0.1 + 1e-15; }},
      {"assumptions", [](Record& r) { r.assumptions[1].parameters = {}; }},
      {"assumptions",
       [](Record& r) {
         r.assumptions[1].parameters = {{"radius", 0.1}};
       }},
      {"events", [](Record& r) { r.events.clear(); }},
      {"event covariance", [](Record& r) { r.events[0].id = "mean"; }},
      {"event covariance", [](Record& r) { r.events[0].kind = "hold-out"; }},
      {"event covariance", [](Record& r) { r.events[0].fold = 1; }},
      {"event covariance", [](Record& r) { r.events[0].choices = 1; }},
      {"event covariance", [](Record& r) { r.events[0].statement.id = "covariance-relative"; }},
      {"event covariance", [](Record& r) { r.events[0].statement.parameters["q"] = 0.50001; }},
      {"event covariance", [](Record& r) { r.events[0].statement.parameters.erase("q_0"); }},
      {"terms", [](Record& r) { r.terms.pop_back(); }},
      {"terms", [](Record& r) { r.terms[0].id = "offset"; }},
      {"term 'margin'", [](Record& r) { r.terms[1].value = 0.4; }},
      {"value", [](Record& r) { r.value = 1.4; }},
      {"kl", [](Record& r) { r.kl = 1; }}};
  for (const auto& [place, change] : changes)
    EXPECT_TRUE(answer(change).starts_with(place + ": ")) << place << ", " << answer(change);
}

}  // namespace
}  // namespace verify::testing

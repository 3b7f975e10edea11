#include "loopcert/certificate/record.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "certificate/kinds.hpp"
#include "certificate/premises.hpp"
#include "certificate/record_json.hpp"
#include "loopcert/core/error.hpp"
#include "loopcert/data/law.hpp"
#include "random_system.hpp"
#include "response/space.hpp"
#include "seed.hpp"

namespace loopcert::testing {
namespace {

struct Example {
  System system = double_integrator();
  ResponseSpace space = make_response_space(system, {});
  Law law{Vector::Zero(22), 0.1 * Matrix::Identity(22, 22)};
  Evidence evidence = evidence_of(sample_disturbances(law, test_stream(1, 0), 30));
  Assumptions assumptions;
  Prior prior{Matrix::Zero(10, 22), 1.0};
  Posterior posterior{0.1 * random_coordinates(space.coordinates.pattern, 3),
                      unpack(space.coordinates.pattern, Vector::Constant(110, 0.02))};

  Example() {
    assumptions.scale_bound = 0.1;
    assumptions.law = law;
  }
  Certificate certificate(const std::string& name) const {
    const PosteriorKind& kind = posterior_kind(name);
    const Setting setting{system, space, assumptions, evidence, split_delta(kind.events, 0.05, {})};
    return evaluate_certificate(kind, setting, prior, posterior);
  }
};

TEST(Record, EveryKindAddsUpAndSurvivesJson) {
  Example example;
  for (const PosteriorKind& kind : posterior_kinds()) {
    Example used = example;
    used.assumptions.white = true;
    used.assumptions.covariance_bound = used.assumptions.law->covariance;
    if (kind.name.starts_with("bounded")) {
      used.assumptions.model = "bounded";
      used.assumptions.radius = 4.0;
    }
    const bool given = kind.name == "data-driven-given-radius";  // its delta comes on top
    used.assumptions.covariance_radius = 0.4;
    used.assumptions.covariance_radius_delta = 0.01;
    const Certificate c = used.certificate(kind.name);
    EXPECT_EQ(c.events.size(), kind.events.size() + (given ? 1 : 0));
    EXPECT_NEAR(c.confidence, given ? 0.94 : 0.95, 1e-12) << kind.name;
    const nlohmann::json tree = certificate_to_json(c);
    const Certificate back = certificate_from_json(nlohmann::json::parse(tree.dump()));
    check_certificate(back);
    EXPECT_EQ(certificate_to_json(back), tree) << kind.name;
    // Re-evaluation: the same arguments give the same record, bit for bit.
    EXPECT_EQ(certificate_to_json(used.certificate(kind.name)), tree) << kind.name;
  }
}

TEST(Record, OrderOfTheBounds) {
  const Example example;
  const double quadratic = example.certificate("data-driven").value;
  const double rank_aware = example.certificate("data-driven-rank-aware").value;
  const double oracle = example.certificate("oracle").value;
  EXPECT_LT(rank_aware, quadratic);
  EXPECT_LT(oracle, rank_aware);
}

TEST(Record, RefusesWhatDoesNotAddUp) {
  const Example example;
  const Certificate good = example.certificate("data-driven");
  EXPECT_NO_THROW(check_certificate(good));
  Certificate bad = good;
  bad.value -= 1e-6;
  EXPECT_THROW(check_certificate(bad), NumericsError);
  bad = good;
  bad.terms[1].value = NAN;
  EXPECT_THROW(check_certificate(bad), NumericsError);
  bad = good;
  bad.value = INFINITY;
  EXPECT_THROW(check_certificate(bad), NumericsError);
  bad = good;
  bad.events.pop_back();  // an event nobody paid for
  EXPECT_THROW(check_certificate(bad), NumericsError);
  bad = good;
  bad.confidence = 0.99;
  EXPECT_THROW(check_certificate(bad), NumericsError);
  bad = good;
  bad.assumptions.clear();
  EXPECT_THROW(check_certificate(bad), NumericsError);
  bad = good;
  bad.terms.clear();
  bad.value = 0;
  EXPECT_THROW(check_certificate(bad), NumericsError);
  for (const double delta : {0.0, 1.0, 0.97}) {  // the last: too much together
    bad = good;
    bad.events.front().delta = delta;
    bad.confidence = 0;
    EXPECT_THROW(check_certificate(bad), NumericsError) << delta;
  }
}

TEST(Record, WithoutEventsTheConfidenceIsOne) {
  Certificate c;
  c.kind = "assumed-scale";
  c.confidence = 1;
  c.value = 2;
  c.terms = {{"margin", 2}};
  c.assumptions = {{"zero-mean"}};
  EXPECT_NO_THROW(check_certificate(c));  // n = 0: no data are needed
  c.confidence = 0.95;
  EXPECT_THROW(check_certificate(c), NumericsError);
  c.events = {{"chernoff", 0.05, {"chernoff"}}};
  EXPECT_THROW(check_certificate(c), NumericsError);  // an event, but no data
  c.n = 1;
  EXPECT_NO_THROW(check_certificate(c));
  EXPECT_TRUE(split_delta({}, 0.05, {}).empty());
}

TEST(Record, BadJsonIsNamed) {
  const nlohmann::json good = certificate_to_json(Example().certificate("data-driven"));
  for (const auto& [key, value] : good.items()) {
    nlohmann::json bad = good;
    bad.erase(key);
    EXPECT_THROW(certificate_from_json(bad), InputError) << key;
    if (key == "all" || key == "inputs") continue;
    bad = good;
    bad[key] = nlohmann::json::array({nullptr});
    EXPECT_THROW(certificate_from_json(bad), InputError) << key;
  }
  EXPECT_THROW(certificate_from_json(nlohmann::json("text")), InputError);
  for (const char* key : {"terms", "events", "assumptions"}) {  // lists
    nlohmann::json bad = good;
    bad[key] = "none";
    EXPECT_THROW(certificate_from_json(bad), InputError) << key;
  }
  for (const char* key : {"kl", "lambda"}) {  // a number or null
    nlohmann::json bad = good;
    bad[key] = "large";
    EXPECT_THROW(certificate_from_json(bad), InputError) << key;
    bad[key] = nullptr;
    EXPECT_NO_THROW(certificate_from_json(bad)) << key;
  }
}

TEST(Record, RefusesNumbersThatDoNotFitAndAListThatIsNone) {
  const nlohmann::json good = certificate_to_json(Example().certificate("data-driven"));
  const auto refuses = [&](const char* pointer, const nlohmann::json& value) {
    nlohmann::json bad = good;
    bad[nlohmann::json::json_pointer(pointer)] = value;
    EXPECT_THROW(certificate_from_json(bad), InputError) << pointer << " " << value;
  };
  for (const nlohmann::json& value : {nlohmann::json(1e300), nlohmann::json(-1),
                                      nlohmann::json(UINT64_MAX), nlohmann::json(2.5)}) {
    refuses("/solver/iterations", value);
    refuses("/n", value);
  }
  refuses("/solver/iterations", 3000000000);
  refuses("/all", {{"a", 1}});
  refuses("/all", {"a"});
  for (const nlohmann::json& value :
       {nlohmann::json(0), nlohmann::json(1.5), nlohmann::json("1")}) {
    refuses("/events/0/choices", value);
    refuses("/events/0/fold", value);
  }
  refuses("/events/0/statement", "the mean cost is not far below its expectation");
  refuses("/events/1/statement/parameters/eps", nullptr);
  refuses("/assumptions/0", "The mean of a trajectory is zero.");
  refuses("/subject", "controller minus baseline");
}

// A record of version 0.1 is told from a broken one.
TEST(Record, FormerFormatIsRefusedWithWhatToDo) {
  nlohmann::json tree = certificate_to_json(Example().certificate("data-driven"));
  tree["format"] = "loopcert certificate 1";
  try {
    certificate_from_json(tree);
    FAIL() << "read";
  } catch (const InputError& error) {
    EXPECT_NE(std::string(error.what()).find("learn or certify again"), std::string::npos);
  }
}

}  // namespace
}  // namespace loopcert::testing

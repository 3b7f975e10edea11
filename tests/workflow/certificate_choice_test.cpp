// Names of certificates, and which methods have them.
#include "certificate/certificate_choice.hpp"

#include <gtest/gtest.h>

#include "input_error.hpp"
#include "learning/learn_method.hpp"
#include "loopcert/core/error.hpp"

namespace loopcert::testing {
namespace {

TEST(CertificateChoice, NamesAndMethods) {
  EXPECT_EQ(certificate_choice("best").route, Route::best);
  EXPECT_EQ(certificate_choice("cross-chi-square").route, Route::cross);
  EXPECT_EQ(certificate_choice("cross").fixed->name, "hold-out");
  EXPECT_EQ(certificate_choice("hold-out").route, Route::fixed);
  EXPECT_EQ(certificate_choice("scale").route, Route::posterior);
  EXPECT_THROW(certificate_choice("improvement"), InputError);  // not a cost
  EXPECT_THROW(certificate_choice("cross-scale"), InputError);
  for (const std::string gone : {"scale-exact", "data-driven-exact"}) {
    const std::string message = input_error([&] { certificate_choice(gone); });
    const std::string instead = gone == "scale-exact" ? "'scale'" : "'data-driven-rank-aware'";
    EXPECT_NE(message.find("random draws"), std::string::npos) << message;
    EXPECT_NE(message.find(instead), std::string::npos) << message;
  }
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

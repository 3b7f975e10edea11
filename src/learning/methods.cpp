#include "methods.hpp"

#include "core/text.hpp"
#include "loopcert/core/error.hpp"

namespace loopcert {
namespace {

std::vector<std::string> names() {
  std::vector<std::string> result;
  for (const LearnMethod& method : learn_methods()) result.push_back(method.name);
  return result;
}

}  // namespace

const std::vector<LearnMethod>& learn_methods() {
  static const std::vector<LearnMethod> table = {
      {"start", /*needs_data=*/false, learn_start},
      {"lqr", /*needs_data=*/false, learn_lqr, false, false, /*coordinates=*/false},
      {"erm", /*needs_data=*/true, learn_erm},
      {"ridge", /*needs_data=*/true, learn_ridge},
      {"shrinkage", /*needs_data=*/true, learn_shrinkage, false, false, /*coordinates=*/false},
      {"auto", /*needs_data=*/true, learn_auto, /*posterior=*/false, /*gated=*/true,
       /*coordinates=*/false},
      {"pac-bayes", /*needs_data=*/true, learn_pac_bayes, /*posterior=*/true},
      {"oracle-pac-bayes", /*needs_data=*/true, learn_oracle_pac_bayes, /*posterior=*/true},
  };
  return table;
}

std::string learn_method_list() { return join(names(), " | "); }

const LearnMethod& find_learn_method(const std::string& name, const std::string& place) {
  for (const LearnMethod& method : learn_methods())
    if (method.name == name) return method;
  throw_input_error(place, "\"" + name + "\"", learn_method_list() + did_you_mean(name, names()));
}

Deployable deployable(const LearnMethod& method) {
  if (method.gated) return Deployable::either;
  return method.needs_data ? Deployable::folds : Deployable::fixed;
}

bool gives(const LearnMethod& method, const CertificateChoice& choice) {
  if (choice.route == Route::posterior) return method.posterior;
  if (choice.route == Route::best) return method.name != "oracle-pac-bayes";
  return !method.posterior;
}

}  // namespace loopcert

#include "methods.hpp"

#include "core/text.hpp"
#include "loopcert/core/error.hpp"

namespace loopcert {
namespace {

LearnMethod named(const std::string& name, LearnMethod method) {
  method.name = name;
  return method;
}

}  // namespace

const std::vector<LearnMethod>& learn_methods() {
  static const std::vector<LearnMethod> table = {
#define ADD(name, maker) named(name, maker()),
#include "problem/learning_methods.inc"
  };
  return table;
}

std::string learn_method_list() { return join(learning_methods(), " | "); }

const LearnMethod& find_learn_method(const std::string& name, const std::string& place) {
  for (const LearnMethod& method : learn_methods())
    if (method.name == name) return method;
  throw_input_error(place, "\"" + name + "\"",
                    learn_method_list() + did_you_mean(name, learning_methods()));
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

// The ways to choose a response from data. Adding one is one file src/learning/method_<name>.cpp
// and one line in problem/learning_methods.inc.
#pragma once

#include <functional>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "certificate/certificate_choice.hpp"
#include "certificate/deployment.hpp"
#include "certificate/gaussian.hpp"
#include "certificate/limits.hpp"
#include "learning/limited_design.hpp"
#include "learning/pac_bayes.hpp"
#include "loopcert/certificate/record.hpp"
#include "loopcert/core/types.hpp"
#include "loopcert/data/disturbances.hpp"
#include "loopcert/problem/problem.hpp"
#include "response/response.hpp"
#include "response/space.hpp"

namespace loopcert {

struct LearnCallbacks {
  // What is being done, how many steps are done, how many there are. Called from the learning
  // thread, so it should return soon.
  std::function<void(std::string_view what, Index done, Index total)> progress;
  // One line of the optimizer; returning false stops with the best certificate so far.
  std::function<bool(const LearningStep&)> step;
};

// What a method is given. Everything outlives the call.
struct LearnTask {
  const Problem& problem;
  const Disturbances& data;    // checked; n = 0 only for methods that need no data
  const ResponseSpace& space;  // the responses to choose from
  const Matrix& Sigma_hat;     // sample second moment of the space's columns; empty when n = 0
  const LearnCallbacks& callbacks;
  double limit_factor = 0;  // deviations so many times below what limits allow; 0: no limits
};

// What a method hands back.
struct Learned {
  Response response;
  nlohmann::json details = nlohmann::json::object();  // what only this method has to say
  std::vector<std::string> warnings;                  // sentences for a person
  bool stopped_early = false;  // a solver hit its limit: the response is valid but not the best
  std::optional<Certificate> certificate;
  // Certified by data that it was not learned from:
  std::optional<Deployment> deployment;
  std::optional<Certificate> improvement;  // on the cost minus that of LQR
  // PAC-Bayes methods:
  std::optional<Posterior> posterior;
  std::optional<Prior> prior;
  Matrix prior_center;                          // of a prior that was learned; empty for others
  std::optional<double> prescient_certificate;  // the same posterior under the true law
  // What the response minimizes, so that it can be minimized again under limits; nothing for
  // responses that no data have shaped.
  std::optional<LearnedObjective> objective;
  // Under limits: what that came to, and how surely they hold.
  std::optional<LimitedMinimizer> limited;
  std::optional<LimitsBound> limits;
  std::string infeasible;  // why none keeps all of them, unless one does
};

struct LearnMethod {
  std::string name = "";  // by learning_methods.inc
  bool needs_data = true;
  Learned (*learn)(const LearnTask& task) = nullptr;
  bool posterior = false;   // minimizes a PAC-Bayes certificate and hands it back
  bool gated = false;       // certificate "best": deploys LQR, or else a cross-certified response
  bool coordinates = true;  // its answer depends on response.start and response.basis
};

const std::vector<LearnMethod>& learn_methods();

// "lqr | erm | ridge": the methods there are, as messages list them.
std::string learn_method_list();

// What the method may deploy, and whether it can hand back such a certificate.
Deployable deployable(const LearnMethod& method);
bool gives(const LearnMethod& method, const CertificateChoice& choice);

// Throws InputError 'place: found "x", expected …'; `place` is where the name was written.
const LearnMethod& find_learn_method(const std::string& name,
                                     const std::string& place = "learning.method");

}  // namespace loopcert

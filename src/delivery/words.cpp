#include "loopcert/delivery/words.hpp"

#include <fmt/format.h>

#include <map>

#include "loopcert/core/error.hpp"

namespace loopcert {
namespace {

using Words = std::map<std::string, std::string>;  // id -> a text with {parameter} for its numbers

const Words& assumptions() {
  static const std::string draws =
      "The trajectories (x_0, w_0, ..., w_{T-1}; of outputs eta_0, ..., eta_T) are independent "
      "draws of one ";
  static const std::string met = ", the same law as after deployment.";
  static const Words table = {
      {"controller-fixed", "The controller was fixed before these trajectories were seen."},
      {"controllers-fixed",
       "The controllers to choose from were fixed before these trajectories were seen."},
      {"controller-and-baseline-fixed",
       "Controller and baseline were fixed before these trajectories were seen."},
      {"controllers-and-baseline-fixed",
       "The controllers to choose from and the baseline were fixed before these trajectories were "
       "seen."},
      {"responses-fixed",
       "Each of the averaged responses was fixed before the trajectories of its fold were seen."},
      {"metric-fixed",
       "The metric that separates better from worse was chosen without these trajectories."},
      {"prior-fixed", "The prior was chosen without the certification data."},
      {"prior-given",
       "The mean or the covariance of the prior was given by the user, who did not derive it from "
       "these trajectories."},
      {"model", "The plant, its offset and the cost are as in the problem file."},
      {"any-law", draws + "law" + met},
      {"gaussian", draws + "Gaussian law" + met},
      {"gaussian-zero-mean", draws + "Gaussian law with mean zero" + met},
      {"zero-mean", "The mean of a trajectory is zero."},
      {"scale-bound", "No eigenvalue of the covariance of a trajectory exceeds {scale}."},
      {"covariance-bound",
       "The covariance of a trajectory is at most covariance_bound of the problem file, in the "
       "Loewner order."},
      {"covariance-radius",
       "The sample covariance is within {eps} of the covariance of a trajectory, in the spectral "
       "norm, but for a probability of {delta}: stated by the user."},
      {"radius", "No trajectory (x_0, w_0, ..., w_{T-1}) has a norm above {radius}."},
      {"kurtosis",
       "No linear combination of 1 and the entries of a trajectory has a fourth moment above "
       "{kurtosis} times its squared second moment."},
      {"white", "Within a trajectory x_0, w_0, ..., w_{T-1} are independent of each other."},
      {"stationary", "All w_t have the same law."},
      {"autoregressive",
       "Within a trajectory w_t = Phi_1 w_{t-1} + ... + Phi_p w_{t-p} + v_t for t >= p = {lags}, "
       "with "
       "constant unknown Phi and v_t independent of all before, Gaussian with mean zero and one "
       "covariance."},
      {"support",
       "Disturbances act in {directions} directions of the {states} states: what is recorded "
       "outside "
       "them is rounding."},
      {"linear-plant",
       "The plant is linear and constant: x_{t+1} = A x_t + B u_t, possibly an offset, and an "
       "innovation, with the whole state measured without error."},
      {"linear-outputs",
       "What is measured follows from the last {lags} measurements and the last {lags} inputs, "
       "linearly and always in the same way, up to an innovation."},
      {"known-rows",
       "The rows of the plant that are not identified ({known} of them) hold exactly as in the "
       "problem file, without noise."},
      {"innovations",
       "The innovations are independent of all that was logged before them, Gaussian with mean "
       "zero "
       "and one covariance."},
      {"inputs-causal",
       "No logged input looked ahead, and where a log ends was not chosen by looking at it."},
      {"starts",
       "The starts x_0 of the episodes are independent draws of one Gaussian law with mean zero, "
       "the "
       "same law as after deployment."},
      {"episodes-apart",
       "What was done in an episode, its start and its inputs, does not depend on the innovations "
       "of another episode."},
      {"same-plant",
       "After deployment plant and innovations are the same, and the cost is as in the problem "
       "file."},
      {"bounded-box",
       "No entry of x_0 and of any w_t is larger than limits.box of the problem file."},
      {"bounded-steps", "Neither x_0 nor any w_t has a norm above {radius}."},
      {"bounded-radius", "No trajectory (x_0, w_0, ..., w_{T-1}) has a norm above {radius}."},
      {"costs-fixed",
       "The costs are those of independent episodes of one law, the same law as after deployment, "
       "and none is below zero; controller and number of episodes were fixed before."},
      {"costs-of-two",
       "The costs of both controllers are those of independent episodes, each of one law, the same "
       "law as after deployment, and none is below zero; controllers and numbers of episodes were "
       "fixed before."},
      {"pairs-fixed",
       "The pairs of costs are those of independent pairs of episodes of one law, the same law as "
       "after deployment, and no cost is below zero; controllers and number of pairs were fixed "
       "before."},
      {"episodes-fixed",
       "The episodes are independent and of one law, the same law as after deployment; controller "
       "and number of episodes were fixed before."},
      {"largest-cost", "No cost exceeds {largest}."},
      {"cost-kurtosis", "The mean square of a cost is at most {kurtosis} times its squared mean."},
      {"linear-gaussian",
       "The loop is linear, with an offset or not, its cost quadratic, its disturbances Gaussian."},
      {"linear-gaussian-zero-mean",
       "The loop is linear without an offset, its cost quadratic, its disturbances Gaussian with "
       "mean zero."},
      {"known-law",
       "Mean and covariance of that law are known: this number is a reference that cannot be "
       "computed from data alone."},
  };
  return table;
}

const Words& events() {
  static const Words table = {
      {"pac-bayes",
       "the PAC-Bayes-Chernoff inequality holds for all posteriors and all lambda at once"},
      {"pac-bayes-localized",
       "the PAC-Bayes-Chernoff inequality holds for all posteriors and all lambda at once; "
       "this posterior admits lambda in (0, {lambda_end})"},
      {"covariance-additive", "||Sigma_hat - Sigma_w|| <= eps_Sigma = {eps}"},
      {"covariance-effective-rank",
       "||Sigma_hat - Sigma_w|| <= eps_Sigma = {eps}, and tr Sigma_w <= {trace}"},
      {"covariance-centred", "||S - Sigma_w|| <= eps_Sigma = {eps}, S the sample covariance"},
      {"mean-radius", "||wbar - mu_w|| <= r_mu = {radius}"},
      {"covariance-relative", "Sigma_w <= Sigma_hat / {q}"},
      {"covariance-one-sided", "Sigma_w <= Sigma_hat + {gap} I"},
      {"covariance-white",
       "the covariance of x_0 is at most its sample's / {q_0}, that of every w_t at most its "
       "sample's / {q}"},
      {"second-moment", "E[vv'] <= the sample's + {eps} I, v the trajectory"},
      {"chernoff", "the mean cost of the fresh trajectories is not far below its expectation"},
      {"chernoff-difference",
       "the mean cost difference of the trajectories is not far below its expectation"},
      {"quantile",
       "the mean cost of the fresh trajectories is above the quantile of the worst case, a single "
       "chi-square"},
      {"spread",
       "the expected cost is below the mean cost of the fresh trajectories and a multiple of "
       "||M Sigma_hat M'||_F, as it is in the worst case, a single chi-square"},
      {"betting",
       "the capital of a bettor against a larger mean of these costs stays below 1/delta"},
      {"betting-against",
       "the capital of a bettor against a smaller mean of the costs to compare with stays below "
       "1/delta"},
      {"betting-pairs",
       "the capital of a bettor against a larger mean of the differences stays below 1/delta"},
      {"ratio-quantile",
       "the ratio of the mean costs is above the quantile of the worst case of a ratio"},
      {"difference",
       "the means of the two parts of the difference, in which the controller is worse and better, "
       "do not make it look much smaller than it is"},
      {"model-ellipsoid",
       "the coefficients lie within {beta} of their estimate, in units of its deviations, for "
       "every "
       "controller at once"},
      {"noise-floor",
       "the covariance of the innovations is not far above what {transitions} transitions leave "
       "over "
       "(floor {q})"},
      {"start-state-floor", "the second moment of x_0 is at most its sample's / {q}"},
      {"noise-ceiling",
       "the covariance of the innovations is at least what the transitions leave over / {q}"},
      {"start-state-ceiling", "the second moment of x_0 is at least its sample's / {q}"},
      {"start-floor",
       "the second moment of x_0 and the first {lags} disturbances is at most its sample's / {q}"},
      {"tolerance",
       "the variance of each row on {n} fresh trajectories is above {q} of its expectation, {rows} "
       "rows sharing delta"},
      {"tolerance-mean",
       "mean and variance of each row on {n} fresh trajectories do not understate its tails, "
       "{rows} "
       "rows sharing delta"},
      {"count", "{violations} of {n} fresh episodes break a limit, and that is not far too few"},
      {"kept-deployment", "reserved for a deployment that was not made"},
      {"kept-bound", "reserved for a bound that was not computed"},
  };
  return table;
}

// {name} becomes the number of that name; other braces stand for themselves.
std::string filled(std::string text, const Statement& statement, const char* format) {
  for (const auto& [name, value] : statement.parameters) {
    const std::string slot = "{" + name + "}";
    const std::string number = fmt::format(fmt::runtime(format), value);
    for (std::size_t at = text.find(slot); at != text.npos; at = text.find(slot, at))
      text.replace(at, slot.size(), number);
  }
  return text;
}

const std::string& pattern_of(const Words& table, const Statement& statement) {
  const auto found = table.find(statement.id);
  if (found == table.end()) throw_input_error("statement", "'" + statement.id + "'", "a known id");
  return found->second;
}

}  // namespace

std::string assumption_words(const Statement& assumption) {
  return filled(pattern_of(assumptions(), assumption), assumption, "{}");
}

std::vector<std::string> assumption_words(const std::vector<Statement>& assumptions) {
  std::vector<std::string> sentences;
  for (const Statement& assumption : assumptions) sentences.push_back(assumption_words(assumption));
  return sentences;
}

std::string event_words(const Event& event) {
  const std::string text = filled(pattern_of(events(), event.statement), event.statement, "{:.6g}");
  if (event.choices == 1) return text;
  return fmt::format("{}, for each of {} {}", text, event.choices,
                     event.id == "pac_bayes" ? "priors" : "controllers");
}

std::string event_name(const Event& event) {
  if (event.id == "kept") return event.kind;
  const std::string name =
      event.fold > 0 ? fmt::format("{} of fold {}", event.id, event.fold) : event.id;
  return event.kind.empty() ? name : event.kind + ": " + name;
}

const TermWords& term_words(const Term& term) {
  static const std::map<std::string, TermWords> table = {
      {"empirical-controller", {"empirical cost of the controller", "Lhat"}},
      {"empirical-mean-response", {"empirical cost of the mean response", "Lhat(mu_rho)"}},
      {"empirical-ratio", {"ratio of the empirical costs", "Lhat/Lhat_0"}},
      {"empirical-difference", {"difference of the empirical costs", "Lhat - Lhat_0"}},
      {"curvature-mismatch", {"curvature mismatch", "eps_Sigma tr(Sigma_rho M_G)"}},
      {"curvature-mismatch-true", {"curvature mismatch", "tr((Ghat - G) Sigma_rho)"}},
      {"posterior-spread", {"empirical cost of the posterior's spread", "tr(Ghat Sigma_rho)"}},
      {"mean-deployment", {"deploying the mean response", "sum_j a_j (Sigma_hat_jj - floor_j)"}},
      {"mean-mismatch", {"mean mismatch", "2 r_mu ||A_rho wbar||"}},
      {"complexity", {"complexity", "Comp(rho)"}},
      {"margin", {"margin", "Comp"}},
      {"assumed-scale", {"largest cost of the disturbances", "sigma_bar^2 ||M||_F^2"}},
      {"assumed-covariance", {"largest cost of the disturbances", "tr(M C M')"}},
      {"identified-nominal", {"cost under the estimated law, enlarged", "J_0"}},
      {"identified-error", {"error of the estimated law", "sup - J_0"}},
      {"offset", {"cost of the offset", "|m|^2"}},
      {"violation", {"probability of a violation", "P(violation)"}},
      {"nominal", {"cost of the estimated plant, noise enlarged", "J_0"}},
      {"model-error", {"error of the estimated plant", "sup - J_0"}},
      {"violation", {"probability of a violation", "P"}},
  };
  const auto found = table.find(term.id);
  if (found == table.end()) throw_input_error("terms", "'" + term.id + "'", "a known id");
  return found->second;
}

std::string subject_words(const Certificate& certificate) {
  if (is_difference(certificate)) return "controller minus baseline";
  if (certificate.functional.id == "cost-ratio") return "controller over the one compared with";
  if (certificate.functional.id == "violation") return "probability of a violation in an episode";
  if (certificate.functional.id == "violation-each")
    return "probability of a violation, each row at each step";
  switch (certificate.subject) {
    case Subject::mean_response:
      return "mean response";
    case Subject::posterior_average:
      return "posterior average";
    case Subject::controller:
      break;
  }
  return "controller";
}

std::string candidate_words(const Candidate& c) {
  if (c.needs)
    return fmt::format("{}: found {}, expected {}", c.needs->place, c.needs->found,
                       c.needs->expected);
  if (c.status == "dominated") return "'" + c.dominated_by + "' is never larger";
  if (c.status == "too-few-trajectories")
    return "with so few trajectories '" + c.dominated_by + "' is never larger";
  if (c.status == "other-method") return "only for method pac-bayes";
  return c.failure;
}

std::string status_words(const Candidate& c) {
  if (c.status == "computed") return "computed";
  if (c.status == "not-computed") return "not computed";
  if (c.status == "other-deployment") return "for another deployment";
  if (c.status == "not-granted") return "assumptions missing";
  return "not needed";  // dominated, too few trajectories, or of another method
}

}  // namespace loopcert

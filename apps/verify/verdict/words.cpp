#include "verdict/words.hpp"

#include <charconv>

namespace verify {

// Subjects, assumptions, events.
const std::vector<Words> all_words = {
    {"controller", "controller"},
    {"mean-response", "mean response"},
    {"posterior-average", "posterior average"},
    {"violation", "probability of a violation of the limits in an episode"},
    {"violation-each", "largest probability that a limit is violated at a step"},
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
    {"any-law",
     "The trajectories (x_0, w_0, ..., w_{T-1}; of outputs eta_0, ..., eta_T) are independent "
     "draws of one law, the same law as "
     "after deployment."},
    {"gaussian",
     "The trajectories (x_0, w_0, ..., w_{T-1}; of outputs eta_0, ..., eta_T) are independent "
     "draws of one Gaussian law, the "
     "same law as after deployment."},
    {"gaussian-zero-mean",
     "The trajectories (x_0, w_0, ..., w_{T-1}; of outputs eta_0, ..., eta_T) are independent "
     "draws of one Gaussian law with "
     "mean "
     "zero, the same law as after deployment."},
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
     "Disturbances act in {directions} directions of the {states} states: what is recorded outside "
     "them is rounding."},
    {"linear-plant",
     "The plant is linear and constant, x_{t+1} = A x_t + B u_t + v_t, possibly with an offset, "
     "and "
     "the logs hold the whole state without error."},
    {"linear-outputs",
     "What is measured is a constant linear function of the last {lags} measurements and as many "
     "inputs, possibly with an offset, plus an innovation v_t."},
    {"known-rows",
     "The {known} rows of the plant that are not identified hold exactly as in the problem file, "
     "without noise."},
    {"innovations",
     "The innovations v_t are Gaussian with mean zero and one covariance, each independent of all "
     "that was logged before it."},
    {"inputs-causal",
     "No logged input depends on later innovations, and neither the number nor the lengths of the "
     "logs were chosen by looking at them."},
    {"starts",
     "The starts x_0 are independent draws of one Gaussian law with mean zero, the same law as "
     "after deployment."},
    {"episodes-apart",
     "Neither the start nor an input of an episode depends on the innovations of another one."},
    {"same-plant",
     "After deployment the plant and the law of its innovations are the same, and the cost is as "
     "in the problem file."},
    {"bounded-box",
     "No entry of x_0 or of a w_t exceeds the box of the problem file, {bound} at most."},
    {"bounded-steps", "Neither x_0 nor any w_t has a norm above {radius}."},
    {"bounded-radius", "No trajectory (x_0, w_0, ..., w_{T-1}) has a norm above {radius}."},
    {"cost-ratio", "ratio of the expected cost to that of the controller compared with"},
    {"ratio-quantile",
     "the ratio of the two mean costs is not below the quantile of two single chi-squares"},
    {"cost-difference", "expected cost minus that of the controller compared with"},
    {"costs-fixed",
     "The costs, none below zero, were measured in independent episodes of one law, which is that "
     "after deployment; neither the controller nor the number of episodes was chosen by looking "
     "at them."},
    {"costs-of-two",
     "The costs of both controllers, none below zero, were measured in independent episodes, for "
     "each controller of one law, which is that after deployment; neither the controllers nor the "
     "numbers of episodes were chosen by looking at them."},
    {"pairs-fixed",
     "The costs, none below zero, were measured in independent pairs of episodes of one law, "
     "which is that after deployment; neither the controllers nor the number of pairs was chosen "
     "by looking at them."},
    {"episodes-fixed",
     "The episodes are independent and of one law, which is that after deployment; neither the "
     "controller nor their number was chosen by looking at them."},
    {"largest-cost", "No cost is above {largest}."},
    {"cost-kurtosis",
     "The expected square of a cost is at most {kurtosis} times the square of its expectation."},
    {"linear-gaussian",
     "Closed loop linear, possibly with an offset, cost quadratic, disturbances Gaussian."},
    {"linear-gaussian-zero-mean",
     "Closed loop linear without an offset, cost quadratic, disturbances Gaussian with mean zero."},
    {"betting", "nobody who bets against these costs' mean gains a factor of 1/delta"},
    {"betting-against",
     "nobody who bets against the mean of the costs compared with gains a factor of 1/delta"},
    {"betting-pairs",
     "nobody who bets against the mean difference of the pairs gains a factor of 1/delta"},
    {"known-law",
     "Mean and covariance of that law are known: this number is a reference that cannot be "
     "computed from data alone."},
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
     "sample's "
     "/ {q}"},
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
    {"difference",
     "the means of the two parts of the difference, in which the controller is worse and better, "
     "do not make it look much smaller than it is"},
    {"model-ellipsoid",
     "the coefficients lie within {beta} of their estimate, in units of its deviations, for every "
     "controller at once"},
    {"noise-floor",
     "the covariance of the innovations is not far above what {transitions} transitions leave over "
     "(floor {q})"},
    {"noise-ceiling",
     "the covariance of the innovations is at least what the transitions leave over / {q}"},
    {"start-state-ceiling", "the second moment of x_0 is at least its sample's / {q}"},
    {"start-floor",
     "the second moment of x_0 and the first {lags} disturbances is at most its sample's / {q}"},
    {"start-state-floor", "the second moment of x_0 is at most its sample's / {q}"},
    {"tolerance",
     "the variance of each of the {rows} rows at steps is at most that of the {n} trajectories / "
     "{q}"},
    {"tolerance-mean",
     "mean and variance of each of the {rows} rows at steps are not far from those of the {n} "
     "trajectories"},
    {"count", "episodes with a violation, {violations} of {n}, are not far fewer than expected"},
    {"count-each",
     "violations of each of the {rows} rows at steps, in at most {violations} of {n} episodes, are "
     "not far fewer than expected"},
    {"kept-deployment", "reserved for a deployment that was not made"},
    {"kept-bound", "reserved for a bound that was not computed"}};

std::string shortest(double value) {
  char text[40];
  return {text, std::to_chars(text, text + sizeof text, value).ptr};
}

std::string in_words(const Statement& statement) {
  std::string text;
  const bool each = statement.id == "count" && statement.parameters.contains("rows");
  for (const Words& words : all_words)
    if (words.id == (each ? "count-each" : statement.id)) text = words.text;
  if (text.empty()) throw Refuted{"statement " + word(statement.id) + ": unknown to the checker"};
  for (const auto& [name, value] : statement.parameters) {
    const size_t at = text.find("{" + name + "}");
    if (at == text.npos) throw Refuted{"statement " + statement.id + ": it has no " + word(name)};
    text.replace(at, name.size() + 2, shortest(value));
  }
  return text;
}

}  // namespace verify

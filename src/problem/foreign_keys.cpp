#include "problem/foreign_keys.hpp"

#include <algorithm>
#include <vector>

namespace loopcert {
namespace {

using Words = std::vector<std::string_view>;

struct Foreign {
  Words sections;  // empty: any
  Words keys;
  std::string_view advice;
};

const std::vector<Foreign>& table() {
  static const std::vector<Foreign> entries = {
      {{"cost"},
       {"S", "N", "M", "cross"},
       "not supported: no weight on products x'S u; the substitution u = v - R^-1 S'x removes "
       "them"},
      {{"cost"},
       {"Qf", "Q_f", "QF", "Q_T", "QT", "Q_N", "QN", "Pf", "P_f", "P_T", "PT", "Q_terminal",
        "terminal", "terminal_cost"},
       "is called P here"},
      {{"cost"},
       {"x_ref", "xref", "r", "ref", "references", "setpoint", "setpoints", "target", "goal",
        "x_goal"},
       "is called reference here"},
      {{},
       {"x_ref", "xref", "ref", "reference", "references", "setpoint", "setpoints", "target",
        "goal", "x_goal"},
       "the reference of the states is a key of [cost]: reference"},
      {{},
       {"u_ref", "uref"},
       "not supported: R weighs inputs around zero; define inputs relative to the reference, and "
       "put B times it into system.d"},
      {{},
       {"u_max",
        "u_min",
        "umax",
        "umin",
        "u_lim",
        "u_bounds",
        "x_max",
        "x_min",
        "xmax",
        "xmin",
        "y_max",
        "y_min",
        "du_max",
        "limit",
        "bounds",
        "lb",
        "ub",
        "constraints",
        "constraint",
        "saturation",
        "input_limits",
        "state_limits",
        "input_constraints",
        "state_constraints",
        "rate_limit"},
       "limits are a section of their own: [limits] u = [low, high], x = [low, high]"},
      {{"system", ""}, {"Cy", "C_y", "H_y"}, "is called C here (system.C): what is measured"},
      {{"", "cost", "response"},
       {"C", "output", "outputs", "observer", "kalman"},
       "what is measured is said by system.C, or by system.impulse, step or transfer"},
      {{"system", ""},
       {"D"},
       "not supported: nothing passes through to the outputs at once (the offset is called d)"},
      {{"system", ""},
       {"num", "den", "numerator", "denominator", "tf"},
       "a transfer function is system.transfer = { num = [...], den = [...] }"},
      {{"system", ""},
       {"markov", "fir", "h"},
       "an impulse response is called impulse here (system.impulse)"},
      {{"system", ""},
       {"dead_time", "deadtime", "Td", "T_d", "delays", "input_delay"},
       "is called delay here (system.delay)"},
      {{"system", ""},
       {"E", "Bw", "B_w", "Ew", "Gamma_w"},
       "not supported: w_t is added to the state itself; a covariance may be singular where "
       "nothing acts"},
      {{"system", ""},
       {"Ac", "A_c", "Bc", "B_c", "A_ct", "B_ct"},
       "matrices of continuous time are A and B too, with continuous = true and dt"},
      {{"system", ""}, {"Ad", "A_d", "Phi", "F"}, "is called A here"},
      {{"system", ""}, {"Bd", "B_d", "Gamma", "Bu", "B_u"}, "is called B here"},
      {{"system", ""}, {"c", "offset", "bias"}, "is called d here (system.d)"},
      {{"system", "cost", ""},
       {"dt", "Ts", "T_s", "ts", "dT", "sample_time", "sampling_time", "sampling_period",
        "step_size", "rate", "frequency"},
       "A and B are in discrete time, or in continuous time with system.continuous = true and "
       "system.dt (data.period says how far apart the rows of a log are)"},
      {{"data"},
       {"dt", "Ts", "T_s", "ts", "sample_time", "sampling_time"},
       "is called period here, together with time"},
      {{"data"},
       {"separator", "delimiter", "sep", "decimal", "encoding"},
       "not needed: the separator is detected from the header, and decimal commas are read where "
       "fields are separated by ';' or tabs"},
      {{"", "system", "cost"},
       {"N", "T", "Np", "N_p", "Nh", "steps", "n_steps", "H", "prediction_horizon", "T_horizon"},
       "is called horizon here, at the top level"},
      {{"", "system", "disturbance"},
       {"x0", "x_0", "x_init", "initial_state", "x0_mean"},
       "not supported: x_0 is a part of every recorded trajectory; its law, where one is stated, "
       "is "
       "disturbance.covariance = { x0 = ..., w = ... }"},
      {{"", "system", "disturbance"},
       {"W", "Sigma", "Sigma_w", "sigma", "Q_w", "Qw", "noise", "noise_covariance", "cov",
        "process_noise"},
       "is called disturbance.covariance here"},
      {{"disturbance"},
       {"eps_Sigma", "eps_sigma", "epsilon", "covariance_eps", "covariance_error"},
       "is called covariance_radius here, together with covariance_radius_delta"},
      {{"", "certificate", "learning"},
       {"alpha", "confidence", "epsilon", "eps", "probability"},
       "is called certificate.delta here: 1 minus the confidence"},
      {{"", "system", "learning"},
       {"K", "K0", "gain", "controller", "policy"},
       "not supported: a controller is a separate file (certify --controller)"},
      {{"", "learning", "disturbance", "data"},
       {"seed", "samples", "n_samples", "n", "sample"},
       "not supported: use --sample and --seed on the command line"},
      {{"", "data"},
       {"file", "files", "path", "filename", "log", "logs"},
       "not supported: --data or --rollouts name the files on the command line"},
  };
  return entries;
}

bool has(const Words& words, std::string_view word) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

}  // namespace

std::string foreign_key_advice(std::string_view section, std::string_view key) {
  for (const Foreign& entry : table())
    if (has(entry.keys, key) && (entry.sections.empty() || has(entry.sections, section)))
      return std::string(entry.advice);
  return "";
}

std::string foreign_key_advice(std::string_view key) {
  for (const Foreign& entry : table())
    if (has(entry.keys, key)) return std::string(entry.advice);
  return "";
}

}  // namespace loopcert

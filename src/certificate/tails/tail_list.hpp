// Bounds on the cost of one response from its mean on fresh trajectories alone: no matrix above the
// covariance. Adding one is one file and one line in tails.inc.
#pragma once

#include "certificate/fixed_response.hpp"
#include "certificate/premises.hpp"

namespace loopcert {

struct Tail {
  std::string name;  // of the kind
  std::string about;
  Event event;  // without its delta
  Needs needs = nullptr;
  // What is assumed of the law; `more` after the model.
  Statement law;
  std::vector<Statement> (*more)(const Assumptions&) = nullptr;
  double (*margin)(const FixedSetting&, double empirical, double delta) = nullptr;
  double (*multiple)(const Premises&) = nullptr;  // value <= multiple Lhat; else nothing
  std::string dominated_by = "";
  bool on_mean = true;  // its event is one of the mean cost alone
};

#define ADD(maker) Tail maker();
#include "tails/tails.inc"

const std::vector<Tail>& tails();

}  // namespace loopcert

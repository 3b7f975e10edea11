// Clipping in exported C code: what a header, a source and a self-test gain with it. Every function
// gives nothing where `clip` is false, so that code without clipping stays as it is.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "controller/c_text.hpp"
#include "loopcert/core/types.hpp"

namespace loopcert {

struct CClip {
  bool clip = false;
  Matrix limits = {};             // n_u x 2
  bool remembers_inputs = false;  // the memory holds past inputs, not states alone
  CReal real = {};

  std::string comment() const;  // lines at the top of the header
  std::string member() const;   // of the memory's struct
  std::string before() const;   // of a sentence about inputs
  std::string prototype() const;
  std::string include() const;
  std::string arrays() const;
  std::string reset() const;
  std::string saturate() const;  // `sum` of input `i`, before it becomes u[i]
  std::string function() const;
};

// Throws InputError when there are no limits to clip to.
CClip c_clip(bool clip, const Matrix& limits, bool remembers_inputs, CReal real);

// States of a self-test and the inputs that belong to them.
struct CTrials {
  int count = 0;
  std::vector<double> x, u, size;    // size: what the terms add up to without signs
  std::vector<double> fewest, most;  // steps clipped, for each trial and input

  std::string arrays(const CClip& clip) const;  // of the self-test
  std::string check(const CClip& clip) const;   // of the counts, after the steps of a trial
};

// One trial: adds u and size for the states `x`, one step after the other. Inputs are not clipped,
// but those that are remembered are.
using CTrial =
    std::function<void(const double* x, std::vector<double>& u, std::vector<double>& size)>;

// Trials on a fixed signal; with clipping half of them on states so small that, if possible,
// nothing is clipped, half on states so large that every input is clipped, on both sides, if it can
// be. Throws InputError when inputs overflow.
CTrials c_trials(const CClip& clip, Index steps, Index n_x, Index n_u, const CTrial& trial);

}  // namespace loopcert

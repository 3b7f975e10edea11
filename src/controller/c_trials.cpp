// What a self-test of exported C code runs, with clipping and without.
#include <algorithm>
#include <cmath>
#include <numeric>
#include <set>
#include <utility>

#include "controller/c_clip.hpp"
#include "controller/c_text.hpp"
#include "loopcert/core/error.hpp"

namespace loopcert {
namespace {

constexpr int plain_trials = 3;

// Of the size: so near to a limit rounding decides.
double doubtful(const CClip& clip) { return clip.real.single ? 1e-3 : 1e-12; }

// The trials on the signal times 2^exponent: powers of two keep it exact.
struct ScaledTrials {
  std::vector<double> x, u, size;
  std::vector<double> fewest, most;
  std::set<std::pair<Index, int>> sides;  // input and side that are clipped in some trial
  bool finite = true;
};

ScaledTrials trials_at(int exponent, const CClip& clip, Index steps, Index n_x, Index n_u,
                       const CTrial& trial) {
  ScaledTrials found;
  found.x = c_test_signal(plain_trials * steps * n_x);
  for (double& value : found.x) value = std::ldexp(value, exponent);
  for (int i = 0; i < plain_trials; ++i)
    trial(found.x.data() + i * steps * n_x, found.u, found.size);
  const auto good = [](double value) { return std::isfinite(value); };
  found.finite = std::all_of(found.size.begin(), found.size.end(), good);
  if (!clip.clip || !found.finite) return found;
  found.fewest.assign(static_cast<size_t>(plain_trials * n_u), 0);
  found.most = found.fewest;
  for (size_t j = 0; j < found.u.size(); ++j) {
    const auto input = static_cast<Index>(j) % n_u;
    const size_t at = j / static_cast<size_t>(steps * n_u) * static_cast<size_t>(n_u) +
                      static_cast<size_t>(input);
    const double low = clip.limits(input, 0), high = clip.limits(input, 1);
    const double slack = doubtful(clip) * found.size[j];
    if (found.u[j] < low - slack) found.sides.insert({input, 0});
    if (found.u[j] > high + slack) found.sides.insert({input, 1});
    found.fewest[at] += found.u[j] < low - slack || found.u[j] > high + slack;
    found.most[at] += found.u[j] < low + slack || found.u[j] > high - slack;
    found.u[j] = std::clamp(found.u[j], low, high);
  }
  return found;
}

double steps_clipped(const ScaledTrials& trials) {
  return std::accumulate(trials.most.begin(), trials.most.end(), 0.0);
}

void append(std::vector<double>& to, const std::vector<double>& more) {
  to.insert(to.end(), more.begin(), more.end());
}

void add_trials(CTrials& all, const ScaledTrials& more) {
  all.count += plain_trials;
  append(all.x, more.x);
  append(all.u, more.u);
  append(all.size, more.size);
  append(all.fewest, more.fewest);
  append(all.most, more.most);
}

}  // namespace

CTrials c_trials(const CClip& clip, Index steps, Index n_x, Index n_u, const CTrial& trial) {
  const auto at = [&](int exponent) { return trials_at(exponent, clip, steps, n_x, n_u, trial); };
  CTrials all;
  ScaledTrials first = at(0);
  if (!first.finite)
    throw InputError("K: the gains overflow: inputs for states up to 2 are not finite");
  if (!clip.clip) {
    add_trials(all, first);
    return all;
  }
  // Small states: so that a gain is compared, not a limit. An offset may lie beyond one.
  constexpr int factor = 3, smallest = -39;  // factors of 8
  const int largest = clip.real.single ? 60 : 99;
  ScaledTrials next = first;
  int exponent = 0;
  while (steps_clipped(next) > 0 && exponent > smallest) {
    next = at(exponent -= factor);
    if (steps_clipped(next) < steps_clipped(first)) first = next;
  }
  add_trials(all, first);
  // Large ones: the smallest at which as many sides of inputs are clipped as at any.
  ScaledTrials best = std::move(first);
  const auto limited = static_cast<size_t>(clip.limits.array().isFinite().count());
  for (; best.sides.size() < limited && exponent <= largest; exponent += factor) {
    next = at(exponent);
    if (!next.finite) break;
    if (next.sides.size() <= best.sides.size()) continue;
    best = next;
    // Not farther beyond than need be: a limit that is applied too late is noticed near it.
    for (int less = 1; less < factor; ++less)
      if (next = at(exponent - less); next.sides.size() == best.sides.size()) best = next;
  }
  add_trials(all, best);
  return all;
}

std::string CTrials::arrays(const CClip& clip) const {
  std::string out =
      "\nstatic const @real@ states[TRIALS * STEPS * @P@_STATES] = {" + c_numbers(x, clip.real) +
      "};\n\nstatic const double inputs[TRIALS * STEPS * @P@_INPUTS] = {" + c_numbers(u) +
      "};\n\nstatic const double sizes[TRIALS * STEPS * @P@_INPUTS] = {" + c_numbers(size) + "};\n";
  if (!clip.clip) return out;
  const auto whole = [](const std::vector<double>& counts) {
    std::string list;
    for (size_t i = 0; i < counts.size(); ++i)
      list += (i % 12 == 0 ? "\n    " : " ") + std::to_string(static_cast<long>(counts[i])) + ",";
    return list + "\n";
  };
  return out +
         "\n/* Steps clipped: between these, where rounding may decide. */\n"
         "static const unsigned long fewest[TRIALS * @P@_INPUTS] = {" +
         whole(fewest) + "};\n\nstatic const unsigned long most[TRIALS * @P@_INPUTS] = {" +
         whole(most) + "};\n";
}

std::string CTrials::check(const CClip& clip) const {
  return clip.clip ? R"(    for (i = 0; i < @P@_INPUTS; ++i) {
      const unsigned long count = @p@_clipped(&memory, i);
      if (count < fewest[trial * @P@_INPUTS + i] || count > most[trial * @P@_INPUTS + i]) return 5;
    }
    if (@p@_clipped(&memory, -1) != 0 || @p@_clipped(&memory, @P@_INPUTS) != 0) return 6;
)"
                   : "";
}

}  // namespace loopcert

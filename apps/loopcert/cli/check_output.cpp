#include "cli/check_output.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace loopcert::app {
namespace {

int urgency(const Check& check) {
  return check.verdict == Verdict::contradicted ? 0 : check.verdict == Verdict::doubtful ? 1 : 2;
}

}  // namespace

void add_checks(Table& table, const std::vector<Check>& checks) {
  std::vector<Check> sorted = checks;
  std::stable_sort(sorted.begin(), sorted.end(),
                   [](const Check& a, const Check& b) { return urgency(a) < urgency(b); });
  for (const Check& c : sorted) {
    table.add(c.name, fmt::format("{} ({}{})", verdict_name(c.verdict), c.assumption,
                                  c.p_value ? fmt::format("; p = {:.2g}", *c.p_value) : ""));
    if (urgency(c) < 2 || !c.advice.empty())
      table.add("  found", c.meaning);
    else
      table.detail("  found", c.meaning);
    if (!c.advice.empty()) table.add("  to do", c.advice);
  }
}

}  // namespace loopcert::app

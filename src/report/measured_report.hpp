// What the page of measured costs shows: no model, one number for each episode.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "report/run_report.hpp"

namespace loopcert::report {

struct MeasuredReport {
  enum class Bounds { cost, ratio, difference };

  RunReport certified;  // the certificate, what it stands on, what speaks against it
  Bounds bounds = Bounds::cost;
  Vector costs, against;  // in their order; empty: nothing to compare with
  bool paired = false;
  // Episodes that break a limit: all, and by the name of each.
  Index broken = 0;
  std::vector<std::pair<std::string, Index>> rows;
  std::optional<CertificateFacts> limits;
  bool each = false;  // the certificate is of the worst row at a step
};

std::string measured_page(const MeasuredReport& report);

}  // namespace loopcert::report

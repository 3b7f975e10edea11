// Certificates and the optimizer's progress, as a person reads them.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "cli/output.hpp"
#include "learning/pac_bayes.hpp"
#include "loopcert/certificate/record.hpp"
#include "workflow/baseline_run.hpp"

namespace loopcert::app {

// The bound in one row.
void add_certificate(Table& table, const Certificate& certificate);
// What it assumes; and, as details, how it adds up, its events and the other kinds.
void add_certificate_details(Table& table, const Certificate& certificate);

// The certified difference to `compared_with`, in words.
void add_improvement(Table& table, const Certificate& improvement,
                     const std::string& compared_with);
// What a certificate assumes beyond what is `listed` already.
void add_more_assumptions(Table& table, const Certificate& certificate, const std::string& of,
                          const std::vector<Statement>& listed);

// What runs today, and the new controller against it; nothing without a baseline.
void add_baseline(Table& table, const std::optional<BaselineRun>& baseline);

std::string certificate_list();                      // kinds that `learn` takes
std::vector<std::string> fixed_certificate_names();  // kinds that `certify` takes
std::string fixed_certificate_list();

// iteration, empirical cost, KL, bound, gradient norm: on standard error, for those who ask.
class LearningTable {
 public:
  explicit LearningTable(bool visible) : visible_(visible) {}
  void show(const LearningStep& step);

 private:
  bool visible_;
  bool started_ = false;
};

}  // namespace loopcert::app

// The whole check: from files to a verdict.
#pragma once

#include "kinds/plant.hpp"
#include "verdict/judge.hpp"

namespace verify {

struct Inputs {
  Record record;
  Controller controller;
  Table data;
  std::string own;  // hash of the problem file that it was compared with, if there was one
  Logs logs = {};   // in place of data, of a plant that is identified
  // Of measured costs these, or violations, are the data.
  Table against = {};  // costs of another controller
};
// Empty paths: controller.json and data.npy beside the certificate, and no problem to compare with.
// BadInput names the file.
Inputs read_inputs(const std::filesystem::path& certificate, std::filesystem::path controller,
                   std::filesystem::path data, const std::filesystem::path& problem,
                   const std::vector<std::filesystem::path>& rollouts = {});

struct Verdict {
  std::string subject;
  double value = 0, confidence = 0;
  std::vector<std::string> lines;  // what it is about, and what it assumes
};
// The certificate holds; Refuted, Undecided or BadInput otherwise. Raises `bits` as it takes.
Verdict check(const Inputs& in);

// Of a plant that is identified: what does not depend on the precision, and the bound.
void check_logs(const Inputs& in);
Verdict check_plant(const Inputs& in, const Ball& confidence);

// The same of measured costs, without a problem or a controller.
void check_costs(const Inputs& in);
Verdict check_measured(const Inputs& in, const Ball& confidence);

// Refuted unless plant, cost and assumptions are those of the reviewer's own problem file.
void require_own(const Record& record, const json& own);

// Those lines, from what was checked; the first three are about problem, cost and controller.
std::vector<std::string> first_lines(const Inputs& in);
// The limits in numbers: those of the problem, whatever the record calls them.
std::vector<std::string> limits_lines(const Record& record);
std::vector<std::string> statement(const Inputs& in, const Record& record, const Bound& bound,
                                   const Distinct& found, long certify);

}  // namespace verify

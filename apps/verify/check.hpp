// The whole check: from files to a verdict.
#pragma once

#include "judge.hpp"

namespace verify {

struct Inputs {
  Record record;
  Controller controller;
  Table data;
};
// Empty paths: controller.json and data.npy beside the certificate. BadInput names the file.
Inputs read_inputs(const std::filesystem::path& certificate, std::filesystem::path controller,
                   std::filesystem::path data);

struct Verdict {
  double value = 0, confidence = 0;
  std::string more;  // an assumption that the record does not state
};
// The certificate holds; Refuted, Undecided or BadInput otherwise. Raises `bits` as it takes.
Verdict check(const Inputs& in);

}  // namespace verify

// Another program, run to its end: what it wrote and how it ended.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace loopcert {

struct ProcessResult {
  std::string output;     // standard output
  std::string errors;     // standard error, its first 64 KiB
  int status = 0;         // exit status; meaningless when `signal` is not zero
  int signal = 0;         // what ended it
  bool too_much = false;  // it wrote more than the limit and was stopped
  bool too_long = false;  // it ran longer than the limit and was stopped
};

// `command[0]` is the program's path. Standard input is empty. Throws InputError when the program
// cannot be started.
ProcessResult run_process(const std::vector<std::string>& command, std::uint64_t output_limit,
                          int seconds_limit);

}  // namespace loopcert

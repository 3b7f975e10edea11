// How failures reach the user: one line on standard error, an exit status, and with --json an
// object on standard output.
#pragma once

#include <stdexcept>
#include <string>

namespace loopcert::app {

enum ExitStatus : int {
  exit_done = 0,
  exit_numerics = 1,
  exit_interrupted = 1,
  exit_finding = 1,
  exit_usage = 2,
  exit_input = 3,
  exit_rejected = 4,
  exit_output = 6,
};

// The command line asks for something that makes no sense.
class UsageError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// `recheck` found that a certificate does not hold as recorded.
class RejectedError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// `watch` rejected a claim: the output is complete and says so itself.
class AlarmError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// The user stopped a computation that can be resumed.
class InterruptedError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// The output is complete and says itself that something is wrong: it stays the only object.
class FindingError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// Prints "loopcert: message", with the topic of the quick reference that explains it, and, with
// `json`, {"status": "failed", …}; returns `status`.
int report_failure(ExitStatus status, std::string message, bool json);

// The same for the exception being handled. Call it in a catch block.
int report_current_exception(bool json);

}  // namespace loopcert::app

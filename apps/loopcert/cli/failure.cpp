#include "cli/failure.hpp"

#include <algorithm>
#include <cstdio>
#include <new>
#include <nlohmann/json.hpp>

#include "cli/out_of_memory.hpp"
#include "cli/topics.hpp"
#include "core/visible.hpp"
#include "loopcert/core/error.hpp"

namespace loopcert::app {

int report_failure(ExitStatus status, std::string message, bool json) {
  std::replace(message.begin(), message.end(), '\n', ' ');
  const std::optional<std::string> topic = topic_of(status, message);
  const std::string help = topic ? " (help " + *topic + ")" : "";
  std::fprintf(stderr, "loopcert: %s%s\n", visible_line(message).c_str(), help.c_str());
  if (json) {
    nlohmann::json failure = {
        {"status", "failed"}, {"error", message}, {"exit_status", static_cast<int>(status)}};
    if (topic) failure["help"] = *topic;
    // A message may quote bytes of a file that are no UTF-8.
    const auto replace = nlohmann::json::error_handler_t::replace;
    std::printf("%s\n", failure.dump(2, ' ', true, replace).c_str());
  }
  return status;
}

namespace {

// Without memory of its own.
int report_out_of_memory(bool json) {
  say_out_of_memory();
  if (json)
    std::printf(
        "{\n  \"error\": \"out of memory\",\n  \"exit_status\": %d,\n  \"status\": \"failed\"\n}\n",
        static_cast<int>(exit_numerics));
  return exit_numerics;
}

int report_exception(bool json) {
  try {
    throw;
  } catch (const UsageError& error) {
    return report_failure(exit_usage, error.what(), json);
  } catch (const RejectedError& error) {
    return report_failure(exit_rejected, error.what(), json);
  } catch (const AlarmError& error) {
    return report_failure(exit_rejected, error.what(), false);
  } catch (const InputError& error) {
    return report_failure(exit_input, error.what(), json);
  } catch (const OutputError& error) {
    return report_failure(exit_output, error.what(), json);
  } catch (const NumericsError& error) {
    return report_failure(exit_numerics, error.what(), json);
  } catch (const InterruptedError& error) {
    return report_failure(exit_interrupted, error.what(), json);
  } catch (const FindingError& error) {
    return report_failure(exit_finding, error.what(), false);
  } catch (const std::bad_alloc&) {
    return report_out_of_memory(json);
  } catch (const std::exception& error) {
    return report_failure(exit_numerics, std::string("unexpected failure: ") + error.what(), json);
  }
}

}  // namespace

int report_current_exception(bool json) {
  try {
    return report_exception(json);
  } catch (...) {  // no memory for the message either
    return report_out_of_memory(json);
  }
}

}  // namespace loopcert::app

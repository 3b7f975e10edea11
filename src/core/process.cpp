#include "core/process.hpp"

#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <system_error>

#include "loopcert/core/error.hpp"

extern char** environ;  // POSIX declares it nowhere

namespace loopcert {
namespace {

constexpr size_t error_limit = 65536;

struct Pipe {
  std::array<int, 2> end{-1, -1};  // read, write

  Pipe() {
    if (::pipe2(end.data(), O_CLOEXEC) != 0)
      throw InputError("pipe: " + std::generic_category().message(errno));
  }
  ~Pipe() {
    close_end(0);
    close_end(1);
  }
  Pipe(const Pipe&) = delete;
  Pipe& operator=(const Pipe&) = delete;

  void close_end(size_t which) {
    if (end[which] >= 0) ::close(end[which]);
    end[which] = -1;
  }
};

struct SpawnActions {
  posix_spawn_file_actions_t actions{};

  SpawnActions() { posix_spawn_file_actions_init(&actions); }
  ~SpawnActions() { posix_spawn_file_actions_destroy(&actions); }
  SpawnActions(const SpawnActions&) = delete;
  SpawnActions& operator=(const SpawnActions&) = delete;
};

pid_t start(const std::vector<std::string>& command, const Pipe& output, const Pipe& errors) {
  SpawnActions spawn;
  posix_spawn_file_actions_addopen(&spawn.actions, 0, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_adddup2(&spawn.actions, output.end[1], 1);
  posix_spawn_file_actions_adddup2(&spawn.actions, errors.end[1], 2);
  std::vector<char*> arguments;
  for (const std::string& word : command) arguments.push_back(const_cast<char*>(word.c_str()));
  arguments.push_back(nullptr);
  pid_t child = 0;
  const int code =
      ::posix_spawn(&child, command[0].c_str(), &spawn.actions, nullptr, arguments.data(), environ);
  if (code != 0)
    throw InputError(command[0] +
                     ": could not be started: " + std::generic_category().message(code));
  return child;
}

// Moves what is there from `pipe` to `text`; false at its end.
bool drain(Pipe& pipe, std::string& text) {
  std::array<char, 65536> buffer;
  const ssize_t count = ::read(pipe.end[0], buffer.data(), buffer.size());
  if (count < 0) return errno == EINTR || errno == EAGAIN;
  text.append(buffer.data(), static_cast<size_t>(count));
  return count > 0;
}

}  // namespace

ProcessResult run_process(const std::vector<std::string>& command, std::uint64_t output_limit,
                          int seconds_limit) {
  using Clock = std::chrono::steady_clock;
  Pipe output, errors;
  const pid_t child = start(command, output, errors);
  output.close_end(1);
  errors.close_end(1);

  ProcessResult result;
  const auto deadline = Clock::now() + std::chrono::seconds(seconds_limit);
  while (output.end[0] >= 0 || errors.end[0] >= 0) {
    result.too_much = result.output.size() > output_limit;
    const auto left =
        std::chrono::duration_cast<std::chrono::milliseconds>(deadline - Clock::now()).count();
    result.too_long = left <= 0;
    if (result.too_much || result.too_long) {
      ::kill(child, SIGKILL);
      break;
    }
    std::array<pollfd, 2> ready{{{output.end[0], POLLIN, 0}, {errors.end[0], POLLIN, 0}}};
    if (::poll(ready.data(), ready.size(), static_cast<int>(left)) <= 0) continue;
    if (ready[0].revents != 0 && !drain(output, result.output)) output.close_end(0);
    if (ready[1].revents != 0 && !drain(errors, result.errors)) errors.close_end(0);
    if (result.errors.size() > error_limit) result.errors.resize(error_limit);
  }
  int status = 0;
  while (::waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  if (WIFEXITED(status)) result.status = WEXITSTATUS(status);
  if (WIFSIGNALED(status)) result.signal = WTERMSIG(status);
  return result;
}

}  // namespace loopcert

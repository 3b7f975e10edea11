#include "watch/line_feed.hpp"

#include <fcntl.h>
#include <poll.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <system_error>
#include <thread>

#include "loopcert/core/error.hpp"

namespace loopcert {
namespace {

constexpr size_t piece = 1 << 18;         // bytes read at a time
constexpr size_t longest_line = 1 << 20;  // no line of numbers is longer
constexpr auto pause = std::chrono::milliseconds(50);
constexpr auto longest_hurry = std::chrono::seconds(1);

[[noreturn]] void fail(const std::string& name, int code) {
  throw InputError(name + ": " + std::generic_category().message(code));
}

}  // namespace

LineFeed::LineFeed(const std::filesystem::path& path, Index from)
    : name_(path.empty() ? "standard input" : path.string()), start_(from) {
  fd_ = path.empty() ? STDIN_FILENO : ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (fd_ < 0) fail(name_, errno);
  struct stat status {};
  if (::fstat(fd_, &status) != 0) fail(name_, errno);
  if (S_ISDIR(status.st_mode)) throw InputError(name_ + ": it is a folder");
  if (path.empty()) {
    start_ = 0;
    return;
  }
  is_file_ = S_ISREG(status.st_mode);
  if (!is_file_ && from > 0) throw InputError(name_ + ": not a regular file: it cannot be resumed");
  if (is_file_ && status.st_size < from)
    throw_input_error(name_, std::to_string(status.st_size) + " bytes",
                      "the " + std::to_string(from) + " that were read before, and what came then");
  if (from == 0) return;
  char before = 0;
  if (::pread(fd_, &before, 1, from - 1) != 1) fail(name_, errno);
  if (before != '\n')  // half a number is another number
    throw_input_error(name_, "another file: no line ends at byte " + std::to_string(from),
                      "the one that was read before, and what came then");
  if (::lseek(fd_, from, SEEK_SET) < 0) fail(name_, errno);
}

LineFeed::~LineFeed() {
  if (fd_ > STDIN_FILENO) ::close(fd_);
}

std::optional<std::string_view> LineFeed::line() {
  const size_t end = buffer_.find('\n', at_);
  if (end == std::string::npos) return std::nullopt;
  std::string_view found(buffer_.data() + at_, end - at_);
  at_ = end + 1;
  if (!found.empty() && found.back() == '\r') found.remove_suffix(1);
  return found;
}

bool LineFeed::read(const std::function<bool()>& go_on) {
  start_ += static_cast<Index>(at_);
  buffer_.erase(0, at_);
  at_ = 0;
  if (buffer_.size() > longest_line)
    throw_input_error(name_, "a line of more than " + std::to_string(longest_line) + " bytes",
                      "numbers");
  const size_t before = buffer_.size();
  for (;;) {
    buffer_.resize(before + piece);
    const ssize_t got = ::read(fd_, buffer_.data() + before, piece);
    const int code = errno;
    buffer_.resize(before + static_cast<size_t>(std::max<ssize_t>(got, 0)));
    if (got > 0) return true;
    if (got < 0 && code != EINTR) fail(name_, code);
    if (go_on && !go_on()) return false;
    if (got < 0) continue;
    if (!go_on || !is_file_) return false;
    struct stat status {};
    if (::fstat(fd_, &status) == 0 && status.st_size < start_ + static_cast<Index>(buffer_.size()))
      throw InputError(name_ + ": it became shorter while it was read");
    std::this_thread::sleep_for(pause);
  }
}

bool LineFeed::hurries() {
  if (buffer_.size() - at_ > longest_line) return false;  // read() will refuse it
  const auto now = std::chrono::steady_clock::now();
  pollfd input{fd_, POLLIN, 0};
  struct stat status {};
  const bool there = is_file_ ? ::fstat(fd_, &status) == 0 &&
                                    status.st_size > start_ + static_cast<Index>(buffer_.size())
                              : ::poll(&input, 1, 0) == 1 && (input.revents & POLLIN) != 0;
  if (there && now - rested_ < longest_hurry) return true;
  rested_ = now;
  return false;
}

std::string_view LineFeed::rest() {
  std::string_view found(buffer_.data() + at_, buffer_.size() - at_);
  at_ = buffer_.size();
  if (!found.empty() && found.back() == '\r') found.remove_suffix(1);
  return found;
}

}  // namespace loopcert

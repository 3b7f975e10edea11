// Whole lines of a file, which may be growing, or of standard input.
#pragma once

#include <chrono>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "loopcert/core/types.hpp"

namespace loopcert {

class LineFeed {
 public:
  // An empty path is standard input. The first `from` bytes of a file are left out.
  // Throws InputError.
  explicit LineFeed(const std::filesystem::path& path, Index from = 0);
  ~LineFeed();
  LineFeed(const LineFeed&) = delete;
  LineFeed& operator=(const LineFeed&) = delete;

  // The next line that is there with its end, without it; nothing when more must be read.
  std::optional<std::string_view> line();
  // Reads more: false at the end of the input. With `go_on` a file has no end: this waits until it
  // grows, and returns false when go_on() does.
  bool read(const std::function<bool()>& go_on = nullptr);
  // Whether more is there already, and the last time that this was denied is less than a second
  // ago: what was read need not be saved yet.
  bool hurries();
  // What is left behind the last end of a line.
  std::string_view rest();

  Index bytes() const { return start_ + static_cast<Index>(at_); }  // up to the end of line()
  const std::string& name() const { return name_; }

 private:
  std::string name_;
  int fd_ = -1;
  bool is_file_ = false;
  Index start_ = 0;  // of the buffer in the file
  std::string buffer_;
  size_t at_ = 0;  // of the next line in the buffer
  std::chrono::steady_clock::time_point rested_;
};

}  // namespace loopcert

// What the program prints and the folders it writes.
#pragma once

#include <filesystem>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "loopcert/core/file.hpp"
#include "loopcert/core/types.hpp"

namespace loopcert::app {

// Standard output. What a terminal would obey instead of showing comes out as \xNN (visible.hpp),
// here and in the functions below: names and paths come from anywhere. Throws OutputError when it
// cannot be written (a full disk, a closed pipe).
void print(std::string_view text);
void print_json(const nlohmann::json& object);

// "loopcert: warning: …" on standard error.
void warn(const std::string& message);

// Two columns, the second one aligned.
class Table {
 public:
  void add(std::string_view name, std::string_view value);
  std::string text() const;

 private:
  std::vector<std::pair<std::string, std::string>> rows_;
};

std::string cost_text(double value);

// One rewritten line on standard error, only where a person sees it; wiped at the end.
class Progress {
 public:
  explicit Progress(bool quiet);
  ~Progress();
  void show(std::string_view what, Index done, Index total);

 private:
  bool visible_;
  bool shown_ = false;
};

// Files that appear together in a folder, which is made when it is missing, and not left behind
// after a failure.
class OutputFolder {
 public:
  explicit OutputFolder(std::filesystem::path folder) : folder_(std::move(folder)) {}
  void add(const std::string& name, std::string content);
  // A file of this name from an earlier run must not stay beside the new ones.
  void remove_stale(const std::string& name) { stale_.push_back(path(name)); }
  // Throws OutputError.
  void commit() const;
  std::filesystem::path path(const std::string& name) const { return folder_ / name; }
  std::vector<std::string> names() const;

 private:
  std::filesystem::path folder_;
  std::vector<OutputFile> files_;
  std::vector<std::filesystem::path> stale_;
};

}  // namespace loopcert::app

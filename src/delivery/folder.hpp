// Output folders.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "core/file.hpp"

namespace loopcert {

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

}  // namespace loopcert

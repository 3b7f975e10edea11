// The new version of a file, beside it and under a name that nobody reads.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

namespace loopcert {

// "folder/.name.ending"
std::filesystem::path beside(const std::filesystem::path& path, const std::string& ending);

[[noreturn]] void fail_to_write(const std::filesystem::path& path, const std::string& reason);
[[noreturn]] void fail_to_write(const std::filesystem::path& path, int code);

class StagedFile {
 public:
  // Takes the name .NAME.new for itself: waits for another process that has it, takes over what a
  // dead one left. Throws OutputError, like all of it.
  explicit StagedFile(std::filesystem::path path);
  ~StagedFile();  // removes what was not published
  StagedFile(const StagedFile&) = delete;
  StagedFile& operator=(const StagedFile&) = delete;

  // All of it, down to the disk.
  void write(std::string_view content);
  // Under its final name from here on. The name stays locked until the end of this object.
  void publish();

  const std::filesystem::path& path() const { return path_; }
  bool published() const { return published_; }

 private:
  std::filesystem::path path_;
  std::filesystem::path staged_;
  int fd_ = -1;
  bool published_ = false;
};

// After it the names in a folder survive a power cut.
void flush_folder(const std::filesystem::path& folder);

}  // namespace loopcert

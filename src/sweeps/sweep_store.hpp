// Results of a sweep on disk. A result is there completely or not at all, and nothing else is
// remembered: a job is finished exactly when its result is in the store.
#pragma once

#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "loopcert/core/types.hpp"

namespace loopcert {

struct StoredResult {
  std::string key;
  std::string job;     // its SHA-256 is the key
  std::string record;  // JSON
};

// An SQLite file with one writer; WAL, synchronous=FULL: what add() has returned from survives a
// crash of the machine. Throws InputError on a file that is damaged or of another kind, OutputError
// when the disk refuses.
class SweepStore {
 public:
  explicit SweepStore(const std::filesystem::path& path);  // made when it is missing
  ~SweepStore();
  SweepStore(const SweepStore&) = delete;
  SweepStore& operator=(const SweepStore&) = delete;

  Index count() const;
  std::set<std::string> keys() const;
  std::optional<std::string> record(const std::string& key) const;
  void for_each(const std::function<void(StoredResult)>& visit) const;

  // All of them in one transaction; a key that is there stays as it is.
  void add(const std::vector<StoredResult>& results);

 private:
  struct Connection;
  std::unique_ptr<Connection> connection_;
};

}  // namespace loopcert

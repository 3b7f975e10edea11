// What a watch remembers, as a file: it goes on where it was after any end of the program.
#pragma once

#include <filesystem>
#include <nlohmann/json_fwd.hpp>
#include <optional>

#include "loopcert/watch/watch.hpp"
#include "watch/claim.hpp"

namespace loopcert {

nlohmann::json watch_to_json(const WatchState& state);
// Throws InputError.
WatchState watch_from_json(const nlohmann::json& tree);

struct WatchFile {
  WatchState state;
  Index bytes = 0;  // of the file of costs, up to the end of the last line that counts
  std::optional<CertifiedClaim> certified = std::nullopt;  // where the claim comes from
};
nlohmann::json watch_file_to_json(const WatchFile& file);
WatchFile watch_file_from_json(const nlohmann::json& tree);  // throws InputError
// The new version replaces the old one at once (staged_file.hpp). Throws OutputError.
void write_watch(const std::filesystem::path& path, const WatchFile& file);
// Throws InputError.
WatchFile read_watch(const std::filesystem::path& path);

}  // namespace loopcert

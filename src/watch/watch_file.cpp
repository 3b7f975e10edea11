#include "watch/watch_file.hpp"

#include <nlohmann/json.hpp>

#include "core/file.hpp"
#include "core/json.hpp"
#include "core/json_fields.hpp"
#include "loopcert/core/error.hpp"

namespace loopcert {

using nlohmann::json;

namespace {

constexpr const char* state_format = "loopcert watch-state 1";
constexpr Index most_costs = Index{1} << 52;  // numbers of JSON are whole up to there

}  // namespace

json watch_to_json(const WatchState& s) {
  return {{"claim", s.claim.mean},
          {"alpha", s.claim.alpha},
          {"degrees", s.claim.degrees},
          {"n", s.n},
          {"sums", s.sums},
          {"drift", s.drift},
          {"size", s.size},
          {"evidence", s.evidence},
          {"largest", s.largest},
          {"rejected_at", s.rejected_at ? json(*s.rejected_at) : json()}};
}

WatchState watch_from_json(const json& tree) {
  WatchState s;
  s.claim = {number_field(tree, "claim"), number_field(tree, "alpha"),
             number_field(tree, "degrees")};
  s.n = whole_field(tree, "n", 0, most_costs);
  s.sums = numbers_in(list_field(tree, "sums"), "sums");
  s.drift = number_field(tree, "drift");
  s.size = number_field(tree, "size");
  s.evidence = number_field(tree, "evidence");
  s.largest = number_field(tree, "largest");
  if (!field(tree, "rejected_at").is_null())
    s.rejected_at = whole_field(tree, "rejected_at", 1, most_costs);
  return Watch::resumed(std::move(s)).state();  // checked
}

void write_watch(const std::filesystem::path& path, const WatchFile& file) {
  json tree = watch_to_json(file.state);
  tree["format"] = state_format;
  tree["bytes"] = file.bytes;
  write_file(path, tree.dump(1) + "\n");
}

WatchFile read_watch(const std::filesystem::path& path) {
  return at_place(path.string(), [&] {
    const json tree = parse_json(read_file(path, largest_record));
    require_format(tree, state_format);
    return WatchFile{watch_from_json(tree), whole_field(tree, "bytes", 0, most_costs)};
  });
}

}  // namespace loopcert

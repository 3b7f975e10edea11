#include "watch/watch_file.hpp"

#include <nlohmann/json.hpp>

#include "core/file.hpp"
#include "core/json.hpp"
#include "core/json_fields.hpp"
#include "core/text.hpp"
#include "loopcert/core/error.hpp"

namespace loopcert {

using nlohmann::json;

namespace {

constexpr const char* state_format = "loopcert watch-state 1";
constexpr Index most_costs = Index{1} << 52;  // numbers of JSON are whole up to there

json certificate_json(const std::optional<CertifiedClaim>& certified) {
  if (!certified) return nullptr;
  return {{"kind", certified->kind},
          {"confidence", certified->confidence},
          {"violation", certified->violation}};
}

std::optional<CertifiedClaim> certificate_of(const json& tree, double mean) {
  if (tree.is_null()) return std::nullopt;
  CertifiedClaim found{mean, number_field(tree, "confidence"), text_field(tree, "kind"),
                       flag_field(tree, "violation")};
  if (!(found.confidence > 0 && found.confidence <= 1))
    throw_input_error("confidence", number_text(found.confidence), "a number up to 1");
  return found;
}

}  // namespace

json watch_to_json(const WatchState& s) {
  return {{"claim", s.claim.mean},
          {"alpha", s.claim.alpha},
          {"degrees", s.claim.degrees},
          {"n", s.n},
          {"sums", s.sums},
          {"drift", s.drift},
          {"size", s.size},
          {"spread", s.spread},
          {"excess", s.excess},
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
  s.spread = number_field(tree, "spread");
  s.excess = number_field(tree, "excess");
  s.evidence = number_field(tree, "evidence");
  s.largest = number_field(tree, "largest");
  if (!field(tree, "rejected_at").is_null())
    s.rejected_at = whole_field(tree, "rejected_at", 1, most_costs);
  return Watch::resumed(std::move(s)).state();  // checked
}

json watch_file_to_json(const WatchFile& file) {
  json tree = watch_to_json(file.state);
  tree["format"] = state_format;
  tree["bytes"] = file.bytes;
  tree["certificate"] = certificate_json(file.certified);
  return tree;
}

WatchFile watch_file_from_json(const json& tree) {
  require_format(tree, state_format);
  WatchFile file{watch_from_json(tree), whole_field(tree, "bytes", 0, most_costs)};
  if (tree.contains("certificate"))
    file.certified = at_place(
        "certificate", [&] { return certificate_of(tree["certificate"], file.state.claim.mean); });
  return file;
}

void write_watch(const std::filesystem::path& path, const WatchFile& file) {
  write_file(path, watch_file_to_json(file).dump(1) + "\n");
}

WatchFile read_watch(const std::filesystem::path& path) {
  return at_place(path.string(), [&] {
    return watch_file_from_json(parse_json(read_file(path, largest_record)));
  });
}

}  // namespace loopcert

#include "loopcert/data/fingerprint.hpp"

#include <fmt/format.h>

#include <unordered_map>
#include <unordered_set>

#include "loopcert/core/error.hpp"
#include "loopcert/core/sha256.hpp"
#include "npy_items.hpp"

namespace loopcert {

std::vector<std::string> row_fingerprints(const Disturbances& data) {
  constexpr size_t digits = 16;
  std::vector<std::string> fingerprints;
  std::string bytes(static_cast<size_t>(data.w.cols()) * sizeof(double), '\0');
  for (Index i = 0; i < data.n(); ++i) {
    for (Index j = 0; j < data.w.cols(); ++j)  // + 0: both zeros are one
      store_little_endian(data.w(i, j) + 0.0,
                          bytes.data() + static_cast<size_t>(j) * sizeof(double));
    fingerprints.push_back(sha256_hex(bytes).substr(0, digits));
  }
  return fingerprints;
}

std::optional<RowPair> first_repeated(const std::vector<std::string>& fingerprints) {
  std::unordered_map<std::string, Index> seen;
  for (size_t i = 0; i < fingerprints.size(); ++i) {
    const auto [at, added] = seen.emplace(fingerprints[i], static_cast<Index>(i));
    if (!added) return RowPair{at->second, static_cast<Index>(i)};
  }
  return std::nullopt;
}

void check_repeated(const Disturbances& data) {
  if (const auto pair = first_repeated(row_fingerprints(data)))
    throw_input_error("data",
                      fmt::format("trajectories {} and {} equal in every number", pair->first + 1,
                                  pair->second + 1),
                      "each recording once (or data.repeated = \"keep\")");
}

std::vector<Index> shared_rows(const std::vector<std::string>& here,
                               const std::vector<std::string>& there) {
  const std::unordered_set<std::string> known(there.begin(), there.end());
  std::vector<Index> rows;
  for (size_t i = 0; i < here.size(); ++i)
    if (known.contains(here[i])) rows.push_back(static_cast<Index>(i));
  return rows;
}

}  // namespace loopcert

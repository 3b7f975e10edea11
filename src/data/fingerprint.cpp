#include "data/fingerprint.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cstdint>
#include <numeric>
#include <unordered_set>

#include "core/sha256.hpp"
#include "loopcert/core/error.hpp"
#include "npy/npy_items.hpp"

namespace loopcert {
namespace {

// + 0: both zeros are one. Bits have an order even where numbers have none (NaN).
std::uint64_t bits(double value) { return std::bit_cast<std::uint64_t>(value + 0.0); }

// Rows in the order of their bits: the first columns nearly always decide.
std::vector<Index> sorted_rows(const Matrix& w) {
  std::vector<Index> rows(static_cast<size_t>(w.rows()));
  std::iota(rows.begin(), rows.end(), Index{0});
  std::stable_sort(rows.begin(), rows.end(), [&](Index a, Index b) {
    for (Index j = 0; j < w.cols(); ++j)
      if (bits(w(a, j)) != bits(w(b, j))) return bits(w(a, j)) < bits(w(b, j));
    return false;
  });
  return rows;
}

bool same_row(const Matrix& w, Index a, Index b) {
  for (Index j = 0; j < w.cols(); ++j)
    if (bits(w(a, j)) != bits(w(b, j))) return false;
  return true;
}

}  // namespace

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

std::optional<RowPair> first_repeated(const Disturbances& data) {
  const Matrix& w = data.w;
  std::optional<RowPair> found;
  const std::vector<Index> rows = sorted_rows(w);
  for (size_t i = 1; i < rows.size(); ++i)
    if (same_row(w, rows[i - 1], rows[i]) && (!found || rows[i] < found->second))
      found = RowPair{rows[i - 1], rows[i]};
  return found;
}

void check_repeated(const Disturbances& data, const Plant& plant) {
  const auto refuse = [](const RowPair& pair, const char* how) {
    throw_input_error(
        "data", fmt::format("trajectories {} and {} {}", pair.first + 1, pair.second + 1, how),
        "each recording once (or data.repeated = \"keep\")");
  };
  if (data.n() < 2) return;
  if (const auto pair = first_repeated(data)) refuse(*pair, "equal in every number");
  if (const auto pair = first_copy(data, plant))
    refuse(*pair, "equal up to rounding, or with steps in common");
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

#include "data/hash.hpp"

#include <bit>
#include <cstdint>

#include "core/sha256.hpp"

namespace loopcert {
std::string row_bytes_of(const Matrix& numbers) {
  std::string bytes;
  bytes.reserve(static_cast<size_t>(numbers.size()) * 8);
  for (Index i = 0; i < numbers.rows(); ++i)
    for (Index j = 0; j < numbers.cols(); ++j) {
      const auto bits = std::bit_cast<std::uint64_t>(numbers(i, j));
      for (int shift = 0; shift < 64; shift += 8)
        bytes.push_back(static_cast<char>((bits >> shift) & 0xff));
    }
  return bytes;
}

std::string data_hash(const Disturbances& data) { return sha256_hex(row_bytes_of(data.w)); }

std::string logs_hash(const Disturbances& data) {
  return data.from_logs() ? sha256_hex(row_bytes_of(data.logs.x) + row_bytes_of(data.logs.u)) : "";
}

DataHashes hashes_of(const Disturbances& data) { return {data_hash(data), logs_hash(data)}; }

}  // namespace loopcert

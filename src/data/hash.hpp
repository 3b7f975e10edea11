// SHA-256 of the meaning of data, not of their files: the same numbers as .csv and .npy agree.
#pragma once

#include <string>

#include "loopcert/data/disturbances.hpp"

namespace loopcert {

// The numbers by rows, 8 bytes each, lowest first.
std::string row_bytes_of(const Matrix& numbers);

// Of the trajectories as little-endian doubles row by row.
std::string data_hash(const Disturbances& data);
// Of what was logged, x row by row and then u: "" where w itself was recorded.
std::string logs_hash(const Disturbances& data);

struct DataHashes {
  std::string data_sha256, logs_sha256;
};
DataHashes hashes_of(const Disturbances& data);

}  // namespace loopcert

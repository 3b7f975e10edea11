// Files as the checker takes them: JSON, .npy, .npz, CSV. A file that cannot be read is BadInput.
#pragma once

#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>
#include <string>

#include "ball.hpp"

namespace verify {

using nlohmann::json;

// One line: file, place, found, expected.
struct BadInput {
  std::string text;
};
[[noreturn]] void bad(const std::string& file, const std::string& place, const std::string& found,
                      const std::string& expected);

// On one line, and nothing that a terminal would obey.
std::string printable(const std::string& text);

std::string read_bytes(const std::filesystem::path& path);
json parse_json(const std::string& bytes, const std::string& file);
Table parse_npy(const std::string& bytes, const std::string& file);
std::map<std::string, Table> parse_npz(const std::string& bytes, const std::string& file);

// Trajectories, one in a row: .npy, or .csv of numbers.
Table read_table(const std::filesystem::path& path);

// The numbers by rows, 8 bytes each, lowest first: what data_sha256 is taken of.
std::string little_endian(const Table& table);
std::string sha256(const std::string& bytes);  // in hexadecimal

}  // namespace verify

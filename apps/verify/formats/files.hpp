// Files as the checker takes them: JSON, .npy, .npz, CSV. What cannot be read is BadInput.
#pragma once

#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>

#include "balls/ball.hpp"

namespace verify {

using nlohmann::json;

// One line: file, place, found, expected.
struct BadInput {
  std::string text;
};
// The first thing that fails; the certificate is not accepted.
struct Refuted {
  std::string text;
};
// Nothing failed, but the checker cannot vouch for it either.
struct Undecided {
  std::string text;
};
[[noreturn]] void bad(const std::string& place, const std::string& found,
                      const std::string& expected);

// On one line of at most 1000 characters, and nothing that a terminal would obey.
std::string printable(const std::string& text);

// A word of a file, in quotes: 28 plain characters of it. More could draw a line of its own.
std::string word(const std::string& text);
struct Word {  // the same, made when a message needs it
  const std::string& text;
  operator std::string() const { return word(text); }
};

// The whole of a text as a number; nothing when it is none, or too large.
std::optional<long> whole_number(std::string_view text);

// What read() gives; if it finds the file bad, the line begins with its name.
template <class Name, class Read>
auto in_file(const Name& file, const Read& read) {
  try {
    return read();
  } catch (const BadInput& error) {
    throw BadInput{std::string(file) + ": " + error.text};
  } catch (const json::exception& error) {
    throw BadInput{std::string(file) + ": content: found " + error.what() +
                   ", expected a file of loopcert"};
  }
}

std::string read_bytes(const std::filesystem::path& path);
// Every number is one that a double holds. Undecided when the tree is too large.
json parse_json(const std::string& bytes);
json parse_toml(const std::string& bytes);
Table parse_npy(const std::string& bytes);
Table parse_csv(const std::string& bytes);  // the first line may hold names of columns
std::map<std::string, Table> parse_npz(const std::string& bytes);

// Trajectories, one in a row: .npy, or .csv of numbers.
Table read_table(const std::filesystem::path& path);

// The numbers by rows, 8 bytes each, lowest first: what data_sha256 is taken of.
std::string little_endian(const Table& table);
std::string sha256(const std::string& bytes);  // in hexadecimal

}  // namespace verify

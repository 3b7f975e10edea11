// What the program prints.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>
#include <vector>

namespace loopcert::app {

// Standard output. What a terminal would obey instead of showing comes out as \xNN (visible.hpp),
// here and in the functions below: names and paths come from anywhere. Throws OutputError when it
// cannot be written (a full disk, a closed pipe).
void print(std::string_view text);
void print_json(const nlohmann::json& object);

// "loopcert: warning: …" on standard error.
void warn(const std::string& message);

// Two columns, the second one aligned. What matters comes first; details are for those who ask.
class Table {
 public:
  void add(std::string_view name, std::string_view value);
  void detail(std::string_view name, std::string_view value);
  // Without details: one line says how many there are.
  std::string text(bool verbose = true) const;

 private:
  struct Row {
    std::string name, value;
    bool detail = false;
  };
  std::vector<Row> rows_;
};

std::string cost_text(double value);

}  // namespace loopcert::app

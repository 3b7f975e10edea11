// What the program prints.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "loopcert/core/types.hpp"

namespace loopcert::app {

// Standard output. What a terminal would obey instead of showing comes out as \xNN (visible.hpp),
// here and in the functions below: names and paths come from anywhere. Throws OutputError when it
// cannot be written (a full disk, a closed pipe).
void print(std::string_view text);
void print_json(const nlohmann::json& object);

// "loopcert: warning: …" on standard error.
void warn(const std::string& message);

// Two columns, the second one aligned.
class Table {
 public:
  void add(std::string_view name, std::string_view value);
  std::string text() const;

 private:
  std::vector<std::pair<std::string, std::string>> rows_;
};

std::string cost_text(double value);

// One rewritten line on standard error, only where a person sees it; wiped at the end.
class Progress {
 public:
  explicit Progress(bool quiet);
  ~Progress();
  void show(std::string_view what, Index done, Index total);

 private:
  bool visible_;
  bool shown_ = false;
};

}  // namespace loopcert::app

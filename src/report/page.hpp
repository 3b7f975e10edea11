// The page around the sections: one file, no network, nothing that the policy does not name.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace loopcert::report {

struct Section {
  std::string title;
  std::string body;  // markup
};

struct Page {
  std::string title;
  std::string subtitle;
  std::string lead;  // markup before the first section
  std::vector<Section> sections;
  nlohmann::json data;  // the numbers, for programs
};

std::string page_html(const Page& page);

// <p> with escaped text.
std::string paragraph(const std::string& text, const std::string& css = "");

// The one style sheet and the one script.
const std::string& page_style();
const std::string& page_script();

}  // namespace loopcert::report

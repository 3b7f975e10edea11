// The page around the sections: one file, no network, nothing that the policy does not name.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace loopcert::report {

struct Section {
  std::string title;
  std::string body;     // markup
  std::string id = "";  // that a link on the page leads to; a word of ours
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

// A part that is read when it is asked for: its title with a few words on what is in it.
std::string folded(const std::string& title, const std::string& note, const std::string& body);

// What comes first: sentences, and beside them or below the cards with the numbers.
std::string lead_html(const std::string& words, const std::string& cards);

// The one style sheet and the one script.
const std::string& page_style();
const std::string& page_script();

}  // namespace loopcert::report

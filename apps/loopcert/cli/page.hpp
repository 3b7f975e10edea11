// A manual page as data, and the two ways to print it.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace loopcert::app {

struct Block {
  enum Kind {
    paragraph,  // text
    heading,    // text
    item,       // term, and its text beside or below it
    synopsis,   // term is the program, text its arguments; ~ is a space that no line ends at
    code,       // text is one command line
  };
  Kind kind;
  std::string text;
  std::string term = {};
  int indent = 8;  // of an item's text
};

struct Section {
  std::string title;
  std::vector<Block> blocks;
};

struct Page {
  std::string name;  // loopcert-learn
  std::vector<Section> sections;
};

// At most 80 columns, for a terminal. Words in `backticks` stay on one line.
std::string page_text(const Page& page);

// For man(1).
std::string page_troff(const Page& page);

}  // namespace loopcert::app

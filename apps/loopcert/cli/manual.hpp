// What a command says of itself beyond its options. It stands beside them, in the command's setup
// function; --help, `loopcert help`, the man pages and shell completion are made from both.
#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

#include "cli/page.hpp"

namespace loopcert::app {

struct Term {
  std::string name;
  std::string text;
};

// `code` in backticks; ASCII only.
struct Manual {
  std::vector<std::string> synopsis;     // the arguments; ~ is a space that no line ends at
  std::vector<std::string> description;  // paragraphs
  std::vector<Term> formats = {};        // values of an option that need a sentence each
  std::vector<Term> files = {};
  std::vector<Term> environment = {};
  std::vector<Term> statuses = {};         // beyond the common ones, or in other words
  std::vector<Term> examples = {};         // the command line, what it is for
  std::vector<std::string> see_also = {};  // "learn" is a command, "docs/plan.md" a document
  std::vector<Term> choices = {};          // an option and its values, "a | b", for completion
};

void set_manual(CLI::App& command, Manual manual);
const Manual& manual_of(const CLI::App& command);

// The page of the program itself.
Manual program_manual();

// The page of a command, or of the program.
Page manual_page(const CLI::App& command);

// loopcert, loopcert-learn
std::string page_name(const CLI::App& command);

}  // namespace loopcert::app

// What can follow what on a command line, for the shells. Made from the options themselves.
#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

namespace loopcert::app {

// What an option or argument takes.
struct Value {
  std::string name;  // FILE
  bool file = false;
  bool folder = false;
  bool list = false;  // several words, separated by commas
  std::vector<std::string> words = {};
};

struct CompletedOption {
  std::vector<std::string> names;  // -h, --help
  std::string summary;             // one line without the list of words
  bool takes_value = false;
  Value value = {};
};

struct CompletedCommand {
  std::string name;
  std::string summary;
  std::vector<CompletedOption> options;
  Value argument;  // the words that belong to no option
};

struct CompletionTable {
  CompletedCommand program;  // its argument is the name of a command
  std::vector<CompletedCommand> commands;
};

CompletionTable completion_table(const CLI::App& program);

// The three scripts.
std::string bash_completion(const CompletionTable& table);
std::string zsh_completion(const CompletionTable& table);
std::string fish_completion(const CompletionTable& table);

}  // namespace loopcert::app

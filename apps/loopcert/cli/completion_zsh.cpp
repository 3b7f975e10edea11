#include <fmt/format.h>

#include "cli/completion_table.hpp"
#include "core/text.hpp"

namespace loopcert::app {
namespace {

// Inside single quotes, in a place where zsh reads brackets and colons.
std::string escaped(const std::string& text) {
  std::string result;
  for (const char c : text) {
    if (c == '\'') {
      result += "'\\''";
      continue;
    }
    if (c == '[' || c == ']' || c == ':' || c == '\\') result += '\\';
    result += c;
  }
  return result;
}

std::string action(const Value& value) {
  const std::string words = join(value.words, " ");
  if (value.list) return "_sequence compadd - " + words;
  if (value.file && !value.words.empty())
    return "_alternative \"words\\:\\:(" + words + ")\" \"files\\:\\:_files\"";
  if (!value.words.empty()) return "(" + words + ")";
  if (value.folder) return "_files -/";
  return value.file ? "_files" : "";
}

std::string arguments(const CompletedCommand& command) {
  std::string text;
  for (const CompletedOption& option : command.options)
    for (const std::string& name : option.names)
      text += fmt::format(" \\\n        '{}[{}]{}'", name, escaped(option.summary),
                          option.takes_value ? fmt::format(":{}:{}", escaped(option.value.name),
                                                           action(option.value))
                                             : "");
  return text;
}

}  // namespace

std::string zsh_completion(const CompletionTable& table) {
  std::string text =
      "#compdef loopcert\n"
      "# zsh completion for loopcert, printed by `loopcert completion zsh`\n"
      "_loopcert() {\n"
      "  local context state line\n"
      "  local -a commands\n"
      "  typeset -A opt_args\n"
      "  _arguments -C";
  text += arguments(table.program);
  text +=
      " \\\n        '1:command:->command' \\\n        '*::argument:->argument'\n"
      "  case $state in\n"
      "  command)\n"
      "    commands=(\n";
  for (const CompletedCommand& command : table.commands)
    text += fmt::format("      '{}:{}'\n", command.name, escaped(command.summary));
  text += "    )\n    _describe command commands ;;\n  argument)\n    case $words[1] in\n";
  for (const CompletedCommand& command : table.commands) {
    text += fmt::format("    {})\n      _arguments{}", command.name, arguments(command));
    if (!command.argument.name.empty())
      text +=
          fmt::format(" \\\n        '*:{}:{}'", command.argument.name, action(command.argument));
    text += " ;;\n";
  }
  text +=
      "    esac ;;\n  esac\n}\n"
      "# Called by name from a file of completions, or defined by eval.\n"
      "if [[ $funcstack[1] == _loopcert ]]; then\n"
      "  _loopcert \"$@\"\n"
      "else\n"
      "  compdef _loopcert loopcert\n"
      "fi\n";
  return text;
}

}  // namespace loopcert::app

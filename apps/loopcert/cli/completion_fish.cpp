#include <fmt/format.h>

#include "cli/completion_table.hpp"
#include "core/text.hpp"

namespace loopcert::app {
namespace {

std::string quoted(const std::string& text) {
  std::string result;
  for (const char c : text) {
    if (c == '\'' || c == '\\') result += '\\';
    result += c;
  }
  return "'" + result + "'";
}

// -F offers files, -f does not.
std::string offers(const Value& value) {
  const std::string words = join(value.words, " ");
  std::string text = value.file ? " -F" : " -f";
  if (value.list)
    text += " -a " + quoted("(__fish_append , " + words + ")");
  else if (!value.words.empty())
    text += " -a " + quoted(words);
  if (value.folder) text += " -a '(__fish_complete_directories)'";
  return text;
}

std::string option_lines(const CompletedCommand& command, const std::string& condition) {
  std::string text;
  for (const CompletedOption& option : command.options) {
    text += "complete -c loopcert -n " + quoted(condition);
    for (const std::string& name : option.names)
      text += name.starts_with("--") ? " -l " + name.substr(2) : " -s " + name.substr(1);
    if (option.takes_value) text += " -r" + offers(option.value);
    text += " -d " + quoted(option.summary) + "\n";
  }
  return text;
}

}  // namespace

std::string fish_completion(const CompletionTable& table) {
  const std::string none = "__fish_use_subcommand";
  std::string text =
      "# fish completion for loopcert, printed by `loopcert completion fish`\n"
      "complete -c loopcert -f\n" +
      option_lines(table.program, none);
  for (const CompletedCommand& command : table.commands)
    text += fmt::format("complete -c loopcert -n {} -a {} -d {}\n", none, command.name,
                        quoted(command.summary));
  for (const CompletedCommand& command : table.commands) {
    const std::string condition = "__fish_seen_subcommand_from " + command.name;
    text += option_lines(command, condition);
    if (!command.argument.name.empty())
      text += "complete -c loopcert -n " + quoted(condition) + offers(command.argument) + "\n";
  }
  return text;
}

}  // namespace loopcert::app

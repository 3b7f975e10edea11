#include "cli/completion_table.hpp"

#include <sstream>

#include "cli/groups.hpp"
#include "cli/manual.hpp"

namespace loopcert::app {
namespace {

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

// "a | b" -> {a, b}
std::vector<std::string> words_of(const std::string& list) {
  std::vector<std::string> words;
  std::istringstream stream(list);
  for (std::string word; stream >> word;)
    if (word != "|") words.push_back(word);
  return words;
}

Value value_of(const std::string& type, const std::string& option, const Manual& manual) {
  Value value{.name = type};
  for (const Term& choice : manual.choices)
    if (choice.name == option) value.words = words_of(choice.text);
  value.list = contains(type, ",");
  value.folder = contains(type, "DIR");
  value.file = contains(type, "FILE") || contains(type, "PATH") || contains(type, "X U");
  return value;
}

// Up to the first parenthesis; a list of words is not said twice, but called by the option's name.
std::string summary_of(const CLI::Option& option, const Value& value) {
  const std::string text = option.get_description();
  if (!value.words.empty() && contains(text, " | ")) return option.get_single_name();
  return text.substr(0, text.find(" ("));
}

CompletedCommand completed(const CLI::App& command) {
  const Manual& manual = manual_of(command);
  CompletedCommand result{command.get_name(), command.get_description(), {}, {}};
  for (const OptionGroup& group : option_groups(command))
    for (const CLI::Option* option : group.options) {
      const std::string name = option->get_name();
      if (option->get_positional()) {
        result.argument = value_of(name, name, manual);
        // Every argument that is no folder and no word of a list is a file.
        result.argument.file = !result.argument.folder && result.argument.words.empty();
        continue;
      }
      CompletedOption added;
      for (const std::string& letter : option->get_snames()) added.names.push_back("-" + letter);
      for (const std::string& word : option->get_lnames()) added.names.push_back("--" + word);
      added.takes_value = option->get_items_expected_max() > 0;
      if (added.takes_value) added.value = value_of(option->get_type_name(), name, manual);
      added.summary = summary_of(*option, added.value);
      result.options.push_back(added);
    }
  return result;
}

}  // namespace

CompletionTable completion_table(const CLI::App& program) {
  CompletionTable table{completed(program), {}};
  table.program.argument = {.name = "COMMAND"};
  for (const CommandGroup& group : command_groups(program))
    for (const CLI::App* command : group.commands) {
      table.program.argument.words.push_back(command->get_name());
      table.commands.push_back(completed(*command));
    }
  // The argument of `help` is a command as well.
  for (CompletedCommand& command : table.commands)
    if (command.argument.name == "COMMAND") command.argument = table.program.argument;
  return table;
}

}  // namespace loopcert::app

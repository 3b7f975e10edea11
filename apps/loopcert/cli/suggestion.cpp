#include "cli/suggestion.hpp"

#include <algorithm>

#include "cli/groups.hpp"
#include "core/text.hpp"

namespace loopcert::app {
namespace {

std::vector<std::string> option_names(const CLI::App& command) {
  std::vector<std::string> names;
  for (const CLI::Option* option : command.get_options()) {
    for (const std::string& name : option->get_lnames()) names.push_back("--" + name);
    for (const std::string& name : option->get_snames()) names.push_back("-" + name);
  }
  return names;
}

bool contains(const std::vector<std::string>& names, const std::string& name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

// Of --x the option -x, of -seed the option --seed: a dash too many or too few.
std::string other_dashes(const std::string& name, const std::vector<std::string>& known) {
  const std::string fewer = name.substr(name.starts_with("--") ? 1 : 0), more = "-" + name;
  for (const std::string& candidate : {fewer, more})
    if (contains(known, candidate)) return candidate;
  return "";
}

// --rollout of --rollouts: the only option that begins so.
std::string completed(const std::string& name, const std::vector<std::string>& known) {
  std::string found;
  for (const std::string& candidate : known) {
    if (name.size() < 4 || !candidate.starts_with(name)) continue;
    if (!found.empty()) return "";
    found = candidate;
  }
  return found;
}

// The commands that have this option.
std::vector<std::string> owners(const CLI::App& program, const std::string& name) {
  std::vector<std::string> commands;
  for (const CommandGroup& group : command_groups(program))
    for (const CLI::App* command : group.commands)
      if (contains(option_names(*command), name)) commands.push_back(command->get_name());
  return commands;
}

std::string hint(const CLI::App& program, const CLI::App& command, const std::string& name) {
  const std::vector<std::string> known = option_names(command);
  for (const std::string& meant : {other_dashes(name, known), completed(name, known)})
    if (!meant.empty()) return " (did you mean '" + meant + "'?)";
  const std::vector<std::string> others = owners(program, name);
  if (!others.empty()) return " (it is an option of " + join(others) + ")";
  // Of -x every letter is one edit away: that says nothing.
  const std::string near = name.size() > 2 ? did_you_mean(name, known) : "";
  if (!near.empty()) return near;
  const std::string path = command.get_parent() ? "loopcert " + command.get_name() : "loopcert";
  return " (see " + path + " --help)";
}

}  // namespace

std::string parse_message(const CLI::App& program, const CLI::ParseError& error) {
  const std::vector<CLI::App*> parsed = program.get_subcommands();
  const CLI::App& command = parsed.empty() ? program : *parsed.front();
  const std::string place = command.get_parent() ? command.get_name() + ": " : "";
  const std::vector<std::string> unexpected = program.remaining(true);
  for (const std::string& word : unexpected) {
    if (!word.starts_with("-")) continue;
    const std::string name = word.substr(0, word.find('='));
    return place + "found the unknown option '" + name + "'" + hint(program, command, name);
  }
  if (dynamic_cast<const CLI::ExtrasError*>(&error) && !unexpected.empty())
    return place + "found '" + unexpected.front() + "' after all expected arguments";
  return place + error.what();
}

}  // namespace loopcert::app

#include "cli/groups.hpp"

#include "core/text.hpp"

namespace loopcert::app {
namespace {

// The group with this title, made when it is missing.
template <class Group>
Group& group_in(std::vector<Group>& groups, const std::string& title) {
  for (Group& group : groups)
    if (group.title == title) return group;
  groups.push_back({title, {}});
  return groups.back();
}

}  // namespace

std::string option_term(const CLI::Option& option) {
  if (option.get_positional()) return option.get_name(true);
  std::vector<std::string> names;
  for (const std::string& name : option.get_snames()) names.push_back("-" + name);
  for (const std::string& name : option.get_lnames()) names.push_back("--" + name);
  const std::string type = option.get_type_name();
  return join(names) + (type.empty() ? "" : " " + type) +
         (option.get_required() ? " (required)" : "");
}

std::vector<CommandGroup> command_groups(const CLI::App& program) {
  std::vector<CommandGroup> groups;
  const auto every = [](const CLI::App*) { return true; };
  for (const CLI::App* command : program.get_subcommands(every))
    group_in(groups, command->get_group()).commands.push_back(command);
  return groups;
}

std::vector<OptionGroup> option_groups(const CLI::App& command) {
  std::vector<OptionGroup> groups;
  OptionGroup others{"Other options", {}};
  for (const CLI::Option* option : command.get_options()) {
    if (option == command.get_help_ptr()) continue;
    if (option->get_positional())
      group_in(groups, "Arguments").options.push_back(option);
    else if (option->get_group() == "Options")
      others.options.push_back(option);
    else
      group_in(groups, option->get_group()).options.push_back(option);
  }
  if (command.get_help_ptr()) others.options.push_back(command.get_help_ptr());
  if (!others.options.empty()) groups.push_back(others);
  return groups;
}

}  // namespace loopcert::app

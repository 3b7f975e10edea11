#include "cli/manual.hpp"

#include <algorithm>
#include <memory>

#include "cli/groups.hpp"
#include "core/text.hpp"

namespace loopcert::app {
namespace {

// CLI11 gives every command a formatter of its own: the place for the command's manual.
class ManualFormatter : public CLI::FormatterBase {
 public:
  explicit ManualFormatter(Manual given) : manual(std::move(given)) {}

  std::string make_help(const CLI::App* app, std::string, CLI::AppFormatMode) const override {
    return page_text(manual_page(*app));
  }

  const Manual manual;
};

void add_terms(Page& page, const std::string& title, const std::vector<Term>& terms,
               int indent = 8) {
  if (terms.empty()) return;
  Section section{title, {}};
  for (const Term& term : terms)
    section.blocks.push_back({Block::item, term.text, term.name, indent});
  page.sections.push_back(section);
}

void add_synopsis(Page& page, const CLI::App& command, const Manual& manual) {
  const std::string name =
      command.get_parent() ? "loopcert " + command.get_name() : command.get_name();
  Section section{"SYNOPSIS", {}};
  for (const std::string& form : manual.synopsis)
    section.blocks.push_back({Block::synopsis, form, name});
  if (manual.synopsis.empty()) section.blocks.push_back({Block::synopsis, "[OPTION...]", name});
  page.sections.push_back(section);
}

void add_commands(Page& page, const CLI::App& program) {
  const std::vector<CommandGroup> groups = command_groups(program);
  if (groups.empty()) return;
  Section section{"COMMANDS", {}};
  for (const CommandGroup& group : groups) {
    section.blocks.push_back({Block::heading, group.title});
    for (const CLI::App* command : group.commands)
      section.blocks.push_back({Block::item, command->get_description(), command->get_name(), 12});
  }
  page.sections.push_back(section);
}

void add_options(Page& page, const CLI::App& command) {
  Section section{"OPTIONS", {}};
  const std::vector<OptionGroup> groups = option_groups(command);
  for (const OptionGroup& group : groups) {
    if (groups.size() > 1) section.blocks.push_back({Block::heading, group.title});
    for (const CLI::Option* option : group.options)
      section.blocks.push_back({Block::item, option->get_description(), option_term(*option)});
  }
  page.sections.push_back(section);
}

// What every command may end with; a command's own words replace those with the same number, and an
// empty text takes the line out.
std::vector<Term> exit_statuses(const Manual& manual) {
  std::vector<Term> statuses = {
      {"0", "done"},
      {"1", "numerical failure: a number is not finite, or out of memory"},
      {"2", "bad usage: unknown command, option or method, or incompatible options"},
      {"3", "bad input: file, key or row, what was found, what was expected"},
      {"6", "a file could not be written"},
  };
  for (const Term& own : manual.statuses) {
    const auto same = [&](const Term& term) { return term.name == own.name; };
    std::erase_if(statuses, same);
    if (!own.text.empty()) statuses.push_back(own);
  }
  std::sort(statuses.begin(), statuses.end(),
            [](const Term& a, const Term& b) { return a.name < b.name; });
  return statuses;
}

void add_examples(Page& page, const Manual& manual) {
  if (manual.examples.empty()) return;
  Section section{"EXAMPLES", {}};
  for (const Term& example : manual.examples) {
    if (!example.text.empty()) section.blocks.push_back({Block::paragraph, example.text});
    section.blocks.push_back({Block::code, example.name});
  }
  page.sections.push_back(section);
}

void add_see_also(Page& page, const CLI::App& command, const Manual& manual) {
  std::vector<std::string> names;
  if (command.get_parent()) names.push_back("loopcert(1)");
  for (const std::string& name : manual.see_also)
    names.push_back(name.find('.') == std::string::npos ? "loopcert-" + name + "(1)" : name);
  page.sections.push_back({"SEE ALSO", {{Block::paragraph, join(names)}}});
}

}  // namespace

void set_manual(CLI::App& command, Manual manual) {
  command.formatter(std::make_shared<ManualFormatter>(std::move(manual)));
}

const Manual& manual_of(const CLI::App& command) {
  return dynamic_cast<const ManualFormatter&>(*command.get_formatter()).manual;
}

std::string page_name(const CLI::App& command) {
  return command.get_parent() ? "loopcert-" + command.get_name() : command.get_name();
}

Page manual_page(const CLI::App& command) {
  const Manual& manual = manual_of(command);
  Page page{page_name(command), {}};
  page.sections.push_back(
      {"NAME", {{Block::paragraph, page.name + " - " + command.get_description()}}});
  add_synopsis(page, command, manual);
  Section description{"DESCRIPTION", {}};
  for (const std::string& text : manual.description)
    description.blocks.push_back({Block::paragraph, text});
  for (const Term& format : manual.formats)
    description.blocks.push_back({Block::item, format.text, format.name});
  page.sections.push_back(description);
  add_commands(page, command);
  add_options(page, command);
  add_terms(page, "FILES", manual.files);
  add_terms(page, "ENVIRONMENT", manual.environment);
  add_terms(page, "EXIT STATUS", exit_statuses(manual), 4);
  add_examples(page, manual);
  add_see_also(page, command, manual);
  return page;
}

}  // namespace loopcert::app

// loopcert help: the manual, for a terminal or for man(1).
#include <memory>

#include "cli/failure.hpp"
#include "cli/groups.hpp"
#include "cli/manual.hpp"
#include "cli/options.hpp"
#include "cli/output.hpp"
#include "cli/topics.hpp"
#include "commands/commands.hpp"
#include "core/text.hpp"
#include "delivery/folder.hpp"

namespace loopcert::app {
namespace {

struct HelpOptions {
  std::string command;
  bool man = false, reference = false;
  std::string out;
};

const CLI::App& find_command(const CLI::App& program, const std::string& name) {
  if (name.empty()) return program;
  std::vector<std::string> known;
  for (const CommandGroup& group : command_groups(program))
    for (const CLI::App* command : group.commands) {
      if (command->check_name(name)) return *command;  // former names, too
      known.push_back(command->get_name());
    }
  throw UsageError("help: found '" + name + "', expected " + join(known, " | ") +
                   did_you_mean(name, known));
}

// loopcert.1, loopcert-learn.1 and so on.
void write_pages(const CLI::App& program, const std::string& out) {
  OutputFolder folder(out);
  folder.add("loopcert.1", page_troff(manual_page(program)));
  for (const CommandGroup& group : command_groups(program))
    for (const CLI::App* command : group.commands)
      folder.add(page_name(*command) + ".1", page_troff(manual_page(*command)));
  folder.commit();
}

void run_help(const CLI::App& program, const HelpOptions& options) {
  if (!options.out.empty()) {
    if (!options.command.empty())
      throw UsageError("--out: writes the pages of all commands, not only of '" + options.command +
                       "'");
    write_pages(program, options.out);
    return;
  }
  if (options.reference) return print(quick_reference(program));
  for (const Topic& topic : topics(program))
    if (topic.code == options.command) return print(topic_text(topic));
  const Page page = manual_page(find_command(program, options.command));
  print(options.man ? page_troff(page) : page_text(page));
}

Action setup_help(CLI::App& command) {
  auto options = std::make_shared<HelpOptions>();
  command
      .add_option("COMMAND", options->command,
                  "the command to explain, or the code of a topic, P3 (default: all commands)")
      ->type_name("");
  CLI::Option* man = command.add_flag("--man", options->man, "print the page as troff source");
  command.add_flag("--reference", options->reference, "print the quick reference as Markdown")
      ->excludes(man);
  add_out_folder(command, options->out, "folder for the pages of all commands, created if missing")
      ->needs(man);
  set_manual(
      command,
      {.synopsis = {"[COMMAND|CODE] [--man]", "--man --out~DIR", "--reference"},
       .description =
           {"Prints the manual page of a command, or of the program: the text of `loopcert "
            "COMMAND --help`. With --man it prints the page as troff source, for `man -l`; "
            "these pages are installed as loopcert.1, loopcert-learn.1 and so on.",
            "A message that ends in (help P3) is explained by `loopcert help P3`, a topic of "
            "the quick reference: commands, keys of the problem file, log files, methods, "
            "kinds of certificates, exit statuses."},
       .files = {{"DIR/loopcert.1, DIR/loopcert-COMMAND.1", "the pages that are installed"}},
       .statuses = {{"1", ""}, {"3", ""}},
       .examples = {{"loopcert help learn", ""},
                    {"loopcert help P3", ""},
                    {"loopcert help --man learn", ""},
                    {"loopcert help --man --out man1", ""}},
       .see_also = {"completion", "docs/quick-reference.md"}});
  return [options, program = command.get_parent()] { run_help(*program, *options); };
}

}  // namespace

Command help_command() {
  return {"help", "print the manual of a command", setup_help, about_program};
}

}  // namespace loopcert::app

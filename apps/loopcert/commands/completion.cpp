// loopcert completion: what a shell needs to complete our command lines.
#include "cli/completion_table.hpp"

#include <memory>

#include "cli/failure.hpp"
#include "cli/manual.hpp"
#include "cli/output.hpp"
#include "commands/commands.hpp"
#include "core/text.hpp"

namespace loopcert::app {
namespace {

struct Shell {
  std::string name;
  std::string (*script)(const CompletionTable& table);
};

const std::vector<Shell>& shells() {
  static const std::vector<Shell> table = {
      {"bash", bash_completion},
      {"zsh", zsh_completion},
      {"fish", fish_completion},
  };
  return table;
}

std::vector<std::string> shell_names() {
  std::vector<std::string> names;
  for (const Shell& shell : shells()) names.push_back(shell.name);
  return names;
}

const Shell& find_shell(const std::string& name) {
  for (const Shell& shell : shells())
    if (shell.name == name) return shell;
  throw UsageError("completion: found '" + name + "', expected " + join(shell_names(), " | ") +
                   did_you_mean(name, shell_names()));
}

Action setup_completion(CLI::App& command) {
  auto shell = std::make_shared<std::string>();
  const std::string list = join(shell_names(), " | ");
  command.add_option("SHELL", *shell, list)->required()->type_name("");
  set_manual(
      command,
      {.synopsis = {"bash | zsh | fish"},
       .description =
           {"Prints a script with which a shell completes commands, options, the names that an "
            "option takes, files and folders. `make install` puts the three scripts where the "
            "shells look for them; this command is for programs that were not installed.",
            "In bash: `source <(loopcert completion bash)`. In zsh: "
            "`eval \"$(loopcert completion zsh)\"`. In fish: "
            "`loopcert completion fish | source`."},
       .files = {{"share/bash-completion/completions/loopcert", "installed, for bash"},
                 {"share/zsh/site-functions/_loopcert", "installed, for zsh"},
                 {"share/fish/vendor_completions.d/loopcert.fish", "installed, for fish"}},
       .statuses = {{"1", ""}, {"3", ""}, {"6", "standard output could not be written"}},
       .examples = {{"source <(loopcert completion bash)", "For this session of bash:"},
                    {"loopcert completion fish > loopcert.fish", ""}},
       .see_also = {"help"},
       .choices = {{"SHELL", list}}});
  return [shell, program = command.get_parent()] {
    print(find_shell(*shell).script(completion_table(*program)));
  };
}

}  // namespace

Command completion_command() {
  return {"completion", "print a script that completes command lines in a shell", setup_completion,
          about_program};
}

}  // namespace loopcert::app

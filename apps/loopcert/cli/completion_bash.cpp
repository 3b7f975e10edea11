#include <fmt/format.h>

#include "cli/completion_table.hpp"
#include "core/text.hpp"

namespace loopcert::app {
namespace {

// Shell assignments that say what may come.
std::string assignments(const Value& value) {
  std::vector<std::string> parts;
  if (!value.words.empty()) parts.push_back("words='" + join(value.words, " ") + "'");
  if (value.list) parts.push_back("list=1");
  if (value.folder) parts.push_back("names=folder");
  if (value.file) parts.push_back("names=file");
  return join(parts, " ");
}

std::string command_case(const CompletedCommand& command) {
  std::string text = fmt::format("    {})\n      case $prev in\n", command.name);
  std::vector<std::string> names;
  for (const CompletedOption& option : command.options) {
    names.insert(names.end(), option.names.begin(), option.names.end());
    if (option.takes_value)
      text +=
          fmt::format("        {}) {} ;;\n", join(option.names, "|"), assignments(option.value));
  }
  text += fmt::format("        *) options='{}' {} ;;\n      esac ;;\n", join(names, " "),
                      assignments(command.argument));
  return text;
}

constexpr const char* head =
    R"(# bash completion for loopcert, printed by `loopcert completion bash`
_loopcert() {
  local cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD - 1]} command=''
  local words='' options='' names='' list='' before='' found
  COMPREPLY=()
  # bash makes three words of --option=value
  if [[ $cur == '=' ]]; then
    cur=''
  elif [[ $prev == '=' ]]; then
    prev=${COMP_WORDS[COMP_CWORD - 2]}
  fi
  if ((COMP_CWORD > 1)); then command=${COMP_WORDS[1]}; fi
  case $command in
)";

constexpr const char* tail = R"(  esac
  if [[ -n $options && $cur == -* ]]; then
    words=$options names=''
  fi
  if [[ -n $list && $cur == *,* ]]; then
    before=${cur%,*},
    cur=${cur##*,}
  fi
  while IFS='' read -r found; do COMPREPLY+=("$before$found"); done \
    < <(compgen -W "$words" -- "$cur")
  case $names in
    file) while IFS='' read -r found; do COMPREPLY+=("$found"); done < <(compgen -f -- "$cur") ;;
    folder) while IFS='' read -r found; do COMPREPLY+=("$found"); done < <(compgen -d -- "$cur") ;;
  esac
  if [[ -n $names ]]; then compopt -o filenames 2>/dev/null; fi
  if [[ -n $list ]]; then compopt -o nospace 2>/dev/null; fi
  return 0
}
complete -F _loopcert loopcert
)";

}  // namespace

std::string bash_completion(const CompletionTable& table) {
  CompletedCommand program = table.program;
  program.name = "''";
  std::string text = head + command_case(program);
  for (const CompletedCommand& command : table.commands) text += command_case(command);
  return text + tail;
}

}  // namespace loopcert::app

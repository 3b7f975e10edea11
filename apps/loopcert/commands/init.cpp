// loopcert init: log files to a problem file that runs.
#include <fmt/format.h>
#include <unistd.h>

#include <cstdio>
#include <filesystem>
#include <iostream>
#include <memory>
#include <nlohmann/json.hpp>

#include "cli/failure.hpp"
#include "cli/manual.hpp"
#include "cli/options.hpp"
#include "cli/output.hpp"
#include "cli/progress.hpp"
#include "commands/commands.hpp"
#include "core/file.hpp"
#include "core/number_from.hpp"
#include "core/text.hpp"
#include "core/visible.hpp"
#include "loopcert/core/error.hpp"
#include "loopcert/workflow/draft.hpp"

namespace loopcert::app {
namespace {

struct InitOptions {
  std::vector<std::string> logs;
  std::vector<std::string> states, outputs, inputs, largest;
  std::string time, episode, horizon, model, name, out = "problem.toml";
  std::optional<Index> lags;
  bool force = false, columns = false, json = false;
};

std::string range_text(const SurveyedSignal& s) {
  if (!s.is_number())
    return s.count == 0 ? fmt::format("text, {} fields", s.texts)
                        : fmt::format("{} numbers and {} texts", s.count, s.texts);
  if (s.is_constant()) return fmt::format("constant, {:.4g}", s.least);
  return fmt::format("{:.4g} to {:.4g}, mean {:.3g}, deviation {:.3g}{}", s.least, s.largest,
                     s.mean, s.deviation, s.whole ? ", whole numbers" : "");
}

void add_signals(Table& table, const std::vector<SurveyedSignal>& signals,
                 const std::string& what) {
  for (const SurveyedSignal& s : signals)
    table.add(what, column_text({s.name, s.unit}) + ": " + range_text(s));
}

// "position=0.5"
std::pair<std::string, double> acceptable(const std::string& text) {
  const size_t at = text.rfind('=');
  if (at == text.npos || at == 0)
    throw UsageError("--largest: found '" + one_line(text) + "', expected NAME=VALUE");
  return {text.substr(0, at), positive_number("--largest", text.substr(at + 1))};
}

DraftOptions draft_options(const InitOptions& options) {
  DraftOptions draft;
  draft.states = options.states;
  draft.outputs = options.outputs;
  draft.inputs = options.inputs;
  draft.time = options.time;
  draft.episode = options.episode;
  draft.lags = options.lags;
  draft.name = options.name;
  const std::string stem = std::filesystem::path(options.out).stem().string();
  if (draft.name.empty() && stem != "problem") draft.name = stem;
  if (!options.model.empty()) draft.model = options.model;
  draft.infinite = options.horizon == "infinite";
  if (!options.horizon.empty() && !draft.infinite) {
    const auto steps = number_from<std::uint32_t>(options.horizon);
    if (!steps || *steps < 1)
      throw UsageError("--horizon: found '" + one_line(options.horizon) +
                       "', expected a whole number of steps, or infinite");
    draft.horizon = *steps;
  }
  for (const std::string& text : options.largest) draft.largest.push_back(acceptable(text));
  return draft;
}

// "a, b": what a person types.
std::vector<std::string> listed(const std::string& line) {
  std::vector<std::string> names;
  size_t first = 0;
  while (first <= line.size()) {
    const size_t end = std::min(line.find(',', first), line.size());
    const size_t from = line.find_first_not_of(" \t\r", first);
    if (from < end) {
      const size_t to = line.find_last_not_of(" \t\r", end - 1);
      names.push_back(line.substr(from, to - from + 1));
    }
    first = end + 1;
  }
  return names;
}

std::vector<std::string> ask(const std::string& question) {
  std::fputs((question + ": ").c_str(), stderr);
  std::string line;
  if (!std::getline(std::cin, line)) return {};
  return listed(line);
}

LogSurvey survey_of(const InitOptions& options, const Paths& logs) {
  const Progress progress(options.json, "read");
  return survey_logs(logs, {options.time, options.episode, {}, {}});
}

Table column_table(const LogSurvey& survey) {
  Table columns;
  columns.add("episodes", std::to_string(survey.lengths.size()));
  for (const SurveyedSignal& s : survey.signals)
    columns.add(column_text({s.name, s.unit}),
                (s.role.empty() ? "" : s.role + ": ") + range_text(s));
  return columns;
}

// What the command line leaves open: names tell, or a person does.
void complete_roles(InitOptions& options, const Paths& logs) {
  const bool measured = !options.states.empty() || !options.outputs.empty();
  if (measured && !options.inputs.empty()) return;
  const LogSurvey survey = survey_of(options, logs);
  if (roles_are_known(survey)) return;
  if (::isatty(STDIN_FILENO) != 1 || options.json) {
    std::vector<std::string> names;
    for (const SurveyedSignal& s : survey.signals)
      if (s.role.empty()) names.push_back(column_text({s.name, s.unit}));
    throw UsageError("init: found the columns " + join(names) +
                     ", expected --states (or --outputs) and --inputs to say what they are");
  }
  std::fputs(visible_text(column_table(survey).text()).c_str(), stderr);
  if (!measured) {
    options.states =
        ask("states, what is measured of the plant (names, separated by commas; "
            "nothing: outputs alone are measured)");
    if (options.states.empty()) options.outputs = ask("outputs");
  }
  if (options.inputs.empty()) options.inputs = ask("inputs, what a controller may choose");
}

nlohmann::json signals_json(const std::vector<SurveyedSignal>& signals) {
  nlohmann::json list = nlohmann::json::array();
  for (const SurveyedSignal& s : signals)
    list.push_back({{"name", s.name},
                    {"unit", s.unit},
                    {"role", s.role},
                    {"numbers", s.count},
                    {"texts", s.texts},
                    {"empty", s.empty},
                    {"least", s.least},
                    {"largest", s.largest},
                    {"mean", s.mean},
                    {"deviation", s.deviation},
                    {"whole", s.whole}});
  return list;
}

// As a shell reads it back.
std::string shell_word(const std::string& text) {
  if (!text.empty() && text.find_first_not_of("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
                                              "0123456789_-./+,:=@%") == text.npos)
    return text;
  std::string quoted = "'";
  for (const char c : text) quoted += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return quoted + "'";
}

std::string learn_line(const InitOptions& options) {
  std::string line = "loopcert learn " + shell_word(options.out) + " --rollouts";
  for (const std::string& log : options.logs) line += " " + shell_word(log);
  return line + " --out result";
}

void run_init(InitOptions options) {
  const Paths logs(options.logs.begin(), options.logs.end());
  if (options.columns) {
    const LogSurvey survey = survey_of(options, logs);
    if (options.json)
      return print_json({{"episodes", survey.lengths}, {"columns", signals_json(survey.signals)}});
    return print(column_table(survey).text());
  }
  if (!options.force && std::filesystem::exists(options.out))
    throw UsageError("init: " + options.out + " is there already (--force replaces it)");
  complete_roles(options, logs);
  const ProblemDraft draft = [&] {
    const Progress progress(options.json, "read");
    return draft_problem(logs, draft_options(options));
  }();
  write_file(options.out, draft.text);
  if (options.json) {
    print_json({{"problem", options.out},
                {"text", draft.text},
                {"episodes", draft.episodes},
                {"shortest", draft.shortest},
                {"longest", draft.longest},
                {"clock", draft.clock},
                {"horizon", draft.horizon},
                {"plant", draft.plant},
                {"states", signals_json(draft.states)},
                {"inputs", signals_json(draft.inputs)},
                {"remarks", draft.remarks}});
    return;
  }
  Table table;
  table.add("written", options.out);
  const std::string steps = draft.shortest == draft.longest
                                ? std::to_string(draft.shortest)
                                : fmt::format("{} to {}", draft.shortest, draft.longest);
  table.add("episodes", fmt::format("{} of {} steps{}", draft.episodes, steps,
                                    draft.clock.empty() ? "" : ", " + draft.clock));
  add_signals(table, draft.states, "state");
  add_signals(table, draft.inputs, "input");
  table.add("plant", draft.plant);
  table.add("horizon", draft.horizon);
  table.add("weights", draft.weights);
  for (const std::string& remark : draft.remarks) table.add("look at", remark);
  table.add("next", learn_line(options));
  print(table.text());
}

Action setup_init(CLI::App& command) {
  auto options = std::make_shared<InitOptions>();
  command.add_option("LOGS", options->logs, "log files (" + read_list() + ")")
      ->required()
      ->type_name("FILE...");
  const auto names = [&](const char* name, std::vector<std::string>& list, const char* help) {
    return command.add_option(name, list, help)->delimiter(',')->type_name("NAME,...");
  };
  CLI::Option* states = names("--states", options->states,
                              "columns that are the state of the plant; of arrays the name of one");
  CLI::Option* outputs =
      names("--outputs", options->outputs, "columns that are measured where the state is not");
  states->excludes(outputs);
  names("--inputs", options->inputs, "columns that a controller may choose");
  add_path(command, "--time", options->time, "column that counts time or steps (else looked for)")
      ->type_name("NAME");
  add_path(command, "--episode", options->episode, "column that labels episodes (else looked for)")
      ->type_name("NAME");
  add_path(command, "--horizon", options->horizon,
           "steps of an episode, or infinite (else as the logs suggest)")
      ->type_name("T|infinite");
  add_count(command, "--lags", options->lags,
            "last measurements that say what comes; for --outputs (default 2)");
  names("--largest", options->largest,
        "largest acceptable value of a signal, for its weight (default: the largest in the logs)")
      ->type_name("NAME=VALUE,...");
  add_path(command, "--model", options->model,
           "file whose [system] holds A and B: nothing is "
           "identified");
  add_path(command, "--name", options->name,
           "name of the problem (default: that of the file written, or of the first log)")
      ->type_name("NAME");
  add_path(command, "--out", options->out, "problem file to write (default problem.toml)");
  command.add_flag("--force", options->force, "replace the file if it is there");
  command.add_flag("--columns", options->columns, "print what the files hold, write nothing");
  add_json(command, options->json);
  set_manual(
      command,
      {.synopsis = {"LOGS... [--states~NAME,...|--outputs~NAME,...] [--inputs~NAME,...] "
                    "[--time~NAME] [--episode~NAME] [--horizon~T|infinite] [--lags~N] "
                    "[--largest~NAME=VALUE,...] [--model~FILE] [--name~NAME] [--out~FILE] "
                    "[--force] [--json]",
                    "LOGS... --columns [--time~NAME] [--episode~NAME] [--json]"},
       .description =
           {"Looks at log files and writes a problem file with comments that reads them: the names "
            "and units of columns, the column that counts time and how far its rows are apart, the "
            "one that labels episodes, how long they are. The next command is `loopcert learn`.",
            "Which columns are states, outputs and inputs is asked on a terminal; elsewhere "
            "--states "
            "(or --outputs) and --inputs say it, and --columns lists what there is. Names that "
            "loopcert itself writes (x0, u0, x0_0, arrays x and u) need no "
            "options.",
            "Weights follow Bryson's rule, 1 / (largest acceptable value)^2. Without --largest the "
            "largest value in the logs takes its place, so that the cost has no unit. The plant "
            "is identified from the logs unless --model names a file with A and B. With many "
            "episodes the horizon is their length; one log, or --outputs, gives a controller that "
            "runs for ever.",
            "A column far from zero is shifted by its rounded mean (`zero`): a controller acts on "
            "deviations. Columns that never change are refused as states and inputs; columns of "
            "whole numbers, and others that may be a mistake, are lines that begin with `look "
            "at`."},
       .files = {{"LOGS", "logged states and inputs; every file with the same columns"},
                 {"problem.toml", "written, or the file of --out"}},
       .examples =
           {{"loopcert init examples/drive/logs.csv --states position,speed --inputs torque "
             "--out drive.toml",
             "From a table of forty episodes to a problem file:"},
            {"loopcert learn drive.toml --rollouts examples/drive/logs.csv --out result", ""}},
       .see_also = {"learn", "identify", "import", "docs/data.md", "docs/problem-file.md"}});
  return [options] { run_init(*options); };
}

}  // namespace

Command init_command() { return {"init", "write a problem file from log files", setup_init}; }

}  // namespace loopcert::app

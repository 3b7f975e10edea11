// A problem file to start from, written from log files: what they hold, a cost by Bryson's rule,
// and a plant that is identified where none is given.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "loopcert/data/survey.hpp"

namespace loopcert {

struct DraftOptions {
  // Columns, or of arrays one name: what is measured of the plant, as its state (`states`) or as
  // outputs of a state that nobody measures (`outputs`), and what is done to it.
  std::vector<std::string> states, outputs, inputs;
  std::string time, episode;                            // columns; empty: looked for
  std::optional<Index> horizon;                         // nothing: as the logs suggest
  bool infinite = false;                                // horizon = "infinite"
  std::optional<Index> lags;                            // of outputs; 2
  std::vector<std::pair<std::string, double>> largest;  // acceptable values of signals
  std::optional<std::filesystem::path> model;           // a file whose [system] is taken
  std::string name;
};

struct ProblemDraft {
  std::string text;  // TOML with comments; it has been read back, and so have the logs
  std::vector<SurveyedSignal> states, inputs;
  Index episodes = 0, shortest = 0, longest = 0;  // steps
  std::string clock;                              // "step k", "t [s], 0.02 apart"
  std::string horizon, plant, weights;            // what was chosen, in words
  std::vector<std::string> remarks;               // one line each: what a person should look at
};

// Roles that can be told from names alone: arrays x and u, columns x0, x1, …, u0, ….
bool roles_are_known(const LogSurvey& survey);

// Throws InputError: names that no log has, signals that never change, logs that the file would not
// read.
ProblemDraft draft_problem(const Paths& logs, const DraftOptions& options);

}  // namespace loopcert

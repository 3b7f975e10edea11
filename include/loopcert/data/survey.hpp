// What log files hold, looked at before anybody has said what it means.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "loopcert/core/types.hpp"
#include "loopcert/data/layout.hpp"
#include "loopcert/data/trajectory_files.hpp"

namespace loopcert {

// A column of a table, or a component of an array.
struct SurveyedSignal {
  std::string name;
  std::string unit;
  std::string role;  // "time", "step", "episode" as found; "state", "input" of arrays x and u
  Index count = 0;   // of numbers
  Index texts = 0;   // fields that are no numbers
  Index empty = 0;
  double least = 0, largest = 0, mean = 0;
  double deviation = 0;  // root mean square around the mean
  bool whole = false;    // nothing but whole numbers

  bool is_number() const { return count > 0 && texts == 0; }
  bool is_constant() const { return is_number() && least == largest; }
  double size() const;  // largest |value|
};

struct LogSurvey {
  std::vector<SurveyedSignal> signals;
  DataLayout layout;           // how the files read; which signals are states is still open
  bool own_names = false;      // the names that loopcert itself writes: no [data] needed
  std::vector<Index> lengths;  // steps of each episode, in the order of the files
  std::vector<std::string> remarks;

  Index shortest() const;
  Index longest() const;
  // By "name" or "name [unit]"; throws InputError with what was likely meant.
  const SurveyedSignal& find(const std::string& name) const;
};

// What the user says of the files; what is empty is looked for.
struct SurveyHints {
  std::string time, episode;                // columns
  std::vector<std::string> states, inputs;  // columns that are no clock; of arrays one name each
};

// Throws InputError on files that cannot be read, that differ in their columns, and where nothing
// counts time.
LogSurvey survey_logs(const Paths& paths, const SurveyHints& hints = {});

}  // namespace loopcert

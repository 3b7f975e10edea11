// An entry of a table by its name.
#pragma once

#include <string>
#include <vector>

#include "core/text.hpp"
#include "loopcert/core/error.hpp"

namespace loopcert {

// Throws InputError "place: found 'x', expected a | b | c", with the name that may have been meant.
template <class Entry>
const Entry& find_named(const std::vector<Entry>& table, const std::string& name,
                        const std::string& place) {
  std::vector<std::string> known;
  for (const Entry& entry : table) {
    if (entry.name == name) return entry;
    known.push_back(entry.name);
  }
  throw_input_error(place, "'" + name + "'", join(known, " | ") + did_you_mean(name, known));
}

}  // namespace loopcert

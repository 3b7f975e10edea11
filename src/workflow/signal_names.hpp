// What a controller's provenance says of its signals: names and units in the order of K's columns
// and rows, for whoever wires it up.
#pragma once

#include <map>
#include <string>

#include "loopcert/problem/problem.hpp"

namespace loopcert {

// Where [data] names them.
void add_signal_names(std::map<std::string, std::string>& provenance, const Problem& problem);

}  // namespace loopcert

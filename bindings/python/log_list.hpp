// Logs as Python hands them over.
#pragma once

#include "data/logs.hpp"

namespace loopcert::python {

// A class of its own: a list of pairs would be copied at every call.
struct LogList {
  Logs logs;
};

}  // namespace loopcert::python

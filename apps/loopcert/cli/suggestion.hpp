// What a command line that cannot be parsed was probably meant to be.
#pragma once

#include <CLI/CLI.hpp>
#include <string>

namespace loopcert::app {

// The error of `program.parse` as one sentence. A word that nobody expected is named even when
// the parser complains of what is missing instead, for that is often the same mistake.
std::string parse_message(const CLI::App& program, const CLI::ParseError& error);

}  // namespace loopcert::app

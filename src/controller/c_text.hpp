// Pieces of C code that every exported controller needs.
#pragma once

#include <string>
#include <vector>

#include "loopcert/core/types.hpp"

namespace loopcert {

// Throws InputError unless it is a C identifier of at most 60 letters.
void check_c_identifier(const std::string& prefix);

// Text from anywhere inside a block comment: printable ASCII that cannot end it, open another or
// form a trigraph.
std::string c_comment_text(const std::string& text);

// Replaces @P@ (upper case prefix) and @p@ in a template.
std::string fill_c(std::string text, const std::string& prefix);

// As hexadecimal floating-point numbers, three to a line: no digit is lost.
std::string c_numbers(const std::vector<double>& values);

// Numbers of a self-test: multiples of 1/64 from a fixed sequence, exact in every arithmetic.
std::vector<double> c_test_signal(Index count);

}  // namespace loopcert

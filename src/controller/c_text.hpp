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

// The numbers that exported code computes with: double, or float (--float).
struct CReal {
  bool single = false;

  // Unit roundoff of gamma_n = n u/(1 - n u): what rounding n times changes, as a share of the
  // size.
  double gamma(Index n) const;
  // Smaller sizes have fewer digits.
  double smallest() const { return single ? 1e-30 : 1e-290; }
};

// Replaces @P@ (upper case prefix), @p@, @real@ (double or float) and @zero@ in a template.
std::string fill_c(std::string text, const std::string& prefix, CReal real = {});

// As hexadecimal floating-point numbers, three to a line: no digit of a double is lost, those of a
// float are rounded to nearest. Throws InputError when one is too large for a float.
std::string c_numbers(const std::vector<double>& values, CReal real = {});

// Numbers of a self-test: multiples of 1/64 from a fixed sequence, exact in every arithmetic.
std::vector<double> c_test_signal(Index count);

}  // namespace loopcert

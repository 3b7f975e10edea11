// The makers of the forms, one file each, and what they share.
#pragma once

#include "controller/forms.hpp"

namespace loopcert {

#define ADD(name, maker) ControllerForm maker();
#include "controller/forms.inc"

// The value of a key, or zero of that size.
Matrix value_or_zero(const FormValues& values, const std::string& key, Index rows, Index cols);
double number_or(const FormValues& values, const std::string& key, double otherwise);

// Throws InputError unless the number is above zero (`zero`: or zero).
double positive_of(const FormValues& values, const std::string& key, double otherwise,
                   bool zero = false);

}  // namespace loopcert

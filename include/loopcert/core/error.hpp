// The errors of the library. Bad input throws at the public boundary; a numerical outcome
// (a solver that stopped early) is a status in the result and never an exception.
#pragma once

#include <stdexcept>
#include <string>

namespace loopcert {

// Somebody gave us something wrong. One line: place, what was found, what was expected; names in it
// may hold any bytes, and what is not shown becomes \xNN.
class InputError : public std::runtime_error {
 public:
  explicit InputError(const std::string& message);
};

// The numerics failed on valid input (a factorization broke down, a result is not finite).
class NumericsError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// A file could not be written.
class OutputError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// "place: found X, expected Y"
[[noreturn]] void throw_input_error(const std::string& place, const std::string& found,
                                    const std::string& expected);

// Runs `action`; an InputError leaving it gets `place: ` in front, so that the message starts with
// the file or key where a person has to look.
template <class Action>
auto at_place(const std::string& place, Action&& action) -> decltype(action()) {
  try {
    return action();
  } catch (const InputError& error) {
    throw InputError(place + ": " + error.what());
  }
}

}  // namespace loopcert

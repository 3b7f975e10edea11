// What an action says when it refuses its input.
#pragma once

#include <gtest/gtest.h>

#include <string>
#include <utility>

#include "loopcert/core/error.hpp"

namespace loopcert::testing {

// The message of the InputError that `action` throws, or "" when it throws none. A message that is
// not one line fails the test.
template <class Action>
std::string input_error(Action&& action) {
  try {
    std::forward<Action>(action)();
  } catch (const InputError& error) {
    const std::string message = error.what();
    EXPECT_EQ(message.find('\n'), message.npos) << message;
    EXPECT_FALSE(message.empty());
    return message;
  }
  return "";
}

// Whether `text` holds `part`; a failure shows both.
inline ::testing::AssertionResult contains(const std::string& text, const std::string& part) {
  if (text.find(part) != text.npos) return ::testing::AssertionSuccess();
  return ::testing::AssertionFailure() << "'" << text << "' does not hold '" << part << "'";
}

}  // namespace loopcert::testing

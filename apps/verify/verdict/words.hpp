// The checker's own words: records hold ids and numbers.
#pragma once

#include "formats/record.hpp"

namespace verify {

struct Words {
  const char *id, *text;  // {name} in it stands for the parameter of this name
};
extern const std::vector<Words> all_words;

std::string shortest(double value);  // the fewest digits that give this double
// Refuted when there are no words for its id, or not of these parameters.
std::string in_words(const Statement& statement);

}  // namespace verify

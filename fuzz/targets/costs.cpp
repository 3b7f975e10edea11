#include "../targets.hpp"
#include "measurement/read_costs.hpp"

namespace loopcert::fuzz {

// As a table and as JSON, without and with a name.
void costs(Bytes bytes) {
  for (const char* column : {"", "J"}) {
    Vector found;
    if (accepted([&] { found = parse_costs_csv(bytes, column); }))
      require(found.allFinite(), "costs of a table are numbers");
    if (accepted([&] { found = parse_costs_json(bytes, column); }))
      require(found.allFinite(), "costs of a list are numbers");
  }
}

}  // namespace loopcert::fuzz

#include <nlohmann/json.hpp>

#include "../targets.hpp"
#include "controller/controller_trees.hpp"
#include "loopcert/controller/controller_file.hpp"

namespace loopcert::fuzz {

void controller(Bytes bytes) {
  Controller found;
  const auto path = scratch_file("controller.json", bytes);
  if (!accepted([&] { found = read_controller(path); })) return;
  const nlohmann::json again = controller_to_json(found);
  require(controller_to_json(controller_from_json(again)) == again,
          "a controller reads back as itself");
  const Controller arrays = controller_from_arrays(controller_to_arrays(found));
  require(arrays.K == found.K && arrays.k == found.k && arrays.learned_from == found.learned_from &&
              controller_to_json(arrays).value("recordings", nlohmann::json()) ==
                  again.value("recordings", nlohmann::json()),
          "a controller reads back from its arrays");
}

}  // namespace loopcert::fuzz

#include "data/npz.hpp"
#include "../targets.hpp"
#include "controller/controller_trees.hpp"
#include "data/mat.hpp"
#include "loopcert/controller/controller_file.hpp"

namespace loopcert::fuzz {

void npz(Bytes bytes) {
  NamedArrays arrays;
  if (!accepted([&] { arrays = parse_npz(bytes); })) return;
  const NamedArrays again = parse_npz(format_npz(arrays));
  require(again.size() == arrays.size(), "an archive reads back as itself");
  for (const auto& [name, array] : arrays)
    require(again.at(name).shape == array.shape && again.at(name).values == array.values,
            "an array of an archive reads back as itself");
  accepted([&] { format_mat(arrays); });
  accepted([&] { controller_to_arrays(controller_from_arrays(arrays)); });
}

}  // namespace loopcert::fuzz

#include <nlohmann/json.hpp>

#include "../targets.hpp"
#include "core/json.hpp"
#include "watch/plant_watch_file.hpp"
#include "watch/watch_costs.hpp"
#include "watch/watch_file.hpp"
#include "watch/watch_steps.hpp"

namespace loopcert::fuzz {
namespace {

void as_costs(const std::filesystem::path& path) {
  Watch watch({1, 0.01});
  LineFeed lines(path);
  watch_costs(watch, lines, {});
  require(watch.state().evidence >= 0 && watch.state().largest >= 1, "evidence is a number");
}

PlantClaim small_claim() {
  PlantClaim claim;
  claim.model = colour_model(1, 1);
  claim.model.n_u = 1;
  claim.model.B0 = Matrix::Zero(1, 1);
  claim.model.Cr = Matrix::Identity(2, 2);
  claim.Theta = Matrix::Constant(1, 2, 0.5);
  claim.root = Matrix::Identity(1, 1);
  claim.G = Matrix::Identity(2, 2);
  claim.beta = 0.1;
  return claim;
}

void as_steps(const std::filesystem::path& path) {
  PlantWatch watch(small_claim());
  LineFeed lines(path);
  watch_steps(watch, lines, {});
  require(watch.state().evidence >= 0, "evidence is a number");
}

}  // namespace

void watch(Bytes bytes) {
  const auto path = scratch_file("watch", bytes);
  accepted([&] { as_costs(path); });
  accepted([&] { as_steps(path); });
  WatchFile state;
  if (accepted([&] { state = read_watch(path); })) {
    const nlohmann::json again = watch_to_json(state.state);
    require(watch_from_json(again) == state.state, "a watch reads back as itself");
    Watch::resumed(state.state).update(1);
  }
  PlantWatchFile plant;
  if (!accepted([&] { plant = read_plant_watch(path); })) return;
  write_plant_watch(path, plant);
  const PlantWatchFile again = read_plant_watch(path);
  require(again.state.sums == plant.state.sums && again.state.n == plant.state.n &&
              again.claim.Theta == plant.claim.Theta,
          "a watch on a plant reads back as itself");
}

}  // namespace loopcert::fuzz

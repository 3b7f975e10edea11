// step = [S_1, S_2, …]: the outputs one step, two steps, … after the inputs went from 0 to 1 and
// stayed; after the last nothing changes.
#include "problem/plant_forms/plant_form.hpp"
#include "system/markov.hpp"

namespace loopcert {
namespace {

FormRead read_step(const Table& system, Index) {
  Markov markov =
      delayed(markov_of_step(parameters_of(system.need("step", "a list"))), whole_delay(system));
  const Index n_y = markov[0].rows(), n_u = markov[0].cols();
  return {n_y, n_u, [markov = std::move(markov)](Plant& p) { p.G = operator_of(markov, p.T); }};
}

}  // namespace

PlantForm step_plant() { return {{"step", "delay", "d"}, read_step}; }

}  // namespace loopcert

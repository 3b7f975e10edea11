// impulse = [G_1, G_2, …]: what an input does to the outputs one step later, two steps later, …;
// after the last nothing.
#include "problem/plant_forms/plant_form.hpp"
#include "system/markov.hpp"

namespace loopcert {
namespace {

FormRead read_impulse(const Table& system, Index) {
  Markov markov = delayed(parameters_of(system.need("impulse", "a list")), whole_delay(system));
  const Index n_y = markov[0].rows(), n_u = markov[0].cols();
  return {n_y, n_u, [markov = std::move(markov)](Plant& p) { p.G = operator_of(markov, p.T); }};
}

}  // namespace

PlantForm impulse_plant() { return {{"impulse", "delay", "d"}, read_impulse}; }

}  // namespace loopcert

// The plugin of a device that is none: it runs what the CUDA plugin runs, for tests on machines
// without a GPU.
#include "steps/plugin.hpp"

#include "machine.hpp"

extern "C" __attribute__((visibility("default"))) const lc_plugin* loopcert_plugin() {
  return lc::Plugin<lc::HostMachine>::table();
}

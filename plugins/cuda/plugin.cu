// libloopcert_cuda.so: what loopcert loads at run time when there is an NVIDIA GPU.
#include "steps/plugin.hpp"

#include "machine.hpp"

extern "C" __attribute__((visibility("default"))) const lc_plugin* loopcert_plugin() {
  return lc::Plugin<lc::CudaMachine>::table();
}

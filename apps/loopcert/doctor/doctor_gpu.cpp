#include <fmt/format.h>

#include "device/device.hpp"
#include "doctor/doctor_checks.hpp"

namespace loopcert::app {
namespace {

// Of its own matrix product of this size; 0 where it failed.
double gflops_of(Device& device, long size) {
  double seconds = 0;
  if (device.call().product_seconds(device.handle(), size, 3, &seconds) != LC_OK) return 0;
  return 2e-9 * static_cast<double>(size) * static_cast<double>(size) * static_cast<double>(size) /
         seconds;
}

// Small where a larger product would take long: on no GPU.
long size_for(Device& device) { return gflops_of(device, 128) < 50 ? 128 : 2048; }

}  // namespace

// Is there a GPU that learning may use, and where not, why?
Finding look_at_gpu() {
  const FoundDevice gpu = find_device();
  nlohmann::json data = {{"found", gpu.found}, {"plugin", gpu.plugin}, {"why", gpu.why}};
  const std::shared_ptr<Device> device = gpu.found ? take_device() : nullptr;
  if (!device) return {Verdict::note, "none is used: " + gpu.why, data};
  const long size = size_for(*device);
  const double gflops = gflops_of(*device, size);
  data.update({{"name", gpu.name},
               {"memory_bytes", gpu.memory_bytes},
               {"free_bytes", gpu.free_bytes},
               {"gflops", gflops}});
  if (gflops == 0) return {Verdict::problem, gpu.name + " cannot multiply: use --device cpu", data};
  return {Verdict::ok,
          fmt::format("{}, {:.3g} of {:.3g} GiB free, {:.3g} Gflop/s ({} x {}); learning uses it "
                      "for large problems (--device)",
                      gpu.name, gpu.free_bytes * 0x1p-30, gpu.memory_bytes * 0x1p-30, gflops, size,
                      size),
          data};
}

}  // namespace loopcert::app

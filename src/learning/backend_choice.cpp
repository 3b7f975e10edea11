#include <fmt/format.h>

#include "core/parallel.hpp"
#include "learning/backend.hpp"
#include "loopcert/core/error.hpp"

namespace loopcert {
namespace {

// Below these sizes threads, or starting a GPU, cost more than they bring.
constexpr Index threads_from_p = 20'000;
constexpr Index gpu_from_p = 100'000;

std::unique_ptr<Backend> on_cpu(Index p) {
  return cpu_backend(p >= threads_from_p ? default_threads() : 1);
}

}  // namespace

ChosenBackend choose_backend(const CausalPattern& pattern) {
  const Index p = pattern.count();
  const DeviceChoice wanted = device_choice();
  if (wanted == DeviceChoice::cpu || (wanted == DeviceChoice::automatic && p < gpu_from_p))
    return {on_cpu(p)};
  std::string why;
  std::shared_ptr<Device> device = take_device(&why);
  const bool required = wanted == DeviceChoice::gpu;
  if (!device && required) throw_input_error("device", "no GPU: " + why, "auto | cpu, or a GPU");
  if (!device) return {on_cpu(p)};
  const double needed = gpu_memory(pattern, true), free = device->free_bytes();
  if (needed > free && required)
    throw InputError(
        fmt::format("device: out of memory: learning needs about {:.3g} GiB of {}, and {:.3g} GiB "
                    "are free; --device cpu needs none of it",
                    needed * 0x1p-30, device->name(), free * 0x1p-30));
  if (needed > free) return {on_cpu(p)};
  return {gpu_backend(std::move(device), default_threads()), true};
}

}  // namespace loopcert

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

std::unique_ptr<Backend> choose_gpu(const CausalPattern& pattern, double needed) {
  const DeviceChoice wanted = device_choice();
  const bool required = wanted == DeviceChoice::gpu;
  if (wanted == DeviceChoice::cpu || (!required && pattern.count() < gpu_from_p)) return nullptr;
  std::string why;
  std::shared_ptr<Device> device = take_device(&why);
  if (!device && required) throw_input_error("device", "no GPU: " + why, "auto | cpu, or a GPU");
  if (!device) return nullptr;
  const double free = device->free_bytes();
  if (needed > free && required)
    throw InputError(
        fmt::format("device: out of memory: learning needs about {:.3g} GiB of {}, and {:.3g} GiB "
                    "are free; --device cpu needs none of it",
                    needed * 0x1p-30, device->name(), free * 0x1p-30));
  return needed > free ? nullptr : gpu_backend(std::move(device), default_threads());
}

ChosenBackend choose_backend(const CausalPattern& pattern) {
  if (std::unique_ptr<Backend> gpu = choose_gpu(pattern, gpu_memory(pattern, true)))
    return {std::move(gpu), true};
  return {on_cpu(pattern.count())};
}

}  // namespace loopcert
